/// Input that a person can't go on with, and why. It is told before the cancellations that follow from it, and also when nothing
/// was held: who drives something that goes on by itself has to know.
public struct InputLoss: Hashable, Sendable {
  /// What a person puts in with.
  public enum Device: Hashable, Sendable {
    case touch
    case pointer
    case keyboard
  }

  /// Why.
  public enum Cause: Hashable, Sendable {
    /// The compositor took the seat's fingers away, for a gesture of its own (wl_touch.cancel).
    case touchCancelled
    /// The seat has lost the device, or is gone itself.
    case deviceLost(Device)
    /// The keyboard's focus went elsewhere while keys were held.
    case keyboardLeft
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

  /// Why it was lost.
  public var cause: Cause
  /// Whose it was; nil for everybody's.
  public var seat: SeatID?

  /// What was lost by `seat`, or with nil by everybody.
  public init(_ cause: Cause, seat: SeatID? = nil) {
    self.cause = cause
    self.seat = seat
  }
}
