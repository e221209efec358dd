import ControlHarness
import ControlTools
import Controls
import Testing
import UICore

/// A control that is used in every way, by fingers and keys, and the events that it sends meanwhile.
@MainActor final class EventExercise {
  private let harness: ControlHarness
  private let control: Control
  private var events: Control.Event = []

  /// The faults of the events that controls as `make` makes them declare: each is used, a button in both of its forms, that which
  /// stays pressed and that which does not, and has to send exactly what it declares beside the events of fingers.
  static func faults(_ make: () -> Control?) throws -> [String] {
    var (sent, declared) = (Control.Event(), Control.Event())
    for isToggle in [false, true] {
      guard let control = make() else { return ["no control"] }
      if isToggle, !(control is Button) { continue }
      (control as? Button)?.isToggle = isToggle
      (control as? SelectionControl)?.choices = "One|Two|Three"
      (control as? ListView)?.choices = "One|Two|Three"
      if control is TabView { for _ in 0..<3 { control.contentHost.addSubview(View()) } }
      (control as? ModalView)?.isOpen = true
      if let pages = control as? PageView {
        for _ in 0..<3 { pages.contentHost.addSubview(View()) }
        pages.selectedIndex = 2
      }
      declared.formUnion(control.ownEvents)
      sent.formUnion(EventExercise(control).events)
    }
    let fingers = Control.Event.named.filter { $0.name.hasPrefix("touch") }.map(\.event)
    sent.subtract(Control.Event(fingers))
    return Control.Event.named.compactMap { name, _, event in
      switch (declared.contains(event), sent.contains(event)) {
      case (true, false): "\(name) is declared and never sent"
      case (false, true): "\(name) is sent and not declared"
      default: nil
      }
    }
  }

  private init(_ control: Control) {
    self.control = control
    let root = RootView()
    harness = ControlHarness(size: Size(width: 320, height: 320), root: root)
    harness.checksDamage = false
    control.isUserInteractionEnabled = true
    root.addSubview(control)
    // A thumb is as large as a slider is high.
    control.frame = Rect(x: 20, y: 20, width: 240, height: control is SliderControl ? 60 : 240)
    harness.frame()
    let observation = root.observeActivity { [unowned self] activity in
      if case .control(let sender, let sent) = activity, sender === control { events.formUnion(sent) }
    }
    useFingers()
    useKeys()
    observation.remove()
  }

  /// Taps, drags and cancelled drags all over the control, and drags both ways along its middle, where tracks are.
  private func useFingers() {
    let places = stride(from: 30.0, to: 260, by: 55).flatMap { x in
      stride(from: 30.0, to: 260, by: 55).map { Point(x: x, y: $0) }
    }
    for (index, place) in places.enumerated() {
      harness.tap(place)
      let end = places[index * 7 % places.count]
      harness.drag(from: place, to: end, steps: 3)
      harness.drag(from: place, to: end, steps: 3, holds: true)
      harness.touch(.cancelled, at: end)
    }
    let middle = control.frame.midY
    for x in stride(from: 26.0, to: 258, by: 24) {
      for way in [-60.0, 60] {
        harness.drag(from: Point(x: x, y: middle), to: Point(x: x + way, y: middle), steps: 3)
      }
    }
  }

  /// Each key pressed and released, or cancelled while it is down; and typed text that is accepted, or given up with Escape.
  private func useKeys() {
    let keys: [Key] = [.space, .enter, .up, .down, .left, .right, .home, .end, .escape]
    for key in keys {
      control.becomeFirstResponder()
      for phase in [KeyEvent.Phase.down, .up, .down, .cancelled] { harness.key(phase, key) }
    }
    // In a text of several lines Enter alone is a line end.
    for (end, modifiers) in [(Key.enter, KeyModifiers()), (.enter, .control), (.escape, [])] {
      control.becomeFirstResponder()
      harness.type("7")
      for phase in [KeyEvent.Phase.down, .up] { harness.key(phase, end, modifiers) }
    }
    // Text that is left as it is, by moving on.
    control.becomeFirstResponder()
    harness.type("8")
    control.resignFirstResponder()
    harness.frame()
    // A menu that a key opened: its second row.
    for key in [Key.space, .down, .enter] {
      control.becomeFirstResponder()
      for phase in [KeyEvent.Phase.down, .up] { harness.key(phase, key) }
    }
  }
}
