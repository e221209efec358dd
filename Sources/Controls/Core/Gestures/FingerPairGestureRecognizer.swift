/// The common part of pinch and rotation: two fingers that change one number; further fingers are ignored.
///
/// It is not for subclasses outside this library: use `PinchGestureRecognizer` or `RotationGestureRecognizer`.
public class FingerPairGestureRecognizer: GestureRecognizer {
  private var fingers = FingerPairTracker()
  private var velocities = VelocityTracker()

  /// The two fingers; nil while there are fewer.
  final var pair: FingerPair? { fingers.pair }
  /// How fast the number changes, per second.
  final private(set) var numberVelocity = 0.0

  /// The number that `pair` stands for.
  func number(of pair: FingerPair) -> Double { 0 }
  /// True once the fingers went far enough to be this gesture.
  func isFarEnough(_ pair: FingerPair) -> Bool { false }
  /// The gesture begins: the point at which `pair` went far enough counts as its start.
  func start(with pair: FingerPair) {}

  /// Notes the fingers.
  public override func touchesBegan(_ touches: [Touch]) { fingers.began(self.touches) }

  /// Begins the gesture, or tells of a change.
  public override func touchesMoved(_ touches: [Touch]) {
    guard let pair = fingers.moved() else { return }
    let now = touches.map { time(of: $0) }.max() ?? .zero
    velocities.add(Point(x: number(of: pair), y: 0), at: now)
    numberVelocity = velocities.velocity(at: now).x
    guard state == .possible else { return transition(to: .changed) }
    guard isFarEnough(pair) else { return }
    if pending == nil { start(with: pair) }
    transition(to: .began)
  }

  /// Ends the gesture once one of the fingers is up.
  public override func touchesEnded(_ touches: [Touch]) {
    let isStillPossible = fingers.pair == nil && numberOfTouches > 0
    guard !fingers.isHeld && !isStillPossible else { return }
    numberVelocity = velocities.velocity(at: touches.map { time(of: $0) }.max() ?? .zero).x
    transition(to: state == .possible ? .failed : .ended)
  }

  /// Forgets the fingers.
  public override func reset() {
    fingers = FingerPairTracker()
    velocities = VelocityTracker()
    numberVelocity = 0
  }
}
