import Controls
import Shell
import UICore

/// Shows the catalogue in a window until it is closed.
final class CatalogueSession {
  private let scene: CatalogueScene
  private let options: Options
  private let application: Application
  private var steady: Observation?

  /// Connects to the compositor.
  init(scene: CatalogueScene, options: Options) throws(SessionError) {
    self.scene = scene
    self.options = options
    do {
      application = try Application()
    } catch {
      throw .shell(error)
    }
    let limit = options.reconnectSeconds.map { Duration.nanoseconds(Int64($0 * 1e9)) }
    application.reconnection = limit == .zero ? .never : .tries(for: limit)
    application.onConnectionLoss = { Cockpit.complain($0.text(in: .current) + Language.current.waiting) }
    scene.onFault = { Log.write(.app, .error, $0) }
  }

  /// Runs until the window is closed, or its options say that it is enough.
  func run() throws(SessionError) {
    let wanted = WindowSession.window(titled: "Control catalogue", options)
    application.openWindow(content: scene, options: wanted) { [unowned self] window in
      if let frames = options.frames { end(window, after: frames) }
    }
    defer { withExtendedLifetime(self) {} }
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
      scene.damageEverything()
      return true
    }
    window.onFrame = { if $0.number >= frames { window.close() } }
  }
}
