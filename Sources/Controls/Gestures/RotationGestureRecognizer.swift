// Owns when two fingers turn, and telling how far.
// Must not know what is turned.

/// Two fingers that turn about each other; further fingers are ignored.
open class RotationGestureRecognizer: GestureRecognizer {
  private var fingers = FingerPairTracker()
  private var origin = 0.0
  private var velocities = VelocityTracker()

  /// A recogniser that calls `action` at every new state.
  public convenience init(_ action: @escaping (RotationGestureRecognizer) -> Void) {
    self.init()
    addAction(action)
  }

  /// How far the fingers turned since the rotation began, in radians clockwise, any number of turns. Setting it, mostly to
  /// 0, makes the present direction count as that.
  public var rotation: Double {
    get { state == .possible ? 0 : (fingers.pair?.turn ?? origin) - origin }
    set { if newValue.isFinite, let pair = fingers.pair { origin = pair.turn - newValue } }
  }

  /// How fast they turn, in radians per second.
  public private(set) var velocity = 0.0

  open override func touchesBegan(_ touches: [Touch]) {
    fingers.began(self.touches)
  }

  open override func touchesMoved(_ touches: [Touch]) {
    guard let pair = fingers.moved() else { return }
    let now = touches.map { time(of: $0) }.max() ?? .zero
    velocities.add(Point(x: pair.turn, y: 0), at: now)
    velocity = velocities.velocity(at: now).x
    if state == .possible {
      guard pair.isTurned else { return }
      if pending == nil { origin = pair.turnStart }
      transition(to: .began)
    } else {
      transition(to: .changed)
    }
  }

  open override func touchesEnded(_ touches: [Touch]) {
    let isStillPossible = fingers.pair == nil && numberOfTouches > 0
    guard !fingers.isHeld && !isStillPossible else { return }
    velocity = velocities.velocity(at: touches.map { time(of: $0) }.max() ?? .zero).x
    transition(to: state == .possible ? .failed : .ended)
  }

  open override func reset() {
    fingers = FingerPairTracker()
    origin = 0
    velocity = 0
    velocities = VelocityTracker()
  }
}
