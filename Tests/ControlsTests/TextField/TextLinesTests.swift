import TestSupport
import Testing

@testable import Controls

private func model(_ marked: String, maximumLength: Int = .max) -> TextEditModel {
  MarkedText.model(marked, maximumLength: maximumLength, hasLines: true)
}

private func marked(_ model: TextEditModel) -> String { MarkedText.of(model) }

/// Tests of what is different in a text of several lines; `TextEditModelTests` has the rest.
@MainActor @Suite struct TextLinesTests {
  nonisolated static let ends: [(String, TextEditModel.End, TextEditModel.Unit, String)] = [
    ("one\ntw|o\nthree", .start, .line, "one\n|two\nthree"), ("one\ntw|o\nthree", .end, .line, "one\ntwo|\nthree"),
    ("one\n|\nthree", .start, .line, "one\n|\nthree"), ("one\n|\nthree", .end, .line, "one\n|\nthree"),
    ("one\ntw|o\nthree", .start, .text, "|one\ntwo\nthree"), ("one\ntw|o\nthree", .end, .text, "one\ntwo\nthree|"),
    ("one\n|two", .start, .character, "one|\ntwo"), ("one|\ntwo", .end, .character, "one\n|two"),
    ("one\n\n|two", .start, .word, "|one\n\ntwo"), ("one|\n\ntwo three", .end, .word, "one\n\ntwo| three"),
    ("one|\n - ", .end, .word, "one\n - |"), ("\n - |x", .start, .word, "|\n - x"),
  ]

  @Test(arguments: ends)
  func `steps go from line to line`(
    before: String, end: TextEditModel.End, unit: TextEditModel.Unit, after: String
  ) {
    var text = model(before)
    text.move(towards: end, by: unit)
    #expect(marked(text) == after)
  }

  nonisolated static let pasted = [
    ("a\r\nb", "a\nb"), ("a\rb\nc", "a\nb\nc"), ("\n\r", "\n\n"), ("\r\r\n\n", "\n\n\n"),
    ("a\u{2028}b\u{2029}c\u{85}d", "a\nb\nc\nd"),
    ("a\tb", "a\tb"), ("a\u{0}b\u{7f}\u{9b}c", "abc"), ("\u{301}a", "\u{301}a"), ("👩‍👩‍👧\u{b}", "👩‍👩‍👧\n"),
    ("é\u{a0}", "é\u{a0}"),
  ]

  @Test(arguments: pasted) func `one rule cleans whatever comes from outside`(text: String, kept: String) {
    #expect(TextEditModel.lines(text) == kept && TextEditModel.lines(kept) == kept)
    var typed = model("|")
    typed.insert(text)
    #expect(typed.text == kept)
    typed.replaceAll(with: text)
    #expect(typed.text == kept && TextEditModel(text, hasLines: true).text == kept)
  }

  @Test func `a word ends with its line`() {
    var text = model("one|\ntwo")
    text.selectWord(at: 3)
    #expect(text.selectedText == "one")
    text.selectWord(at: 4)
    #expect(text.selectedText == "two")
    text.selectWords(from: 4..<7, to: 1)
    #expect(text.selectedText == "one\ntwo")
  }

  @Test func `lines are joined and parted, and all of it is undone`() {
    var text = model("one\n|two")
    text.delete(towards: .start)
    #expect(marked(text) == "one|two")
    text.insert("\n")
    #expect(marked(text) == "one\n|two")
    text.undo()
    text.undo()
    #expect(marked(text) == "one\n|two")
    text.redo()
    #expect(marked(text) == "one|two")
  }

  @Test func `held deletion is one step, however much it removes`() {
    var text = model(String(repeating: "word\n", count: 2000) + "|")
    let before = text.text
    for _ in 0..<9000 { text.delete(towards: .start) }
    #expect(text.count == 1000)
    text.undo()
    #expect(text.text == before && text.caret == 10_000)
    text.move(to: 0)
    for _ in 0..<600 { text.delete(towards: .end) }
    text.undo()
    #expect(text.text == before)
  }

  @Test(arguments: 0..<20) func `undone to the beginning and made again, every state is the same`(seed: Int) {
    var random = Random(seed)
    var text = model("one two\nthree|")
    var states = [marked(text)]
    for step in 0..<60 {
      text.move(to: random.below(text.count + 1), extends: random.below(3) == 0)
      switch random.below(4) {
      case 0: text.insert(["\n", "e\u{301}", "\u{301}", "a\r\nb", "👩‍👩‍👧", "word"][random.below(6)])
      case 1: text.delete(towards: step % 2 == 0 ? .start : .end, by: random.below(2) == 0 ? .character : .word)
      case 2: text.insert("x")
      default: text.replaceAll(with: "new \(step)\nline")
      }
      if text.text != states.last { states.append(text.text) }
    }
    let last = text.text
    for _ in 0..<100 { text.undo() }
    #expect(text.text == "one two\nthree")
    for _ in 0..<100 { text.redo() }
    #expect(text.text == last)
  }

  @Test func `what an input method deletes may join lines, and is told the text around the caret`() {
    var text = model("one\n|two")
    #expect(text.surroundings == ("one\ntwo", 4, 4))
    text.apply(TextEdit(seat: SeatID(1), deletedBefore: 2, deletedAfter: 1))
    #expect(marked(text) == "on|wo")
    let lines = String(repeating: "0123456789\n", count: 100_000)
    var long = TextEditModel(lines, maximumLength: .max, hasLines: true)
    long.move(to: 550_005)
    long.move(to: 3, extends: true)
    let told = long.surroundings
    #expect(told.text.utf8.count < 9000 && told.caret == 0 + told.caret)
    long.move(to: 550_005)
    let (part, caret, anchor) = long.surroundings
    #expect(part.utf8.count < 9000 && caret == anchor && part.utf8.dropFirst(caret).first == UInt8(ascii: "5"))
    #expect(part.hasPrefix("0123456789\n"), "whole lines")
  }

  @Test func `no more is typed than there may be, a line end counted as one`() {
    var text = model("ab\ncd|", maximumLength: 7)
    text.insert("\r\nxyz")
    #expect(text.text == "ab\ncd\nx")
    text.maximumLength = 3
    text.insert("more")
    #expect(text.text == "ab\ncd\nx", "a longer draft stays")
  }
}
