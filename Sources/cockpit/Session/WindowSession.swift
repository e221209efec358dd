// The scene in a window: from connecting to the orderly end.

import Controls
import Interface
import Shell
import Tilt

/// Shows a scene in a window until it is closed.
final class WindowSession {
  /// The base name of the desktop file (behaviour 34).
  static let applicationID = "io.github.cockpit.Cockpit"

  private let scene: CockpitScene
  private let options: Options
  private let application: Application
  private let keys: KeyCommands
  private let relay: ContentRelay
  private let drive: DriveSession?
  private let idle: IdleGuard
  private var demo: DemoDrive?
  private var steady: Observer?
  private var watcher: FileWatcher?
  private var tilt: TiltSteering?
  private var logged: [ActionToken] = []

  /// Connects to the compositor.
  init(scene: CockpitScene, options: Options) throws(SessionError) {
    self.scene = scene
    self.options = options
    keys = KeyCommands(scene: scene)
    relay = ContentRelay(scene: scene)
    idle = IdleGuard(scene: scene)
    do {
      application = try Application()
    } catch {
      throw .shell(error)
    }
    let limit = options.reconnectSeconds.map { Duration.nanoseconds(Int64($0 * 1e9)) }
    application.reconnection = limit == .zero ? .never : .tries(for: limit)
    application.onConnectionLoss = { Cockpit.complain("\($0); waiting for a compositor") }
    drive = try DriveSession(scene: scene, relay: relay, options: options, loop: application.loop)
  }

  /// Runs until the window is closed, or its options say that it is enough.
  func run() throws(SessionError) {
    var wanted = WindowOptions(title: "Cockpit", applicationID: WindowSession.applicationID, size: options.size)
    wanted.isFullscreen = options.isFullscreen
    wanted.scale = options.scale
    wanted.keepsRunningUnseen = options.keepsRunning
    if options.playsDemo { demo = DemoDrive(scene: scene) }
    logEvents()
    scene.onPartsChange = { [unowned self] in
      idle.attach()
      logEvents()
      drive?.partsChanged()
      tilt?.scenePartsChanged()
    }
    try watchScene()
    try steerByTilt()
    application.openWindow(content: relay, options: wanted) { [unowned self] window in
      idle.window = window
      if let frames = options.frames { end(window, after: frames) }
    }
    // The controls' closures refer to this session: it must not go before the loop ends.
    defer {
      drive?.end()
      withExtendedLifetime(self) {}
    }
    do {
      try application.run()
    } catch {
      throw .shell(error)
    }
  }

  /// Keeps frames coming, and closes after so many.
  private func end(_ window: Window, after frames: Int) {
    steady?.remove()
    steady = scene.addFrameObserver { [unowned self] _ in
      scene.cluster.beacon.setNeedsDisplay()
      return true
    }
    window.onFrame = { if $0.number >= frames { window.close() } }
  }

  /// Shows the scene's file again whenever it changes; one with a mistake is told and not shown.
  private func watchScene() throws(SessionError) {
    guard options.watchesScene, let path = options.scene else { return }
    do {
      watcher = try FileWatcher(loop: application.loop, path: path) { [unowned self] in
        do {
          try scene.load(contentsOf: path)
          Log.write(.app, .info, "\(path) is shown")
        } catch {
          Cockpit.complain("\(error)")
        }
      }
    } catch {
      throw .shell(error)
    }
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
    keys.calibrateTilt = { [unowned self] in self.tilt?.calibrate() }
  }

  /// What the controls do, for people and tests that follow `--log app`.
  private func logEvents() {
    for token in logged { token.remove() }
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
