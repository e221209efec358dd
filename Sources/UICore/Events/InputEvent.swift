/// Input for a window's content, in the order in which it happened.
public enum InputEvent: Hashable, Sendable {
  /// The changes of fingers in one atomic frame (wl_touch.frame). The primary button of a pointer counts as a finger.
  case touches([TouchPoint])
  /// The seat's pointer moved over the content, or left it (nil).
  case hover(SeatID, Point?)
  /// A wheel or a touchpad scrolled.
  case scroll(ScrollEvent)
  /// A key was pressed, repeated, released or cancelled.
  case key(KeyEvent)
  /// The seat's keyboard focus arrived (true) or left (false). Held keys are cancelled before it leaves.
  case keyboardFocus(SeatID, Bool)
  /// An input method changes the text that keys go to, or a text is pasted into it.
  case text(TextEdit)
  /// What is known of the seat's input methods changed; `TextService.none` before the first such event.
  case textService(SeatID, TextService)
  /// A gamepad changed. It does not come from the window's compositor, but from the program that reads the device.
  case gamepad(GamepadEvent)
  /// A loss of input. It precedes the cancellations that it causes.
  case lost(InputLoss)
}
