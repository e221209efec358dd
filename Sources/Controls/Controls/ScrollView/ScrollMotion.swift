/// The way of an offset after a finger let go of it, in closed form: any moment can be asked for, in any order.
nonisolated public struct ScrollMotion: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    /// Slower and slower, by so much of its speed per second.
    case glide(from: Double, velocity: Double, decay: Double)
    /// On a spring.
    case spring(from: Double, velocity: Double, to: Double, Spring)
  }

  private struct Leg: Hashable, Sendable {
    var start: Double
    var duration: Double
    var kind: Kind
  }

  /// What is left of the speed after a millisecond is 0.998: the speed falls by this share per second.
  public static let decay = 2.002
  /// The spring that brings back what went beyond an end.
  public static let bounce = Spring(response: 0.42, dampingRatio: 1)
  /// The spring that goes to a page or another goal.
  public static let goal = Spring(response: 0.36, dampingRatio: 1)
  /// Slower than this nothing glides, in points per second.
  static let leastSpeed = 20.0
  /// Nearer than this to its end it is there, in points.
  static let tolerance = 0.5

  private var legs: [Leg] = []
  /// Where it ends, in points.
  public private(set) var end: Double

  /// How long it takes, in seconds.
  public var duration: Double { legs.last.map { $0.start + $0.duration } ?? 0 }

  /// Rests at `offset`.
  public init(restingAt offset: Double) {
    end = offset
  }

  /// Goes from `offset`, at first with `velocity`, to `goal`.
  public init(from offset: Double, velocity: Double, to goal: Double, spring: Spring = ScrollMotion.goal) {
    end = goal
    guard offset != goal || abs(velocity) > Self.leastSpeed else { return }
    add(.spring(from: offset, velocity: velocity, to: goal, spring), for: Self.time(spring, offset, velocity, goal))
  }

  /// Let go of at `offset` with `velocity` in points per second: glides out inside `range`; what is or comes beyond an end
  /// comes back, or stops there if nothing `bounces`.
  public init(
    releasedAt offset: Double, velocity: Double, in range: ClosedRange<Double>, bounces: Bool = true,
    decay: Double = ScrollMotion.decay
  ) {
    end = offset
    end = add(from: offset, speed: velocity, in: range, bounces: bounces, decay: decay)
  }

  /// Adds the legs of something let go of; returns where it ends.
  private mutating func add(
    from offset: Double, speed velocity: Double, in range: ClosedRange<Double>, bounces: Bool, decay: Double
  ) -> Double {
    var (place, speed) = (offset, velocity)
    // Back from beyond an end, through the range, to beyond the other end: more legs there cannot be.
    for _ in 0..<3 {
      let bound = min(max(place, range.lowerBound), range.upperBound)
      if place != bound || Self.leads(speed, out: range, at: place) {
        guard bounces else { return bound }
        let entry = Self.crossing(place, speed, bound)
        let isMoving = place != bound || abs(speed) > Self.leastSpeed
        let time = entry?.time ?? (isMoving ? Self.time(Self.bounce, place, speed, bound) : 0)
        add(.spring(from: place, velocity: speed, to: bound, Self.bounce), for: time)
        guard let entry, range.lowerBound < range.upperBound else { return bound }
        (place, speed) = (bound, entry.speed)
      }
      guard abs(speed) > Self.leastSpeed else { return place }
      let way = speed / decay
      let wall = speed > 0 ? range.upperBound : range.lowerBound
      guard abs(way) > abs(wall - place) else {
        add(.glide(from: place, velocity: speed, decay: decay), for: Self.log(abs(way) / Self.tolerance) / decay)
        return place + way
      }
      let share = 1 - (wall - place) / way
      add(.glide(from: place, velocity: speed, decay: decay), for: -Self.log(share) / decay)
      (place, speed) = (wall, speed * share)
    }
    return min(max(place, range.lowerBound), range.upperBound)
  }

  /// True when something at the edge of `range` moves out of it.
  private static func leads(_ speed: Double, out range: ClosedRange<Double>, at place: Double) -> Bool {
    place >= range.upperBound && speed > 0 || place <= range.lowerBound && speed < 0
  }

  private mutating func add(_ kind: Kind, for duration: Double) {
    legs.append(Leg(start: self.duration, duration: max(duration, 0), kind: kind))
  }

  /// The offset `time` seconds after the start, in points; from the end on exactly `end`.
  public func offset(at time: Double) -> Double { moment(at: time).value }

  /// The speed `time` seconds after the start, in points per second.
  public func velocity(at time: Double) -> Double { moment(at: time).velocity }

  private func moment(at time: Double) -> Spring.Motion {
    guard time < duration, let leg = legs.last(where: { $0.start <= max(time, 0) }) else {
      return Spring.Motion(value: end, velocity: 0)
    }
    let time = max(time, 0) - leg.start
    switch leg.kind {
    case .glide(let from, let velocity, let decay):
      let left = exponential(-decay * time)
      return Spring.Motion(value: from + velocity / decay * (1 - left), velocity: velocity * left)
    case .spring(let from, let velocity, let to, let spring):
      return spring.motion(at: time, from: from, to: to, velocity: velocity)
    }
  }

  /// When and how fast a spring that pulls back to `bound` shoots through it into the range; nil when it does not.
  private static func crossing(_ place: Double, _ speed: Double, _ bound: Double) -> (time: Double, speed: Double)? {
    guard place != bound, (place < bound) == (speed > 0) else { return nil }
    let step = 1.0 / 240
    for number in 1...240 {
      let time = Double(number) * step
      let motion = bounce.motion(at: time, from: place, to: bound, velocity: speed)
      guard (motion.value < bound) != (place < bound) else { continue }
      guard abs(motion.velocity) > 60 else { return nil }
      var (before, after) = (time - step, time)
      for _ in 0..<30 {
        let middle = (before + after) / 2
        let value = bounce.motion(at: middle, from: place, to: bound, velocity: speed).value
        if (value < bound) == (place < bound) { before = middle } else { after = middle }
      }
      return (before, bounce.motion(at: before, from: place, to: bound, velocity: speed).velocity)
    }
    return nil
  }

  /// How long `spring` takes to be as good as at `goal`, in seconds.
  private static func time(_ spring: Spring, _ from: Double, _ velocity: Double, _ goal: Double) -> Double {
    var time = 0.0
    while time < 4 {
      time += 1.0 / 60
      let motion = spring.motion(at: time, from: from, to: goal, velocity: velocity)
      if spring.isSettled(motion, at: goal, tolerance: tolerance) { break }
    }
    return time
  }

  private static func log(_ value: Double) -> Double { value > 0 ? naturalLogarithm(value) : 0 }
}
