import Controls
import DriveLink
import UICore

/// Which theme to show.
nonisolated enum ThemeChoice: String, Sendable {
  /// As the desktop says, and dark where it says nothing.
  case auto
  case dark, light
}

/// The cockpit's options with their defaults.
nonisolated struct Options: Equatable, Sendable {
  /// What the program is asked to do.
  enum Action: Equatable, Sendable {
    case run
    case showHelp
    case showVersion
    /// To say what the compositor offers.
    case showInfo
    /// To say whether this layout file is good.
    case check(String)
  }

  var action = Action.run
  /// The window's size in logical points.
  var size = Size(width: 1280, height: 720)
  /// True when the size was asked for, not the default.
  var hasChosenSize = false
  /// The scale to draw at instead of the compositor's; nil follows it.
  var scale: Scale?
  var isFullscreen = false
  /// The gear to begin in; nil leaves it to the scene.
  var gear: Gear?
  /// The steering wheel's angle to begin with, in degrees, right positive; nil leaves it to the scene.
  var steeringDegrees: Double?
  /// Whether the beacon pulses; nil leaves it to the scene, where it does.
  var showsBeacon: Bool?
  /// Light, dark, or as the desktop says.
  var theme = ThemeChoice.auto
  /// The layout file to show; nil shows the cockpit's own scene.
  var scene: String?
  /// True for the scene that is called `catalogue` instead of by a file's name.
  var showsCatalogue: Bool { scene == Options.catalogueName && !watchesScene }
  /// Whether to show the file again whenever it changes.
  var watchesScene = false
  /// Where to write a picture of the first frame instead of opening a window.
  var screenshot: String?
  /// Whether to print the view tree instead of opening a window.
  var dumpsTree = false
  /// After how many frames to end; nil runs until closed.
  var frames: Int?
  /// Whether to play a scripted drive.
  var playsDemo = false
  /// Where the drive's lines go; nil for nowhere.
  var drive: DriveEndpoint?
  /// The steady lines a second.
  var driveRate = 30
  /// Whether what sends the lines goes before other programs.
  var priority = DrivePriority.normal
  /// Whether lever and wheel are obeyed only while they are held; nil: exactly when there is somebody to drive.
  var deadMan: Bool?
  /// Whether lever and wheel are obeyed only while they are held.
  var hasDeadMan: Bool { deadMan ?? (drive != nil) }
  /// How long the compositor may give no answer while something is commanded.
  var answerLimit = Duration.milliseconds(300)
  /// Where a vehicle's telemetry comes from; nil for the built-in car.
  var telemetry: DriveEndpoint?
  /// The file to write the session to.
  var record: String?
  /// The record to play.
  var replay: String?
  /// Whether a record is played as fast as it goes, not in its own time; nil: exactly when no window shows it.
  var replaysFast: Bool?
  /// Whether a record is played without a window.
  var hidesWindow = false
  /// For how many seconds after each loss of the compositor to try again; nil for ever, 0 not at all.
  var reconnectSeconds: Double?
  /// Whether the scene goes on while nobody sees it.
  var keepsRunning = false
  /// Whether tilting the device steers, and by which sensor.
  var tilt = Tilt.off

  /// What `--tilt` takes.
  enum Tilt: Equatable, Sendable {
    case off
    /// By the accelerometer that moves with the screen.
    case on
    /// By the accelerometer in this folder of sysfs.
    case device(String)
  }
  /// What to log, such as "frame:debug,input"; nil leaves it to the environment.
  var log: String?

  /// The greatest side of a window: buffers of 32-bit pixels end there (cairo's and many compositors' limit).
  static let greatestSide = 32767
  /// The answer limits that may be asked for, in milliseconds.
  static let answerLimits = 100...2000
  /// What `--scene` calls the catalogue.
  static let catalogueName = "catalogue"
  /// The number of the gearbox's forward gears.
  static let gearCount = 10
  /// The steering wheel's lock to either side in degrees.
  static let greatestSteering = 450.0
  /// The longest time to wait for a compositor, in seconds: a day.
  static let longestWait = 86_400.0
  /// The scales that may be asked for.
  static let scales = 0.25...10.0
}
