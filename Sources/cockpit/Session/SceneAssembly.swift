import ControlTools
import Controls
import DriveLink
import UICore

/// What a scene works with, in a window as in a replay: its keys, the relay that brings it events, the drive, the display of a vehicle's
/// telemetry, and the scripted drive. Each is made here and nowhere else, so that a record is replayed by the parts that it was recorded with.
struct SceneAssembly {
  let scene: CockpitScene
  let keys: KeyCommands
  let relay: ContentRelay
  /// Nil without `--gamepad`.
  let gamepad: GamepadCommands?
  /// Nil if the options name no receiver and the dead-man's switch is off.
  let output: DriveOutput?
  /// Nil if no telemetry can come.
  let telemetry: TelemetryDisplay?
  /// Nil without `--demo`.
  let demo: DemoDrive?

  /// Makes the parts of `options` around `scene`, whose state is that of the same options. The drive's lines have `identifier` and begin at
  /// `start`. `output` makes the drive of a stream: one that hands command, or one that repeats a record and cannot send.
  init<Failure: Error>(
    _ scene: CockpitScene, _ options: Options, identifier: DriveIdentifier?, start: MonotonicTime,
    output: (DriveStream) throws(Failure) -> DriveOutput
  ) throws(Failure) {
    self.scene = scene
    keys = KeyCommands(scene: scene)
    relay = ContentRelay(scene: scene)
    gamepad = options.gamepad == .off ? nil : GamepadCommands(scene: scene)
    if options.receiver != nil || options.hasDeadMan {
      let made = try output(
        DriveStream(
          rate: options.driveRate, shaping: options.shaping, identifier: identifier,
          channels: options.vehicleFile?.model, at: start))
      relay.parts = [made]
      self.output = made
    } else {
      self.output = nil
    }
    // A consumer that has never told a value may never tell one.
    let isInSight = options.telemetrySource != nil
    telemetry = isInSight || options.receiver != nil ? TelemetryDisplay(scene: scene, isInSight: isInSight) : nil
    demo = options.playsDemo ? DemoDrive(scene: scene) : nil
  }
}

extension CockpitScene {
  /// The scene of `file`, nil for the cockpit's own, as `options` let it begin.
  ///
  /// - Throws: `LayoutFileError` if the file's scene cannot be shown.
  convenience init(_ file: LayoutFile?, _ options: Options) throws(LayoutFileError) {
    if let file { try self.init(file: file) } else { self.init() }
    apply(options)
  }
}
