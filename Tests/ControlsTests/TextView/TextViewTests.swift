import ControlHarness
import TestSupport
import Testing

@testable import ControlTools
@testable import Controls

/// Tests of a text view in use: keys, fingers, the pointer, scrolling.
///
@MainActor @Suite(.serialized) struct TextViewTests {
  // MARK: Keys

  @Test func `Enter begins a line, Ctrl and Enter commits, Tab leaves`() {
    let probe = TextViewProbe("old")
    probe.edit(at: 3)
    #expect(probe.log.take() == ["begin"] && probe.selected == "", "nothing is selected by itself")
    probe.harness.press(.enter)
    probe.harness.type("new")
    #expect(probe.view.draft == "old\nnew" && probe.view.text == "old" && probe.log.take().isEmpty)
    probe.harness.press(.enter, .control)
    #expect(probe.view.text == "old\nnew" && probe.caret == 7 && probe.selected == "")
    #expect(probe.log.take() == ["changed", "done"])
    probe.harness.type("er")
    probe.harness.press(.tab)
    #expect(probe.view.text == "old\nnewer" && !probe.view.isEditing && probe.log.take() == ["changed", "end"])
    probe.harness.press(.tab)
    #expect(probe.view.isEditing && probe.caret == 9, "the caret is where it was")
    probe.harness.type("!")
    #expect(probe.view.draft == "old\nnewer!")
  }

  @Test func `Escape takes nothing back`() {
    let probe = TextViewProbe("old")
    probe.edit(at: 3)
    probe.harness.type("er")
    probe.harness.press(.escape)
    #expect(probe.view.draft == "older")
  }

  @Test func `Up and Down keep the distance from the edge through short lines`() {
    let probe = TextViewProbe("a long line\n\nabc\nanother long line")
    probe.edit(at: 8)
    let x = probe.view.caretArea.minX
    for (line, place) in [(1, 12), (2, 16)] {
      probe.harness.press(.down)
      #expect(probe.caret == place && probe.caretLine == line)
    }
    probe.harness.press(.down)
    #expect(abs(probe.view.caretArea.minX - x) < 6 && probe.caretLine == 3)
    probe.harness.press(.down)
    #expect(probe.caret == 34, "beyond the last line is the end")
    probe.harness.press(.up)
    #expect(probe.caretLine == 2)
    probe.harness.press(.left)
    probe.harness.press(.up)
    probe.harness.press(.up)
    #expect(probe.caretLine == 0 && probe.view.caretArea.minX < x - 20, "another move, another distance")
    probe.harness.press(.up)
    #expect(probe.caret == 0)
  }

  @Test func `lines as they are shown are lines for keys, and the end of one is not the next`() {
    let text = "many words that need more lines than one to be shown"
    let probe = TextViewProbe(text)
    probe.edit()
    probe.harness.press(.end)
    let end = probe.caret ?? 0
    #expect(probe.caretLine == 0 && end > 10 && end < 40 && probe.view.caretArea.minX > 120)
    probe.harness.press(.end)
    #expect(probe.caret == end && probe.caretLine == 0)
    probe.harness.press(.home)
    #expect(probe.caret == 0)
    probe.harness.press(.down)
    #expect(probe.caretLine == 1)
    probe.harness.press(.home)
    #expect(probe.caret == end && probe.caretLine == 1, "the same place, at the beginning of the next line")
    probe.harness.press(.end, .shift)
    #expect(probe.selected?.isEmpty == false && probe.caretLine == 1)
    probe.harness.press(.end, .control)
    #expect(probe.caret == text.count)
  }

  @Test func `a page is as many lines as fit but one, and the caret stays in sight`() {
    let probe = TextViewProbe((0..<100).map { "line \($0)" }.joined(separator: "\n"))
    probe.edit(at: 2)
    for _ in 0..<3 { probe.harness.press(.pageDown) }
    probe.harness.frame()
    let lines = Int(116 / probe.lineHeight) - 1
    #expect(probe.caretLine == 3 * lines && probe.scroll.contentOffset.y > 0)
    #expect(probe.view.caretArea.minY >= 0 && probe.view.caretArea.maxY <= 120)
    probe.harness.press(.pageUp, .shift)
    #expect(probe.selected?.filter { $0 == "\n" }.count == lines)
    for _ in 0..<9 { probe.harness.press(.pageUp) }
    #expect(probe.caret == 0)
    probe.harness.press(.end, .control)
    probe.harness.frame()
    #expect(probe.caretLine == 99 && probe.view.caretArea.maxY <= 120)
  }

  @Test func `arrows and deletions cross line ends, words too`() {
    let probe = TextViewProbe("one two\nthree")
    probe.edit(at: 7)
    probe.harness.press(.right)
    #expect(probe.caret == 8 && probe.caretLine == 1)
    probe.harness.press(.left)
    #expect(probe.caret == 7 && probe.caretLine == 0)
    probe.harness.press(.right, .control)
    #expect(probe.caret == 13)
    probe.harness.press(.left, [.control, .shift])
    #expect(probe.selected == "three")
    probe.harness.press(.left)
    #expect(probe.caret == 8)
    probe.harness.press(.backspace)
    #expect(probe.view.draft == "one twothree" && probe.caretLine == 0)
    probe.harness.press(.character("z"), .control)
    #expect(probe.view.draft == "one two\nthree" && probe.caret == 8)
    probe.harness.press(.character("z"), [.control, .shift])
    #expect(probe.view.draft == "one twothree")
  }

  @Test func `a text that begins at the right moves to the left`() {
    let probe = TextViewProbe("שלום\nעולם")
    probe.edit()
    let x = probe.view.caretArea.minX
    probe.harness.press(.left)
    #expect(probe.caret == 1 && probe.view.caretArea.minX < x)
    for _ in 0..<4 { probe.harness.press(.left) }
    #expect(probe.caret == 5 && probe.caretLine == 1)
    probe.harness.press(.right)
    #expect(probe.caret == 4 && probe.caretLine == 0)
  }

  @Test func `the clipboard takes and gives line ends`() {
    let probe = TextViewProbe("one\ntwo")
    probe.edit()
    probe.harness.press(.character("a"), .control)
    probe.harness.press(.character("c"), .control)
    #expect(probe.harness.host.clipboard == "one\ntwo")
    probe.harness.press(.end, .control)
    probe.view.handleText(
      TextEdit(seat: ControlHarness.seat, source: .clipboard, inserted: "\r\nthree\r\n\u{0}four"))
    #expect(probe.view.draft == "one\ntwo\nthree\nfour" && probe.caret == 18)
  }

  // MARK: Fingers and the pointer

  @Test func `a tap puts the caret where it is, in whichever line`() {
    let probe = TextViewProbe("first line\n\nthird line")
    for (line, text, place) in [(0, "first", 5), (1, "", 11), (2, "third ", 18), (4, "", 12)] {
      probe.harness.advance(by: .seconds(1))
      probe.harness.tap(probe.point(line: line, x: probe.width(text)))
      #expect(probe.caret == place && probe.selected == "", "line \(line)")
    }
    probe.harness.advance(by: .seconds(1))
    probe.harness.tap(probe.point(line: 0, x: 150))
    #expect(probe.caret == 10, "beside a line is its end")
  }

  @Test func `the second tap selects the word, the third the line`() {
    let probe = TextViewProbe("one two\nthree four\nfive")
    for selected in ["", "three", "three four", ""] {
      probe.harness.tap(probe.point(line: 1, x: 12))
      #expect(probe.selected == selected)
      probe.harness.advance(by: .milliseconds(100))
    }
  }

  @Test func `a finger scrolls and selects nothing; one that rests selects a word, then more, and opens the menu`()
    throws
  {
    let probe = TextViewProbe((0..<60).map { "word\($0) and more" }.joined(separator: "\n"))
    probe.harness.tap(probe.point(line: 0, x: 3))
    let caret = probe.caret
    probe.harness.drag(from: probe.point(line: 4, x: 20), to: probe.point(line: 1, x: 20), steps: 6)
    probe.harness.settle()
    #expect(probe.scroll.contentOffset.y > 20 && probe.caret == caret && probe.selected == "")
    let offset = probe.scroll.contentOffset.y
    let place = probe.point(line: 2, x: 10)
    probe.harness.touch(.began, at: place)
    probe.harness.advance(by: .milliseconds(520))
    #expect(probe.selected?.hasPrefix("word") == true)
    probe.harness.move(from: place, to: probe.point(line: 4, x: 60), steps: 6)
    #expect(probe.selected?.filter { $0 == "\n" }.count == 2 && probe.scroll.contentOffset.y == offset)
    probe.harness.touch(.ended, at: probe.point(line: 4, x: 60))
    #expect(probe.harness.root.view(named: "menu") != nil)
    probe.harness.press(.escape)
    probe.harness.advance(by: .seconds(1))
    #expect(probe.harness.root.view(named: "menu") == nil && probe.view.isEditing)
    probe.harness.tap(probe.point(line: 3, x: 10))
    #expect(probe.selected?.isEmpty == false && probe.harness.root.view(named: "menu") != nil, "a tap on the selection")
  }

  @Test func `a pointer's drag selects, by words after a second click, and scrolls nothing by itself`() {
    let probe = TextViewProbe((0..<60).map { "line \($0) of all" }.joined(separator: "\n"))
    func point(_ phase: TouchPoint.Phase, _ place: Point) { probe.harness.touch(phase, at: place, finger: -1) }
    point(.began, probe.point(line: 0, x: probe.width("line")))
    for line in 1...3 { point(.moved, probe.point(line: line, x: probe.width("line"))) }
    #expect(probe.selected == " 0 of all\nline 1 of all\nline 2 of all\nline" && probe.scroll.contentOffset.y == 0)
    point(.moved, Point(x: 60, y: 140))
    #expect(probe.scroll.contentOffset.y > 0, "the end of the selection stays in sight")
    point(.ended, Point(x: 60, y: 140))
    #expect(probe.harness.root.view(named: "menu") == nil)
  }

  @Test func `a disabled text scrolls no keys and takes no finger`() {
    let probe = TextViewProbe("text") { $0.isEnabled = false }
    probe.harness.tap(probe.point(line: 0, x: 3))
    #expect(!probe.view.isEditing && !probe.view.canBecomeFirstResponder)
  }

  @Test func `Tab reaches the text once, however long it is`() {
    let probe = TextViewProbe(String(repeating: "line\n", count: 100))
    probe.harness.press(.tab)
    #expect(probe.view.isFirstResponder)
    probe.harness.press(.tab)
    #expect(probe.other.isFirstResponder)
  }

  // MARK: Input methods and keyboards

  @Test func `an input method composes at the caret, is told where it is, and what is around`() throws {
    let probe = TextViewProbe("one\ntwo three\nfour")
    probe.edit(at: 7)
    let before = try #require(probe.view.textInputState)
    #expect(before.text == "one\ntwo three\nfour" && before.caret == 7 && before.hasLines)
    probe.harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "ni hao", preeditSelection: 6..<6))
    let state = try #require(probe.view.textInputState)
    #expect(state.text == before.text && probe.view.draft == before.text)
    #expect(abs(state.caretArea.minX - before.caretArea.minX - probe.width("ni hao")) < 2)
    #expect(state.caretArea.minY == before.caretArea.minY, "in the second line")
    let long = String(repeating: "ni ", count: 12)
    probe.harness.compose(TextEdit(seat: ControlHarness.seat, preedit: long, preeditSelection: 36..<36))
    #expect((probe.view.textInputState?.caretArea.minY ?? 0) > before.caretArea.minY, "it wraps as the text does")
    probe.harness.compose(TextEdit(seat: ControlHarness.seat, deletedBefore: 4, inserted: "你"))
    #expect(probe.view.draft == "one你 three\nfour" && probe.caret == 4)
    #expect(probe.view.textInputState?.caretArea.minY == probe.view.windowFrame.minY + 8)
  }

  @Test func `a tap beside a composition ends it, and nothing of it is left`() {
    let probe = TextViewProbe("one\ntwo")
    probe.edit(at: 3)
    let session = probe.view.textInputState?.session
    probe.harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "xyz", preeditSelection: 3..<3))
    probe.harness.tap(probe.point(line: 1, x: 100))
    #expect(probe.caret == 7 && probe.view.draft == "one\ntwo" && probe.view.textInputState?.session != session)
    #expect(probe.view.inspection.values["preedit"] == nil)
  }

  @Test func `the library's keyboard types lines, stays for them, and leaves the caret's line free`() throws {
    let probe = TextViewProbe("one")
    probe.harness.resize(to: Size(width: 480, height: 480), scale: .one)
    probe.view.frame = Rect(x: 10, y: 10, width: 400, height: 460)
    let presenter = KeyboardPresenter(in: probe.harness.root)
    probe.harness.tap(probe.point(line: 0, x: 200))
    let keyboard = try #require(presenter.keyboard)
    #expect(!keyboard.frame.intersects(probe.view.textInputState?.caretArea ?? keyboard.frame))
    let row = keyboard.geometry.cells
    let enter = try #require(
      keyboard.model.rows.enumerated().flatMap { row, keys in
        keys.indices.map { KeyboardModel.Place(row: row, key: $0) }
      }
      .first { keyboard.model.action(at: $0) == .enter })
    probe.harness.tap(
      Point(
        x: keyboard.frame.minX + row[enter.row][enter.key].midX, y: keyboard.frame.minY + row[enter.row][enter.key].midY
      ))
    #expect(probe.view.draft == "one\n" && probe.view.isEditing && presenter.keyboard != nil)
  }

  // MARK: Assistive technology, files

  @Test func `assistive technology reads and sets the lines, and finds each character`() throws {
    let probe = TextViewProbe("one\ntwo") { $0.name = "note" }
    #expect(probe.view.accessibilityRole == .textView && probe.view.accessibilityLabel == "note")
    probe.edit(at: 5)
    let text = try #require(probe.view.accessibilityText)
    #expect(text.text == "one\ntwo" && text.caret == 5 && text.isEditable && text.selection.isEmpty)
    #expect(probe.harness.root.accessibilityElements.filter { $0.accessibilityRole == .textView }.count == 1)
    #expect(probe.view.accessibilityElements.isEmpty, "its parts are no elements")
    let layout = try #require(probe.view.accessibilityTextLayout)
    let (first, second) = (layout.area(of: 0..<1, in: text.text), layout.area(of: 4..<5, in: text.text))
    #expect(first.map { $0.minY == 8 } == true && second.map { $0.minY > 8 && $0.minX == 10 } == true)
    #expect(layout.place(at: second?.center ?? .zero, in: text.text) == 4)
    try probe.view.setAccessibilityText("a\r\nb")
    #expect(probe.view.text == "a\nb" && probe.log.take().contains("changed"))
  }

  @Test func `assistive technology counts scalars, of which a character may have several`() throws {
    let probe = TextViewProbe("e\u{301}\n👩‍👩‍👧x")
    probe.edit(at: 2)
    #expect(probe.view.accessibilityText?.caret == 3)
    probe.harness.press(.right, .shift)
    #expect(probe.view.accessibilityText?.caret == 8 && probe.view.accessibilityText?.selection == 3..<8)
    probe.harness.press(.end, [.control, .shift])
    #expect(probe.view.accessibilityText?.selection == 3..<9)
  }

  @Test func `a file sets text, placeholder, limit and alignment`() throws {
    let layout = LayoutView(registry: .controls)
    try layout.load(
      LayoutFile(
        text: """
          {"type": "TextView", "text": "a\\nb", "placeholder": "Note", "maximumLength": 5, "textAlignment": "right",
          "isEnabled": false}
          """, name: "test.json"))
    let view = try #require(layout.scene as? TextView)
    #expect(view.text == "a\nb" && view.placeholder == "Note" && view.maximumLength == 5 && !view.isEnabled)
    #expect(view.textAlignment == .right)
  }

  @Test func `a limit counts characters`() {
    let probe = TextViewProbe("") { $0.maximumLength = 5 }
    probe.edit()
    probe.harness.type("ab")
    probe.harness.press(.enter)
    probe.harness.type("cdef")
    #expect(probe.view.draft == "ab\ncd")
  }

  @Test func `a text set while it is edited waits, unless nothing was typed`() {
    let probe = TextViewProbe("old")
    probe.edit()
    probe.view.text = "other"
    #expect(probe.view.draft == "other")
    probe.harness.type("x")
    probe.view.text = "third"
    #expect(probe.view.draft == "xother")
  }

  @Test(arguments: 0..<8) func `whatever happens, what is shown is the text`(seed: Int) {
    var random = Random(seed)
    let probe = TextViewProbe("one\ntwo\n\nשלום three\n" + String(repeating: "words that wrap ", count: 9))
    probe.harness.checksDamage = seed < 2
    probe.edit()
    let keys: [Key] = [
      .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .backspace, .delete, .character("z"),
    ]
    for _ in 0..<120 {
      switch random.below(5) {
      case 0: probe.harness.type(["a", "é", " ", "ש"][random.below(4)])
      case 1:
        probe.harness.compose(
          TextEdit(seat: ControlHarness.seat, preedit: ["", "ni", "你好"][random.below(3)], preeditSelection: 0..<0))
      case 2: probe.scroll.contentOffset = Point(x: 0, y: random.number(0, 200))
      default:
        probe.harness.press(
          keys[random.below(keys.count)], [[], .shift, .control, [.control, .shift]][random.below(4)])
      }
      probe.harness.frameIfNeeded()
      let pieces = probe.view.model.pieces
      #expect(probe.view.blocks.count == pieces.all.count && probe.view.model.text == pieces.text)
      probe.view.becomeFirstResponder()
    }
    // A view that was never changed is as high, once all of it was in sight.
    let other = TextViewProbe(probe.view.draft)
    for view in [probe.view, other.view] {
      view.resignFirstResponder()
      view.frame.size.height = 3000
    }
    for probe in [probe, other] { probe.harness.frame() }
    #expect(probe.view.blocks == other.view.blocks)
  }
}
