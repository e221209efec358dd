import Controls
import Testing
import UICore

private func model(_ marked: String, maximumLength: Int = 1000) -> TextEditModel {
  MarkedText.model(marked, maximumLength: maximumLength)
}

private func marked(_ model: TextEditModel) -> String { MarkedText.of(model) }

@Suite struct TextEditModelTests {
  /// A step, and what it makes of lines.
  nonisolated struct Step: CustomTestStringConvertible, Sendable {
    let lines: KeyValuePairs<String, String>
    let take: @Sendable (inout TextEditModel) -> Void
    var testDescription: String { lines.map { "\($0) -> \($1)" }.joined(separator: ", ") }

    init(_ lines: KeyValuePairs<String, String>, _ take: @escaping @Sendable (inout TextEditModel) -> Void) {
      (self.lines, self.take) = (lines, take)
    }

    @MainActor func expectResults() {
      for (before, after) in lines {
        var line = model(before)
        take(&line)
        #expect(marked(line) == after, "from \(before)")
        #expect((0...line.count).contains(line.caret))
      }
    }
  }

  @Test(arguments: [
    Step(["ab|c": "a|bc", "|abc": "|abc", "a|b^c": "a|bc", "a^bc|": "a|bc"]) {
      $0.move(towards: .start, by: .character)
    },
    Step(["ab|c": "abc|", "abc|": "abc|", "a|b^c": "ab|c"]) { $0.move(towards: .end, by: .character) },
    Step(["ab|c": "a|b^c"]) { $0.move(towards: .start, by: .character, extends: true) },
    Step(["one two| three": "one |two three", "one |two three": "|one two three"]) {
      $0.move(towards: .start, by: .word)
    },
    Step(["one| two three": "one two| three"]) { $0.move(towards: .end, by: .word) },
    Step(["one| two": "|one^ two"]) { $0.move(towards: .start, by: .line, extends: true) },
    Step(["one| two": "one two|"]) { $0.move(towards: .end, by: .line) },
    Step(["one| two": "^one two|", "|": "|"]) { $0.selectAll() },
    Step(["it's| late": "^it's| late"]) { $0.selectWord(at: 2) },
    Step(["one|  two": "one^  |two"]) { $0.selectWord(at: 4) },
    Step(["one|": "^one|"]) { $0.selectWord(at: 99) },
    // Thai has no blanks between words; Chinese words would need a dictionary, so a run is one word.
    Step(["|สวัสดีครับ late": "^สวัสดี|ครับ late"]) { $0.selectWord(at: 1) },
    Step(["|สวัสดีครับ late": "สวัสดี^ครับ| late"]) { $0.selectWord(at: 5) },
    Step(["|สวัสดีครับ late": "สวัสดี|ครับ late", "สวัสดี|ครับ late": "สวัสดีครับ| late"]) { $0.move(towards: .end, by: .word) },
    Step(["สวัสดีครับ| late": "สวัสดี|ครับ late"]) { $0.move(towards: .start, by: .word) },
    Step(["|你好世界 late": "^你好世界| late"]) { $0.selectWord(at: 1) },
    Step(["one|": "one|"]) { $0.move(to: 99) },
    Step(["one|": "|one"]) { $0.move(to: -1) },
  ]) func `caret and selection`(step: Step) { step.expectResults() }

  @Test(arguments: [
    Step(["a|c": "ab|c", "a^xyz|c": "ab|c"]) { $0.insert("b") },
    Step(["|": "a b c d|"]) { $0.insert("a\nb\tc\r\nd") },
    Step(["a|": "a|"]) { $0.insert("\u{7}\u{1b}") },
    Step(["ab|c": "a|c", "|abc": "|abc", "a^b|c": "a|c"]) { $0.delete(towards: .start) },
    Step(["ab|c": "ab|", "abc|": "abc|", "a|b^c": "a|c"]) { $0.delete(towards: .end) },
    Step(["one two|": "one |"]) { $0.delete(towards: .start, by: .word) },
    Step(["one| two!": "one|!"]) { $0.delete(towards: .end, by: .word) },
    Step(["one| two": "| two"]) { $0.delete(towards: .start, by: .line) },
    // A visible character is deleted as one.
    Step(["🚗👩‍👩‍👧|": "🚗|", "x🇩🇪|": "x|"]) { $0.delete(towards: .start) },
    Step(["e|x": "é|x"]) { $0.insert("\u{301}") },
  ]) func `typing and deleting`(step: Step) { step.expectResults() }

  @Test(arguments: [("abcd|", "ab", "abcdab|"), ("abcdef|", "ab", "abcdefab|"), ("abcdefgh|", "ab", "abcdefgh|")])
  func `no more characters than there may be`(before: String, typed: String, after: String) {
    var line = model(before, maximumLength: 8)
    line.insert(typed)
    #expect(marked(line) == after)
  }

  @Test func `a selection makes room for as much`() {
    var line = model("^abcdefgh|", maximumLength: 8)
    line.insert("0123456789")
    #expect(marked(line) == "01234567|")
  }

  @Test func `places in bytes are those of whole characters`() {
    let line = TextEditModel("aé🚗b")
    #expect((0...4).map { line.utf8($0) } == [0, 1, 3, 7, 8])
    #expect((0...9).map { line.place(utf8: $0) } == [0, 1, 1, 2, 2, 2, 2, 3, 4, 4])
    #expect(line.place(utf8: -3) == 0)
  }

  // MARK: Undoing

  /// Letters typed one by one; < deletes, ← moves, ⎌ undoes, ↷ does again.
  private func typed(_ keys: String) -> TextEditModel {
    var line = TextEditModel()
    for key in keys {
      switch key {
      case "<": line.delete(towards: .start)
      case "←": line.move(towards: .start, by: .character)
      case "⎌": line.undo()
      case "↷": line.redo()
      default: line.insert(String(key))
      }
    }
    return line
  }

  @Test(arguments: [
    ("⎌", "|"), ("abc⎌", "|"), ("abc⎌↷", "abc|"), ("one two⎌", "one |"), ("one two⎌⎌", "|"), ("one two⎌⎌↷", "one |"),
    ("one, two⎌", "one, |"), ("abc<<⎌", "abc|"), ("abc<<⎌⎌", "|"), ("abc<x⎌", "ab|"), ("abc<x⎌⎌", "abc|"),
    ("ab←c⎌", "a|b"), ("ab←c⎌⎌", "|"), ("abc⎌x↷", "x|"), ("a⎌⎌⎌↷↷↷", "a|"), ("ab<⎌<⎌", "ab|"),
  ])
  func `undoing takes words back`(keys: String, line: String) {
    #expect(marked(typed(keys)) == line)
  }

  @Test func `what comes at once goes at once, a selection comes back`() {
    var line = model("one ^two| three")
    line.insert("2 and 2")
    #expect(marked(line) == "one 2 and 2| three")
    line.undo()
    #expect(marked(line) == "one ^two| three")
    line.undo()
    #expect(marked(line) == "one ^two| three", "nothing is left to undo")
    line.redo()
    #expect(marked(line) == "one 2 and 2| three")
    line.replaceAll(with: "new")
    #expect(marked(line) == "^new|")
    line.undo()
    #expect(line.text == "one 2 and 2 three")
    line.delete(towards: .start, by: .word)
    line.delete(towards: .start, by: .word)
    line.undo()
    #expect(line.text == "one 2 and  three", "each word by itself")
  }

  @Test func `a hundred changes are kept`() {
    var line = TextEditModel()
    for _ in 0..<150 { line.insert("a b") }
    for _ in 0..<100 { line.undo() }
    #expect(line.count == 150)
    line.undo()
    #expect(line.count == 150, "nothing is left to undo")
  }

  // MARK: Composing

  /// A line, a change by an input method, and what it makes of the line: the composed text in brackets.
  nonisolated static let changes: [(String, TextEdit, String)] = [
    ("ab|c", edit(inserted: "你好"), "ab你好|c"), ("a^b|c", edit(inserted: "x"), "ax|c"),
    ("ab|c", edit(preedit: "ni", 2..<2), "ab[ni]|c"), ("a^b|c", edit(preedit: "ni"), "a[ni]|c"),
    ("ab|c", edit(before: 1), "a|c"), ("ab|c", edit(after: 1), "ab|"), ("a^b|c", edit(before: 1, after: 1), "^b|"),
    ("ab|c", edit(before: 99, after: 99), "|"), ("你好|", edit(before: 3), "你|"), ("你好|", edit(before: 1), "你|"),
    ("ab|c", edit(before: 1, inserted: "你", preedit: "hao", 0..<3), "a你[hao]|c"), ("ab|c", edit(), "ab|c"),
    ("|", edit(inserted: "a\nb"), "a b|"),
  ]

  nonisolated private static func edit(
    before: Int = 0, after: Int = 0, inserted: String = "", preedit: String = "", _ selection: Range<Int>? = nil
  ) -> TextEdit {
    TextEdit(
      seat: SeatID(1), deletedBefore: before, deletedAfter: after, inserted: inserted, preedit: preedit,
      preeditSelection: selection)
  }

  @Test(arguments: changes)
  func `input methods change a line`(before: String, edit: TextEdit, after: String) {
    var line = model(before)
    // What was composed before goes first.
    line.apply(TextEditModelTests.edit(preedit: line.selection.isEmpty ? "old" : ""))
    line.apply(edit)
    let preedit = line.preedit.isEmpty ? "" : "[\(line.preedit)]"
    #expect(marked(line).replacing("|", with: preedit + "|") == after)
    let utf8 = Array(line.shownText.utf8)[line.preeditUTF8]
    #expect(String(decoding: utf8, as: UTF8.self) == line.preedit)
  }

  @Test func `what is composed is shown and is not the text`() {
    var line = model("a|b")
    line.apply(Self.edit(preedit: "ni hao", 3..<6))
    #expect(line.text == "ab" && line.shownText == "ani haob" && line.preeditUTF8 == 1..<7)
    #expect(line.shownCaretUTF8 == 7 && line.preeditSelection == 3..<6)
    line.apply(Self.edit(preedit: "ni"))
    #expect(line.shownText == "anib" && line.shownCaretUTF8 == nil)
    line.apply(Self.edit(preedit: "ni", 9..<12))
    #expect(line.preeditSelection == 2..<2, "within the text")
    line.undo()
    #expect(line.preedit.isEmpty && line.text == "ab")
  }

  @Test func `no more is entered than there may be`() {
    var line = model("abcdefg|", maximumLength: 8)
    line.apply(Self.edit(inserted: "你好"))
    #expect(marked(line) == "abcdefg你|")
  }

  @Test(arguments: [(5, "one ^two| three"), (9, "one ^two three|"), (1, "|one two^ three")])
  func `words are selected from the first one on`(place: Int, after: String) {
    var line = model("one two three|")
    line.selectWord(at: 5)
    line.selectWords(from: line.selection, to: place)
    #expect(marked(line) == after)
  }

  @Test func `what an input method deletes around a selection leaves its caret at its end`() {
    for isBackwards in [false, true] {
      var model = TextEditModel("abcdef")
      model.move(to: isBackwards ? 4 : 2)
      model.move(to: isBackwards ? 2 : 4, extends: true)
      model.apply(Self.edit(before: 1, after: 1))
      #expect(model.text == "acdf" && model.selectedText == "cd")
      #expect(model.caret == (isBackwards ? 1 : 3) && model.anchor == (isBackwards ? 3 : 1))
    }
  }

  @Test func `the caret in a composition counts what is left of the text that was sent`() {
    var model = TextEditModel("x")
    // A control character of one byte goes, a line end of two becomes a blank, and é has two bytes.
    model.apply(Self.edit(preedit: "a\u{1}b\r\né!", 3..<7))
    #expect(model.preedit == "ab é!" && model.preeditSelection == 2..<5)
    model.apply(Self.edit(preedit: "a\u{1}b", 9..<9))
    #expect(model.preeditSelection == 2..<2)
  }
}
