import ControlHarness
import ControlTools
import Testing

@testable import CockpitControls
@testable import Controls

/// Tests of the values that views give to assistive technology, and of its actions.
@MainActor @Suite(.serialized) struct AccessibilityTests {
  private let harness = ControlHarness(size: Size(width: 400, height: 400))
  private let log = Log()

  /// A control in the window, whose events are noted.
  private func show<Subject: Control>(_ control: Subject, in frame: Rect = Rect(x: 20, y: 20, width: 200, height: 300))
    -> Subject
  {
    control.frame = frame
    control.addAction(for: .valueChanged) { [log] _ in log.add("changed") }
    control.addAction(for: .editingDidBegin) { [log] _ in log.add("begin") }
    control.addAction(for: [.editingDidEnd, .editingDidCancel]) { [log] _ in log.add("end") }
    control.addAction(for: .primaryActionTriggered) { [log] _ in log.add("pressed") }
    harness.root.addSubview(control)
    harness.root.handle(LifecycleEvent.didBecomeActive)
    harness.frame()
    return control
  }

  /// The reason of a refusal; nil when the wish was carried out.
  private func refusal(_ command: AccessibilityCommand, _ view: View) -> String? {
    do throws(AccessibilityRefusal) {
      try view.carryOut(command)
      return nil
    } catch { return error.reason }
  }

  private let words = AccessibilityWords()

  // MARK: Driving controls

  @Test func `the lever tells its gear, and takes another by its rules`() {
    let gearbox = show(ThrottleGearbox())
    #expect(gearbox.accessibilityRole == .slider)
    #expect(gearbox.accessibilityValue == AccessibilityValue(0, in: -1...10, step: 1, text: "neutral"))
    #expect(refusal(.setValue(7), gearbox) == nil)
    #expect(gearbox.gear == .forward(7) && gearbox.accessibilityValue?.text == "gear 7")
    #expect(log.take() == ["changed"])
    #expect(refusal(.setValue(-1), gearbox) == VehicleWords().reverseNeedsNeutral)
    #expect(refusal(.setValue(11), gearbox) == words.isImpossible)
    #expect(refusal(.setValue(.nan), gearbox) == words.isImpossible)
    #expect(gearbox.gear == .forward(7))
    #expect(refusal(.perform("brake"), gearbox) == nil)
    // N has not rested yet.
    #expect(refusal(.setValue(-1), gearbox) == VehicleWords().reverseNeedsNeutral)
    harness.advance(by: .milliseconds(200))
    #expect(refusal(.perform("shift down"), gearbox) == nil)
    #expect(gearbox.gear == .reverse && gearbox.accessibilityValue?.text == "reverse")
    #expect(refusal(.perform("shift down"), gearbox) == nil && gearbox.gear == .reverse)
    #expect(refusal(.perform("shift up"), gearbox) == nil && gearbox.gear == .neutral)
  }

  @Test func `a lever that a finger holds obeys the finger; the brake is open to everyone`() {
    let gearbox = show(ThrottleGearbox())
    harness.touch(.began, at: gearbox.windowFrame.center)
    #expect(refusal(.setValue(3), gearbox) == words.isHeld)
    gearbox.gear = .forward(2)
    #expect(refusal(.setValue(0), gearbox) == nil && gearbox.gear == .neutral)
    harness.touch(.ended, at: gearbox.windowFrame.center)
    #expect(refusal(.setValue(3), gearbox) == nil)
  }

  @Test func `the wheel tells its angle to a side, turns there gently, and stays`() {
    let wheel = show(SteeringWheel(), in: Rect(x: 0, y: 0, width: 300, height: 300))
    #expect(wheel.accessibilityRole == .dial)
    #expect(wheel.accessibilityValue == AccessibilityValue(0, in: -450...450, step: 15, text: "straight"))
    #expect(refusal(.setValue(-42), wheel) == nil)
    #expect(wheel.angle == 0, "it does not jump")
    harness.settle()
    #expect(abs(wheel.angle + 42) < 0.1 && wheel.accessibilityValue?.text == "42 degrees left")
    #expect(log.take().count > 5)
    #expect(refusal(.perform("turn right"), wheel) == nil)
    harness.settle()
    #expect(wheel.accessibilityValue?.text == "27 degrees left")
    #expect(refusal(.setValue(9000), wheel) == nil)
    harness.settle()
    #expect(wheel.accessibilityValue?.text == "450 degrees right", "never past the lock")
    let rim = Point(x: 290, y: 150)
    harness.touch(.began, at: rim)
    #expect(refusal(.setValue(0), wheel) == words.isHeld)
    harness.touch(.ended, at: rim)
    harness.settle()
    #expect(wheel.angle == 0, "a hand has the last word: it swings back")
    wheel.steer(.left)
    #expect(refusal(.perform("straighten"), wheel) == words.isHeld)
  }

  @Test func `the horn sounds for a moment, and never longer than it is seen`() {
    let horn = show(Horn(), in: Rect(x: 0, y: 0, width: 100, height: 100))
    #expect(horn.accessibilityRole == .button)
    #expect(refusal(.perform("sound"), horn) == nil && horn.isSounding)
    harness.advance(by: .milliseconds(400))
    #expect(refusal(.perform("sound"), horn) == nil && horn.isSounding)
    harness.advance(by: .milliseconds(500))
    #expect(horn.isSounding, "a second press begins anew")
    harness.advance(by: .milliseconds(200))
    #expect(!horn.isSounding)
    #expect(refusal(.perform("sound"), horn) == nil)
    harness.enterBackground()
    #expect(!horn.isSounding)
    #expect(refusal(.perform("sound"), horn) == words.isHidden)
    harness.enterForeground()
    #expect(refusal(.perform("sound"), horn) == nil)
    horn.isEnabled = false
    #expect(!horn.isSounding && refusal(.perform("sound"), horn) == words.isDisabled)
    horn.isEnabled = true
    #expect(refusal(.perform("sound"), horn) == nil && horn.isSounding)
    horn.removeFromSuperview()
    #expect(!horn.isSounding)
  }

  // MARK: The others

  @Test func `sliders take what a person can choose, and tell what a person's change tells`() {
    let slider = show(Slider(), in: Rect(x: 20, y: 20, width: 200, height: 31))
    (slider.maximumValue, slider.step) = (10, 2)
    #expect(slider.accessibilityValue == AccessibilityValue(0, in: 0...10, step: 2))
    #expect(refusal(.setValue(6.9), slider) == nil && slider.value == 6)
    #expect(log.take() == ["begin", "changed", "end"])
    #expect(refusal(.setValue(99), slider) == nil && slider.value == 10)
    harness.touch(.began, at: slider.windowFrame.center)
    #expect(refusal(.setValue(2), slider) == words.isHeld)
    harness.touch(.cancelled, at: slider.windowFrame.center)
    slider.isEnabled = false
    #expect(refusal(.setValue(2), slider) == words.isDisabled && slider.value == 10)
    slider.isEnabled = true
    harness.root.isUserInteractionEnabled = false
    #expect(refusal(.setValue(2), slider) == words.isDisabled && slider.value == 10)
    harness.root.isUserInteractionEnabled = true
    #expect(refusal(.setValue(2), slider) == nil)
  }

  @Test func `a range's thumbs are elements of their own within it`() throws {
    let range = show(RangeSlider(), in: Rect(x: 20, y: 20, width: 200, height: 31))
    range.accessibilityLabel = "Hours"
    let thumbs = range.accessibilityElements
    #expect(thumbs.map { $0.accessibilityLabel } == ["Hours from", "Hours to"])
    #expect(thumbs.allSatisfy { $0.accessibilityParent === range && $0.accessibilityRole == .slider })
    #expect(refusal(.setValue(0.5), try #require(thumbs.first)) == nil && range.lowerValue == 0.5)
    #expect(log.take() == ["begin", "changed", "end"])
    #expect(
      refusal(.setValue(0.1), try #require(thumbs.last)) == nil && range.upperValue == 0.5, "thumbs stop at each other")
    range.isEnabled = false
    #expect(refusal(.setValue(0), try #require(thumbs.first)) == words.isDisabled)
  }

  @Test func `buttons, switches and choices`() {
    let button = show(Button("Go"), in: Rect(x: 0, y: 0, width: 80, height: 44))
    #expect(button.accessibilityRole == .button && button.accessibilityLabel == "Go" && button.accessibilityIsOn == nil)
    #expect(refusal(.perform("press"), button) == nil && log.take() == ["pressed"])
    button.isToggle = true
    #expect(button.accessibilityRole == .toggle)
    #expect(refusal(.perform("press"), button) == nil && button.accessibilityIsOn == true)
    #expect(log.take().sorted() == ["changed", "pressed"])
    #expect(
      refusal(.perform("dance"), button) == words.isImpossible && refusal(.setValue(1), button) == words.isImpossible)
    let toggle = show(Switch(), in: Rect(x: 0, y: 60, width: 51, height: 31))
    #expect(refusal(.perform("toggle"), toggle) == nil && toggle.isOn && log.take() == ["changed"])
    let choice = show(ChoiceControl(), in: Rect(x: 0, y: 120, width: 200, height: 36))
    choice.titles = ["Low", "High"]
    #expect(choice.accessibilityValue == AccessibilityValue(0, in: 0...1, step: 1, text: "Low"))
    #expect(choice.accessibilityActions.map(\.title) == ["Low", "High"])
    #expect(refusal(.setValue(1), choice) == nil && choice.selectedTitle == "High")
    #expect(refusal(.setValue(2), choice) == words.isImpossible)
    #expect(refusal(.perform("choose 0"), choice) == nil && choice.selectedTitle == "Low")
    #expect(log.take() == ["changed", "changed"])
  }

  @Test func `texts are read by scalars and set as if typed`() {
    let field = show(TextField(), in: Rect(x: 0, y: 0, width: 200, height: 36))
    field.placeholder = "Name"
    field.text = "e\u{301}a"
    #expect(field.accessibilityLabel == "Name" && field.accessibilityText?.caret == nil)
    #expect(refusal(.focus, field) == nil && field.isFirstResponder)
    #expect(field.accessibilityText == AccessibilityText("e\u{301}a", caret: 3, selection: 0..<3, isEditable: true))
    _ = log.take()
    #expect(refusal(.setText("new"), field) == nil && field.text == "new" && field.draft == "new")
    #expect(log.take() == ["changed"], "within an editing by keys")
    field.resignFirstResponder()
    field.validate = { $0 == "no" ? nil : $0 }
    _ = log.take()
    #expect(refusal(.setText("no"), field) == words.isImpossible && field.text == "new")
    #expect(log.take() == ["begin", "end"])
    let number = show(NumberField(), in: Rect(x: 0, y: 60, width: 200, height: 36))
    (number.minimumValue, number.maximumValue) = (0, 5)
    #expect(refusal(.setValue(3.5), number) == nil && number.value == 3.5)
    #expect(refusal(.setValue(17), number) == nil && number.value == 5)
    #expect(number.accessibilityValue?.limits == 0...5 && number.accessibilityValue?.text == "5")
    let label = Label("Speed")
    harness.root.addSubview(label)
    #expect(label.accessibilityRole == .label && label.accessibilityText == AccessibilityText("Speed"))
    #expect(refusal(.setText("x"), label) == words.isDisabled && refusal(.focus, label) == words.isDisabled)
  }

  /// The letters' areas of a view, in its own coordinates; blanks have none that counts.
  private func letters(_ view: View) throws -> [(place: Int, area: Rect)] {
    let (text, layout) = (try #require(view.accessibilityText?.text), try #require(view.accessibilityTextLayout))
    return try text.unicodeScalars.enumerated().filter { $0.element != " " }.map {
      ($0.offset, try #require(layout.area(of: $0.offset..<$0.offset + 1, in: text)))
    }
  }

  @Test(arguments: HorizontalAlignment.allCases)
  func `letters are found where they stand, in every line`(alignment: HorizontalAlignment) throws {
    let label = Label("one two three שלום")
    (label.numberOfLines, label.textAlignment) = (0, alignment)
    label.frame = Rect(x: 20, y: 20, width: 60, height: 200)
    harness.root.addSubview(label)
    harness.frame()
    let (letters, layout) = (try letters(label), try #require(label.accessibilityTextLayout))
    for (place, area) in letters {
      #expect(layout.place(at: area.center, in: label.text) == place)
      #expect(label.bounds.insetBy(dx: -0.5, dy: -0.5).contains(area.center), "\(place): \(area)")
    }
    #expect(letters[0].area.maxX <= letters[1].area.minX + 0.01 && letters[0].area.minY == letters[1].area.minY)
    #expect(letters[0].area.maxY <= letters[3].area.minY + 0.01, "another line")
    #expect(letters[letters.count - 1].area.maxX <= letters[letters.count - 2].area.minX + 0.01, "right to left")
    let ends = Dictionary(grouping: letters) { $0.area.minY }.values.compactMap { $0.map(\.area.maxX).max() }
    let isRight = alignment == .trailing || alignment == .right
    #expect(ends.count > 1 && ends.allSatisfy { abs($0 - 60) < 1 } == isRight, "\(ends)")
    let all = try #require(layout.area(of: 0..<label.text.unicodeScalars.count, in: label.text))
    #expect(letters.allSatisfy { all.insetBy(dx: -0.01, dy: -0.01).contains($0.area.center) })
    #expect(layout.area(of: 30..<31, in: label.text) == nil && layout.area(of: -1..<1, in: label.text) == nil)
    #expect(layout.place(at: Point(x: -5, y: 5), in: label.text) == nil)
    label.accessibilityLabel = "Another text"
    #expect(label.accessibilityTextLayout == nil)
  }

  @Test func `a field's letters go with its scrolling, and beside what is composed`() throws {
    let field = show(TextField(), in: Rect(x: 0, y: 0, width: 100, height: 36))
    field.text = "e\u{301}a wide text that is scrolled"
    var found = try letters(field)
    #expect(found[0].area.minX == 10 && found[0].area.minY > 0 && found[0].area.maxY < 36)
    _ = field.becomeFirstResponder()
    harness.press(.end)
    harness.frame()
    found = try letters(field)
    let last = try #require(found.last).area
    #expect(found[0].area.maxX < 0 && field.bounds.contains(last.center))
    field.text = "ab"
    field.resignFirstResponder()
    _ = field.becomeFirstResponder()
    harness.press(.home)
    harness.press(.right)
    let before = try letters(field)
    harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "XYZ", preeditSelection: 3..<3))
    let after = try letters(field)
    #expect(after[0].area == before[0].area && after[1].area.minX > before[1].area.maxX)
    let layout = try #require(field.accessibilityTextLayout)
    #expect(layout.place(at: after[1].area.center, in: "ab") == 1)
    #expect(layout.place(at: before[1].area.center, in: "ab") == nil, "it is composed, and no part of the text")
  }

  // MARK: The tree

  @Test func `a menu's rows are elements of the button that opened it, and are chosen there`() throws {
    let button = show(PopUpButton(), in: Rect(x: 20, y: 20, width: 150, height: 36))
    button.titles = ["Low", "High"]
    #expect(button.accessibilityIsExpanded == false && button.accessibilityElements.isEmpty)
    #expect(refusal(.focus, button) == nil && button.isAccessibilityFocused)
    #expect(refusal(.perform("press"), button) == nil && button.accessibilityIsExpanded == true)
    harness.frame()
    let rows = button.accessibilityElements
    #expect(rows.map(\.accessibilityLabel) == ["Low", "High"] && rows.allSatisfy { $0.accessibilityRole == .menuItem })
    #expect(rows.allSatisfy { $0.accessibilityParent === button && $0.accessibilityRoot === harness.root })
    #expect(harness.root.accessibilityElements.map(ObjectIdentifier.init) == [ObjectIdentifier(button)])
    // Keys light a row: a screen reader speaks that row.
    #expect(rows[0].isAccessibilityFocused && rows[0].isAccessibilitySelected && !button.isAccessibilityFocused)
    harness.press(.down)
    #expect(!rows[0].isAccessibilityFocused && rows[1].isAccessibilityFocused)
    #expect(rows[1].accessibilityPlace(of: rows[1].bounds) == rows[1].windowFrame)
    #expect(refusal(.perform("press"), rows[1]) == nil && button.selectedTitle == "High" && log.take() == ["changed"])
    #expect(button.accessibilityIsExpanded == false && button.accessibilityElements.isEmpty)
    #expect(refusal(.perform("press"), rows[0]) != nil, "it is gone")
    #expect(button.isAccessibilityFocused)
  }

  @Test func `elements are told in the place of views that are none; what is hidden is left out`() {
    let box = View(frame: Rect(x: 0, y: 0, width: 200, height: 200))
    let (first, second) = (Label("first"), Label("second"))
    first.frame = Rect(x: 0, y: 0, width: 100, height: 100)
    second.frame = Rect(x: 50, y: 0, width: 100, height: 100)
    let inner = View(frame: box.bounds)
    box.addSubview(inner)
    inner.addSubview(first)
    inner.addSubview(second)
    harness.root.addSubview(box)
    #expect(harness.root.accessibilityElements.map(\.accessibilityLabel) == ["first", "second"])
    #expect(first.accessibilityParent === harness.root)
    #expect(
      box.accessibilityHitTest(Point(x: 75, y: 10)) === second
        && box.accessibilityHitTest(Point(x: 10, y: 10)) === first)
    #expect(
      box.accessibilityHitTest(Point(x: 10, y: 150)) == nil && box.accessibilityHitTest(Point(x: 210, y: 10)) == nil)
    second.isHidden = true
    #expect(harness.root.accessibilityElements.count == 1 && box.accessibilityHitTest(Point(x: 75, y: 10)) === first)
    box.isAccessibilityElement = true
    #expect(
      harness.root.accessibilityElements.map(ObjectIdentifier.init) == [ObjectIdentifier(box)]
        && first.accessibilityParent === box)
    first.isAccessibilityElement = false
    #expect(box.accessibilityElements.isEmpty)
    first.accessibilityLabel = "Another"
    #expect(first.accessibilityLabel == "Another")
    first.accessibilityLabel = nil
    #expect(first.accessibilityLabel == "first")
    #expect(refusal(.focus, second) == words.isHidden)
  }

  @Test func `the program has a say before the control`() {
    final class Strict: RootView {
      override func accessibilityRefusal(of command: AccessibilityCommand, on view: View) -> AccessibilityRefusal? {
        command == .focus ? nil : AccessibilityRefusal("not now")
      }
    }
    let root = Strict(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let toggle = Switch(frame: Rect(x: 0, y: 0, width: 51, height: 31))
    root.addSubview(toggle)
    #expect(refusal(.perform("toggle"), toggle) == "not now" && !toggle.isOn)
    #expect(refusal(.focus, toggle) == nil && toggle.isFirstResponder)
  }

  @Test func `announcements reach who listens`() {
    var heard: [String] = []
    harness.root.announce("nobody")
    let token = harness.root.observeActivity { if case .announcement(let text) = $0 { heard.append(text) } }
    harness.root.announce("somebody")
    #expect(heard == ["somebody"])
    token.remove()
  }

  // MARK: Every control

  /// Every control of the library; a toggle and a picture to tap besides.
  private static func controls() -> [View] {
    var views = ViewRegistry.everyControl.typeNames.compactMap { ViewRegistry.everyControl.makeView($0) }
    let image = ImageView()
    image.isUserInteractionEnabled = true
    views.append(image)
    // A keyboard on the screen is for those who have no keys, and never takes the focus from its field.
    return views.filter { $0 is Control && $0.isUserInteractionEnabled && !($0 is Keyboard) }
  }

  @Test func `every control has a role, and can be reached and used by keys alone`() {
    let controls = Self.controls()
    #expect(controls.count >= 12)
    for view in controls {
      view.frame = Rect(x: 20, y: 20, width: 200, height: 300)
      if view is ChoiceControl || view is RadioGroup { (view as? SelectionControl)?.titles = ["Low", "High"] }
      (view as? ListView)?.texts = ["Low", "High"]
      (view as? ModalView)?.isOpen = true
      if view is TabView || view is PageView { for _ in 0..<2 { view.contentHost.addSubview(View()) } }
      (view as? PageView)?.selectedIndex = 1
      if view is Sheet { view.contentHost.addSubview(Button("inside")) }
      harness.root.addSubview(view)
      harness.frame()
      let type = "\(type(of: view))"
      let inner = view.accessibilityElements
      #expect(view.isAccessibilityElement || !inner.isEmpty, "\(type) is no element")
      let stops = view.keyStops
      #expect(!stops.isEmpty, "Tab never stops at \(type)")
      // Some key that is pressed with the focus is the control's own.
      for stop in stops {
        harness.root.setFirstResponder(stop)
        let keys: [Key] = [.enter, .up, .right, .character("1")]
        let used = keys.contains { key in
          let event = KeyEvent(
            seat: ControlHarness.seat, phase: .down, key: key, text: key == .character("1") ? "1" : "",
            time: .zero)
          let isTaken = stop.handleKey(event)
          var end = event
          end.phase = .up
          _ = stop.handleKey(end)
          return isTaken
        }
        #expect(used, "no key does anything at \(type)")
      }
      // With a value that can be set, or an action.
      for element in inner.isEmpty ? [view] : inner {
        let isUsable =
          element.accessibilityValue != nil || !element.accessibilityActions.isEmpty || element.accessibilityText != nil
        #expect(isUsable, "\(type) offers nothing to assistive technology")
      }
      harness.root.setFirstResponder(nil)
      view.removeFromSuperview()
    }
  }
}
