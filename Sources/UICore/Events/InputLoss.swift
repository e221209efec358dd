/// The reason why a user's input is lost.
///
/// It is delivered before the cancellations that it causes, and also when nothing was held: a program that drives a machine
/// which keeps moving by itself must stop it.
///
/// A contact that ends alone is cancelled without a loss: a mouse or pen that leaves the window while pressed, or a contact
/// that moves or resizes the window.
public struct InputLoss: Hashable, Sendable {
  /// A kind of input device.
  public enum Device: Hashable, Sendable {
    /// A touch screen; a mouse or touchpad; a keyboard; the stylus of a drawing tablet; a gamepad, or a wheel with pedals.
    case touch, pointer, keyboard, pen, gamepad
  }

  /// What can take a user's input away.
  public enum Cause: Hashable, Sendable {
    /// The compositor cancelled the seat's touches, for a gesture of its own (wl_touch.cancel).
    case touchCancelled
    /// The seat lost the device, or was removed itself.
    case deviceLost(Device)
    /// The keyboard focus moved elsewhere while keys were held.
    case keyboardLeft
    /// An output that shows the window changed its transform, mode or scale, or the window moved to an output with a different
    /// transform. The compositor maps touches by the new transform at once, but the window keeps its old size until it is
    /// configured, so the positions of held fingers cannot be trusted. Fingers and styluses are cancelled, keys stay held.
    case screenTurned
    /// The window is no longer visible.
    case hidden
    /// The compositor keeps the connection open but does not answer.
    case compositorFrozen
    /// The connection to the compositor was lost.
    case disconnected
    /// The window is closed.
    case closing
    /// A signal asked the process to terminate.
    case terminating
  }

  /// What took the input away.
  public var cause: Cause
  /// The seat whose input was lost; nil for all seats.
  public var seat: SeatID?

  /// A loss of input of `seat`; nil for all seats.
  public init(_ cause: Cause, seat: SeatID? = nil) {
    (self.cause, self.seat) = (cause, seat)
  }
}
