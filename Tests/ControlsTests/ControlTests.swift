import ControlHarness
import Controls
import Testing

/// Tests of states, events, actions, keys, focus and pointers.
@MainActor @Suite(.serialized) struct ControlTests {
  private let log = Log()

  @Test func `K15, K16: states are a set, and normal is the empty one`() {
    #expect(Control.State.normal.isEmpty)
    let control = Control()
    #expect(control.state == .normal)
    control.isSelected = true
    control.isHighlighted = true
    #expect(control.state == [.selected, .highlighted])
    control.isEnabled = false
    #expect(control.state == [.selected, .highlighted, .disabled])
    #expect(Control.State([.selected, .disabled]).names == ["disabled", "selected"])
    #expect(Control.State.normal.names == ["normal"])
  }

  @Test func `K16: a state without a value of its own falls back to that of fewer states`() {
    var table = StateTable<String>()
    #expect(table.value(for: .normal) == nil)
    table[.normal] = "normal"
    table[.highlighted] = "highlighted"
    table[.selected] = "selected"
    table[.disabled] = "disabled"
    #expect(table.value(for: .normal) == "normal")
    #expect(table.value(for: .focused) == "normal")
    #expect(table.value(for: [.highlighted, .focused]) == "highlighted")
    #expect(table.value(for: [.selected, .highlighted]) == "selected")
    #expect(table.value(for: [.selected, .disabled, .highlighted]) == "disabled")
    table[[.selected, .highlighted]] = "both"
    #expect(table.value(for: [.selected, .highlighted]) == "both")
    #expect(table.value(for: [.selected, .highlighted, .focused]) == "both")
  }

  @Test func `R17: actions fire on intersecting events, in the order of registration`() {
    let control = Control()
    control.addAction(for: .touchDown) { [log] _ in log.add("1") }
    control.addAction(for: [.touchDown, .valueChanged]) { [log] _ in log.add("2") }
    control.addAction(for: .allEvents) { [log] _ in log.add("3") }
    control.sendActions(for: .valueChanged)
    #expect(log.take() == ["2", "3"])
    control.sendActions(for: [.touchDown, .touchUpInside])
    #expect(log.take() == ["1", "2", "3"])
    control.sendActions(for: .application(2))
    #expect(log.take() == ["3"])
    control.sendActions(for: [])
    #expect(log.take() == [])
  }

  @Test func `a removed action is not called, not even by the event being told; an added one waits`() {
    let control = Control()
    var token: ObservationToken?
    control.addAction(for: .valueChanged) { [log] sender in
      log.add("1")
      token?.remove()
      sender.addAction(for: .valueChanged) { [log] _ in log.add("late") }
    }
    token = control.addAction(for: .valueChanged) { [log] _ in log.add("2") }
    control.sendActions(for: .valueChanged)
    #expect(log.take() == ["1"])
    #expect(token?.isRemoved == true)
    control.sendActions(for: .valueChanged)
    #expect(log.take() == ["1", "late"])
  }

  final class Driver {
    var heard: [String] = []
    func changed(_ sender: ProbeControl) { heard.append(sender.name) }
    func pressed() { heard.append("pressed") }
  }

  @Test func `targets are methods, get the control as its own type, and are not kept alive`() {
    let control = ProbeControl("lever", log: log)
    var driver: Driver? = Driver()
    weak let gone = driver
    if let driver {
      control.addTarget(driver, action: Driver.changed, for: .valueChanged)
      control.addTarget(driver, action: Driver.pressed, for: [.touchDown, .valueChanged])
    }
    control.sendActions(for: .valueChanged)
    #expect(driver?.heard == ["lever", "pressed"])
    if let driver { control.removeTarget(driver, for: .touchDown) }
    control.sendActions(for: .valueChanged)
    #expect(driver?.heard == ["lever", "pressed", "lever"])
    driver = nil
    #expect(gone == nil)
    control.sendActions(for: .valueChanged)
  }

  @Test func `K17: a disabled control is not tapped`() {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let control = ProbeControl("a", log: log)
    control.pressable = true
    harness.root.addSubview(control)
    control.addAction(for: .primaryActionTriggered) { [log] _ in log.add("tapped") }
    harness.tap(control)
    #expect(log.take().last == "tapped")
    control.isEnabled = false
    harness.tap(control)
    #expect(log.take() == [])
  }

  private func three() -> (ControlHarness, [ProbeControl]) {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let controls = (0..<3).map { index in
      let control = ProbeControl(
        "c\(index)", frame: Rect(x: 10 + 30 * Double(index), y: 10, width: 20, height: 20), log: log)
      control.pressable = true
      harness.root.addSubview(control)
      return control
    }
    harness.frame()
    return (harness, controls)
  }

  @Test func `Tab goes round the controls that can be focused, Shift+Tab back, and a ring shows where`() {
    let (harness, controls) = three()
    controls[1].isEnabled = false
    harness.root.focusRingColor = .white
    harness.frame()
    let before = harness.shown
    harness.press(.tab)
    #expect(controls[0].isFocused && controls[0].state == .focused)
    #expect(harness.shown[7, 20] == 0xffff_ffff, "the ring's left side lies 2 to 4 points outside")
    harness.press(.tab)
    #expect(controls[2].isFocused && !controls[0].isFocused)
    harness.press(.tab)
    #expect(controls[0].isFocused)
    harness.press(.backTab, .shift)
    #expect(controls[2].isFocused)
    harness.press(.tab, .shift)
    #expect(controls[0].isFocused)
    harness.touch(.began, at: Point(x: 5, y: 90))
    #expect(harness.shown == before, "a finger takes the ring away, not the focus")
    #expect(controls[0].isFocused)
    controls[0].removeFromSuperview()
    #expect(harness.root.firstResponder == nil)
  }

  @Test func `the ring follows its view`() {
    let (harness, controls) = three()
    harness.press(.tab)
    controls[0].frame = Rect(x: 40, y: 60, width: 20, height: 20)
    harness.frame()
    #expect(harness.shown[37, 70] == 0xff0f_766e, "the theme's accent")
    harness.root.theme = .dark
    harness.frame()
    #expect(harness.shown[37, 70] == 0xff2d_d4bf)
    #expect(harness.shown[7, 20] == 0xff00_0000)
    controls[0].isHidden = true
    harness.frame()
    #expect(harness.shown[37, 70] == 0xff00_0000)
  }

  @Test func `Space and Enter press a control; a key that is cancelled triggers nothing`() {
    let (harness, controls) = three()
    controls[0].logEvents()
    controls[0].becomeFirstResponder()
    harness.key(.down, .space)
    #expect(controls[0].isHighlighted)
    harness.key(.repeated, .space)
    harness.key(.up, .space)
    #expect(!controls[0].isHighlighted)
    #expect(log.take() == ["c0 primary"])
    harness.press(.enter)
    #expect(log.take() == ["c0 primary"])
    for way in 0..<5 {
      controls[0].isEnabled = true
      controls[0].becomeFirstResponder()
      harness.key(.down, .space)
      switch way {
      case 0: harness.key(.cancelled, .space)
      case 1: harness.root.handle(.keyboardFocus(ControlHarness.seat, false))
      case 2: harness.root.handle(.willResignActive)
      case 3: controls[1].becomeFirstResponder()
      default: controls[0].isEnabled = false
      }
      #expect(!controls[0].isHighlighted)
      harness.key(.up, .space)
      #expect(log.take() == ["c0 cancel", "c0 touchCancel"], "way \(way)")
    }
    controls[0].isEnabled = true
    controls[0].becomeFirstResponder()
    harness.press(.space)
    #expect(log.take() == ["c0 primary"], "after it was disabled with the key held")
  }

  @Test func `keys go from the first responder up, then to the root's handler`() {
    final class Keys: View {
      var takes: Set<Key> = []
      var log: Log?
      override var canBecomeFirstResponder: Bool { true }
      override func handleKey(_ event: KeyEvent) -> Bool {
        guard takes.contains(event.key) else { return false }
        log?.add("\(name) \(event.phase)")
        return true
      }
    }
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let (outer, inner) = (Keys(), Keys())
    (outer.name, inner.name) = ("outer", "inner")
    (outer.log, inner.log) = (log, log)
    outer.takes = [.left, .right]
    inner.takes = [.left]
    harness.root.addSubview(outer)
    outer.addSubview(inner)
    harness.root.keyHandler = { [log] in
      log.add("root \($0.phase)")
      return true
    }
    inner.becomeFirstResponder()
    harness.press(.left)
    harness.press(.right)
    harness.press(.f11)
    #expect(
      log.take() == ["inner down", "inner up", "outer down", "outer up", "root down", "root up"])
    harness.key(.up, .home)
    #expect(log.take() == [], "an up without a down is nobody's")
    harness.key(.down, .left)
    harness.key(.down, .left)
    #expect(log.take() == ["inner down", "inner cancelled", "inner down"])
    inner.removeFromSuperview()
    #expect(log.take() == ["inner cancelled"])
    harness.key(.up, .left)
    #expect(log.take() == [])
  }

  @Test func `the pointer's picture and hovering follow what is under it`() {
    let (harness, controls) = three()
    harness.hover(Point(x: 15, y: 15))
    #expect(controls[0].isHovered && harness.root.isHovered)
    #expect(harness.host.cursors[ControlHarness.seat] == .pointingHand)
    harness.hover(Point(x: 90, y: 90))
    #expect(!controls[0].isHovered)
    #expect(harness.host.cursors[ControlHarness.seat] == .arrow)
    harness.touch(.began, at: Point(x: 15, y: 15), finger: -1)
    harness.hover(Point(x: 90, y: 90))
    #expect(harness.host.cursors[ControlHarness.seat] == .pointingHand, "a held control keeps its picture")
    harness.touch(.ended, at: Point(x: 90, y: 90), finger: -1)
    #expect(harness.host.cursors[ControlHarness.seat] == .arrow)
    controls[2].frame = Rect(x: 80, y: 80, width: 20, height: 20)
    harness.frame()
    #expect(controls[2].isHovered, "a view that moves under the pointer is hovered")
    harness.hover(nil)
    #expect(!controls[2].isHovered && !harness.root.isHovered)
  }

  @Test func `scrolling goes up until someone handles it`() {
    final class Scroller: View {
      var seen: [Double] = []
      override func handleScroll(at point: Point, dx: Double, dy: Double) -> Bool {
        seen = [point.x, point.y, dx, dy]
        return true
      }
    }
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let scroller = Scroller(frame: Rect(x: 10, y: 10, width: 50, height: 50))
    scroller.addSubview(View(frame: Rect(x: 0, y: 0, width: 50, height: 50)))
    harness.root.addSubview(scroller)
    harness.root.handle(.scroll(ControlHarness.seat, at: Point(x: 12, y: 13), dx: 0, dy: 15))
    #expect(scroller.seen == [2, 3, 0, 15])
  }
}
