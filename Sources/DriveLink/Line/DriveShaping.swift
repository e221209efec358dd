import UICore

/// The shaping of lever and wheel values for lines: limits, a ramp, a steering curve and a trim.
///
/// Neutral stays neutral, and the centre stays 0 while no hand commands. docs/drive.md says what a consumer must expect.
public struct DriveShaping: Hashable, Sendable {
  /// The throttle of the highest gear, 0.05 to 1; the other gears are scaled in proportion.
  public let limit: Double
  /// The same in R.
  public let reverseLimit: Double
  /// The time that throttle takes to rise from 0 to 1, 0 to 30 seconds. It falls at once.
  public let ramp: Duration
  /// A steering offset, -0.2 (left) to 0.2, while anything is commanded.
  public let trim: Double
  /// The resolution around the centre, 0 (linear) to 1 (cubic).
  public let expo: Double

  /// The allowed limits.
  public static let limits = 0.05...1
  /// The allowed ramps, in seconds.
  public static let ramps = 0.0...30
  /// The allowed trims.
  public static let trims = -0.2...0.2
  /// The allowed curves.
  public static let expos = 0.0...1

  /// Lever and wheel as they are.
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

  /// The command that lever and wheel mean, once the ramp is over.
  func shaped(_ command: DriveCommand) -> DriveCommand {
    guard self != .none else { return command }
    let steering = command.steering
    let curved = steering * (1 - expo) + steering * steering * steering * expo
    return DriveCommand(
      gear: command.gear, throttle: command.throttle * (command.gear < 0 ? reverseLimit : limit),
      steering: curved + trim, horn: command.horn, isHeld: command.isHeld)
  }

  /// The throttle on its way from `start` to `goal`, after `time`: it rises by the ramp, from 0 if it changes direction, and
  /// falls at once.
  func throttle(from start: Double, to goal: Double, over time: Duration) -> Double {
    guard ramp > .zero else { return goal }
    let begun = start * goal > 0 ? start.magnitude : 0
    let reached = begun + Double(max(time, .zero).inNanoseconds) / Double(ramp.inNanoseconds)
    return goal < 0 ? max(goal, -reached) : min(goal, reached)
  }
}
