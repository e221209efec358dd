import UICore

/// A drag: `down` and `up` whenever the number of fingers changes, `move` whenever they move, always with the middle of all.
nonisolated struct PanModel: Sendable {
  /// How far the fingers go before it counts as a drag, in points.
  static let slop = 10.0

  /// How far the fingers went since the drag was recognised, in points; fingers that come and go move nothing.
  private(set) var translation = Point.zero
  /// How far they went since the first one came down.
  private(set) var travel = Point.zero
  private(set) var isRecognized = false
  private var middle: Point?
  private var velocities = VelocityTracker()

  /// The fingers are others than before; their middle is `middle` now, nil for no fingers.
  mutating func setFingers(middle: Point?) {
    self.middle = middle
  }

  /// The fingers moved at `time`.
  mutating func move(to middle: Point, at time: MonotonicTime) {
    guard let old = self.middle else { return }
    let step = middle - old
    self.middle = middle
    travel = travel + step
    if isRecognized { translation = translation + step }
    velocities.add(travel, at: time)
  }

  /// True once the fingers went far enough.
  var isFarEnough: Bool { travel.distance(to: .zero) >= Self.slop }

  /// Begins the drag where the fingers went beyond the slop: what a fast first move went further counts.
  mutating func recognize() {
    let distance = travel.distance(to: .zero)
    isRecognized = true
    guard distance > 0 else { return }
    let beyond = max(distance - Self.slop, 0) / distance
    translation = Point(x: travel.x * beyond, y: travel.y * beyond)
  }

  /// Makes the present place the one that counts as `translation`.
  mutating func setTranslation(_ translation: Point) {
    if translation.isFinite { self.translation = translation }
  }

  /// The speed at `time` in points per second; 0 where the fingers rested before.
  func velocity(at time: MonotonicTime) -> Point { velocities.velocity(at: time) }
}
