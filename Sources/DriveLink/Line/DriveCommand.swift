/// A command to the vehicle.
///
/// The values are whole steps of a line's precision, so that two commands are equal exactly when their lines are.
public struct DriveCommand: Hashable, Sendable {
  /// The lever: -1 is R, 0 is N, 1 and more are the forward gears.
  public let gear: Int
  /// In thousandths, -1000 (reverse) through 0 to 1000 (the highest gear).
  let throttleSteps: Int32
  /// In ten thousandths, -10000 (left) to 10000 (right).
  let steeringSteps: Int32
  /// True while the horn sounds.
  public let horn: Bool
  /// True while a person holds the lever or the wheel, by a finger or a key.
  public let isHeld: Bool

  /// Neutral, straight, quiet and not held: the command while nobody drives.
  public static let neutral = DriveCommand(gear: 0, throttle: 0, steering: 0)

  /// A command. Numbers outside of their ranges are clamped. In N the throttle is 0, in R never above it, in a forward gear
  /// never below: lever and throttle can't contradict each other. NaN makes the command neutral (throttle) or straight
  /// (steering).
  public init(gear: Int, throttle: Double, steering: Double, horn: Bool = false, isHeld: Bool = false) {
    let gear = throttle.isNaN ? 0 : min(max(gear, -1), 99)
    let range: ClosedRange<Double> = gear < 0 ? -1...0 : gear == 0 ? 0...0 : 0...1
    self.gear = gear
    throttleSteps = DriveCommand.steps(throttle, in: range, perUnit: 1000)
    steeringSteps = DriveCommand.steps(steering, in: -1...1, perUnit: 10000)
    self.horn = horn
    self.isHeld = isHeld
  }

  /// The same with another throttle.
  func with(throttle: Double) -> DriveCommand {
    DriveCommand(gear: gear, throttle: throttle, steering: steering, horn: horn, isHeld: isHeld)
  }

  private static func steps(_ value: Double, in range: ClosedRange<Double>, perUnit: Double) -> Int32 {
    guard !value.isNaN else { return 0 }
    return Int32((min(max(value, range.lowerBound), range.upperBound) * perUnit).rounded())
  }

  /// -1 (reverse) through 0 to 1 (the highest gear).
  public var throttle: Double { Double(throttleSteps) / 1000 }
  /// -1 (left) to 1 (right).
  public var steering: Double { Double(steeringSteps) / 10000 }
  /// True in N, where the brake holds (requirement G4).
  public var brake: Bool { gear == 0 }
  /// True when the command moves nothing: in N, straight, and not held.
  public var isAtRest: Bool { gear == 0 && steeringSteps == 0 && !isHeld }
}

/// The state of control over the vehicle; the raw value is the word in lines.
public enum DriveState: String, CaseIterable, Sendable {
  /// Nobody drives yet, and no input was lost: neutral and straight.
  case ready
  /// A person or a latched lever drives.
  case driving
  /// Nobody drives any more, since input was lost: neutral and straight until a new touch.
  case safe
}

/// The reason of a line's state; the raw value is the word in lines.
public enum DriveReason: String, CaseIterable, Sendable {
  /// No reason: nothing was lost.
  case none
  /// The cockpit has just started.
  case start
  /// The last finger or key was released, with the dead-man's lever.
  case lift
  /// The compositor cancelled the touches, for a gesture of its own.
  case touchCancelled = "touch-cancelled"
  /// The touchscreen, mouse or keyboard that drove is gone.
  case deviceLost = "device-lost"
  /// The keyboard's focus left the window with driving keys held.
  case keyboardLeft = "keyboard-left"
  /// The window can't be seen: hidden, suspended, the display off.
  case hidden
  /// The compositor answers nothing, while its connection stays open.
  case compositorFrozen = "compositor-frozen"
  /// The compositor is gone, or has ended the connection.
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
  /// The consumer of the messages is gone, refuses them, or takes none.
  case linkLost = "link-lost"
  /// A file or the inspector changed what lever and wheel command.
  case sceneChanged = "scene-changed"
  /// The screen turned or changed its mode: a finger's place means something else now.
  case screenTurned = "screen-turned"
  /// The machine was suspended.
  case suspended
  /// No event of a held control came for as long as `--vigilance` allows.
  case inputSilent = "input-silent"
  /// The emergency stop was pressed; it holds until it is released on purpose.
  case emergencyStop = "emergency-stop"

  /// The rank of a reason, 0 to 5: of several the greater one is given. The program's end is the greatest.
  var severity: Int {
    switch self {
    case .none, .start: 0
    case .lift, .touchCancelled, .deviceLost, .keyboardLeft, .sensorLost, .sceneChanged, .screenTurned, .inputSilent: 1
    case .hidden, .compositorFrozen, .loopHung, .displayFault, .linkLost, .suspended: 2
    case .compositorLost: 3
    case .emergencyStop: 4
    case .terminated, .closed: 5
    }
  }
}
