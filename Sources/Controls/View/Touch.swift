// Owns what is known about one finger from down to up.
// Must not know who decides where touches go.

/// A finger (or a pointer with its button held) from down to up; the same object all the way.
public final class Touch {
  /// Which finger of which person.
  public let id: TouchID
  /// The view that it began on and that owns it.
  public internal(set) weak var view: View?
  /// What it did last.
  public internal(set) var phase: TouchPoint.Phase
  /// When it did so, on the events' own clock.
  public internal(set) var time: MonotonicTime
  /// Where it is, in the window's coordinates; may lie outside.
  public internal(set) var windowLocation: Point
  /// Where it was before, in the window's coordinates.
  public internal(set) var previousWindowLocation: Point
  /// Where it began, in the window's coordinates.
  public let startWindowLocation: Point
  /// When it began, on the events' own clock.
  public let startTime: MonotonicTime

  init(_ point: TouchPoint, view: View?) {
    id = point.id
    phase = point.phase
    time = point.time
    startTime = point.time
    windowLocation = point.location
    previousWindowLocation = point.location
    startWindowLocation = point.location
    self.view = view
  }

  /// Where it is, in the coordinates of `view` (nil: the window).
  public func location(in view: View?) -> Point { windowLocation - (view?.windowOrigin ?? .zero) }

  /// Where it was before, in the coordinates of `view` (nil: the window).
  public func previousLocation(in view: View?) -> Point { previousWindowLocation - (view?.windowOrigin ?? .zero) }

  /// Where it began, in the coordinates of `view` (nil: the window).
  public func startLocation(in view: View?) -> Point { startWindowLocation - (view?.windowOrigin ?? .zero) }

  func update(_ point: TouchPoint) {
    phase = point.phase
    time = point.time
    previousWindowLocation = windowLocation
    if point.location.isFinite { windowLocation = point.location }
  }
}
