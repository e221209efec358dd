import Controls
import Shell
import UICore

/// A part of a session, such as the drive or the record, which follows the scene's events and frames.
///
/// `ContentRelay.parts` holds the parts in the order of safety: first the parts that decide on commands, then the parts that check
/// the display, then those that inform the user, and the record last, because it keeps what the others did.
protocol SessionPart: AnyObject {
  /// The window is open; called again for each window after a reconnection.
  func follow(_ window: Window)
  /// The scene is about to receive `event`.
  func willHandle(_ event: InputEvent)
  /// The scene has handled an event at `time`, with all its consequences; `event` creates its description.
  func didHandle(_ event: () -> SessionEvent, at time: MonotonicTime)
  /// A frame is drawn, and about to be committed.
  func didDraw(_ buffer: PixelBuffer)
  func end()
}

extension SessionPart {
  func follow(_ window: Window) {}
  func willHandle(_ event: InputEvent) {}
  func didHandle(_ event: () -> SessionEvent, at time: MonotonicTime) {}
  func didDraw(_ buffer: PixelBuffer) {}
  func end() {}
}
