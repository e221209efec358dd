import ControlHarness
import Testing

@testable import Controls
@testable import Drawing

/// Tests of what other toolkits' editors did wrong.
///
/// Up and Down lost the column in a short line; at the end of a wrapped line the caret was shown on the next, or apart from what was
/// typed; a pasted CR LF became two line ends; a click while something was composed ended the program; select all and a composition kept
/// what was selected; undo after the program had set another text ended the program; one step of undo gave back half a character; a
/// pointer's drag at the lower edge ran through the whole text; the end of a very long line was drawn over its beginning; and a long text
/// was laid out anew with every key.
@MainActor @Suite(.serialized) struct TextViewFaultTests {
  private static let wrapped = "many words that need more lines than one to be shown"

  @Test func `what is typed at the end of a wrapped line is where the caret was, and the caret behind it`() {
    let probe = TextViewProbe(Self.wrapped)
    probe.edit()
    probe.harness.press(.end)
    let (place, before) = (probe.caret ?? 0, probe.view.caretArea)
    probe.harness.press(.left)
    probe.harness.press(.right)
    #expect(probe.caret == place && probe.caretLine == 1, "an arrow comes to the beginning of the next line")
    probe.harness.press(.up)
    probe.harness.press(.end)
    #expect(probe.view.caretArea == before && probe.caretLine == 0)
    probe.harness.type("x")
    let word = Array(probe.view.draft)
    #expect(word[place] == "x" && probe.caret == place + 1)
    let lines = probe.view.layout(atUTF8: 0).layout.lines
    let line = lines.firstIndex { $0.utf8.contains(place) }
    #expect(probe.caretLine == line, "in the line of the letter before it")
  }

  @Test func `a click beside a wrapped line is its end, and a selection up to there has no letter of the next`() {
    let probe = TextViewProbe(Self.wrapped)
    probe.harness.touch(.began, at: probe.point(line: 0, x: 1), finger: -1)
    probe.harness.touch(.moved, at: probe.point(line: 0, x: 177), finger: -1)
    let lines = probe.view.layout(atUTF8: 0).layout.lines
    #expect(probe.caretLine == 0 && probe.selected?.utf8.count == lines[0].utf8.upperBound)
    probe.harness.touch(.ended, at: probe.point(line: 0, x: 177), finger: -1)
    // Of a broken word too: its last letter is in front of the caret.
    for text in [String(repeating: "x", count: 99), String(repeating: "ש", count: 99)] {
      let probe = TextViewProbe(text)
      probe.harness.tap(probe.point(line: 0, x: text.hasPrefix("x") ? 177 : 1), finger: -1)
      let lines = probe.view.layout(atUTF8: 0).layout.lines
      #expect(probe.caretLine == 0 && probe.caret == lines[0].utf8.upperBound / (text.utf8.count / 99))
    }
  }

  @Test func `a long line is parted at blanks, and typing in it leaves no short rest`() {
    var pieces = TextPieces(String(repeating: "some words ", count: 1000))
    #expect(pieces.all.count > 4 && pieces.all.dropLast().allSatisfy { $0.text.hasSuffix(" ") })
    for place in [0, 5000] {
      for _ in 0..<3000 { pieces.replace(place..<place, with: "x") }
    }
    #expect(pieces.all.allSatisfy { $0.text.utf8.count > TextPieces.longest / 4 })
    #expect(pieces.count == 17_000 && pieces.text.utf8.count == 17_000)
  }

  @Test func `a composition replaces what is selected in several paragraphs, and undo gives it back`() {
    let probe = TextViewProbe("one\n\nthree")
    probe.edit()
    probe.harness.press(.character("a"), .control)
    probe.harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "ni", preeditSelection: 2..<2))
    #expect(probe.view.draft.isEmpty && probe.view.blocks.count == 1)
    probe.harness.compose(TextEdit(seat: ControlHarness.seat, inserted: "你"))
    #expect(probe.view.draft == "你")
    probe.harness.press(.character("z"), .control)
    probe.harness.press(.character("z"), .control)
    #expect(probe.view.draft == "one\n\nthree" && probe.selected == "one\n\nthree")
  }

  @Test func `selecting while something is composed ends the composition, and selects what is in the text`() {
    let probe = TextViewProbe("one\ntwo")
    probe.edit(at: 7)
    probe.harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "你好", preeditSelection: 0..<6))
    probe.harness.press(.up, .shift)
    #expect(probe.selected == "\ntwo" && probe.view.draft == "one\ntwo")
    probe.harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "你好", preeditSelection: 0..<6))
    for x in [0.0, 30, 60, 170] {
      probe.harness.tap(probe.point(line: 0, x: x), finger: -1)
      probe.harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "好", preeditSelection: nil))
    }
    #expect(probe.view.model.preedit == "好")
  }

  @Test func `a text that the program sets while one is edited leaves nothing to undo in it`() {
    let probe = TextViewProbe("a long text\nof lines")
    probe.edit(at: 5)
    probe.harness.type("xyz")
    probe.harness.press(.enter, .control)
    probe.view.text = ""
    for key in ["z", "y", "z"] as [Unicode.Scalar] { probe.harness.press(.character(key), .control) }
    #expect(probe.view.draft.isEmpty && probe.caret == 0)
    probe.harness.type("a")
    #expect(probe.view.draft == "a")
  }

  nonisolated static let clusters = ["e\u{301}\u{323}", "👩‍👩‍👧‍👦", "🇩🇪", "กำ", "👍🏽"]

  @Test(arguments: clusters) func `a character goes and comes as a whole, at line ends too`(character: String) {
    let text = "a\n\(character)\n\(character)b"
    let probe = TextViewProbe(text)
    let whole = text.count
    probe.edit(at: 3)
    probe.harness.press(.backspace)
    #expect(probe.view.draft == "a\n\n\(character)b" && probe.view.draft.count == whole - 1)
    probe.harness.press(.delete)
    #expect(probe.view.draft == "a\n\(character)b" && probe.caret == 2)
    probe.harness.press(.delete)
    #expect(probe.view.draft == "a\nb")
    for _ in 0..<2 { probe.harness.press(.character("z"), .control) }
    #expect(Array(probe.view.draft.utf8) == Array(text.utf8) && probe.caret == 3)
  }

  @Test func `an accent at the beginning of a line joins nothing across the line end, and joins when that goes`() {
    let probe = TextViewProbe("e\n\u{301}x")
    probe.edit(at: 2)
    #expect(probe.caretLine == 1)
    probe.harness.press(.backspace)
    #expect(probe.view.draft == "e\u{301}x" && probe.view.draft.count == 2 && probe.caret == 1)
    probe.harness.press(.character("z"), .control)
    #expect(Array(probe.view.draft.utf8) == Array("e\n\u{301}x".utf8))
  }

  @Test func `a word is one step of undo, a line end another, and a moved caret begins one`() {
    let probe = TextViewProbe()
    probe.edit()
    probe.harness.type("one two")
    probe.harness.press(.enter)
    probe.harness.type("three")
    probe.harness.press(.left)
    probe.harness.type("x")
    var states: [String] = []
    while !probe.view.draft.isEmpty, states.count < 20 {
      states.append(probe.view.draft)
      probe.harness.press(.character("z"), .control)
    }
    #expect(states == ["one two\nthrexe", "one two\nthree", "one two\n", "one "] || states.count == 5, "\(states)")
    #expect(states.first == "one two\nthrexe" && states.dropFirst().first == "one two\nthree")
  }

  @Test func `a drag at the lower edge scrolls by what is asked for and no further`() {
    let probe = TextViewProbe((0..<400).map { "line \($0)" }.joined(separator: "\n"))
    let bottom = probe.view.frame.maxY - 6
    probe.harness.touch(.began, at: probe.point(line: 0, x: 5), finger: -1)
    for step in 0..<8 {
      let before = probe.caretLine
      probe.harness.touch(.moved, at: Point(x: 60, y: bottom + Double(step)), finger: -1)
      if step > 0 { #expect(probe.caretLine - before <= 1) }
    }
    #expect(probe.caretLine < 20 && probe.scroll.contentOffset.y < 12 * probe.lineHeight)
    probe.harness.touch(.ended, at: Point(x: 60, y: bottom + 7), finger: -1)
  }

  @Test func `the end of a line of half a million letters is below its beginning, each letter at its own place`() {
    let probe = TextViewProbe(String(repeating: "0123456789", count: 50_000))
    probe.harness.checksDamage = false
    probe.edit()
    probe.harness.press(.end, .control)
    probe.harness.frameIfNeeded()
    #expect(probe.caret == 500_000 && probe.scroll.contentOffset.y > 100_000)
    var places: [Rect] = [probe.view.caretArea]
    for _ in 0..<30 {
      probe.harness.press(.left)
      places.append(probe.view.caretArea)
    }
    #expect(Set(places).count == 31 && probe.caret == 499_970)
    probe.harness.press(.end, .control)
    probe.harness.press(.home)
    probe.harness.press(.up)
    #expect((probe.caret ?? 0) < 500_000 && probe.view.caretArea.minX == 10)
  }

  @Test func `a long word is broken without letters that are not in the text`() throws {
    let text = String(repeating: "letters", count: 9)
    var limits = TextLimits(width: 120, truncation: .clip)
    /// By how much the lines are wider than their letters by themselves.
    func excess() -> Double {
      let layout = TextLayout(text, font: Font(size: 15), limits: limits)
      #expect(layout.lines.count > 3)
      return layout.lines.reduce(0) { most, line in
        let part = String(decoding: Array(text.utf8)[line.utf8], as: UTF8.self)
        return max(most, line.frame.width - TextLayout(part, font: Font(size: 15)).size.width)
      }
    }
    #expect(excess() > 2, "Pango's hyphens")
    limits.isExact = true
    #expect(excess() < 0.5)
  }
}
