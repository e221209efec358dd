/// A car that accelerates by its throttle, is braked in neutral, and comes to rest exactly.
///
/// Time advances in steps of `step`, independent of frames, so that the same inputs give the same drive on every machine.
nonisolated struct VehicleModel: Equatable, Sendable {
  /// The length of a time step in seconds.
  static let step = 1.0 / 120
  /// The maximum time of one call, in seconds: after a stall the car continues without a leap.
  static let longestAdvance = 0.25

  /// The engine's push at full throttle in m/s².
  static let enginePush = 6.0
  /// The reverse gear's push in m/s².
  static let reversePush = 2.0
  /// The brake's pull in m/s², in neutral and against the direction of travel.
  static let brakePull = 7.0
  /// The drag in m/s² per m/s, and per (m/s)²: full throttle ends at 50 m/s (180 km/h), a tenth of it at 9.5 m/s.
  static let linearDrag = 0.05
  static let quadraticDrag = 0.0014
  /// The greatest speed backwards in m/s (about 14 km/h).
  static let reverseLimit = 4.0
  /// Below this change of speed per step a drive counts as steady: 0.00005 m/s is 0.02 km/h each second.
  private static let steady = 0.00005

  /// The speed in m/s; negative is backwards. Exactly 0 at rest.
  private(set) var speed = 0.0
  /// The time that passed but doesn't fill a step yet, in seconds.
  private var rest = 0.0

  /// The speed in km/h, without sign.
  var kilometresPerHour: Double { abs(speed) * 3.6 }

  /// True when the speed would not change under `throttle`: an app then needs no frames.
  func isSettled(under throttle: Double) -> Bool { nextSpeed(under: Self.limited(throttle)) == speed }

  /// Advances time by `seconds`. Negative, infinite and NaN values are ignored, and no call advances by more than
  /// `longestAdvance`.
  ///
  /// - Parameter throttle: -1 (reverse) through 0 (stop) to 1 (fastest); values outside are clamped, NaN counts as 0: it stops.
  mutating func advance(by seconds: Double, throttle: Double) {
    guard seconds > 0, seconds.isFinite, !isSettled(under: throttle) else { return }
    rest += min(seconds, VehicleModel.longestAdvance)
    while rest >= VehicleModel.step - 1e-9 {
      rest = max(0, rest - VehicleModel.step)
      speed = nextSpeed(under: Self.limited(throttle))
    }
  }

  private func nextSpeed(under throttle: Double) -> Double {
    let braked = (throttle >= 0 && speed < 0) || (throttle <= 0 && speed > 0)
    if braked {
      let pull = (VehicleModel.brakePull + drag(at: speed)) * VehicleModel.step
      return speed > 0 ? max(0, speed - pull) : min(0, speed + pull)
    }
    let push = throttle * (throttle < 0 ? VehicleModel.reversePush : VehicleModel.enginePush)
    let pull = speed < 0 ? -drag(at: speed) : drag(at: speed)
    let change = (push - pull) * VehicleModel.step
    guard abs(change) >= VehicleModel.steady else { return speed }
    return max(speed + change, -VehicleModel.reverseLimit)
  }

  /// The drag in m/s², never negative.
  private func drag(at speed: Double) -> Double {
    VehicleModel.linearDrag * abs(speed) + VehicleModel.quadraticDrag * speed * speed
  }

  private static func limited(_ throttle: Double) -> Double { throttle.isNaN ? 0 : throttle.clamped(to: -1...1) }
}
