/// Watches the fingers that come down on a view or inside it, and tells when they make a certain gesture.
///
/// A recogniser sees a finger before the view does. Gestures that happen at once, such as a tap, go from `possible` to
/// `recognized`; gestures that last, such as a pan, to `began`, `changed` any number of times, and `ended` or
/// `cancelled`. Whatever is no such gesture ends in `failed`. Then it is `possible` again as soon as all its fingers are
/// up. Actions are called for every new state but `possible` and `failed`.
///
/// When two recognisers of one finger recognise, the first one wins and the other fails, the inner view's first, unless
/// either allows both (`shouldAllowSimultaneous`). A finger that the system takes away, and a view that is removed,
/// hidden or disabled, cancel a gesture; nothing is triggered by it.
open class GestureRecognizer {
  /// How far a gesture is.
  nonisolated public enum State: String, CaseIterable, Hashable, Sendable {
    /// It may still become one.
    case possible
    /// It lasts since now.
    case began
    /// It goes on.
    case changed
    /// It came to its end, or happened at once: `recognized` is the same.
    case ended
    /// It was broken off.
    case cancelled
    /// It is none.
    case failed

    /// A gesture that happens at once happened.
    public static let recognized = State.ended

    /// True from recognition to the end.
    var isActive: Bool { self == .began || self == .changed }
    /// True once nothing more can come of the present fingers.
    var isOver: Bool { self == .ended || self == .cancelled || self == .failed }
  }

  /// The view it watches.
  public internal(set) weak var view: View?
  /// How far the gesture is.
  public internal(set) var state = State.possible
  /// False to watch nothing; a gesture on its way is cancelled.
  public var isEnabled = true {
    didSet {
      guard !isEnabled && oldValue else { return }
      cancel()
      view?.root?.touchDispatcher.settle()
    }
  }
  /// True to take its fingers from the view that they came down on once it recognises: the view hears
  /// `touchesCancelled`.
  public var cancelsTouchesInView = true
  /// True to keep fingers from the view that they came down on as long as this may still become a gesture. If it does not,
  /// the view then hears everything in order.
  public var delaysTouchesBegan = false
  /// Asked for each finger that comes down; false not to see it.
  public var shouldReceive: ((_ touch: Touch) -> Bool)?
  /// Asked when the gesture is about to be recognised; false to fail instead.
  public var shouldBegin: (() -> Bool)?
  /// Asked when this and `other` would both be recognised for one finger; true to allow both. Either's word is enough.
  public var shouldAllowSimultaneous: ((_ other: GestureRecognizer) -> Bool)?

  /// The fingers seen since it was last reset, also those that went up.
  var sequence: [Touch] = []
  /// The state to take once those that must fail first have failed.
  var pending: State?
  var requirements: [WeakRecognizer] = []
  private var centroid = Point.zero
  private var alarm: WakeUp?
  let actions = ObserverList<GestureRecognizer, Void>()
  var actionTokens: [Observation] = []

  /// A recogniser that watches nothing until it is added to a view.
  public init() {}

  // MARK: Fingers

  /// The fingers that are down, in the order in which they came.
  public var touches: [Touch] { sequence.filter { $0.isDown } }

  /// How many fingers are down.
  public var numberOfTouches: Int { touches.count }

  /// The middle of its fingers, in the coordinates of `view` (nil: the window); after the end where it was last.
  public func location(in view: View?) -> Point { centroid - (view?.windowOrigin ?? .zero) }

  /// Where the finger at `index` of `touches` is, in the coordinates of `view`; nil when there is none.
  public func location(ofTouch index: Int, in view: View?) -> Point? {
    let down = touches
    return down.indices.contains(index) ? down[index].location(in: view) : nil
  }

  // MARK: For subclasses

  /// Fingers came down. Subclasses override all four, and call `transition(to:)` (K10).
  open func touchesBegan(_ touches: [Touch]) {}

  /// Fingers moved.
  open func touchesMoved(_ touches: [Touch]) {}

  /// Fingers went up; `self.touches` has them no more.
  open func touchesEnded(_ touches: [Touch]) {}

  /// Fingers were taken away: breaks the gesture off.
  open func touchesCancelled(_ touches: [Touch]) { cancel() }

  /// The time asked for with `setWake(after:)` has come.
  open func wakeUp() {}

  /// All fingers are up after the gesture ended, failed or was cancelled: forget them.
  open func reset() {}

  /// True while the gesture goes on without a finger, as between the taps of a double tap.
  open var isWaiting: Bool { false }

  /// Whether to see `touch`. A finger on a control inside the view that is made to be dragged is the control's alone.
  open func canReceive(_ touch: Touch) -> Bool { dragAxes(around: touch).isEmpty }

  /// Whether recognising this lets `other` fail; both have a finger in common.
  open func canPrevent(_ other: GestureRecognizer) -> Bool { true }

  /// Whether this and `other` may both be recognised for one finger; false unless `shouldAllowSimultaneous` says so.
  open func allowsSimultaneous(with other: GestureRecognizer) -> Bool { shouldAllowSimultaneous?(other) ?? false }

  /// Has `wakeUp` called when `duration` has passed, unless the gesture is over by then; replaces an earlier one.
  public func setWake(after duration: Duration) {
    cancelWake()
    guard let root = view?.root else { return }
    alarm = root.wake(at: root.now + duration) { [weak self] in self?.wakeUp() }
  }

  /// Forgets about `setWake(after:)`.
  public func cancelWake() {
    alarm?.cancel()
    alarm = nil
  }

  /// When `touch` did its last thing; the present time where the device does not say.
  public func time(of touch: Touch) -> MonotonicTime {
    touch.time == .zero ? view?.root?.now ?? .zero : touch.time
  }

  /// What views between the finger and this recogniser's own view, which is not asked, use drags for.
  func dragAxes(around touch: Touch) -> Axes {
    var axes: Axes = []
    var inner = touch.view
    while let current = inner, current !== view {
      axes.formUnion(current.dragAxes)
      inner = current.superview
    }
    return axes
  }

  // MARK: What the dispatcher tells

  /// Takes what fingers of its sequence, or new ones, did at one time.
  func receive(_ touches: [Touch], _ phase: TouchPoint.Phase) {
    if phase == .began { sequence += touches }
    let places = self.touches + (phase == .ended ? touches : [])
    if !places.isEmpty {
      let sum = places.reduce(Point.zero) { $0 + $1.windowLocation }
      centroid = Point(x: sum.x / Double(places.count), y: sum.y / Double(places.count))
    }
    guard !state.isOver else { return }
    if pending == .ended {
      // It happened already; only whether it counts is open.
      if phase == .cancelled { cancel() }
      return
    }
    switch phase {
    case .began: touchesBegan(touches)
    case .moved: touchesMoved(touches)
    case .ended: touchesEnded(touches)
    case .cancelled: touchesCancelled(touches)
    }
  }

  /// True when it was told of `touch` since it was last reset.
  func sees(_ touch: Touch) -> Bool { sequence.contains { $0 === touch } }

  /// Breaks the gesture off: nothing is triggered by it.
  func cancel() {
    guard !sequence.isEmpty else { return }
    guard state.isActive else { return fail() }
    transition(to: .cancelled)
  }

  /// Makes it ready again once all fingers are up and nothing is waited for.
  func resetIfOver() -> Bool {
    guard !sequence.contains(where: \.isDown) else { return false }
    if state == .possible, pending == nil, !isWaiting { fail() }
    guard state.isOver else { return false }
    forgetFingers()
    return true
  }

  /// Makes it as it was before any finger came down.
  func forgetFingers() {
    cancelWake()
    sequence = []
    pending = nil
    state = .possible
    reset()
  }
}

/// A recogniser that is not kept alive.
struct WeakRecognizer {
  weak var recognizer: GestureRecognizer?
}
