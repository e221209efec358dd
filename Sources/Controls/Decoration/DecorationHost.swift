import UICore

/// The window as one of the two sees it, at its own place.
final class DecorationHost: ForwardingHost {
  private unowned let owner: DecoratedContent
  private let origin: () -> Point
  /// When the content wants to be woken.
  var wake: MonotonicTime?

  /// `origin` is the place of the content's corner in all that is drawn.
  init(_ owner: DecoratedContent, origin: @escaping () -> Point) {
    self.owner = owner
    self.origin = origin
  }

  var window: (any WindowHost)? { owner.host }

  func setWake(at time: MonotonicTime?) {
    wake = time
    owner.wakesChanged()
  }

  func showMenu(at point: Point, by touch: TouchID) {
    let (origin, corner) = (origin(), owner.windowOrigin)
    window?.showMenu(at: Point(x: point.x + origin.x - corner.x, y: point.y + origin.y - corner.y), by: touch)
  }
}
