import Controls
import UICore

/// What keys do whatever has the focus.
final class KeyCommands {
  private unowned let scene: CockpitScene
  /// What C does; nil where nothing tilts.
  var calibrateTilt: (() -> Void)?

  init(scene: CockpitScene) {
    self.scene = scene
    // The brake, the way out and the end must work wherever the focus is.
    scene.keyInterceptor = { [unowned self] in intercept($0) }
    scene.keyHandler = { [unowned self] in handle($0) }
  }

  private func intercept(_ event: KeyEvent) -> Bool {
    let isDown = event.phase == .down
    switch event.key {
    // In a text that is typed a blank is a blank.
    case .space where event.modifiers.isDisjoint(with: [.control, .alt, .logo]) && !scene.isTextEdited:
      if isDown { scene.gearbox.brake() }
    case .f12:
      if isDown { scene.inspector.toggle() }
    case .escape where scene.isInspectorOpen && isDown:
      // First out of what is typed, then out of the inspector, at last out of fullscreen.
      if scene.isTextEdited { return false }
      scene.inspector.close()
    // With the focus lever and wheel take them as without: all driving keys come the same way. One that came this way is let go
    // on it too, wherever the focus is by then.
    case let key where key.drives && (!isDown || scene.isDrivenByFocus): return handle(event)
    default: return WindowCommands.handle(event, in: scene.host)
    }
    return true
  }

  private func handle(_ event: KeyEvent) -> Bool {
    guard event.modifiers.isDisjoint(with: [.control, .alt, .logo]) || event.phase != .down else { return false }
    let isPress = event.phase == .down || event.phase == .repeated
    noteDriving(event)
    switch event.key {
    case .up:
      if isPress { scene.gearbox.shiftUp() }
    case .down:
      if isPress { scene.gearbox.shiftDown(isRepeat: event.phase == .repeated) }
    case .left, .right:
      return scene.wheel.handleKey(event)
    case .character("h"):
      if event.phase != .repeated { scene.horn.hold(event.phase == .down) }
    case .character("c"):
      guard let calibrateTilt else { return false }
      if event.phase == .down { calibrateTilt() }
    default:
      return false
    }
    return true
  }

  /// Tells of a key that a control takes: one that is disabled takes none.
  private func noteDriving(_ event: KeyEvent) {
    let control: Control
    switch event.key {
    case .up, .down: control = scene.gearbox
    case .left, .right: control = scene.wheel
    default: return
    }
    if control.isEnabled || event.phase != .down { scene.onDrivingKey?(event) }
  }
}

/// Keys that work wherever the focus is.
enum WindowCommands {
  /// Does what `event` asks of `host`'s window; true when that is all there is to do about it.
  static func handle(_ event: KeyEvent, in host: (any WindowHost)?) -> Bool {
    let isDown = event.phase == .down
    switch event.key {
    case .f11:
      if isDown, let host { host.setFullscreen(!host.isFullscreen) }
    case .escape:
      guard let host, host.isFullscreen || !isDown else { return false }
      if isDown { host.setFullscreen(false) }
    case .character("q") where event.modifiers.contains(.control):
      if isDown { host?.close() }
    default: return false
    }
    return true
  }
}

extension CockpitScene {
  /// True while lever or wheel have the focus.
  fileprivate var isDrivenByFocus: Bool { firstResponder === gearbox || firstResponder === wheel }
}

extension Key {
  /// True for the keys that shift and steer.
  fileprivate nonisolated var drives: Bool { [.up, .down, .left, .right].contains(self) }
}
