import UICore

/// The shaping of lever and wheel values for lines: limits, a ramp, a steering curve and a trim.
///
/// Neutral stays neutral, and the centre stays 0 while no hand commands. docs/drive.md says what a consumer must expect.
public struct DriveShaping: Hashable, Sendable {
  /// The throttle of the highest gear, 0.05 to 1; the other gears are scaled in proportion.
  public let limit: Double
  /// The magnitude of the throttle in R, 0.05 to 1.
  public let reverseLimit: Double
  /// The time that the throttle takes to rise from 0 to 1, 0 to 30 seconds. The throttle falls at once.
  public let ramp: Duration
  /// A steering offset, -0.2 (left) to 0.2 (right), which applies while anything is commanded.
  public let trim: Double
  /// The steering curve, 0 (linear) to 1 (cubic). A higher value gives a finer resolution around the centre.
  public let expo: Double

  /// The allowed limits.
  public static let limits = 0.05...1
  /// The allowed ramps, in seconds.
  public static let ramps = 0.0...30
  /// The allowed trims.
  public static let trims = -0.2...0.2
  /// The allowed values of `expo`.
  public static let expos = 0.0...1

  /// No shaping: lines contain the values of lever and wheel unchanged.
  public static let none = DriveShaping()

  /// Creates a shaping. Numbers outside of their ranges are clamped; `ramp` is in seconds.
  public init(limit: Double = 1, reverseLimit: Double = 1, ramp: Double = 0, trim: Double = 0, expo: Double = 0) {
    func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
      // NaN becomes the lower bound.
      value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
    }
    self.limit = clamped(limit, DriveShaping.limits)
    self.reverseLimit = clamped(reverseLimit, DriveShaping.limits)
    self.ramp = .nanoseconds(Int64(clamped(ramp, DriveShaping.ramps) * 1e9))
    self.trim = clamped(trim, DriveShaping.trims)
    self.expo = clamped(expo, DriveShaping.expos)
  }

  /// The command for the values of lever and wheel after the ramp.
  func shaped(_ command: DriveCommand) -> DriveCommand {
    guard self != .none else { return command }
    let steering = command.steering
    let curved = steering * (1 - expo) + steering * steering * steering * expo
    return DriveCommand(
      gear: command.gear, throttle: command.throttle * (command.gear < 0 ? reverseLimit : limit),
      steering: curved + trim, horn: command.horn, isHeld: command.isHeld)
  }

  /// The throttle after `time` on its way from `start` to `goal`. It rises along the ramp, from 0 if the direction changes, and
  /// falls at once.
  func throttle(from start: Double, to goal: Double, over time: Duration) -> Double {
    guard ramp > .zero else { return goal }
    let begun = start * goal > 0 ? start.magnitude : 0
    let reached = begun + Double(max(time, .zero).inNanoseconds) / Double(ramp.inNanoseconds)
    return goal < 0 ? max(goal, -reached) : min(goal, reached)
  }
}
