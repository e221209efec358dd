/// A command to the vehicle.
///
/// The values are whole steps of a line's precision, so that two commands are equal exactly when their lines are.
public struct DriveCommand: Hashable, Sendable {
  /// The lever: -1 is R, 0 is N, 1 and more are the forward gears.
  public let gear: Int
  /// The throttle in thousandths, -1000 (reverse) through 0 to 1000 (the highest gear).
  let throttleSteps: Int32
  /// The steering in ten-thousandths, -10000 (left) to 10000 (right).
  let steeringSteps: Int32
  /// True while the horn sounds.
  public let horn: Bool
  /// True while a user holds the lever or the wheel, by a finger or a key.
  public let isHeld: Bool

  /// Neutral, straight, silent and not held: the command while no hand drives.
  public static let neutral = DriveCommand(gear: 0, throttle: 0, steering: 0)

  /// Creates a command. Numbers outside of their ranges are clamped. In N the throttle is 0, in R never positive, in a forward
  /// gear never negative, so lever and throttle cannot contradict each other. NaN makes the command neutral (throttle) or
  /// straight (steering).
  public init(gear: Int, throttle: Double, steering: Double, horn: Bool = false, isHeld: Bool = false) {
    let gear = throttle.isNaN ? 0 : min(max(gear, -1), 99)
    let range: ClosedRange<Double> = gear < 0 ? -1...0 : gear == 0 ? 0...0 : 0...1
    self.gear = gear
    throttleSteps = DriveCommand.steps(throttle, in: range, perUnit: 1000)
    steeringSteps = DriveCommand.steps(steering, in: -1...1, perUnit: 10000)
    self.horn = horn
    self.isHeld = isHeld
  }

  func with(throttle: Double) -> DriveCommand {
    DriveCommand(gear: gear, throttle: throttle, steering: steering, horn: horn, isHeld: isHeld)
  }

  private static func steps(_ value: Double, in range: ClosedRange<Double>, perUnit: Double) -> Int32 {
    guard !value.isNaN else { return 0 }
    return Int32((min(max(value, range.lowerBound), range.upperBound) * perUnit).rounded())
  }

  /// The throttle, -1 (reverse) through 0 to 1 (the highest gear).
  public var throttle: Double { Double(throttleSteps) / 1000 }
  /// The steering, -1 (left) to 1 (right).
  public var steering: Double { Double(steeringSteps) / 10000 }
  /// True in N, where the brake holds.
  public var brake: Bool { gear == 0 }
  /// True if the command moves nothing: in N, straight, and not held.
  public var isReady: Bool { gear == 0 && steeringSteps == 0 && !isHeld }
}

/// The state of control over the vehicle; the raw value appears in lines.
public enum DriveState: String, CaseIterable, Sendable {
  /// No hand drives yet, and no input was lost: neutral and straight.
  case ready
  /// A user or a latched lever drives.
  case driving
  /// Driving stopped because input was lost: neutral and straight until a new touch.
  case safe
}

/// The reason for a line's state; the raw value appears in lines.
public enum DriveReason: String, CaseIterable, Sendable {
  /// No reason: nothing was lost.
  case none
  /// The cockpit has just started.
  case start
  /// The emergency stop was released by hand.
  case released
  /// The last finger or key was released, under the dead-man's switch.
  case lift
  /// The compositor cancelled the touches for a gesture.
  case touchCancelled = "touch-cancelled"
  /// The touchscreen, mouse, keyboard or gamepad that drove was removed.
  case deviceLost = "device-lost"
  /// The keyboard's focus left the window with driving keys held, or another window is in use while a gamepad is held.
  case keyboardLeft = "keyboard-left"
  /// The window is not visible: hidden, suspended, or the display is off.
  case hidden
  /// The compositor keeps the connection open but does not answer.
  case compositorFrozen = "compositor-frozen"
  /// The compositor is gone or closed the connection.
  case compositorLost = "compositor-lost"
  /// SIGINT, SIGTERM or SIGHUP.
  case terminated
  /// The window was closed.
  case closed
  /// The user interface did not answer for 200 ms.
  case loopHung = "loop-hung"
  /// The tilt sensor is gone.
  case sensorLost = "sensor-lost"
  /// The gear on the screen was not the gear commanded.
  case displayFault = "display-fault"
  /// The consumer of the lines is gone, refuses them, or reads none.
  case linkLost = "link-lost"
  /// A file or the inspector changed what lever and wheel command.
  case sceneChanged = "scene-changed"
  /// The screen was rotated or changed its mode, so a finger's position means something else.
  case screenTurned = "screen-turned"
  /// The machine was suspended.
  case suspended
  /// A held control sent no event for the time that `--vigilance` allows.
  case inputSilent = "input-silent"
  /// The consumer's answers come too late.
  case linkSlow = "link-slow"
  /// Another cockpit drives the vehicle.
  case taken
  /// The picture of the vehicle's camera is too old, cannot be decoded, repeats, or is gone.
  case videoStale = "video-stale"
  /// The emergency stop was pressed; it latches until it is released deliberately.
  case emergencyStop = "emergency-stop"

  /// The reasons of `DriveState.safe`.
  public static let losses = allCases.filter { ![.none, .start, .released].contains($0) }

  /// The rank of a reason, 0 to 5; of several reasons the highest-ranking one is reported. The program's end ranks highest.
  var severity: Int {
    switch self {
    case .none, .start, .released: 0
    case .lift, .touchCancelled, .deviceLost, .keyboardLeft, .sensorLost, .sceneChanged, .screenTurned, .inputSilent: 1
    case .hidden, .compositorFrozen, .loopHung, .displayFault, .linkLost, .suspended, .linkSlow, .taken,
      .videoStale:
      2
    case .compositorLost: 3
    case .emergencyStop: 4
    case .terminated, .closed: 5
    }
  }
}
