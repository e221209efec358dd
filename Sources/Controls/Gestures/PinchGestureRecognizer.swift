// Owns when two fingers pinch, and telling by how much.
// Must not know what grows or shrinks.

/// Two fingers that spread or close; further fingers are ignored.
open class PinchGestureRecognizer: GestureRecognizer {
  private var fingers = FingerPairTracker()
  private var unit = 1.0
  private var velocities = VelocityTracker()

  /// A recogniser that calls `action` at every new state.
  public convenience init(_ action: @escaping (PinchGestureRecognizer) -> Void) {
    self.init()
    addAction(action)
  }

  /// How many times as far the fingers are apart as when the pinch began. Setting it, mostly to 1, makes the present
  /// distance count as that; values that are not positive are ignored.
  public var scale: Double {
    get { state == .possible ? 1 : (fingers.pair?.distance ?? 1) / unit }
    set { if newValue > 0, newValue.isFinite, let pair = fingers.pair { unit = pair.distance / newValue } }
  }

  /// How fast `scale` changes, per second.
  public private(set) var velocity = 0.0

  open override func touchesBegan(_ touches: [Touch]) {
    fingers.began(self.touches)
  }

  open override func touchesMoved(_ touches: [Touch]) {
    guard let pair = fingers.moved() else { return }
    let now = touches.map { time(of: $0) }.max() ?? .zero
    velocities.add(Point(x: pair.distance, y: 0), at: now)
    if state == .possible {
      guard pair.isSpread else { return }
      if pending == nil { unit = pair.spreadStart }
      transition(to: .began)
    } else {
      velocity = velocities.velocity(at: now).x / unit
      transition(to: .changed)
    }
  }

  open override func touchesEnded(_ touches: [Touch]) {
    let isStillPossible = fingers.pair == nil && numberOfTouches > 0
    guard !fingers.isHeld && !isStillPossible else { return }
    velocity = velocities.velocity(at: touches.map { time(of: $0) }.max() ?? .zero).x / unit
    transition(to: state == .possible ? .failed : .ended)
  }

  open override func reset() {
    fingers = FingerPairTracker()
    unit = 1
    velocity = 0
    velocities = VelocityTracker()
  }
}
