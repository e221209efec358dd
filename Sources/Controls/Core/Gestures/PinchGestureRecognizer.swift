/// Recognises two fingers that spread or close.
public final class PinchGestureRecognizer: FingerPairGestureRecognizer {
  /// The distance in points that counts as a scale of 1.
  private var unit = 1.0

  /// A recogniser that calls `action` at every new state.
  public convenience init(_ action: @escaping (PinchGestureRecognizer) -> Void) {
    self.init()
    addAction(action)
  }

  /// How many times as far the fingers are apart as when the pinch began. Setting it, mostly to 1, makes the present
  /// distance count as that; values that are not positive are ignored.
  public var scale: Double {
    get { state == .possible ? 1 : (pair?.distance ?? 1) / unit }
    set { if newValue > 0, newValue.isFinite, let pair { unit = pair.distance / newValue } }
  }

  /// How fast `scale` changes, per second.
  public var velocity: Double { numberVelocity / unit }

  override func number(of pair: FingerPair) -> Double { pair.distance }
  override func isFarEnough(_ pair: FingerPair) -> Bool { pair.isSpread }
  override func start(with pair: FingerPair) { unit = pair.spreadStart }

  /// Forgets the fingers.
  public override func reset() {
    super.reset()
    unit = 1
  }
}
