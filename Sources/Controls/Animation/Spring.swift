import Glibc

/// A spring that pulls a value to its goal, in closed form: any time can be queried, in any order.
nonisolated public struct Spring: Hashable, Sendable {
  /// The time of one swing without damping, in seconds; smaller is stiffer.
  public let response: Double
  /// 1 comes to rest as fast as possible without passing the goal; less overshoots, more approaches slowly.
  public let dampingRatio: Double

  /// A spring by its feel. `response` is at least 0.01 s, `dampingRatio` 0.05...10; NaN counts as the least.
  public init(response: Double = 0.3, dampingRatio: Double = 1) {
    self.response = response > 0.01 ? min(response, 1000) : 0.01
    self.dampingRatio = dampingRatio > 0.05 ? min(dampingRatio, 10) : 0.05
  }

  /// A value with its speed.
  public struct Motion: Hashable, Sendable {
    /// Where it is, in the value's own unit.
    public var value: Double
    /// Its change per second.
    public var velocity: Double
  }

  /// The motion `time` seconds after starting at `from` with `velocity` per second towards `goal`.
  public func motion(at time: Double, from: Double, to goal: Double, velocity: Double = 0) -> Motion {
    guard time > 0 else { return Motion(value: from, velocity: velocity) }
    let omega = 2 * Double.pi / response
    let offset = from - goal
    let zeta = dampingRatio
    if abs(zeta - 1) < 1e-4 {
      let b = velocity + omega * offset
      let decay = exp(-omega * time)
      return Motion(
        value: goal + (offset + b * time) * decay, velocity: (b - omega * (offset + b * time)) * decay)
    }
    if zeta < 1 {
      let damped = omega * (1 - zeta * zeta).squareRoot()
      let decay = exp(-zeta * omega * time)
      let b = (velocity + zeta * omega * offset) / damped
      let (c, s) = (cos(damped * time), sin(damped * time))
      let value = decay * (offset * c + b * s)
      let change = decay * ((b * damped - zeta * omega * offset) * c - (offset * damped + zeta * omega * b) * s)
      return Motion(value: goal + value, velocity: change)
    }
    let root = omega * (zeta * zeta - 1).squareRoot()
    let (r1, r2) = (-zeta * omega + root, -zeta * omega - root)
    let c2 = (velocity - r1 * offset) / (r2 - r1)
    let c1 = offset - c2
    let (e1, e2) = (exp(r1 * time), exp(r2 * time))
    return Motion(value: goal + c1 * e1 + c2 * e2, velocity: c1 * r1 * e1 + c2 * r2 * e2)
  }

  /// True if `motion` is so near its goal, and so slow, that it may stop: within `tolerance` of the value's own unit, and less
  /// than that in a tenth of a second.
  public func isSettled(_ motion: Motion, at goal: Double, tolerance: Double) -> Bool {
    abs(motion.value - goal) <= tolerance && abs(motion.velocity) * 0.1 <= tolerance
  }
}
