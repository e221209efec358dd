import Controls
import Testing

/// A line written with its caret as `|` and the other end of the selection as `^`.
private func model(_ marked: String, maximumLength: Int = 1000) -> TextEditModel {
  let plain = marked.filter { $0 != "|" && $0 != "^" }
  var model = TextEditModel(plain, maximumLength: maximumLength)
  let caret = marked.filter { $0 != "^" }.prefix { $0 != "|" }.count
  model.move(to: marked.contains("^") ? marked.filter { $0 != "|" }.prefix { $0 != "^" }.count : caret)
  model.move(to: caret, extends: true)
  return model
}

private func marked(_ model: TextEditModel) -> String {
  var characters = Array(model.text).map(String.init)
  let marks = [(model.caret, "|")] + (model.selection.isEmpty ? [] : [(model.anchor, "^")])
  for (place, mark) in marks.sorted(by: { $0.0 > $1.0 }) { characters.insert(mark, at: place) }
  return characters.joined()
}

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
    // What people see as one character goes as one.
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
}
