import Glibc

/// The base of pinch and rotation: two fingers that change one number; further fingers are ignored.
///
/// It is not for subclasses outside this library: use `PinchGestureRecognizer` or `RotationGestureRecognizer`.
public class FingerPairGestureRecognizer: GestureRecognizer {
  /// The first two fingers that were down at the same time.
  private var fingers: [Touch] = []
  private var velocities = VelocityTracker()

  final private(set) var pair: FingerPair?
  final private(set) var numberVelocity = 0.0

  func number(of pair: FingerPair) -> Double { 0 }
  /// True once the fingers moved far enough to be this gesture.
  func isFarEnough(_ pair: FingerPair) -> Bool { false }
  /// The number at which `pair` had moved far enough, which counts as the gesture's start.
  func start(of pair: FingerPair) -> Double { 0 }
  /// The number that counts as the gesture's start; 0 before that.
  final var origin = 0.0

  public override func touchesBegan(_ touches: [Touch]) {
    let down = self.touches
    guard pair == nil, down.count >= 2 else { return }
    fingers = Array(down.prefix(2))
    pair = FingerPair(down[0].windowLocation, down[1].windowLocation)
  }

  public override func touchesMoved(_ touches: [Touch]) {
    guard fingers.count == 2 else { return }
    pair?.move(to: fingers[0].windowLocation, fingers[1].windowLocation)
    guard let pair else { return }
    let now = touches.map { time(of: $0) }.max() ?? .zero
    velocities.add(Point(x: number(of: pair), y: 0), at: now)
    numberVelocity = velocities.velocity(at: now).x
    guard state == .possible else { return transition(to: .changed) }
    guard isFarEnough(pair) else { return }
    if pending == nil { origin = start(of: pair) }
    transition(to: .began)
  }

  public override func touchesEnded(_ touches: [Touch]) {
    let isHeld = pair != nil && fingers.allSatisfy(\.isDown)
    let isStillPossible = pair == nil && numberOfTouches > 0
    guard !isHeld && !isStillPossible else { return }
    numberVelocity = velocities.velocity(at: touches.map { time(of: $0) }.max() ?? .zero).x
    transition(to: state == .possible ? .failed : .ended)
  }

  public override func reset() {
    fingers = []
    pair = nil
    velocities = VelocityTracker()
    numberVelocity = 0
    origin = 0
  }
}

/// Recognises two fingers that spread or close.
public final class PinchGestureRecognizer: FingerPairGestureRecognizer {
  /// The ratio of the fingers' distance to that at the beginning of the pinch. Setting it, usually to 1, makes the present
  /// distance count as that; values that are not positive are ignored.
  public var scale: Double {
    get { state == .possible || origin == 0 ? 1 : (pair?.distance ?? origin) / origin }
    set { if newValue > 0, newValue.isFinite, let pair { origin = pair.distance / newValue } }
  }

  /// The change of `scale` per second.
  public var velocity: Double { origin == 0 ? 0 : numberVelocity / origin }

  override func number(of pair: FingerPair) -> Double { pair.distance }
  override func isFarEnough(_ pair: FingerPair) -> Bool { pair.isSpread }
  override func start(of pair: FingerPair) -> Double { pair.spreadStart }
}

/// Recognises two fingers that turn about each other.
public final class RotationGestureRecognizer: FingerPairGestureRecognizer {
  /// The angle by which the fingers turned since the rotation began, in radians clockwise, any number of turns. Setting it,
  /// usually to 0, makes the present direction count as that.
  public var rotation: Double {
    get { state == .possible ? 0 : (pair?.turn ?? origin) - origin }
    set { if newValue.isFinite, let pair { origin = pair.turn - newValue } }
  }

  /// The speed of the turn, in radians per second.
  public var velocity: Double { numberVelocity }

  override func number(of pair: FingerPair) -> Double { pair.turn }
  override func isFarEnough(_ pair: FingerPair) -> Bool { pair.isTurned }
  override func start(of pair: FingerPair) -> Double { pair.turnStart }
}

/// Two fingers since they came down.
nonisolated struct FingerPair: Sendable {
  /// The least distance assumed, in points, because angle and ratio of closer fingers tremble.
  static let leastDistance = 24.0

  let startDistance: Double
  private(set) var distance: Double
  /// The angle by which they turned since they came down, in radians clockwise, any number of turns.
  private(set) var turn = 0.0
  private var direction: Double

  init(_ a: Point, _ b: Point) {
    distance = max(a.distance(to: b), Self.leastDistance)
    startDistance = distance
    direction = atan2(b.y - a.y, b.x - a.x)
  }

  mutating func move(to a: Point, _ b: Point) {
    let now = a.distance(to: b)
    distance = max(now, Self.leastDistance)
    guard now >= Self.leastDistance else { return }
    let newDirection = atan2(b.y - a.y, b.x - a.x)
    var step = newDirection - direction
    if step > .pi { step -= 2 * .pi }
    if step < -.pi { step += 2 * .pi }
    turn += step
    direction = newDirection
  }

  /// The distance in points by which the fingers must spread, or each of them must go round, before it counts.
  static let slop = 8.0

  var isSpread: Bool { abs(distance - startDistance) >= Self.slop }

  var isTurned: Bool { abs(turn) * distance / 2 >= Self.slop }

  /// The distance at which the spread began to count, in points.
  var spreadStart: Double {
    max(startDistance + (distance > startDistance ? Self.slop : -Self.slop), Self.leastDistance / 2)
  }

  /// The turn at which turning began to count, in radians.
  var turnStart: Double { (turn > 0 ? 1 : -1) * min(Self.slop / (distance / 2), abs(turn)) }
}
