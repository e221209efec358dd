// What content may ask of the window that shows it.

/// The pointer's picture over a place, by what may be done there.
public enum CursorShape: Hashable, Sendable {
  case arrow
  /// Something can be pressed.
  case pointingHand
  /// Something can be grabbed.
  case openHand
  /// Something is held.
  case closedHand
}

/// The window as its content sees it.
@MainActor public protocol WindowHost: AnyObject {
  /// Asks for a frame: call it whenever `needsFrame` becomes true.
  func setNeedsFrame()

  /// Has the content's `handleWake` called at `time`, or as soon after it as messages that had arrived are handled; nil for
  /// no longer. Only the last call counts, and each calls at most once. No frame is made for it.
  func setWake(at time: MonotonicTime?)

  /// Chooses the pointer's picture for the seat's pointer while it is over the content.
  func setCursor(_ shape: CursorShape, for seat: SeatID)

  /// The current time on the clock of events and frames.
  var now: MonotonicTime { get }

  /// True while the window covers its output (xdg_toplevel fullscreen).
  var isFullscreen: Bool { get }

  /// Asks the compositor to enter or leave fullscreen; it may refuse.
  func setFullscreen(_ fullscreen: Bool)

  /// Closes the window in an orderly way; the last window's end ends the application.
  func close()
}
