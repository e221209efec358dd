/// Two fingers since they came down.
nonisolated struct FingerPair: Sendable {
  /// Fingers closer than this count as so far apart: their angle and the ratio of their distances tremble, in points.
  static let leastDistance = 24.0

  /// The distance at first, in points.
  let startDistance: Double
  /// The distance now, in points.
  private(set) var distance: Double
  /// How far they turned since they came down, in radians clockwise, any number of turns.
  private(set) var turn = 0.0
  private var direction: Double

  /// Fingers that came down at `a` and `b`.
  init(_ a: Point, _ b: Point) {
    distance = max(a.distance(to: b), Self.leastDistance)
    startDistance = distance
    direction = angle(x: b.x - a.x, y: b.y - a.y)
  }

  /// The fingers moved to `a` and `b`.
  mutating func move(to a: Point, _ b: Point) {
    let now = a.distance(to: b)
    distance = max(now, Self.leastDistance)
    guard now >= Self.leastDistance else { return }
    let newDirection = angle(x: b.x - a.x, y: b.y - a.y)
    var step = newDirection - direction
    if step > .pi { step -= 2 * .pi }
    if step < -.pi { step += 2 * .pi }
    turn += step
    direction = newDirection
  }

  /// How far the fingers must spread, or each of them must go round, before it counts, in points.
  static let slop = 8.0

  /// True once they spread or closed far enough.
  var isSpread: Bool { abs(distance - startDistance) >= Self.slop }

  /// True once they turned far enough.
  var isTurned: Bool { abs(turn) * distance / 2 >= Self.slop }

  /// The distance at which the spread began to count, in points.
  var spreadStart: Double {
    max(startDistance + (distance > startDistance ? Self.slop : -Self.slop), Self.leastDistance / 2)
  }

  /// The turn at which turning began to count, in radians.
  var turnStart: Double { (turn > 0 ? 1 : -1) * min(Self.slop / (distance / 2), abs(turn)) }
}

/// Follows two fingers that belong together for a recogniser: the first two that are down at one time.
struct FingerPairTracker {
  private var fingers: [Touch] = []
  private(set) var pair: FingerPair?

  /// Fingers came down; `touches` are all.
  mutating func began(_ touches: [Touch]) {
    guard pair == nil, touches.count >= 2 else { return }
    fingers = Array(touches.prefix(2))
    pair = FingerPair(fingers[0].windowLocation, fingers[1].windowLocation)
  }

  /// Fingers moved; the pair as it is now, nil as long as there is none.
  mutating func moved() -> FingerPair? {
    guard fingers.count == 2 else { return nil }
    pair?.move(to: fingers[0].windowLocation, fingers[1].windowLocation)
    return pair
  }

  /// True while both are down.
  var isHeld: Bool { fingers.count == 2 && fingers.allSatisfy(\.isDown) }
}
