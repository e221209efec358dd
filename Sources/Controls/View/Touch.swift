/// A finger (or a pointer with its button held) from down to up; the same object throughout.
public final class Touch {
  /// The finger, and the user's seat.
  public let id: TouchID
  /// The hand that it is a finger of; nil if no device made it.
  public let hand: Hand?
  /// The view that it began on and that owns it.
  public internal(set) weak var view: View?
  /// The latest change.
  public internal(set) var phase: TouchPoint.Phase
  /// The time of the latest change, on the events' own clock.
  public internal(set) var time: MonotonicTime
  /// The position in the window's coordinates; may lie outside.
  public internal(set) var windowLocation: Point
  /// The previous position, in the window's coordinates.
  public internal(set) var previousWindowLocation: Point
  /// The position at the beginning, in the window's coordinates.
  public let startWindowLocation: Point
  /// The time of the beginning, on the events' own clock.
  public let startTime: MonotonicTime

  /// How far the touch was delivered to `view`.
  enum Delivery {
    case due
    /// A recogniser has it wait.
    case delayed
    case delivered
    /// Not delivered: the view holds another finger already, or lost this one.
    case none
  }

  var delivery = Delivery.due
  /// True if its view holds another finger already and accepts only one.
  var isExtraFinger = false
  var isLost = false
  /// The recognisers that see it, the innermost view's first.
  var recognizers: [GestureRecognizer] = []

  var isDown: Bool { phase == .began || phase == .moved }

  init(_ point: TouchPoint, view: View?) {
    id = point.id
    hand = point.hand
    phase = point.phase
    time = point.time
    startTime = point.time
    windowLocation = point.location
    previousWindowLocation = point.location
    startWindowLocation = point.location
    self.view = view
  }

  /// The position in the coordinates of `view` (nil: the window).
  public func location(in view: View?) -> Point { windowLocation - (view?.windowOrigin ?? .zero) }

  /// The previous position in the coordinates of `view` (nil: the window).
  public func previousLocation(in view: View?) -> Point { previousWindowLocation - (view?.windowOrigin ?? .zero) }

  /// The position at the beginning, in the coordinates of `view` (nil: the window).
  public func startLocation(in view: View?) -> Point { startWindowLocation - (view?.windowOrigin ?? .zero) }

  /// Runs `body` with the touch as it was when it began, for a view that is notified late.
  func asBegun(_ body: () -> Void) {
    let (now, before, then, what) = (windowLocation, previousWindowLocation, time, phase)
    (windowLocation, previousWindowLocation) = (startWindowLocation, startWindowLocation)
    (time, phase) = (startTime, .began)
    body()
    // A cancellation during the calls stays.
    if phase == .began { phase = what }
    (windowLocation, previousWindowLocation, time) = (now, before, then)
  }

  func update(_ point: TouchPoint) {
    phase = point.phase
    time = point.time
    previousWindowLocation = windowLocation
    if point.location.isFinite { windowLocation = point.location }
  }
}
