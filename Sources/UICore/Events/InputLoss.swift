/// The reason why a person's input stops counting. It is told before the cancellations that follow from it, and also when nothing
/// was held: a program that drives something which goes on by itself must stop it.
///
/// A contact that ends alone is cancelled without a loss: a mouse or pen that leaves the window while it presses, a contact that moves
/// or resizes the window.
public struct InputLoss: Hashable, Sendable {
  /// A kind of input device.
  public enum Device: Hashable, Sendable {
    /// A touch screen.
    case touch
    /// A mouse or a touchpad.
    case pointer
    /// A keyboard.
    case keyboard
    /// A pen of a drawing tablet.
    case pen
  }

  /// The reasons.
  public enum Cause: Hashable, Sendable {
    /// The compositor took the seat's fingers away, for a gesture of its own (wl_touch.cancel).
    case touchCancelled
    /// The seat has lost the device, or is gone itself.
    case deviceLost(Device)
    /// The keyboard's focus went elsewhere while keys were held.
    case keyboardLeft
    /// An output that shows the window was turned, or has another mode or scale, or the window came to one that is turned in another way.
    /// The compositor maps touches by the new transform at once, the window has its old size until it is configured: no place of a
    /// finger that is down can be trusted. Fingers and pens are cancelled, keys stay held.
    case screenTurned
    /// Nobody sees the window any more.
    case hidden
    /// The compositor holds the connection open and answers nothing.
    case compositorFrozen
    /// The connection to the compositor has ended.
    case disconnected
    /// The window is closed.
    case closing
    /// The process was asked to end by a signal.
    case terminating
  }

  /// The reason.
  public var cause: Cause
  /// The seat whose input it was; nil for all seats.
  public var seat: SeatID?

  /// A loss of `seat`, or with nil of all seats.
  public init(_ cause: Cause, seat: SeatID? = nil) {
    self.cause = cause
    self.seat = seat
  }
}
