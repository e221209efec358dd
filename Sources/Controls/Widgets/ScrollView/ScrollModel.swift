import Glibc

/// A viewport of `viewSize` onto content of `contentSize`, in points. Offsets are the position of the viewport's top left corner.
/// The settings are those of `ScrollView`.
nonisolated package struct ScrollModel: Hashable, Sendable {
  package var viewSize = Size.zero
  package var contentSize = Size.zero
  package var insets = EdgeInsets.zero
  /// What lies over the viewport at its edges: what is shown is scrolled out from under it.
  package var covered = EdgeInsets.zero
  package var axes = Axes.both
  package var alwaysBounces: Axes = []
  package var bounces = true
  package var isPaging = false

  package init() {}

  /// The fraction of a drag beyond an end that is followed at first.
  package static let resistance = 0.55

  // MARK: Range

  /// The offsets without resistance along `axis`; only the first if the content is smaller than the viewport.
  package func range(_ axis: Axis) -> ClosedRange<Double> {
    let (before, after) = axis == .vertical ? (insets.top, insets.bottom) : (insets.left, insets.right)
    let start = -before
    guard axes.contains(Axes(axis)) else { return start...start }
    let end = contentSize[axis] + after - viewSize[axis]
    return end > start ? start...end : start...start
  }

  /// The axes along which something can be dragged.
  package var scrollableAxes: Axes {
    var found: Axes = []
    for axis in Axis.allCases where axes.contains(Axes(axis)) {
      let range = range(axis)
      if range.lowerBound < range.upperBound || (alwaysBounces.contains(Axes(axis)) && bounces) {
        found.insert(Axes(axis))
      }
    }
    return found
  }

  /// The nearest offset within both ranges; NaN counts as the start.
  package func clamped(_ offset: Point) -> Point {
    Point { Self.clamp(offset[$0], range($0)) }
  }

  private static func clamp(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
  }

  // MARK: Dragging

  /// The offset for a finger that dragged to `place`: equal inside the ranges, with growing resistance beyond.
  package func offset(forPlace place: Point) -> Point { Point { banded(place[$0], $0) } }

  /// Inverse of `offset(forPlace:)`: where a drag starts that catches overscrolled content.
  package func place(forOffset offset: Point) -> Point { Point { unbanded(offset[$0], $0) } }

  private func canBounce(_ axis: Axis) -> Bool { bounces && scrollableAxes.contains(Axes(axis)) }

  private func banded(_ place: Double, _ axis: Axis) -> Double {
    let (bound, length) = (Self.clamp(place, range(axis)), viewSize[axis])
    guard canBounce(axis), length > 0, place != bound else { return bound }
    let way = abs(place - bound)
    let shown = (1 - 1 / (way * Self.resistance / length + 1)) * length
    return place > bound ? bound + shown : bound - shown
  }

  private func unbanded(_ offset: Double, _ axis: Axis) -> Double {
    let (bound, length) = (Self.clamp(offset, range(axis)), viewSize[axis])
    let shown = min(abs(offset - bound), length * 0.99)
    guard shown > 0 else { return bound }
    let way = (1 / (1 - shown / length) - 1) * length / Self.resistance
    return offset > bound ? bound + way : bound - way
  }

  // MARK: Letting go

  /// How far ahead a page is chosen, in seconds.
  private static let foresight = 0.2

  /// The motion of `offset` along `axis` after a finger released it with `velocity` in points per second. `start` is where the
  /// drag began; with paging it moves at most one page from there.
  package func motion(_ axis: Axis, from offset: Double, velocity: Double, start: Double) -> ScrollMotion {
    let range = range(axis)
    guard isPaging else {
      return ScrollMotion(releasedAt: offset, velocity: velocity, in: range, bounces: canBounce(axis))
    }
    let from = page(axis, at: start)
    let wanted = page(axis, at: offset + velocity * Self.foresight)
    let goal = self.offset(axis, ofPage: wanted.clamped(to: from - 1...from + 1))
    return ScrollMotion(from: offset, velocity: velocity, to: goal)
  }

  /// The page of `offset` along `axis`: the nearest one, from 0.
  package func page(_ axis: Axis, at offset: Double) -> Int {
    let length = viewSize[axis]
    let range = range(axis)
    guard length > 0 else { return 0 }
    let whole = Int(clamping: ((Self.clamp(offset, range) - range.lowerBound) / length).rounded(.down))
    // The last page may be a partial one: it begins where its end is shown.
    let next = min(whole + 1, pageCount(axis) - 1)
    let (before, after) = (self.offset(axis, ofPage: whole), self.offset(axis, ofPage: next))
    return offset < (before + after) / 2 ? whole : next
  }

  /// The number of pages along `axis`; at least 1.
  package func pageCount(_ axis: Axis) -> Int {
    let length = viewSize[axis]
    let range = range(axis)
    guard length > 0 else { return 1 }
    return min(Int(clamping: ((range.upperBound - range.lowerBound) / length - 1e-6).rounded(.up)), 1_000_000) + 1
  }

  package func offset(_ axis: Axis, ofPage page: Int) -> Double {
    let range = range(axis)
    let length = viewSize[axis]
    return Self.clamp(range.lowerBound + Double(page) * length, range)
  }

  // MARK: Showing

  /// The offset nearest to `offset` at which as much as possible of `rect`, in the content's coordinates, is visible beside what is covered.
  package func offset(showing rect: Rect, from offset: Point) -> Point {
    let rect = Rect(
      x: rect.minX - covered.left, y: rect.minY - covered.top, width: rect.width + covered.left + covered.right,
      height: rect.height + covered.top + covered.bottom)
    func shift(_ start: Double, _ end: Double, _ from: Double, _ length: Double) -> Double {
      if end - start > length || start < from { return start }
      return end > from + length ? end - length : from
    }
    return clamped(
      Point { shift(rect.origin[$0], rect.origin[$0] + rect.size[$0], offset[$0], viewSize[$0]) })
  }

  /// The frame of an indicator along `axis` on a track of `length` points at `offset`; nil if nothing scrolls. Beyond an end it
  /// is squeezed.
  package func indicator(_ axis: Axis, at offset: Double, length: Double) -> (start: Double, length: Double)? {
    let range = range(axis)
    let way = range.upperBound - range.lowerBound
    let view = viewSize[axis]
    guard way > 0, view > 0, length > 0 else { return nil }
    let shortest = min(Self.shortestIndicator, length)
    let bound = Self.clamp(offset, range)
    let full = max(length * view / (view + way), shortest)
    let squeezed = max(full - abs(offset - bound), min(8, full))
    let start = (length - full) * (bound - range.lowerBound) / way
    return (offset > bound ? start + full - squeezed : start, squeezed)
  }

  private static let shortestIndicator = 32.0
}

/// The motion of an offset after a finger released it, in closed form: any moment can be queried, in any order.
nonisolated package struct ScrollMotion: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    /// Exponential deceleration; the speed falls at the rate `decay`.
    case glide(from: Double, velocity: Double)
    /// A spring pulls it to `to`.
    case spring(from: Double, velocity: Double, to: Double, Spring)
  }

  private struct Leg: Hashable, Sendable {
    var start: Double
    var duration: Double
    var kind: Kind
  }

  /// After a millisecond 0.998 of the speed is left: the speed falls by this fraction per second.
  package static let decay = 2.002
  /// The spring that brings back an offset beyond an end.
  package static let bounce = Spring(response: 0.42, dampingRatio: 1)
  /// The spring that moves to a page or another goal.
  package static let goal = Spring(response: 0.36, dampingRatio: 1)
  /// The speed below which a glide ends, in points per second.
  static let leastSpeed = 20.0
  /// The speed below which a glide looks as if it rested, in points per second: half a point a frame at 60 Hz.
  static let leastSeenSpeed = 30.0
  /// The distance to its end that counts as arrived, in points.
  static let tolerance = 0.5

  private var legs: [Leg] = []
  package private(set) var end: Double

  package var duration: Double { legs.last.map { $0.start + $0.duration } ?? 0 }

  /// Moves from `offset`, at first with `velocity`, to `goal`.
  package init(from offset: Double, velocity: Double, to goal: Double) {
    end = goal
    guard offset != goal || abs(velocity) > Self.leastSpeed else { return }
    add(
      .spring(from: offset, velocity: velocity, to: goal, Self.goal), for: Self.time(Self.goal, offset, velocity, goal))
  }

  /// Released at `offset` with `velocity` in points per second: decelerates inside `range`. An offset beyond an end springs
  /// back, or stops there unless it `bounces`.
  package init(releasedAt offset: Double, velocity: Double, in range: ClosedRange<Double>, bounces: Bool = true) {
    end = offset
    end = add(from: offset, speed: velocity, in: range, bounces: bounces)
  }

  /// Adds the legs of a released offset; returns its end.
  private mutating func add(
    from offset: Double, speed velocity: Double, in range: ClosedRange<Double>, bounces: Bool
  ) -> Double {
    var (place, speed) = (offset, velocity)
    // Back from beyond an end, through the range, to beyond the other end; there cannot be more legs.
    for _ in 0..<3 {
      let bound = place.clamped(to: range)
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
      let way = speed / Self.decay
      let wall = speed > 0 ? range.upperBound : range.lowerBound
      guard abs(way) > abs(wall - place) else {
        add(.glide(from: place, velocity: speed), for: Self.log(abs(way) / Self.tolerance) / Self.decay)
        return place + way
      }
      let share = 1 - (wall - place) / way
      add(.glide(from: place, velocity: speed), for: -Self.log(share) / Self.decay)
      (place, speed) = (wall, speed * share)
    }
    return place.clamped(to: range)
  }

  /// True when something at the edge of `range` moves out of it.
  private static func leads(_ speed: Double, out range: ClosedRange<Double>, at place: Double) -> Bool {
    place >= range.upperBound && speed > 0 || place <= range.lowerBound && speed < 0
  }

  private mutating func add(_ kind: Kind, for duration: Double) {
    legs.append(Leg(start: self.duration, duration: max(duration, 0), kind: kind))
  }

  /// The offset `time` seconds after the start, in points; from the end on exactly `end`.
  package func offset(at time: Double) -> Double { moment(at: time).value }

  /// The speed `time` seconds after the start, in points per second.
  package func velocity(at time: Double) -> Double { moment(at: time).velocity }

  /// True if all that is left at `time` is the end of a glide, too slow for users to see it as motion.
  func hardlyMoves(at time: Double) -> Bool {
    guard time < duration, let leg = legs.last else { return true }
    guard case .glide = leg.kind, time >= leg.start else { return false }
    return abs(velocity(at: time)) < Self.leastSeenSpeed
  }

  private func moment(at time: Double) -> Spring.Motion {
    guard time < duration, let leg = legs.last(where: { $0.start <= max(time, 0) }) else {
      return Spring.Motion(value: end, velocity: 0)
    }
    let time = max(time, 0) - leg.start
    switch leg.kind {
    case .glide(let from, let velocity):
      let left = exp(-Self.decay * time)
      return Spring.Motion(value: from + velocity / Self.decay * (1 - left), velocity: velocity * left)
    case .spring(let from, let velocity, let to, let spring):
      return spring.motion(at: time, from: from, to: to, velocity: velocity)
    }
  }

  /// The time and speed at which a spring that pulls back to `bound` passes it into the range; nil if it does not, or only
  /// negligibly fast.
  private static func crossing(_ place: Double, _ speed: Double, _ bound: Double) -> (time: Double, speed: Double)? {
    // `bounce` is critically damped: the distance is (offset + slope * time) * e^(-omega * time).
    let offset = place - bound
    let slope = speed + 2 * .pi / bounce.response * offset
    let time = -offset / slope
    guard offset != 0, time > 0, time <= 1 else { return nil }
    let speed = bounce.motion(at: time, from: place, to: bound, velocity: speed).velocity
    return abs(speed) > 60 ? (time, speed) : nil
  }

  /// The time until `spring` is practically at `goal`, in seconds.
  private static func time(_ spring: Spring, _ from: Double, _ velocity: Double, _ goal: Double) -> Double {
    var time = 0.0
    while time < 4 {
      time += 1.0 / 60
      let motion = spring.motion(at: time, from: from, to: goal, velocity: velocity)
      if spring.isSettled(motion, at: goal, tolerance: tolerance) { break }
    }
    return time
  }

  private static func log(_ value: Double) -> Double { value > 0 ? Glibc.log(value) : 0 }
}
