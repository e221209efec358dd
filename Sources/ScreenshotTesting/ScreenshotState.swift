/// A state of a view with a name: how to bring a new view into it.
public struct ScreenshotState<Subject: View> {
  /// The name, which the picture's name contains; empty for the state that a new view is in.
  public let name: String
  let apply: (Subject) -> Void

  /// A state called `name`. `apply` is called with a new view that is in its place, before its first frame.
  public init(_ name: String, _ apply: @escaping (Subject) -> Void) {
    self.name = name
    self.apply = apply
  }

  /// The view as it was made.
  public static var initial: ScreenshotState { ScreenshotState("") { _ in } }
}

extension ScreenshotState where Subject: Control {
  /// The states held, named after them: `.control([.selected, .highlighted])` is `selected-highlighted`. Focused controls have
  /// their ring.
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

  /// The ring shows only after Tab: it moves the focus to the control from wherever it was.
  private static func focus(_ control: Control) {
    guard let root = control.root else { return }
    let seat = SeatID(1)
    // One stop after another, at most as many as there could be; a control that refuses the focus stays as it is.
    for _ in 0..<64 where !control.isFirstResponder {
      for phase in [KeyEvent.Phase.down, .up] {
        root.handle(.key(KeyEvent(seat: seat, phase: phase, key: .tab, modifiers: [], time: root.now)))
      }
    }
  }

  /// No finger on it, and enabled.
  public static var normal: ScreenshotState { control(.normal) }
  /// A finger holds it.
  public static var highlighted: ScreenshotState { control(.highlighted) }
  /// It is the chosen one, or switched on.
  public static var selected: ScreenshotState { control(.selected) }
  /// It is the chosen one, and a finger holds it.
  public static var selectedHighlighted: ScreenshotState { control([.selected, .highlighted]) }
  /// It takes no input.
  public static var disabled: ScreenshotState { control(.disabled) }
  /// Keys go to it.
  public static var focused: ScreenshotState { control(.focused) }
}
