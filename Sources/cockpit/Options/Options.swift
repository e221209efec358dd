import CockpitControls
import Controls
import DriveLink
import Shell
import UICore

nonisolated enum ThemeChoice: String, Sendable {
  /// The desktop's preference; dark if it has none.
  case auto
  case dark, light
}

/// The cockpit's options with their defaults.
nonisolated struct Options: Equatable, Sendable {
  enum Action: Equatable, Sendable {
    case run
    case showHelp
    case showVersion
    /// Print the compositor's globals.
    case showInfo
    /// Check this layout file.
    case check(String)
    /// Write the settings into the configuration file.
    case saveConfiguration
  }

  var action = Action.run
  var size = Size(width: 1280, height: 720)
  /// The scale to draw at instead of the compositor's; nil follows the compositor.
  var scale: Scale?
  var isFullscreen = false
  var role = WindowRole.window
  /// The initial gear; nil leaves it to the scene.
  var gear: Gear?
  /// The initial angle of the steering wheel in degrees, right positive; nil leaves it to the scene.
  var steeringDegrees: Double?
  /// Whether the beacon pulses; nil leaves it on.
  var showsBeacon: Bool?
  /// Light, dark, or the desktop's choice.
  var theme = ThemeChoice.auto
  /// The layout file to show; nil shows the cockpit's own scene.
  var scene: String?
  var watchesScene = false
  /// The file for an image of the first frame, written instead of opening a window.
  var screenshot: String?
  var dumpsTree = false
  /// The number of frames after which to exit; nil runs until closed.
  var frames: Int?
  var measuresLatency = false
  var playsDemo = false
  /// The path of the vehicle's file, what it says once it was read, and its options that take effect.
  var vehicle: String?
  var vehicleFile: VehicleFile?
  var vehicleSettings: SettingsFile?
  /// The receiver of the drive's lines; nil to send none.
  var receiver: DriveEndpoint?
  var driveRate = 30
  /// The throttle of the highest gear, and that of R.
  var limit = 1.0
  var reverseLimit = 1.0
  /// The seconds that throttle takes to rise from 0 to 1.
  var ramp = 0.0
  /// The steering's offset and its curve.
  var trim = 0.0
  var expo = 0.0
  var shaping: DriveShaping {
    DriveShaping(limit: limit, reverseLimit: reverseLimit, ramp: ramp, trim: trim, expo: expo)
  }
  var throttle = Throttle.gears

  enum Throttle: String, Sendable {
    /// Each gear commands its fraction of the highest gear's throttle.
    case gears
    /// The finger's position between the gears commands the throttle.
    case lever
  }
  /// The time without an event of a held control that counts as a loss of input; nil for no limit.
  var vigilance: Duration?
  /// True if lever and wheel are obeyed only while they are held; nil enables this if lines are sent to a vehicle.
  var deadMan: Bool?
  /// True when lever and wheel are obeyed only while they are held, with the default filled in.
  var hasDeadMan: Bool { deadMan ?? (receiver != nil) }
  /// The time that the compositor may take to answer while a vehicle is commanded.
  var answerLimit = Duration.milliseconds(300)
  /// The longest time until the consumer has answered a line, once it has answered one.
  var linkLimit = Duration.milliseconds(500)
  /// The source of telemetry that `--telemetry` names; nil without that option.
  var telemetry: DriveEndpoint?
  /// The source of a vehicle's telemetry: the named one, otherwise a driven bridge; nil if there is neither.
  var telemetrySource: DriveEndpoint? {
    if let telemetry { return telemetry }
    if case .bridge = receiver { return receiver }
    return nil
  }
  /// Whether the driver is told of the battery and the Wi-Fi of this machine.
  var showsMachine = true
  /// The cameras whose picture is shown, the first at the start; empty for none.
  var video: [VideoChoice] = []
  var videoView = VideoMode.full
  /// The greatest age of a picture that is driven by.
  var videoLimit = Duration.milliseconds(400)
  var videoStamps = VideoFreshness.Stamps.ages
  var record: String?
  var replay: String?
  /// True to play a record as fast as possible instead of in its own time; nil plays it fast only without a window.
  var replaysFast: Bool?
  var hidesWindow = false
  /// The time to try reconnecting after each loss of the compositor, in seconds; nil for no limit, 0 to exit at once.
  var reconnectSeconds: Double?
  var keepsRunning = false
  /// The sensor whose tilt steers, if any.
  var tilt = Tilt.off

  enum Tilt: Equatable, Sendable {
    case off
    /// The accelerometer that moves with the screen.
    case on
    /// The accelerometer in this sysfs directory.
    case device(String)
  }
  /// The gamepads that drive, if any.
  var gamepad = Gamepad.off

  enum Gamepad: Equatable, Sendable {
    case off
    /// All gamepads and wheels that there are.
    case auto
    /// The device of this file.
    case file(String)
    /// Those whose name has this part, in any case.
    case named(String)
  }
  /// The messages to log, such as "frame:debug,input"; nil leaves it to the environment.
  var log: String?

  /// The selected configuration file, which may be missing, and its options that take effect; nil if none is selected.
  var settingsFile: SettingsFile?
  var configuration = ConfigurationChoice.own

  enum ConfigurationChoice: Equatable, Sendable {
    /// The file in the user's own directory, if it exists.
    case own
    case none
    /// This file, which must exist unless `--save-config` creates it.
    case file(String)
  }

  /// The greatest side of a window in points and in pixels: cairo and many compositors accept no larger buffers of 32-bit
  /// pixels.
  static let greatestSide = 32767
  static let gearCount = 10
  /// The steering wheel's lock to either side in degrees.
  static let greatestSteering = 450.0
}
