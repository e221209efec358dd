// The motion of a spring as a function of time: where it is and how fast, at any moment, without steps.
// Knows neither frames nor clocks.

/// How a damped spring pulls a value to its target.
nonisolated public struct WheelSpring: Hashable, Sendable {
  /// The undamped spring's period in seconds, within 0.05...10: the greater, the lazier.
  public let response: Double
  /// 1 returns as fast as it can without passing the target; less passes it. Within 0.1...1.
  public let dampingRatio: Double

  /// A spring; values outside the ranges are clamped, NaN takes the default.
  public init(response: Double = 0.55, dampingRatio: Double = 1) {
    self.response = response.isNaN ? 0.55 : min(max(response, 0.05), 10)
    self.dampingRatio = dampingRatio.isNaN ? 1 : min(max(dampingRatio, 0.1), 1)
  }

  /// The distance from the target and its change per second, `seconds` after the spring was let go at `distance` with
  /// `velocity`.
  public func state(after seconds: Double, distance: Double, velocity: Double) -> (distance: Double, velocity: Double) {
    let t = max(seconds, 0)
    let omega = 2 * .pi / response
    let decay = exponential(-dampingRatio * omega * t)
    guard dampingRatio < 0.999 else {
      let slope = velocity + omega * distance
      return ((distance + slope * t) * decay, (velocity - omega * slope * t) * decay)
    }
    let damped = omega * (1 - dampingRatio * dampingRatio).squareRoot()
    let b = (velocity + dampingRatio * omega * distance) / damped
    let (s, c) = (sine(damped * t), cosine(damped * t))
    return (
      (distance * c + b * s) * decay, (velocity * c - (dampingRatio * omega * b + damped * distance) * s) * decay
    )
  }
}
