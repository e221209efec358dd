/// A finger (or a pointer with its button held) from down to up; the same object all the time.
public final class Touch {
  /// The finger, and the person's seat.
  public let id: TouchID
  /// The hand that it is a finger of; nil for one that no device made.
  public let hand: Hand?
  /// The view that it began on and that owns it.
  public internal(set) weak var view: View?
  /// The latest change.
  public internal(set) var phase: TouchPoint.Phase
  /// The time of the latest change, on the events' own clock.
  public internal(set) var time: MonotonicTime
  /// The place in the window's coordinates; may lie outside.
  public internal(set) var windowLocation: Point
  /// The place before, in the window's coordinates.
  public internal(set) var previousWindowLocation: Point
  /// The place at the beginning, in the window's coordinates.
  public let startWindowLocation: Point
  /// The time of the beginning, on the events' own clock.
  public let startTime: MonotonicTime

  /// The part of the touch that `view` has been told.
  enum Delivery {
    /// It is to be told.
    case due
    /// A recogniser has it wait.
    case delayed
    /// The view was told, and is told all that follows.
    case told
    /// It is not told: it holds another finger already, or lost this one.
    case none
  }

  var delivery = Delivery.due
  /// True when its view holds another finger already and takes but one.
  var isSpare = false
  /// True once it was broken off.
  var isLost = false
  /// The recognisers that see it, the innermost view's first.
  var recognizers: [GestureRecognizer] = []

  /// True from down to up.
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

  /// The place in the coordinates of `view` (nil: the window).
  public func location(in view: View?) -> Point { windowLocation - (view?.windowOrigin ?? .zero) }

  /// The place before, in the coordinates of `view` (nil: the window).
  public func previousLocation(in view: View?) -> Point { previousWindowLocation - (view?.windowOrigin ?? .zero) }

  /// The place at the beginning, in the coordinates of `view` (nil: the window).
  public func startLocation(in view: View?) -> Point { startWindowLocation - (view?.windowOrigin ?? .zero) }

  /// Runs `body` with the touch as it was when it began, for a view that is told late.
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
