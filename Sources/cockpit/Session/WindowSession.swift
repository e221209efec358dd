// The scene in a window: from connecting to the orderly end.

import Controls
import Interface
import Shell

/// Shows a scene in a window until it is closed.
final class WindowSession {
  /// The base name of the desktop file (behaviour 34).
  static let applicationID = "io.github.cockpit.Cockpit"

  private let scene: CockpitScene
  private let options: Options
  private let application: Application
  private let keys: KeyCommands
  private var demo: DemoDrive?
  private var steady: Observer?

  /// Connects to the compositor.
  init(scene: CockpitScene, options: Options) throws(SessionError) {
    self.scene = scene
    self.options = options
    keys = KeyCommands(scene: scene)
    do {
      application = try Application()
    } catch {
      throw .shell(error)
    }
  }

  /// Runs until the window is closed, or its options say that it is enough.
  func run() throws(SessionError) {
    var wanted = WindowOptions(title: "Cockpit", applicationID: WindowSession.applicationID, size: options.size)
    wanted.isFullscreen = options.isFullscreen
    wanted.scale = options.scale
    if options.playsDemo { demo = DemoDrive(scene: scene) }
    logEvents()
    application.openWindow(content: scene, options: wanted) { [unowned self] window in
      if let frames = options.frames { end(window, after: frames) }
    }
    // The controls' closures refer to this session: it must not go before the loop ends.
    defer { withExtendedLifetime(self) {} }
    do {
      try application.run()
    } catch {
      throw .shell(error)
    }
  }

  /// Keeps frames coming, and closes after so many.
  private func end(_ window: Window, after frames: Int) {
    steady = scene.addFrameObserver { [unowned self] _ in
      scene.cluster.beacon.setNeedsDisplay()
      return true
    }
    window.onFrame = { if $0.number >= frames { window.close() } }
  }

  /// What the controls do, for people and tests that follow `--log app`.
  private func logEvents() {
    scene.gearbox.addAction(for: .valueChanged) { [unowned self] _ in
      Log.write(.app, .info, "gear \(scene.gearbox.gear)")
    }
    scene.gearbox.addAction(for: .allEditingEvents) { [unowned self] _ in
      Log.write(.app, .info, "gearbox held \(scene.gearbox.isTracking)")
    }
    scene.wheel.addAction(for: .valueChanged) { [unowned self] _ in
      Log.write(.app, .info, "steering \(Int(scene.wheel.angle.rounded()))")
    }
    scene.wheel.addAction(for: .allEditingEvents) { [unowned self] _ in
      Log.write(.app, .info, "wheel held \(scene.wheel.isTracking)")
    }
    scene.horn.addAction(for: .valueChanged) { [unowned self] _ in
      Log.write(.app, .info, "horn \(scene.horn.isSounding)")
    }
  }
}
