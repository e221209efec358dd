import Glibc
import UICore

/// A steering wheel turned by fingers: any number of turns up to a lock, by any number of fingers.
///
/// - The wheel turns by the angle that a finger travels round the centre, never by where the finger is: grabbing doesn't
///   move it, and there is no jump where an angle wraps.
/// - Fingers share the wheel: each turns it by its own travel divided by the number of fingers down, so that the wheel
///   follows their average. A finger that comes or goes changes nothing.
/// - Motion whose path comes nearer to the centre than `WheelGeometry.deadRadius` turns nothing, because its direction round
///   the centre is uncertain. The finger takes hold again outside that radius.
/// - Past the lock it resists (`WheelSoftStop`), and returns to the lock when let go.
nonisolated public struct WheelModel: Sendable {
  /// The wheel's geometry. If it changes under a finger, the finger takes hold again where it is, without a jump.
  public var geometry: WheelGeometry {
    didSet {
      guard geometry != oldValue else { return }
      for index in fingers.indices { fingers[index].last = nil }
    }
  }

  /// The greatest angle to either side in degrees, within 10...3600; 450 by default, one and a quarter turns. Values outside are
  /// clamped, NaN changes nothing. A wheel past a new lock moves to it at once.
  public var lock: Double {
    get { stop.lock }
    set {
      guard !newValue.isNaN else { return }
      stop = WheelSoftStop(lock: newValue.clamped(to: 10...3600))
      let clamped = angle.clamped(to: -lock...lock)
      if clamped != angle { (angle, origin) = (clamped, .code) }
      travel = angle
    }
  }

  /// Whether the wheel returns to the centre when released, as a real one does on the road; otherwise it stays, or returns to
  /// the lock if it was past it.
  public var springsBack = true

  /// The angle in degrees, clockwise (right) positive; past the lock by at most `WheelSoftStop.give` while held there.
  public private(set) var angle = 0.0
  /// Who turned the wheel to where it is.
  public private(set) var origin = ValueOrigin.rest

  /// The fingers' travel that gave `angle`; the two differ only past the lock.
  private var travel = 0.0
  private var stop = WheelSoftStop(lock: 450)
  private var fingers: [Finger] = []
  private var samples = VelocityTracker(maximum: 3000)

  private struct Finger: Sendable {
    var id: TouchID
    /// The finger's last known position relative to the centre; nil if it must take hold again.
    var last: Point?
    /// Whose finger it is.
    var hand: Hand?
  }

  /// A straight wheel.
  public init(geometry: WheelGeometry = WheelGeometry(size: .zero)) {
    self.geometry = geometry
  }

  /// The steering position: -1 (fully left) to 1 (fully right).
  public var steering: Double { (angle / lock).clamped(to: -1...1) }

  /// True while a finger holds the wheel.
  public var isHeld: Bool { !fingers.isEmpty }

  // MARK: Fingers

  /// A finger takes hold at `point` (from the control's top left corner). The wheel stops at the angle last shown, which may be
  /// ahead of the event's time. A point that is not finite, or a finger that already holds, changes nothing. `hand` is whose finger it is, nil
  /// without the proof of a device.
  public mutating func grab(_ id: TouchID, at point: Point, time: MonotonicTime, by hand: Hand? = nil) {
    guard point.isFinite, !fingers.contains(where: { $0.id == id }) else { return }
    if fingers.isEmpty {
      travel = stop.travel(forAngle: angle)
      samples.removeAll()
      samples.add(Point(x: travel, y: 0), at: time)
    }
    fingers.append(Finger(id: id, last: point - geometry.center, hand: hand))
  }

  /// A finger that holds the wheel moved to `point`. Returns true if that turned the wheel. Fingers that do not hold it, and
  /// points that are not finite, change nothing.
  @discardableResult
  public mutating func move(_ id: TouchID, to point: Point, time: MonotonicTime) -> Bool {
    guard point.isFinite, let index = fingers.firstIndex(where: { $0.id == id }) else { return false }
    let here = point - geometry.center
    defer { fingers[index].last = here }
    guard let last = fingers[index].last else { return false }
    travel = stop.limited(travel + degreesRound(from: last, to: here) / Double(fingers.count))
    samples.add(Point(x: travel, y: 0), at: time)
    let turned = stop.angle(forTravel: travel)
    guard turned != angle else { return false }
    // Each finger has its share of the angle.
    (angle, origin) = (turned, .input(fingers.allSatisfy { $0.hand != nil } ? fingers[index].hand : nil))
    return true
  }

  /// A finger was lifted from the wheel. After the last one the wheel is released with its speed; returns how it swings on.
  public mutating func lift(_ id: TouchID, time: MonotonicTime) -> Swing? {
    release(id, velocity: samples.velocity(at: time).x)
  }

  /// A finger was cancelled. After the last one the wheel is released without speed; returns how it swings on.
  public mutating func cancel(_ id: TouchID) -> Swing? { release(id, velocity: 0) }

  private mutating func release(_ id: TouchID, velocity: Double) -> Swing? {
    guard let index = fingers.firstIndex(where: { $0.id == id }) else { return nil }
    fingers.remove(at: index)
    return isHeld ? nil : swing(velocity: velocity)
  }

  // MARK: Let go, and code

  /// The motion of a released wheel: a spring brings it to `goal`, beginning with `velocity`.
  public struct Swing: Hashable, Sendable {
    /// The angle of rest, in degrees.
    public var goal: Double
    /// The speed at release, in degrees per second.
    public var velocity: Double
  }

  /// The swing of a wheel released with `velocity` (degrees per second): to the centre with `springsBack`, to the lock from
  /// past it; nil if it stays.
  public func swing(velocity: Double) -> Swing? {
    if springsBack { return angle == 0 && velocity == 0 ? nil : Swing(goal: 0, velocity: velocity) }
    return abs(angle) > lock ? Swing(goal: angle < 0 ? -lock : lock, velocity: 0) : nil
  }

  /// A spring moves the wheel to `newAngle`, which the soft stop limits; no effect while a finger holds the wheel. `origin` is who draws the
  /// spring, nil for whoever let the wheel go. Returns true if the angle changed.
  @discardableResult
  public mutating func swing(to newAngle: Double, by origin: ValueOrigin? = nil) -> Bool {
    guard !isHeld, !newAngle.isNaN else { return false }
    return show(newAngle.clamped(to: -stop.maximumAngle...stop.maximumAngle), by: origin ?? self.origin)
  }

  /// A gamepad turns the wheel to `newAngle`, clamped to the lock; no effect while a finger holds the wheel, or for NaN. `newOrigin` is whose hand it
  /// is. Returns true if the angle changed.
  @discardableResult
  public mutating func turn(to newAngle: Double, by newOrigin: ValueOrigin) -> Bool {
    guard !isHeld, !newAngle.isNaN else { return false }
    samples.removeAll()
    return show(newAngle.clamped(to: -lock...lock), by: newOrigin)
  }

  /// Code chooses the angle, clamped to the lock; NaN changes nothing. Fingers on the wheel continue from there. Returns true
  /// if the angle changed.
  @discardableResult
  public mutating func set(angle newAngle: Double) -> Bool {
    guard !newAngle.isNaN else { return false }
    samples.removeAll()
    return show(newAngle.clamped(to: -lock...lock), by: .code)
  }

  /// Puts the wheel straight, as it began. Returns true if the angle changed.
  @discardableResult
  public mutating func straighten() -> Bool {
    samples.removeAll()
    defer { origin = .rest }
    return show(0, by: .rest)
  }

  private mutating func show(_ newAngle: Double, by newOrigin: ValueOrigin) -> Bool {
    travel = stop.travel(forAngle: newAngle)
    guard newAngle != angle else { return false }
    (angle, origin) = (newAngle, newOrigin)
    return true
  }

  /// The degrees that a finger travelled round the centre, from -180 to 180; 0 if its path came too near to the centre.
  private func degreesRound(from a: Point, to b: Point) -> Double {
    let path = b - a
    let length = path.x * path.x + path.y * path.y
    guard length > 0 else { return 0 }
    let nearest = (-(a.x * path.x + a.y * path.y) / length).clamped(to: 0...1)
    let distance = Point(x: a.x + path.x * nearest, y: a.y + path.y * nearest).distance(to: .zero)
    guard distance >= geometry.deadRadius, distance > 0 else { return 0 }
    return atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y) * 180 / .pi
  }
}

/// A stop that feels like growing resistance instead of a wall: past the lock the wheel yields less and less.
///
/// Up to the lock the angle equals the travel. Past it, `e` degrees of travel turn the wheel by `give * e / (e + give)`: at
/// first as easily as before, but always by less than `give` degrees. After `slip` degrees the hand slips on the rim, so that
/// turning back takes effect within `slip` degrees, however far the hand continued.
nonisolated public struct WheelSoftStop: Hashable, Sendable {
  /// The greatest angle at rest to either side, in degrees.
  public let lock: Double

  /// The limit of the angle past the lock, in degrees.
  public static let give = 24.0
  /// The greatest travel past the lock that counts, in degrees.
  public static let slip = 96.0

  /// A stop at `lock` degrees, which must be finite and positive.
  init(lock: Double) {
    self.lock = lock
  }

  /// The greatest angle that any travel gives.
  public var maximumAngle: Double { angle(forTravel: lock + WheelSoftStop.slip) }

  /// `travel` without its part beyond `slip`.
  public func limited(_ travel: Double) -> Double {
    travel.clamped(to: -lock - WheelSoftStop.slip...lock + WheelSoftStop.slip)
  }

  /// The angle that the wheel shows.
  public func angle(forTravel travel: Double) -> Double {
    let excess = abs(limited(travel)) - lock
    guard excess > 0 else { return travel }
    let size = lock + WheelSoftStop.give * excess / (excess + WheelSoftStop.give)
    return travel < 0 ? -size : size
  }

  /// The travel that gives `angle`, from which a hand continues that grabs a wheel past its lock.
  public func travel(forAngle angle: Double) -> Double {
    let excess = abs(angle) - lock
    guard excess > 0 else { return angle }
    let inside = min(excess, maximumAngle - lock)
    let size = lock + inside * WheelSoftStop.give / (WheelSoftStop.give - inside)
    return angle < 0 ? -size : size
  }
}
