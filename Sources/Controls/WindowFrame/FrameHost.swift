// Owns what the two contents of a framed window, content and frame, see of the window.
// Must not know how a compositor is asked.

import Interface

/// The window as one of the two sees it, at its own place.
final class FrameHost: WindowHost {
  private unowned let owner: FramedContent
  private let origin: () -> Point
  /// When the content wants to be woken.
  var wake: MonotonicTime?

  /// `origin` is the place of the content's corner in all that is drawn.
  init(_ owner: FramedContent, origin: @escaping () -> Point) {
    self.owner = owner
    self.origin = origin
  }

  private var window: (any WindowHost)? { owner.host }

  func setNeedsFrame() { window?.setNeedsFrame() }

  func setWake(at time: MonotonicTime?) {
    wake = time
    owner.wakesChanged()
  }

  func setCursor(_ shape: CursorShape, for seat: SeatID) { window?.setCursor(shape, for: seat) }
  var now: MonotonicTime { window?.now ?? .zero }
  var isFullscreen: Bool { window?.isFullscreen ?? false }
  func setFullscreen(_ fullscreen: Bool) { window?.setFullscreen(fullscreen) }
  func close() { window?.close() }
  func requestClose() { window?.requestClose() }
  func minimize() { window?.minimize() }
  func setMaximized(_ maximized: Bool) { window?.setMaximized(maximized) }
  func beginMove(by touch: TouchID) { window?.beginMove(by: touch) }
  func beginResize(from edge: WindowEdge, by touch: TouchID) { window?.beginResize(from: edge, by: touch) }

  func showMenu(at point: Point, by touch: TouchID) {
    let (origin, corner) = (origin(), owner.windowOrigin)
    window?.showMenu(at: Point(x: point.x + origin.x - corner.x, y: point.y + origin.y - corner.y), by: touch)
  }
}
