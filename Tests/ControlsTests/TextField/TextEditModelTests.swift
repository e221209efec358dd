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
  nonisolated struct Case: CustomTestStringConvertible, Sendable {
    let before: String
    let after: String
    let step: @Sendable (inout TextEditModel) -> Void
    var testDescription: String { "\(before) -> \(after)" }

    init(_ before: String, _ after: String, _ step: @escaping @Sendable (inout TextEditModel) -> Void) {
      (self.before, self.after, self.step) = (before, after, step)
    }
  }

  @Test(arguments: [
    Case("ab|c", "a|bc") { $0.move(towards: .start, by: .character) },
    Case("|abc", "|abc") { $0.move(towards: .start, by: .character) },
    Case("ab|c", "abc|") { $0.move(towards: .end, by: .character) },
    Case("abc|", "abc|") { $0.move(towards: .end, by: .character) },
    Case("ab|c", "a|b^c") { $0.move(towards: .start, by: .character, extends: true) },
    Case("a|b^c", "a|bc") { $0.move(towards: .start, by: .character) },
    Case("a|b^c", "ab|c") { $0.move(towards: .end, by: .character) },
    Case("a^bc|", "a|bc") { $0.move(towards: .start, by: .character) },
    Case("one two| three", "one |two three") { $0.move(towards: .start, by: .word) },
    Case("one |two three", "|one two three") { $0.move(towards: .start, by: .word) },
    Case("one| two three", "one two| three") { $0.move(towards: .end, by: .word) },
    Case("one| two", "|one^ two") { $0.move(towards: .start, by: .line, extends: true) },
    Case("one| two", "one two|") { $0.move(towards: .end, by: .line) },
    Case("one| two", "^one two|") { $0.selectAll() },
    Case("|", "|") { $0.selectAll() },
    Case("it's| late", "^it's| late") { $0.selectWord(at: 2) },
    Case("one|  two", "one^  |two") { $0.selectWord(at: 4) },
    Case("one|", "^one|") { $0.selectWord(at: 99) },
    Case("one|", "one|") { $0.move(to: 99) },
    Case("one|", "|one") { $0.move(to: -1) },
  ]) func `caret and selection`(step: Case) {
    var line = model(step.before)
    step.step(&line)
    #expect(marked(line) == step.after)
  }

  @Test(arguments: [
    Case("a|c", "ab|c") { $0.insert("b") },
    Case("a^xyz|c", "ab|c") { $0.insert("b") },
    Case("|", "a b c d|") { $0.insert("a\nb\tc\r\nd") },
    Case("a|", "a|") { $0.insert("\u{7}\u{1b}") },
    Case("ab|c", "a|c") { $0.delete(towards: .start) },
    Case("ab|c", "ab|") { $0.delete(towards: .end) },
    Case("|abc", "|abc") { $0.delete(towards: .start) },
    Case("abc|", "abc|") { $0.delete(towards: .end) },
    Case("a^b|c", "a|c") { $0.delete(towards: .start) },
    Case("a|b^c", "a|c") { $0.delete(towards: .end) },
    Case("one two|", "one |") { $0.delete(towards: .start, by: .word) },
    Case("one| two!", "one|!") { $0.delete(towards: .end, by: .word) },
    Case("one| two", "| two") { $0.delete(towards: .start, by: .line) },
    // What people see as one character goes as one.
    Case("🚗👩‍👩‍👧|", "🚗|") { $0.delete(towards: .start) },
    Case("x🇩🇪|", "x|") { $0.delete(towards: .start) },
    Case("e|x", "é|x") { $0.insert("\u{301}") },
  ]) func `typing and deleting`(step: Case) {
    var line = model(step.before)
    step.step(&line)
    #expect(marked(line) == step.after)
    #expect((0...line.count).contains(line.caret))
  }

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
