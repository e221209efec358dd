import CockpitControls
import ControlHarness
import Controls
import Testing

/// Tests of the text field in use: keys, taps, drags, what it says and when.
@MainActor @Suite(.serialized) struct TextFieldTests {
  let field = TextField()
  let harness: ControlHarness
  let other = Horn(frame: Rect(x: 10, y: 80, width: 60, height: 60))
  private let heard: Heard

  private final class Heard {
    var events: [String] = []
    func take() -> [String] {
      defer { events = [] }
      return events
    }
  }

  init() {
    harness = ControlHarness(size: Size(width: 300, height: 160))
    field.frame = Rect(x: 20, y: 20, width: 200, height: 36)
    harness.root.addSubview(field)
    harness.root.addSubview(other)
    heard = Heard()
    let names: [(Control.Event, String)] = [
      (.editingDidBegin, "begin"), (.valueChanged, "changed"), (.editingDidEnd, "end"), (.editingDidCancel, "cancel"),
      (.primaryActionTriggered, "enter"),
    ]
    let heard = heard
    for (event, name) in names { field.addAction(for: event) { _ in heard.events.append(name) } }
    harness.frame()
  }

  /// The window's point in which the caret stands before the character at `place`.
  private func point(_ place: Int) -> Point {
    let prefix = String(field.draft.prefix(place))
    let width = TextLayout(prefix, font: field.theme.font(.body)).size.width
    return Point(x: field.frame.minX + 10 + width, y: field.frame.midY)
  }

  @Test func `Tab selects all, letters replace it, Enter commits`() {
    field.text = "old"
    harness.press(.tab)
    #expect(field.isEditing && field.inspection.values["selected"] == .string("old"))
    harness.type("new")
    #expect(field.draft == "new" && field.text == "old" && heard.take() == ["begin"])
    harness.press(.enter)
    #expect(field.text == "new" && field.isEditing && heard.take() == ["changed", "enter"])
    harness.press(.enter)
    #expect(heard.take() == ["enter"], "nothing changed")
    harness.press(.tab)
    #expect(!field.isEditing && heard.take() == ["end"])
  }

  @Test func `Escape takes the draft back and leaves`() {
    field.text = "old"
    harness.tap(field)
    harness.type("xyz")
    harness.press(.escape)
    #expect(field.text == "old" && field.draft == "old" && !field.isEditing)
    #expect(heard.take() == ["begin", "cancel"])
  }

  @Test func `leaving commits: by Tab, by a finger elsewhere, by being taken away`() {
    let ways: [() -> Void] = [
      { harness.press(.tab) }, { harness.tap(Point(x: 250, y: 120)) }, { harness.tap(other) },
      { field.removeFromSuperview() },
    ]
    for (number, leave) in ways.enumerated() {
      harness.tap(field)
      harness.press(.end)
      harness.type("\(number)")
      leave()
      #expect(field.text == String("0123".prefix(number + 1)) && !field.isEditing)
      #expect(heard.take() == ["begin", "changed", "end"])
    }
  }

  @Test func `a tap puts the caret where it is`() {
    field.text = "throttle"
    for place in [0, 3, 8] {
      harness.advance(by: .seconds(1))
      harness.tap(point(place))
      #expect(field.inspection.values["caret"] == .number(Double(place)))
      #expect(field.inspection.values["selected"] == .string(""))
    }
  }

  @Test func `the second tap selects the word, the third all`() {
    field.text = "left right"
    for selected in ["", "right", "left right", ""] {
      harness.tap(point(7))
      #expect(field.inspection.values["selected"] == .string(selected))
      harness.advance(by: .milliseconds(100))
    }
  }

  @Test func `a drag selects while the field is edited, and only then`() {
    field.text = "throttle"
    harness.drag(from: point(1), to: point(5))
    #expect(field.inspection.values["selected"] == .string(""))
    harness.advance(by: .seconds(1))
    harness.drag(from: point(1), to: point(5))
    #expect(field.inspection.values["selected"] == .string("hrot"))
    harness.type("-")
    #expect(field.draft == "t-tle")
  }

  @Test(
    arguments: [
      (Key.left, KeyModifiers.shift, "t"), (.home, .shift, "left righ"), (.left, [.shift, .control], "righ"),
    ] as [(Key, KeyModifiers, String)]) func `Shift selects`(key: Key, modifiers: KeyModifiers, selected: String)
  {
    field.text = "left right"
    harness.tap(point(9))
    if key == .left, modifiers == .shift { harness.press(.right) }
    harness.press(key, modifiers)
    #expect(field.inspection.values["selected"] == .string(selected))
  }

  @Test func `arrows go the way they point in texts written from right to left`() {
    // Left of the line is its end: four Hebrew letters.
    field.text = "שלום"
    harness.press(.tab)
    harness.press(.home)
    #expect(field.inspection.values["caret"] == .number(0))
    for caret in 1...4 {
      harness.press(.left)
      #expect(field.inspection.values["caret"] == .number(Double(caret)))
    }
    harness.press(.left)
    #expect(field.inspection.values["caret"] == .number(4))
    harness.press(.right, .shift)
    #expect(field.inspection.values["selected"] == .string("ם"))
    harness.press(.right)
    #expect(field.inspection.values["caret"] == .number(3), "the right end of what was selected")
  }

  @Test func `every place is reached from left to right where the text is written both ways`() {
    field.text = "ab שלום cd"
    harness.press(.tab)
    harness.press(.home)
    var seen: Set<Int> = [0]
    for _ in 0..<20 {
      harness.press(.right)
      if let caret = field.inspection.values["caret"]?.whole { seen.insert(caret) }
    }
    #expect(seen.count >= 10, "\(seen.sorted())")
    #expect(field.inspection.values["caret"] == .number(10))
  }

  @Test func `a draft that nobody changed follows code's text, and does not take it back`() {
    field.text = "one"
    harness.tap(field)
    field.text = "two"
    #expect(field.draft == "two")
    harness.tap(Point(x: 280, y: 20))
    #expect(field.text == "two" && heard.take() == ["begin", "end"])
  }

  @Test func `code's text shows at once, but leaves a draft alone`() {
    field.text = "one"
    harness.tap(field)
    harness.press(.end)
    harness.type("!")
    field.text = "two"
    #expect(field.draft == "one!" && heard.take() == ["begin"])
    harness.press(.escape)
    #expect(field.draft == "two")
    field.text = "three\nfour"
    #expect(field.draft == "three four" && heard.take() == ["cancel"])
  }

  @Test func `what is not accepted is taken back`() {
    field.validate = { $0.hasPrefix("#") ? $0.uppercased() : nil }
    field.text = "#a"
    harness.press(.tab)
    harness.type("b")
    harness.press(.enter)
    #expect(field.text == "#a" && field.draft == "#a" && heard.take() == ["begin", "enter"])
    harness.type("#c")
    harness.press(.enter)
    #expect(field.text == "#C" && field.draft == "#C" && heard.take() == ["changed", "enter"])
  }

  @Test func `a caret in a long text is always seen`() {
    field.text = String(repeating: "wide ", count: 20)
    harness.press(.tab)
    harness.press(.end)
    let atEnd = harness.shown
    harness.press(.home)
    #expect(harness.shown != atEnd)
    for _ in 0..<30 { harness.press(.right) }
    #expect(harness.shown != atEnd)
    // The caret stands inside of the field, in the accent: 0x0f766e.
    let (shown, columns) = (harness.shown, Int(field.frame.minX) + 4..<Int(field.frame.maxX) - 4)
    let found = (30..<46).flatMap { y in columns.filter { shown.pixels[y * shown.size.width + $0] == 0xff0f_766e } }
    #expect(found.count == 2 * 16, "a caret of \(found.count) pixels")
  }

  @Test func `a disabled field takes nothing`() {
    field.isEnabled = false
    harness.tap(field)
    harness.press(.tab)
    harness.type("x")
    #expect(!field.isEditing && field.text.isEmpty && other.isFocused)
  }

  @Test func `keys of commands are left to others`() {
    harness.press(.tab)
    var left: [Key] = []
    harness.root.keyHandler = {
      if $0.phase == .down { left.append($0.key) }
      return false
    }
    harness.press(.character("s"), .control)
    harness.press(.f12)
    harness.press(.up)
    harness.type("h ")
    #expect(left == [.character("s"), .f12] && field.draft == "h ")
  }

  // MARK: Input methods

  private func compose(_ inserted: String = "", _ preedit: String = "", before: Int = 0) {
    let end = preedit.utf8.count
    harness.compose(
      TextEdit(
        seat: ControlHarness.seat, deletedBefore: before, inserted: inserted, preedit: preedit,
        preeditSelection: end..<end))
  }

  @Test func `input methods are told of the text that is edited`() {
    #expect(harness.host.textInput == nil)
    field.text = "throttle"
    harness.tap(point(8))
    let told = harness.host.textInput
    #expect(told?.text == "throttle" && told?.caret == 8 && told?.anchor == 8 && told?.purpose == .normal)
    let area = told?.caretArea ?? .zero
    #expect(field.frame.union(area) == field.frame && abs(area.minX - point(8).x) <= 1 && area.height > 10)
    harness.press(.home, .shift)
    #expect(harness.host.textInput?.caret == 0 && harness.host.textInput?.anchor == 8)
    let session = harness.host.textInput?.session
    harness.advance(by: .seconds(1))
    harness.press(.end)
    harness.tap(point(2))
    #expect(harness.host.textInput?.session != session, "a keyboard that was closed opens again")
    harness.press(.escape)
    #expect(harness.host.textInput == nil)
    let number = NumberField(frame: Rect(x: 20, y: 110, width: 80, height: 36))
    harness.root.addSubview(number)
    number.becomeFirstResponder()
    harness.frame()
    #expect(harness.host.textInput?.purpose == .number)
  }

  @Test func `an input method composes at the caret, and what it enters is a change by a person`() {
    field.text = "gear"
    harness.tap(point(4))
    compose("", "ni")
    #expect(field.draft == "gear" && field.inspection.values["preedit"] == .string("ni"))
    compose("", "ni hao")
    compose("你好")
    #expect(field.draft == "gear你好" && field.inspection.values["preedit"] == nil)
    #expect(harness.host.textInput?.text == "gear你好" && harness.host.textInput?.isByInputMethod == true)
    compose("", "", before: 3)
    #expect(field.draft == "gear你")
    harness.press(.enter)
    #expect(field.text == "gear你" && heard.take() == ["begin", "changed", "enter"])
  }

  @Test func `behaviour 40: keys and taps take back what is composed, and the input method begins anew`() {
    for act in [{ harness.press(.left) }, { harness.tap(point(1)) }, { harness.type("x") }, { harness.press(.enter) }] {
      field.text = "gear"
      harness.tap(other)
      harness.tap(point(4))
      compose("", "ni")
      let session = harness.host.textInput?.session
      act()
      #expect(field.inspection.values["preedit"] == nil && !field.draft.contains("ni"))
      #expect(harness.host.textInput?.session != session && harness.host.textInput?.isByInputMethod == false)
    }
    harness.tap(point(1))
    compose("", "ni")
    harness.tap(other)
    #expect(!field.text.contains("ni") && harness.host.textInput == nil)
    compose("late")
    #expect(!field.text.contains("late"), "nobody edits")
  }

  // MARK: The clipboard and undoing

  @Test func `keys copy, cut and paste`() {
    field.text = "left right"
    harness.press(.tab)
    harness.press(.character("c"), .control)
    #expect(harness.host.clipboard == "left right" && field.draft == "left right")
    harness.press(.left)
    harness.press(.right, [.control, .shift])
    harness.press(.character("x"), .control)
    #expect(harness.host.clipboard == "left" && field.draft == " right")
    harness.press(.character("x"), .control)
    #expect(harness.host.clipboard == "left", "nothing is selected")
    harness.press(.character("v"), .control)
    harness.press(.insert, .shift)
    #expect(harness.host.pasteRequests == [ControlHarness.seat, ControlHarness.seat])
    harness.compose(TextEdit(seat: ControlHarness.seat, source: .clipboard, inserted: "more\nthan"))
    #expect(field.draft == "more than right" && harness.host.textInput?.isByInputMethod == false)
    harness.press(.home, .shift)
    harness.host.hasClipboard = false
    harness.press(.delete, .shift)
    #expect(field.draft == "more than right", "what can't be copied stays")
    let last = TextField(frame: Rect(x: 20, y: 120, width: 100, height: 36))
    harness.root.addSubview(last)
    last.becomeFirstResponder()
    harness.frame()
    harness.compose(TextEdit(seat: ControlHarness.seat, source: .clipboard, inserted: "late"))
    #expect(last.draft.isEmpty, "another field asked for it")
  }

  @Test func `the middle button pastes where it is, also into a field that nobody edits`() {
    field.text = "left right"
    harness.frame()
    func paste(_ text: String, at place: Point) {
      harness.compose(
        TextEdit(seat: ControlHarness.seat, source: .primarySelection, inserted: text, place: place))
    }
    paste("most ", at: point(5))
    #expect(field.isEditing && field.draft == "left most right")
    paste("x", at: Point(x: other.frame.midX, y: other.frame.midY))
    paste("x", at: Point(x: .nan, y: 1))
    #expect(field.draft == "left most right")
    field.isEnabled = false
    paste("x", at: point(0))
    #expect(field.text == "left most right")
  }

  @Test func `what is selected is offered for the middle button when the selection is done`() {
    field.text = "left right"
    harness.frame()
    harness.press(.tab)
    #expect(harness.host.primarySelection == nil, "nobody has chosen it")
    harness.press(.home)
    harness.press(.right, [.control, .shift])
    #expect(harness.host.primarySelection == "left")
    harness.touch(.began, at: point(5))
    harness.touch(.moved, at: point(8))
    #expect(harness.host.primarySelection == "left")
    harness.touch(.moved, at: point(10))
    harness.touch(.ended, at: point(10))
    #expect(harness.host.primarySelection == "right")
    harness.press(.left)
    #expect(harness.host.primarySelection == "right", "nothing is selected")
  }

  @Test func `Ctrl+Z takes words back, also past Enter`() {
    field.text = "old"
    harness.press(.tab)
    harness.type("one two")
    harness.press(.character("z"), .control)
    #expect(field.draft == "one ")
    harness.press(.character("z"), [.control, .shift])
    #expect(field.draft == "one two")
    harness.press(.enter)
    harness.press(.character("z"), .control)
    #expect(field.draft == "one " && field.text == "one two")
    harness.press(.character("y"), .control)
    #expect(field.draft == "one two")
    for _ in 0..<5 { harness.press(.character("z"), .control) }
    #expect(field.draft == "old" && field.inspection.values["selected"] == .string("old"))
  }

  @Test func `a drag after the second tap selects whole words`() {
    field.text = "left right brake"
    harness.tap(point(1))
    harness.advance(by: .milliseconds(100))
    harness.drag(from: point(1), to: point(7))
    #expect(field.inspection.values["selected"] == .string("left right"))
  }

  @Test(arguments: ["validate", "observer", "action"])
  func `a field that is sent the keys back while it takes its draft goes on being edited`(way: String) {
    field.text = "old"
    var token: ObservationToken?
    switch way {
    case "validate":
      field.validate = { [unowned field] in
        guard $0 != "good" else { return $0 }
        field.becomeFirstResponder()
        return nil
      }
    case "observer":
      token = field.observe(\TextField.text) { [unowned field] in if $0.new == "bad" { field.becomeFirstResponder() } }
    default: field.addAction(for: .valueChanged) { if $0.text == "bad" { $0.becomeFirstResponder() } }
    }
    harness.tap(field)
    harness.press(.character("a"), .control)
    harness.type("bad")
    other.becomeFirstResponder()
    #expect(field.isFirstResponder && field.isEditing)
    #expect(heard.take().filter { $0 != "changed" } == ["begin"], "one editing, which goes on")
    harness.press(.character("a"), .control)
    harness.type("good")
    #expect(field.draft == "good")
    other.becomeFirstResponder()
    #expect(field.text == "good" && !field.isEditing && heard.take().last == "end")
    token?.remove()
  }

  @Test func `a double tap on any half of a word's letter selects the word`() {
    field.text = "gear box"
    harness.tap(field)
    for x in [point(3).x + 1, point(4).x - 1] {
      harness.advance(by: .seconds(1))
      harness.press(.home)
      for _ in 0..<2 { harness.tap(Point(x: x, y: field.frame.midY)) }
      #expect(field.inspection.values["selected"] == .string("gear"))
      // A second tap that slips within the word's last letter selects no more.
      harness.advance(by: .seconds(1))
      harness.tap(Point(x: x, y: field.frame.midY))
      harness.touch(.began, at: Point(x: x, y: field.frame.midY))
      harness.touch(.moved, at: Point(x: x, y: field.frame.midY + 5))
      #expect(field.inspection.values["selected"] == .string("gear"))
      harness.touch(.ended, at: Point(x: x, y: field.frame.midY + 5))
    }
  }

  @Test func `a finger that selects while an input method composes selects what it passes`() {
    field.text = "gear box"
    harness.tap(field)
    harness.press(.home)
    harness.touch(.began, at: point(4))
    compose("", "nihao")
    let width = TextLayout("nihao", font: field.theme.font(.body)).size.width
    // The letters behind the composition stand as much further to the right.
    let start = point(4)
    harness.touch(.moved, at: Point(x: start.x + width + 0.5, y: start.y))
    #expect(field.draft == "gear box" && field.inspection.values["preedit"] == .string("nihao"), "it is still there")
    let end = point(8)
    harness.touch(.moved, at: Point(x: end.x + width, y: end.y))
    #expect(field.inspection.values["selected"] == .string(" box") && field.inspection.values["preedit"] == nil)
    harness.touch(.ended, at: end)
  }
}
