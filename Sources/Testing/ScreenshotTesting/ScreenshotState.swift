/// A named state of a view, and the way to bring a new view into it.
public struct ScreenshotState<Subject: View> {
  /// The name, which is a part of the image's name; empty for the state that a new view is in.
  public let name: String
  let apply: (Subject) -> Void

  /// A state called `name`. `apply` is called with a new view that is in the view tree, before its first frame.
  public init(_ name: String, _ apply: @escaping (Subject) -> Void) {
    self.name = name
    self.apply = apply
  }

  /// The state of a new view.
  public static var initial: ScreenshotState { ScreenshotState("") { _ in } }
}

extension ScreenshotState where Subject: Control {
  /// A combination of control states, named after them: `.control([.selected, .highlighted])` is `selected-highlighted`. A
  /// focused control shows its focus ring.
  public static func control(_ state: Control.State) -> ScreenshotState {
    let names = state.names.sorted { order($0) < order($1) }
    return ScreenshotState(state == .normal ? "" : names.joined(separator: "-")) { control in
      control.isSelected = state.contains(.selected)
      control.isHighlighted = state.contains(.highlighted)
      if state.contains(.focused) { focus(control) }
      control.isEnabled = !state.contains(.disabled)
    }
  }

  /// Disabled first, then selected, highlighted, focused: the order of speech.
  private static func order(_ name: String) -> Int {
    ["disabled", "selected", "highlighted", "focused"].firstIndex(of: name) ?? 4
  }

  /// Moves the focus to the control with the Tab key, because the focus ring appears only after Tab.
  private static func focus(_ control: Control) {
    guard let root = control.root else { return }
    let seat = SeatID(1)
    // Go from one control to the next, at most 64 times. A control that refuses the focus stays as it is.
    for _ in 0..<64 where !control.isFirstResponder {
      for phase in [KeyEvent.Phase.down, .up] {
        root.handle(.key(KeyEvent(seat: seat, phase: phase, key: .tab, modifiers: [], time: root.now)))
      }
    }
  }

  /// The control is enabled, and no finger holds it.
  public static var normal: ScreenshotState { control(.normal) }
  /// A finger holds the control.
  public static var highlighted: ScreenshotState { control(.highlighted) }
  /// The control is chosen, or switched on.
  public static var selected: ScreenshotState { control(.selected) }
  /// The control is chosen or switched on, and a finger holds it.
  public static var selectedHighlighted: ScreenshotState { control([.selected, .highlighted]) }
  /// The control takes no input.
  public static var disabled: ScreenshotState { control(.disabled) }
  /// Keys go to the control.
  public static var focused: ScreenshotState { control(.focused) }
}
