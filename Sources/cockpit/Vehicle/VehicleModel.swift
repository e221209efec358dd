import Glibc

/// A car that accelerates by its throttle, is braked in neutral (G4), and comes to rest exactly.
///
/// Time passes in steps of `step`, independent of frames, so that the same inputs give the same drive on every machine.
nonisolated struct VehicleModel: Equatable, Sendable {
  /// The driver's request.
  struct Input: Equatable, Sendable {
    /// -1 (reverse) through 0 (stop) to 1 (fastest); values outside are clamped, NaN counts as 0: it stops.
    var throttle = 0.0
    /// -1 (left) to 1 (right); values outside are clamped, NaN counts as 0.
    var steering = 0.0
  }

  /// The length of a time step in seconds.
  static let step = 1.0 / 120
  /// The most time that one call passes, in seconds: after a stall the car goes on, it doesn't leap.
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
  /// The distance between the axles in metres.
  static let wheelbase = 2.7
  /// The greatest angle of the front wheels in radians.
  static let steeringAngle = 0.5

  /// The speed in m/s; negative is backwards. Exactly 0 at rest.
  private(set) var speed = 0.0
  /// The direction of travel in degrees, 0 up to 360, clockwise.
  private(set) var heading = 0.0
  /// The distance driven in metres, backwards too.
  private(set) var distance = 0.0
  /// Time that passed but doesn't fill a step yet, in seconds.
  private var rest = 0.0

  /// A car at rest.
  init() {}

  /// The speed in km/h, without sign.
  var kilometresPerHour: Double { abs(speed) * 3.6 }

  /// True when neither speed nor heading would change under `input`: an app then needs no frames. The distance driven goes on;
  /// pass the whole time at once with the same input before the next change.
  func isSettled(under input: Input) -> Bool {
    let input = input.cleaned
    return nextSpeed(under: input) == speed && (speed == 0 || input.steering == 0)
  }

  /// Passes `seconds` of time; true when speed or heading changed. Negative, infinite and NaN pass nothing. A settled car
  /// passes any time at once, any other at most `longestAdvance`.
  @discardableResult
  mutating func advance(by seconds: Double, input: Input) -> Bool {
    guard seconds > 0, seconds.isFinite else { return false }
    let input = input.cleaned
    if isSettled(under: input) {
      distance += abs(speed) * seconds
      return false
    }
    let (oldSpeed, oldHeading) = (speed, heading)
    rest += min(seconds, VehicleModel.longestAdvance)
    while rest >= VehicleModel.step - 1e-9 {
      rest = max(0, rest - VehicleModel.step)
      speed = nextSpeed(under: input)
      distance += abs(speed) * VehicleModel.step
      turn(by: input.steering)
    }
    return speed != oldSpeed || heading != oldHeading
  }

  /// The speed one step later.
  private func nextSpeed(under input: Input) -> Double {
    let braked = (input.throttle >= 0 && speed < 0) || (input.throttle <= 0 && speed > 0)
    if braked {
      let pull = (VehicleModel.brakePull + drag(at: speed)) * VehicleModel.step
      return speed > 0 ? max(0, speed - pull) : min(0, speed + pull)
    }
    let push = input.throttle * (input.throttle < 0 ? VehicleModel.reversePush : VehicleModel.enginePush)
    let pull = speed < 0 ? -drag(at: speed) : drag(at: speed)
    let change = (push - pull) * VehicleModel.step
    guard abs(change) >= VehicleModel.steady else { return speed }
    return max(speed + change, -VehicleModel.reverseLimit)
  }

  /// The drag in m/s², never negative.
  private func drag(at speed: Double) -> Double {
    VehicleModel.linearDrag * abs(speed) + VehicleModel.quadraticDrag * speed * speed
  }

  /// One step of a car whose front wheels point aside (a bicycle's geometry).
  private mutating func turn(by steering: Double) {
    guard speed != 0, steering != 0 else { return }
    let radiansPerSecond = speed * tan(steering * VehicleModel.steeringAngle) / VehicleModel.wheelbase
    let turned = (heading + radiansPerSecond * VehicleModel.step * 180 / .pi).truncatingRemainder(dividingBy: 360)
    heading = turned < 0 ? turned + 360 : turned
    if heading >= 360 { heading = 0 }
  }
}

nonisolated extension VehicleModel.Input {
  /// The same request within its ranges.
  fileprivate var cleaned: VehicleModel.Input {
    func limited(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, -1), 1) }
    return VehicleModel.Input(throttle: limited(throttle), steering: limited(steering))
  }
}
