import ControlTools
import Controls
import Desktop
import Shell
import Tilt
import UICore

/// Shows a scene in a window until it is closed.
final class WindowSession {
  /// The base name of the desktop file (behaviour 34).
  static let applicationID = "io.github.cockpit.Cockpit"

  private let scene: CockpitScene
  private let options: Options
  private let application: Application
  private let keys: KeyCommands
  private let relay: ContentRelay
  /// What is commanded; nil where nothing is.
  let drive: DriveSession?
  private let idle: IdleGuard
  private let desktop: DesktopSettings
  private let telemetry: TelemetrySession?
  private let recorder: Recorder?
  private let watch: DisplayWatch?
  private var demo: DemoDrive?
  private var steady: Observation?
  private var watcher: FileWatcher?
  private var tilt: TiltSteering?
  private var logged: [ActionToken] = []

  /// Connects to the compositor, or shows the scene by an application that is connected already.
  init(scene: CockpitScene, options: Options, application shown: Application? = nil) throws(SessionError) {
    self.scene = scene
    self.options = options
    keys = KeyCommands(scene: scene)
    relay = ContentRelay(scene: scene)
    idle = IdleGuard(scene: scene)
    do {
      application = if let shown { shown } else { try Application() }
    } catch {
      throw .shell(error)
    }
    desktop = DesktopSettings(loop: application.loop)
    desktop.onChange = { [relay] preferences in
      let look = SceneLook(preferences, choice: options.theme)
      relay.perform(.look(look)) { scene.adopt(look) }
    }
    let limit = options.reconnectSeconds.map { Duration.nanoseconds(Int64($0 * 1e9)) }
    application.reconnection = limit == .zero ? .never : .tries(for: limit)
    application.answerLimit = options.answerLimit
    application.onConnectionLoss = { Cockpit.complain($0.text(in: .current) + Language.current.waiting) }
    let start = application.now
    recorder = try WindowSession.record(scene, options, start: start)
    drive = try DriveSession(scene: scene, relay: relay, options: options, loop: application.loop, start: start)
    telemetry = options.telemetry.map { [relay, application] in
      TelemetrySession(from: $0, to: TelemetryDisplay(scene: scene), relay: relay, loop: application.loop)
    }
    watch = if let drive, options.drive != nil { DisplayWatch(scene: scene, session: drive) } else { nil }
    scene.onFault = { Log.write(.app, .error, $0) }
    connectWatchers()
  }

  /// Begins the record that the options ask for.
  private static func record(
    _ scene: CockpitScene, _ options: Options, start: MonotonicTime
  ) throws(SessionError) -> Recorder? {
    guard let path = options.record else { return nil }
    var header = RecordedSession.Header()
    header.start = start
    (header.gear, header.steeringDegrees, header.showsBeacon) = (
      options.gear, options.steeringDegrees, options.showsBeacon
    )
    (header.drives, header.hasDeadMan, header.driveRate) = (
      options.drive != nil, options.hasDeadMan, options.driveRate
    )
    header.hasTelemetry = options.telemetry != nil
    header.hasTilt = options.tilt != .off
    header.playsDemo = options.playsDemo
    header.look = SceneLook(DesktopPreferences(), choice: options.theme)
    (header.language, header.direction) = (Language.current.code, Language.direction)
    if let path = options.scene {
      do throws(LayoutFileError) {
        header.scene = try LayoutFile(contentsOf: path).source
      } catch {
        throw .scene(error)
      }
    }
    return try Recorder(path: path, header: header)
  }

  private func connectWatchers() {
    if let recorder {
      relay.onEvent = { recorder.note($0, at: $1) }
      drive?.output.onHang = { [unowned self] in recorder.note(.hang($0, sequence: $1), at: relay.now) }
    }
    if let watch { relay.onDrawn = { watch.examine($0) } }
  }

  /// The window that `options` ask for.
  static func window(titled title: String, _ options: Options) -> WindowOptions {
    var window = WindowOptions(title: title, applicationID: applicationID, size: options.size)
    window.isFullscreen = options.isFullscreen
    window.scale = options.scale
    window.keepsRunningHidden = options.keepsRunning
    return window
  }

  /// Opens the window.
  func open() throws(SessionError) {
    if options.playsDemo { demo = DemoDrive(scene: scene) }
    logEvents()
    try watchScene()
    try steerByTilt()
    let wanted = WindowSession.window(titled: Language.current.title, options)
    application.openWindow(content: relay, options: wanted) { [unowned self] window in
      idle.window = window
      drive?.window = window
      if let frames = options.frames { end(window, after: frames) } else { settle(after: window) }
    }
  }

  /// Runs until the window is closed, or its options say that it is enough.
  func run() throws(SessionError) {
    try open()
    // The controls' closures refer to this session: it must not go before the loop ends.
    defer {
      recorder?.note(.end, at: application.now)
      drive?.end()
      telemetry?.end()
      withExtendedLifetime(self) {}
    }
    do {
      try application.run()
    } catch {
      throw .shell(error)
    }
  }

  /// Does what no start waits for, once the first frame is on its way: asks the desktop for its preferences.
  private func settle(after window: Window) {
    window.onFrame = { [unowned self, unowned window] _ in
      window.onFrame = nil
      desktop.start()
    }
  }

  /// Keeps frames coming, and closes after so many.
  private func end(_ window: Window, after frames: Int) {
    steady?.remove()
    steady = scene.addFrameObserver { [unowned self] _ in
      scene.cluster.beacon.setNeedsStaticDisplay()
      return true
    }
    window.onFrame = { if $0.number >= frames { window.close() } }
  }

  /// Shows the scene's file again whenever it changes; one with a mistake is told and not shown.
  private func watchScene() throws(SessionError) {
    guard options.watchesScene, let path = options.scene else { return }
    do {
      watcher = try FileWatcher(loop: application.loop, path: path) { [unowned self] in
        do throws(LayoutFileError) {
          try showAgain(path)
          Log.write(.app, .info, "\(path) is shown")
        } catch {
          Cockpit.complain("\(error)")
        }
      }
    } catch {
      throw .shell(error)
    }
  }

  /// Shows the file at `path` as it is now.
  private func showAgain(_ path: String) throws(LayoutFileError) {
    let file = try LayoutFile(contentsOf: path)
    var mistake: LayoutFileError?
    relay.perform(.scene(file.source)) {
      do throws(LayoutFileError) { try scene.load(file) } catch { mistake = error }
    }
    if let mistake { throw mistake }
  }

  private func steerByTilt() throws(SessionError) {
    let tilt = options.tilt
    guard tilt != .off else { return }
    do throws(TiltError) {
      self.tilt = try TiltSteering(scene: scene, loop: application.loop) { () throws(TiltError) in
        if case .device(let path) = tilt { try Accelerometer(path: path) } else { try Accelerometer.find() }
      }
    } catch {
      throw .tilt(error)
    }
    self.tilt?.perform = { [relay] in relay.perform($0, $1) }
    if let tilt = self.tilt { drive?.follow(tilt) }
    keys.calibrateTilt = { [unowned self] in self.tilt?.calibrate() }
  }

  /// What the controls do, for people and tests that follow `--log app`.
  private func logEvents() {
    logged = [
      scene.gearbox.addAction(for: .valueChanged) { Log.write(.app, .info, "gear \($0.gear)") },
      scene.wheel.addAction(for: .valueChanged) { Log.write(.app, .info, "steering \(Int($0.angle.rounded()))") },
      scene.horn.addAction(for: .valueChanged) { Log.write(.app, .info, "horn \($0.isSounding)") },
    ]
    for control in [scene.gearbox, scene.wheel] { logHolds(of: control) }
  }

  /// From the first finger's touch until the last one has left.
  private func logHolds(of control: Control) {
    logged += [
      control.addAction(for: .editingDidBegin) { Log.write(.app, .info, "\($0.name) held true") },
      control.addAction(for: [.editingDidEnd, .editingDidCancel]) { Log.write(.app, .info, "\($0.name) held false") },
    ]
  }
}
