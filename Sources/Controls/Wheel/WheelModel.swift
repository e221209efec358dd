// The state of a steering wheel: its angle, the fingers that turn it, and how it moves when none does.
// A value without drawing, views or clocks: times come with the events and the frames.

import Interface

/// A steering wheel turned by fingers (G5): any number of turns up to a lock, by any number of fingers.
///
/// - The wheel turns by the angle that a finger travels round the centre, never by where the finger is: grabbing doesn't
///   move it, and there is no jump where an angle wraps.
/// - Fingers share the wheel: each turns it by its own travel divided by the number of fingers down, so that the wheel
///   follows their average. A finger that comes or goes changes nothing.
/// - Motion whose path comes nearer to the centre than `WheelGeometry.deadRadius` has no direction round it and turns
///   nothing; the finger takes hold again beyond.
/// - Past the lock it resists (`WheelSoftStop`), and returns to the lock when let go.
nonisolated public struct WheelModel: Sendable {
  /// The wheel's place. When it changes under a finger, the finger takes hold anew where it is, without a jump.
  public var geometry: WheelGeometry {
    didSet {
      guard geometry != oldValue else { return }
      for index in fingers.indices { fingers[index].last = nil }
    }
  }

  /// The greatest angle to either side in degrees, within 10...3600; 450 by default, one and a quarter turns. Values
  /// outside are clamped, NaN changes nothing. A wheel beyond a new lock moves to it at once.
  public var lock: Double {
    get { stop.lock }
    set {
      guard !newValue.isNaN else { return }
      stop = WheelSoftStop(lock: min(max(newValue, 10), 3600))
      angle = min(max(angle, -lock), lock)
      travel = angle
    }
  }

  /// Whether the wheel returns to the centre when let go, as a real one does on the road; otherwise it stays, or returns to
  /// the lock if it was past it.
  public var springsBack = true
  /// The spring that returns it.
  public var spring = WheelSpring()

  /// The angle in degrees, clockwise (right) positive; past the lock by at most `WheelSoftStop.give` while held there.
  public private(set) var angle = 0.0

  /// The fingers' travel that gave the angle; differs from it only past the lock.
  private var travel = 0.0
  private var stop = WheelSoftStop(lock: 450)
  private var fingers: [Finger] = []
  private var motion: Motion?
  private var keyDirection = 0.0
  private var samples = VelocitySamples()

  private struct Finger: Sendable {
    var id: TouchID
    /// The finger from the centre when last seen; nil when it has to take hold anew.
    var last: Point?
  }

  /// How the wheel moves by itself, as a function of time.
  private enum Motion: Sendable {
    /// The spring pulls to `target` since `start`.
    case returning(start: MonotonicTime, target: Double, distance: Double, velocity: Double)
    /// A key turns it since `start`.
    case driven(start: MonotonicTime, from: Double)
  }

  /// A straight wheel.
  public init(geometry: WheelGeometry = WheelGeometry(size: .zero)) {
    self.geometry = geometry
  }

  /// Where the wheels point: -1 (fully left) to 1 (fully right).
  public var steering: Double { min(max(angle / lock, -1), 1) }

  /// True while a finger holds the wheel.
  public var isHeld: Bool { !fingers.isEmpty }

  /// True while the wheel moves by itself, so that frames are due.
  public var isMoving: Bool { motion != nil }

  // MARK: Fingers

  /// A finger takes hold at `point` (from the control's top left corner): the wheel stops at the angle last shown, which may
  /// be ahead of the event's time. A point that isn't finite, or a finger that already holds, changes nothing.
  public mutating func grab(_ id: TouchID, at point: Point, time: MonotonicTime) {
    guard point.isFinite, !fingers.contains(where: { $0.id == id }) else { return }
    if fingers.isEmpty {
      motion = nil
      travel = stop.travel(forAngle: angle)
      samples.removeAll()
      samples.add(travel, at: time)
    }
    fingers.append(Finger(id: id, last: point - geometry.center))
  }

  /// A finger that holds the wheel moved to `point`. True when that turned the wheel; fingers that don't hold it, and
  /// points that aren't finite, change nothing.
  @discardableResult
  public mutating func move(_ id: TouchID, to point: Point, time: MonotonicTime) -> Bool {
    guard point.isFinite, let index = fingers.firstIndex(where: { $0.id == id }) else { return false }
    let here = point - geometry.center
    defer { fingers[index].last = here }
    guard let last = fingers[index].last else { return false }
    travel = stop.limited(travel + degreesRound(from: last, to: here) / Double(fingers.count))
    samples.add(travel, at: time)
    let turned = stop.angle(forTravel: travel)
    guard turned != angle else { return false }
    angle = turned
    return true
  }

  /// A finger left the wheel; with the last one the wheel is let go with the speed that it has.
  public mutating func lift(_ id: TouchID, time: MonotonicTime) {
    guard let index = fingers.firstIndex(where: { $0.id == id }) else { return }
    fingers.remove(at: index)
    if fingers.isEmpty { letGo(velocity: samples.velocity(at: time), time: time) }
  }

  /// The fingers and keys were taken away: the wheel is let go without speed.
  public mutating func cancel(time: MonotonicTime) {
    guard isHeld || keyDirection != 0 else { return }
    keyDirection = 0
    fingers.removeAll()
    letGo(velocity: 0, time: time)
  }

  // MARK: Keys and code

  /// Degrees per second that a held key turns the wheel after `keyRamp` seconds.
  static let keySpeed = 300.0
  /// Seconds in which a held key comes to its speed, so that a tap is a small correction.
  static let keyRamp = 0.25

  /// Turns the wheel steadily for as long as a key is held: `direction` -1 left, 1 right, 0 lets go. Fingers on the wheel are
  /// stronger; the key takes over when the last one leaves.
  public mutating func steer(direction: Double, time: MonotonicTime) {
    guard !direction.isNaN else { return }
    let sign = direction == 0 ? 0 : (direction < 0 ? -1.0 : 1.0)
    guard sign != keyDirection else { return }
    let velocity = velocity(at: time)
    keyDirection = sign
    if !isHeld { letGo(velocity: velocity, time: time) }
  }

  /// Code chooses the angle, clamped to the lock; NaN changes nothing. It ends the wheel's own motion; fingers on the wheel
  /// go on turning from there. True when the angle changed.
  @discardableResult
  public mutating func set(angle newAngle: Double) -> Bool {
    guard !newAngle.isNaN else { return false }
    let clamped = min(max(newAngle, -lock), lock)
    motion = nil
    travel = clamped
    samples.removeAll()
    guard clamped != angle else { return false }
    angle = clamped
    return true
  }

  // MARK: Time

  /// Moves the wheel's own motion on to `time`; true when the angle changed. After the motion ended the angle is exactly its
  /// target's.
  @discardableResult
  public mutating func advance(to time: MonotonicTime) -> Bool {
    guard let motion else { return false }
    let old = angle
    switch motion {
    case .returning(let start, let target, let distance, let velocity):
      let now = spring.state(after: (time - start).inSeconds, distance: distance, velocity: velocity)
      if abs(now.distance) < 0.05, abs(now.velocity) < 1 {
        angle = target
        self.motion = nil
      } else {
        angle = min(max(target + now.distance, -stop.maximumAngle), stop.maximumAngle)
      }
    case .driven(let start, let from):
      let t = max((time - start).inSeconds, 0)
      let ramp = WheelModel.keyRamp
      let turned = WheelModel.keySpeed * (t < ramp ? t * t / (2 * ramp) : t - ramp / 2)
      angle = from + keyDirection * turned
      if angle * keyDirection >= lock {
        angle = lock * keyDirection
        self.motion = nil
      }
    }
    travel = stop.travel(forAngle: angle)
    return angle != old
  }

  /// The speed of the wheel's own motion in degrees per second.
  func velocity(at time: MonotonicTime) -> Double {
    switch motion {
    case nil: return 0
    case .returning(let start, _, let distance, let velocity):
      return spring.state(after: (time - start).inSeconds, distance: distance, velocity: velocity).velocity
    case .driven(let start, _):
      return keyDirection * WheelModel.keySpeed * min(max((time - start).inSeconds, 0) / WheelModel.keyRamp, 1)
    }
  }

  /// Nothing holds the wheel: a held key drives it, or the spring returns it, or it stays.
  private mutating func letGo(velocity: Double, time: MonotonicTime) {
    let target = springsBack ? 0 : min(max(angle, -lock), lock)
    if keyDirection != 0 {
      motion = angle * keyDirection < lock ? .driven(start: time, from: angle) : nil
    } else if target != angle || (springsBack && velocity != 0) {
      let kept = springsBack ? velocity : 0
      motion = .returning(start: time, target: target, distance: angle - target, velocity: kept)
    } else {
      motion = nil
    }
  }

  /// The degrees that a finger travelled round the centre, from -180 to 180; 0 when its path came too near to it.
  private func degreesRound(from a: Point, to b: Point) -> Double {
    let path = b - a
    let length = path.x * path.x + path.y * path.y
    guard length > 0 else { return 0 }
    let nearest = min(max(-(a.x * path.x + a.y * path.y) / length, 0), 1)
    let distance = Point(x: a.x + path.x * nearest, y: a.y + path.y * nearest).distance(to: .zero)
    guard distance >= geometry.deadRadius, distance > 0 else { return 0 }
    return Controls.angle(x: a.x * b.x + a.y * b.y, y: a.x * b.y - a.y * b.x) * 180 / .pi
  }
}
