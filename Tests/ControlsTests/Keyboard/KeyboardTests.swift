import ControlHarness
import Testing

@testable import Controls

/// Tests of the keyboard that a tree shows by itself: when, where, and what it types.
@MainActor @Suite(.serialized) struct KeyboardTests {
  private let harness = ControlHarness(size: Size(width: 480, height: 500))
  private let field = TextField(frame: Rect(x: 20, y: 20, width: 300, height: 44))
  private let presenter: KeyboardPresenter

  init() {
    presenter = KeyboardPresenter(in: harness.root)
    harness.root.addSubview(field)
    harness.frame()
  }

  private var keyboard: Keyboard? { presenter.keyboard }

  /// The middle of the key with this name, in the window.
  private func key(_ title: String) throws -> Point {
    let keyboard = try #require(keyboard)
    let cap = try #require(keyboard.subviews.lazy.compactMap { $0 as? KeyCap }.first { $0.title == title }, "\(title)")
    return cap.windowFrame.center
  }

  private func type(_ titles: String...) throws {
    for title in titles { harness.tap(try key(title)) }
  }

  @Test func `it opens for a text that a finger touched, not for a pointer's or a key's`() {
    harness.press(.tab)
    #expect(keyboard == nil && field.isEditing)
    harness.tap(field.windowFrame.center, finger: -1)
    #expect(keyboard == nil)
    harness.tap(field)
    #expect(keyboard?.frame == Rect(x: 0, y: 286, width: 480, height: 214))
    harness.tap(Point(x: 400, y: 150))
    #expect(keyboard == nil && !field.isEditing)
    presenter.isEnabled = false
    harness.tap(field)
    #expect(keyboard == nil)
  }

  @Test func `where the desktop may show one it opens in fullscreen alone, and goes when an input method answers`() {
    let seat = ControlHarness.seat
    func tell(_ service: TextService) {
      harness.root.handle(.textService(seat, service))
      harness.frame()
    }
    tell(.silent)
    harness.tap(field)
    #expect(keyboard == nil)
    harness.host.setFullscreen(true)
    harness.tap(field)
    #expect(keyboard != nil)
    tell(.answering)
    #expect(keyboard == nil && field.isEditing)
    tell(.none)
    #expect(keyboard != nil, "nobody types any more")
  }

  @Test func `its keys type into the text, which keeps the focus`() throws {
    harness.tap(field)
    try type("h", "i", "Shift", "W", "space", "Backspace", "o")
    #expect(field.draft == "hiWo" && field.isEditing)
    try type("digits and signs", "7", "letters", "x")
    #expect(field.draft == "hiWo7x")
    try type("Return")
    #expect(field.text == "hiWo7x" && !field.isEditing && keyboard == nil)
    harness.tap(field)
    try type("hide the keyboard")
    #expect(keyboard == nil && !field.isEditing)
  }

  @Test func `a key that ends a line leaves the focus where the program moved it`() throws {
    let next = TextField(frame: Rect(x: 20, y: 80, width: 300, height: 44))
    harness.root.addSubview(next)
    field.addAction(for: .primaryActionTriggered) { _ in next.becomeFirstResponder() }
    harness.tap(field)
    try type("a", "Return", "b")
    #expect(field.text == "a" && next.draft == "b" && keyboard != nil)
  }

  @Test func `two thumbs type at once`() throws {
    harness.tap(field)
    let (a, b) = (try key("a"), try key("b"))
    harness.touch(.began, at: a, finger: 0)
    harness.touch(.began, at: b, finger: 1)
    harness.send([(.ended, b, 1), (.ended, a, 0)])
    #expect(field.draft == "ab")
  }

  @Test func `the key that removes characters repeats while it is held`() throws {
    field.text = "abcdefgh"
    harness.tap(field)
    harness.press(.end)
    let place = try key("Backspace")
    harness.touch(.began, at: place)
    #expect(field.draft == "abcdefg")
    harness.advance(by: .milliseconds(390))
    #expect(field.draft == "abcdefg")
    harness.advance(by: .milliseconds(140))
    #expect(field.draft == "abcd")
    harness.touch(.ended, at: place)
    harness.advance(by: .seconds(1))
    #expect(field.draft == "abcd" && harness.host.wakeTime == nil)
  }

  @Test func `a long press offers umlauts, and the finger chooses`() throws {
    presenter.language = .german
    harness.tap(field)
    let place = try key("a")
    harness.touch(.began, at: place)
    harness.advance(by: .milliseconds(420))
    #expect(keyboard?.model.offered?.characters.first == "ä")
    harness.touch(.moved, at: place.offsetBy(dx: 46, dy: -40))
    harness.touch(.ended, at: place.offsetBy(dx: 46, dy: -40))
    #expect(field.draft == "à")
    harness.touch(.began, at: place)
    harness.advance(by: .milliseconds(420))
    harness.touch(.ended, at: place)
    #expect(field.draft == "àä")
  }

  @Test(arguments: [20.0, 160, 228, 300, 456]) func `it is never over the text`(y: Double) throws {
    field.frame.origin.y = y
    harness.tap(field)
    let keyboard = try #require(keyboard)
    #expect(
      !keyboard.frame.intersects(field.windowFrame) && harness.root.bounds.union(keyboard.frame) == harness.root.bounds)
    #expect(keyboard.frame.height >= 4 * 24)
    // The text moves, as in a list that scrolls: the keyboard gives way.
    field.frame.origin.y = 440
    harness.frame()
    #expect(!keyboard.frame.intersects(field.windowFrame))
  }

  @Test(arguments: [Size(width: 320, height: 256), Size(width: 480, height: 320), Size(width: 1280, height: 720)])
  func `it finds room in each window beside a text in the middle`(size: Size) throws {
    harness.resize(to: size, scale: .one)
    field.frame = Rect(x: 10, y: size.height / 2 - 18, width: 200, height: 36)
    harness.frame()
    harness.tap(field)
    let keyboard = try #require(keyboard)
    #expect(!keyboard.frame.intersects(field.frame) && keyboard.frame.width <= 1000)
  }

  @Test func `it lies over nothing that must stay clear, and says if there is no room`() {
    var refusals = 0
    presenter.onNoRoom = { refusals += 1 }
    presenter.keptClear = { [Rect(x: 0, y: 480, width: 10, height: 10)] }
    field.frame.origin.y = 240
    harness.tap(field)
    #expect(keyboard?.frame.minY == 0, "at the other edge")
    presenter.keptClear = { [Rect(x: 0, y: 480, width: 10, height: 10), Rect(x: 470, y: 0, width: 10, height: 10)] }
    harness.root.setNeedsLayout()
    harness.frame()
    harness.frame()
    #expect(keyboard == nil && refusals == 1 && field.isEditing)
    presenter.rooms = { [Rect(x: 20, y: 0, width: 400, height: 500)] }
    harness.root.setNeedsLayout()
    harness.frame()
    #expect(keyboard?.frame.minX == 20)
  }

  @Test func `what is held beneath it is let go`() {
    let slider = Slider(frame: Rect(x: 20, y: 400, width: 200, height: 40))
    let other = Slider(frame: Rect(x: 20, y: 100, width: 200, height: 40))
    for view in [slider, other] { harness.root.addSubview(view) }
    harness.frame()
    var cancelled = 0
    slider.addAction(for: .touchCancel) { _ in cancelled += 1 }
    harness.touch(.began, at: Point(x: 60, y: 420), finger: 4)
    harness.touch(.began, at: Point(x: 60, y: 120), finger: 5)
    #expect(slider.isTracking && other.isTracking)
    harness.tap(field)
    #expect(keyboard != nil && other.isTracking)
    #expect(!slider.isTracking)
    #expect(cancelled == 1)
  }

  @Test func `its keys are buttons of assistive technology, and the field is there once`() throws {
    harness.tap(field)
    let keyboard = try #require(keyboard)
    #expect(keyboard.accessibilityRole == .group)
    let keys = keyboard.accessibilityElements
    #expect(
      keys.count == 34 && keys.allSatisfy { $0.accessibilityRole == .button && $0.accessibilityLabel?.isEmpty == false }
    )
    #expect(harness.root.accessibilityElements.filter { $0.accessibilityRole == .textField }.count == 1)
    for title in ["o", "Shift", "k"] {
      try #require(keys.first { $0.accessibilityLabel?.lowercased() == title.lowercased() }).carryOut(.perform("press"))
      harness.frame()
    }
    #expect(field.draft == "oK" && field.isEditing)
  }

  @Test func `a number's keys are digits, and a password's have them too`() throws {
    let number = NumberField(frame: Rect(x: 20, y: 80, width: 100, height: 44))
    let password = PasswordField(frame: Rect(x: 20, y: 140, width: 200, height: 44))
    for view in [number, password] as [View] { harness.root.addSubview(view) }
    harness.frame()
    harness.tap(number)
    harness.press(.character("a"), .control)
    try type("4", "2", "Return")
    #expect(number.value == 42)
    harness.tap(password)
    try type("Shift", "P", "1")
    #expect(password.draft == "P1" && keyboard?.rowCount == 5)
  }

  @Test func `a record has one key in place of all that type a password`() throws {
    let password = PasswordField(frame: Rect(x: 20, y: 140, width: 200, height: 44))
    harness.root.addSubview(password)
    harness.frame()
    harness.tap(password)
    let keyboard = try #require(keyboard)
    let first = try key("1")
    for title in ["q", "space", "9"] { #expect(keyboard.veiled(try key(title)) == first) }
    let enter = try key("Return")
    #expect(keyboard.veiled(enter) == enter)
    let letter = try #require(keyboard.subviews.first { ($0 as? KeyCap)?.title == "m" })
    #expect((letter.veiledKey as? KeyCap)?.title == "1")
  }

  @Test func `a pause of the window and a field that goes leave nothing`() throws {
    harness.tap(field)
    harness.touch(.began, at: try key("Backspace"))
    field.removeFromSuperview()
    harness.frame()
    #expect(keyboard == nil && harness.host.wakeTime == nil)
    harness.settle()
    #expect(!harness.root.needsFrame)
  }
}
