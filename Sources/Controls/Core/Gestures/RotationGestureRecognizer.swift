/// Recognises two fingers that turn about each other.
public final class RotationGestureRecognizer: FingerPairGestureRecognizer {
  /// The turn in radians that counts as a rotation of 0.
  private var origin = 0.0

  /// A recogniser that calls `action` at every new state.
  public convenience init(_ action: @escaping (RotationGestureRecognizer) -> Void) {
    self.init()
    addAction(action)
  }

  /// How far the fingers turned since the rotation began, in radians clockwise, any number of turns. Setting it, mostly to
  /// 0, makes the present direction count as that.
  public var rotation: Double {
    get { state == .possible ? 0 : (pair?.turn ?? origin) - origin }
    set { if newValue.isFinite, let pair { origin = pair.turn - newValue } }
  }

  /// How fast they turn, in radians per second.
  public var velocity: Double { numberVelocity }

  override func number(of pair: FingerPair) -> Double { pair.turn }
  override func isFarEnough(_ pair: FingerPair) -> Bool { pair.isTurned }
  override func start(with pair: FingerPair) { origin = pair.turnStart }

  /// Forgets the fingers.
  public override func reset() {
    super.reset()
    origin = 0
  }
}
