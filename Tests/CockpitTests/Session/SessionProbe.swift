import Shell
import UICore

@testable import cockpit

/// A part of a session that calls closures.
final class SessionProbe: SessionPart {
  private let onInput: (InputEvent) -> Void
  private let onEvent: ((SessionEvent, MonotonicTime) -> Void)?
  private let onDrawn: (PixelBuffer) -> Void

  init(
    willHandle: @escaping (InputEvent) -> Void = { _ in },
    didHandle: ((SessionEvent, MonotonicTime) -> Void)? = nil, didDraw: @escaping (PixelBuffer) -> Void = { _ in }
  ) {
    (onInput, onEvent, onDrawn) = (willHandle, didHandle, didDraw)
  }

  func willHandle(_ event: InputEvent) { onInput(event) }
  func didHandle(_ event: () -> SessionEvent, at time: MonotonicTime) { onEvent?(event(), time) }
  func didDraw(_ buffer: PixelBuffer) { onDrawn(buffer) }
}
