// Owns the arithmetic of a drag by one or several fingers: when it begins, how far it went, how fast it is.
// Must not know touches or views.

import Interface

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

/// The last moments of a point that moves, from which its speed is read: single events tremble.
nonisolated struct VelocityTracker: Sendable {
  /// How far back a place counts, and how long a finger may rest before its release has no speed.
  static let window = Duration.milliseconds(80)
  /// The greatest speed that is believed, in points per second either way.
  static let maximum = 8000.0

  private var samples: [(time: MonotonicTime, place: Point)] = []

  /// Adds a place; of several at one time the last counts. A clock that runs backwards starts anew.
  mutating func add(_ place: Point, at time: MonotonicTime) {
    if let last = samples.last {
      if time < last.time { samples.removeAll(keepingCapacity: true) }
      if time == last.time { samples.removeLast() }
    }
    samples.removeAll { time - $0.time > Self.window }
    samples.append((time, place))
  }

  /// The mean speed over the window before `time`, in points per second.
  func velocity(at time: MonotonicTime) -> Point {
    let recent = samples.filter { time - $0.time <= Self.window }
    guard let first = recent.first, let last = recent.last, first.time < last.time else { return .zero }
    let seconds = (max(time, last.time) - first.time).inSeconds
    func speed(_ way: Double) -> Double { min(max(way / seconds, -Self.maximum), Self.maximum) }
    return Point(x: speed(last.place.x - first.place.x), y: speed(last.place.y - first.place.y))
  }
}
