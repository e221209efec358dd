/// Recent positions with their times, for a control that swings on when it is released. The velocity is the mean of the last 80 ms,
/// because single events tremble.
nonisolated public struct VelocityTracker: Sendable {
  /// The age up to which a position counts, and the rest after which a release has no velocity.
  static let window = Duration.milliseconds(80)

  /// The limit on speeds, in units per second in either direction.
  private let maximum: Double
  private var samples: [(time: MonotonicTime, place: Point)] = []

  /// A tracker without positions; it limits speeds to `maximum` units per second, 8000 points for fingers.
  public init(maximum: Double = 8000) { self.maximum = maximum }

  /// Forgets every position.
  public mutating func removeAll() { samples.removeAll(keepingCapacity: true) }

  /// Adds a position; of several at the same time the last counts. A clock that runs backwards restarts the tracker.
  public mutating func add(_ place: Point, at time: MonotonicTime) {
    if let last = samples.last {
      if time < last.time { removeAll() }
      if time == last.time { samples.removeLast() }
    }
    // The oldest ones come first.
    var old = 0
    while old < samples.count, time - samples[old].time > Self.window { old += 1 }
    if old > 0 { samples.removeFirst(old) }
    samples.append((time, place))
  }

  /// The mean velocity over the window before `time`, in units per second; 0 if the finger rested before it.
  public func velocity(at time: MonotonicTime) -> Point {
    guard let first = samples.first(where: { time - $0.time <= Self.window }), let last = samples.last,
      first.time < last.time
    else { return .zero }
    let seconds = (max(time, last.time) - first.time).inSeconds
    func speed(_ distance: Double) -> Double { (distance / seconds).clamped(to: -maximum...maximum) }
    return Point(x: speed(last.place.x - first.place.x), y: speed(last.place.y - first.place.y))
  }
}
