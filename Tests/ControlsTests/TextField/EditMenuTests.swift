import ControlHarness
import Testing

@testable import Controls

/// Tests of the menu that a finger opens over a text: cut, copy, paste, select all.
@MainActor @Suite(.serialized) struct EditMenuTests {
  private let field = TextField(frame: Rect(x: 20, y: 20, width: 200, height: 36))
  private let harness = ControlHarness(size: Size(width: 300, height: 300))

  init() {
    field.text = "left right"
    harness.root.addSubview(field)
    harness.frame()
  }

  private var menu: Menu? { harness.root.view(named: "menu") as? Menu }
  private var selected: String? {
    if case .string(let text)? = field.inspection.values["selected"] { text } else { nil }
  }

  /// The window's point in the middle of the character at `place`, or so far beyond the text.
  private func point(_ place: Int, in field: LineField? = nil) -> Point {
    let field = field ?? self.field
    func width(_ count: Int) -> Double {
      TextLayout(String(field.draft.prefix(count)), font: field.theme.font(.body)).size.width
    }
    let x = place < field.draft.count ? (width(place) + width(place + 1)) / 2 : width(place) + 12
    return Point(x: field.frame.minX + 10 + x, y: field.frame.midY)
  }

  /// A finger that rests for long enough, and is lifted.
  private func rest(at point: Point) {
    harness.touch(.began, at: point)
    harness.advance(by: .milliseconds(520))
    harness.touch(.ended, at: point)
    harness.advance(by: .milliseconds(400))
  }

  /// A tap on the menu's row of that name.
  private func pick(_ title: String) throws {
    let menu = try #require(menu)
    let row = try #require(menu.model.titles.firstIndex(of: title))
    harness.tap(Point(x: menu.frame.midX, y: menu.frame.minY + 4 + 44 * Double(row) + 22))
  }

  @Test(
    arguments: [
      ("", 0..<0, false, []), ("", 0..<0, true, [.paste]), ("ab", 2..<2, false, [.selectAll]),
      ("ab", 0..<1, false, [.cut, .copy, .selectAll]), ("ab", 0..<2, true, [.cut, .copy, .paste]),
    ] as [(String, Range<Int>, Bool, [EditCommand])])
  func `only what would do something is offered`(
    text: String, selection: Range<Int>, canPaste: Bool, commands: [EditCommand]
  ) {
    var model = TextEditModel(text)
    model.move(to: selection.lowerBound)
    model.move(to: selection.upperBound, extends: true)
    #expect(EditCommand.possible(on: model, canPaste: canPaste).map(\.command) == commands)
  }

  @Test(arguments: [true, false])
  func `a finger that rests selects the word under it, and lifting it opens the menu`(isEdited: Bool) throws {
    if isEdited {
      harness.tap(point(0))
      harness.advance(by: .seconds(1))
    }
    harness.touch(.began, at: point(3))
    harness.advance(by: .milliseconds(480))
    #expect(selected != "left")
    harness.advance(by: .milliseconds(40))
    #expect(selected == "left" && menu == nil)
    harness.touch(.ended, at: point(3))
    #expect(menu?.model.titles == ["Cut", "Copy", "Select All"] && field.isEditing && selected == "left")
    let frame = try #require(menu).frame
    #expect(frame.minX == 30 && frame.minY == 60, "under the word")
    try pick("Copy")
    #expect(harness.host.clipboard == "left" && menu == nil && field.isEditing && selected == "left")
  }

  @Test func `a finger that rests and then moves selects more words, and scrolls nothing`() {
    let scroll = ScrollView(frame: Rect(x: 0, y: 0, width: 300, height: 100))
    scroll.contentSize = Size(width: 900, height: 100)
    scroll.contentView.addSubview(field)
    harness.root.addSubview(scroll)
    harness.frame()
    harness.touch(.began, at: point(1))
    harness.advance(by: .milliseconds(520))
    harness.move(from: point(1), to: point(7))
    #expect(selected == "left right" && scroll.contentOffset == .zero)
    harness.touch(.ended, at: point(7))
    #expect(menu?.model.titles == ["Cut", "Copy"])
  }

  @Test func `rows cut, paste and select all`() throws {
    rest(at: point(6))
    try pick("Cut")
    #expect(harness.host.clipboard == "right" && field.draft == "left " && menu == nil && field.isEditing)
    rest(at: point(1))
    try pick("Select All")
    #expect(selected == "left " && menu?.model.titles == ["Cut", "Copy", "Paste"], "it opens again")
    try pick("Paste")
    #expect(harness.host.pasteRequests == [ControlHarness.seat] && menu == nil)
    harness.compose(TextEdit(seat: ControlHarness.seat, source: .clipboard, inserted: "right"))
    #expect(field.draft == "right" && field.isEditing)
  }

  @Test func `beyond the text and on a blank the caret stands there; an empty field can only be pasted into`() {
    rest(at: point(4))
    #expect(selected == "" && menu?.model.titles == ["Select All"])
    rest(at: point(10))
    #expect(field.inspection.values["caret"] == .number(10) && menu?.model.titles == ["Select All"])
    field.text = ""
    harness.press(.escape)
    harness.press(.escape)
    rest(at: point(0))
    #expect(field.isEditing && menu == nil, "nothing can be done")
    _ = harness.host.setClipboard("text")
    rest(at: point(0))
    #expect(menu?.model.titles == ["Paste"])
  }

  @Test func `a tap on what is selected opens and closes the menu; a drag from there selects anew`() {
    harness.press(.tab)
    harness.tap(point(2))
    #expect(menu != nil && selected == "left right")
    harness.advance(by: .seconds(1))
    harness.tap(point(2))
    #expect(menu == nil && selected == "left right")
    harness.advance(by: .seconds(1))
    harness.drag(from: point(1), to: point(5))
    #expect(menu == nil && selected?.isEmpty == false && selected != "left right")
    harness.press(.end)
    harness.advance(by: .seconds(1))
    harness.tap(point(1))
    #expect(menu == nil && selected == "", "nothing is selected there")
  }

  @Test func `further taps on what is selected select the word and all`() {
    harness.press(.tab)
    for wanted in ["left right", "left", "left right"] {
      harness.tap(point(1))
      #expect(selected == wanted)
      harness.advance(by: .milliseconds(100))
    }
    #expect(menu == nil)
  }

  @Test func `a tap on what an input method converts takes it back, and opens no menu`() {
    harness.tap(Point(x: field.frame.minX + 10, y: field.frame.midY))
    harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "nihao", preeditSelection: 0..<5))
    harness.advance(by: .seconds(1))
    harness.tap(Point(x: field.frame.minX + 30, y: field.frame.midY))
    #expect(menu == nil && field.isEditing && field.inspection.values["preedit"] == nil)
  }

  @Test func `a mouse opens no menu`() {
    for phase in [TouchPoint.Phase.began, .ended] {
      harness.touch(phase, at: point(1), finger: -1)
      harness.advance(by: .seconds(1))
    }
    #expect(field.isEditing && menu == nil && selected == "")
  }

  @Test(arguments: ["escape", "key", "method", "focus", "press", "disabled", "hidden"])
  func `the menu goes`(how: String) {
    rest(at: point(1))
    #expect(menu != nil)
    switch how {
    case "escape": harness.press(.escape)
    case "key": harness.type("x")
    case "method": harness.compose(TextEdit(seat: ControlHarness.seat, inserted: "你好"))
    case "focus": field.resignFirstResponder()
    case "press": harness.tap(Point(x: 280, y: 280))
    case "disabled": field.isEnabled = false
    default: field.isHidden = true
    }
    harness.frame()
    #expect(menu == nil && !harness.root.isMenuOpen)
    let goesOn = ["escape", "key", "method"].contains(how)
    #expect(field.isEditing == goesOn)
    if how == "escape" { #expect(selected == "left", "the draft is kept") }
    if how == "key" { #expect(field.draft == "x right") }
    if how == "method" { #expect(field.draft == "你好 right") }
  }

  @Test func `a finger that is taken away opens nothing`() {
    harness.touch(.began, at: point(1))
    harness.advance(by: .milliseconds(520))
    harness.touch(.cancelled, at: point(1))
    #expect(menu == nil && selected == "left")
    harness.press(.tab)
  }

  @Test func `a finger that rests on a number selects its digits; one that drags it goes on`() {
    let number = NumberField(frame: Rect(x: 20, y: 120, width: 160, height: 36))
    number.textAlignment = .left
    number.value = 128
    harness.root.addSubview(number)
    harness.frame()
    let place = point(1, in: number)
    harness.touch(.began, at: place)
    harness.advance(by: .milliseconds(520))
    harness.move(from: place, to: place + Point(x: 30, y: 0))
    harness.touch(.ended, at: place + Point(x: 30, y: 0))
    #expect(number.value == 128 && number.isEditing && menu?.model.titles == ["Cut", "Copy"])
    harness.press(.escape)
    harness.press(.escape)
    harness.touch(.began, at: place)
    harness.move(from: place, to: place + Point(x: 9, y: 0))
    harness.advance(by: .milliseconds(520))
    harness.touch(.ended, at: place + Point(x: 9, y: 0))
    #expect(number.value == 130 && menu == nil && !number.isEditing)
  }

  @Test func `the rows speak the person's language`() {
    defer { AccessibilityWords.current = AccessibilityWords() }
    AccessibilityWords.current.copy = "复制"
    rest(at: point(1))
    #expect(menu?.model.titles == ["Cut", "复制", "Select All"])
  }
}
