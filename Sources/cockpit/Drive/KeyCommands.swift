import Controls
import UICore
import WindowDecoration

/// The keys that work wherever the focus is.
final class KeyCommands {
  private let scene: CockpitScene
  /// The action of the key C, which makes the present tilt the centre; nil without a tilt sensor.
  var calibrateTilt: (() -> Void)?
  /// Shows the next camera; nil if there is only one.
  var chooseNextCamera: (() -> Void)?

  init(scene: CockpitScene) {
    self.scene = scene
    // Brake, Escape and quit must work wherever the focus is.
    scene.keyInterceptor = { [unowned self] in intercept($0) }
    scene.keyHandler = { [unowned self] in handle($0) }
  }

  private func intercept(_ event: KeyEvent) -> Bool {
    if scene.stop?.takeKey(event) == true { return true }
    let isDown = event.phase == .down
    let isDrivenByFocus = scene.firstResponder === scene.gearbox || scene.firstResponder === scene.wheel
    switch event.key {
    // The space bar types a space in a text field.
    case .space where event.modifiers.isDisjoint(with: [.control, .alt, .logo]) && !scene.isTextEdited:
      if isDown { scene.gearbox.brake() }
    case .f12:
      if isDown { scene.inspector.toggle() }
    case .escape where (scene.isMenuOpen || scene.modalView != nil) && isDown: return false
    case .escape where scene.isInspectorOpen && isDown:
      // Escape leaves the text field first, then the inspector, and finally fullscreen.
      if scene.isTextEdited { return false }
      scene.inspector.close()
    // Driving keys reach lever and wheel on the same path with and without the focus. The release takes this path too, even if
    // the focus has moved since the press.
    case let key where key.drives && (!isDown || isDrivenByFocus): return handle(event)
    default: return WindowCommands.handle(event, in: scene.host)
    }
    return true
  }

  private func handle(_ event: KeyEvent) -> Bool {
    guard event.modifiers.isDisjoint(with: [.control, .alt, .logo]) || event.phase != .down else { return false }
    switch event.key {
    case let key where key.drives: return drive(event)
    case .character("h"):
      guard event.phase != .down || scene.takesInput(scene.horn) else { return false }
      if event.phase != .repeated { scene.horn.hold(event.phase == .down) }
    case .character("c"):
      guard let calibrateTilt else { return false }
      if event.phase == .down { calibrateTilt() }
    case .character("v"):
      guard scene.videoButton != nil else { return false }
      guard event.phase == .down else { break }
      if event.modifiers.contains(.shift) { chooseNextCamera?() } else { scene.changeVideoMode() }
    default:
      return false
    }
    return true
  }

  /// Lets a key shift or steer. One press is one gear: automatic repeats shift nothing. A control that is missing, hidden or
  /// disabled ignores a press.
  private func drive(_ event: KeyEvent) -> Bool {
    let shifts = event.key == .up || event.key == .down
    guard event.phase != .down || scene.takesInput(shifts ? scene.gearbox : scene.wheel) else { return false }
    // The first hand keeps them.
    if event.phase == .down, shifts ? scene.gearbox.isPressed : scene.wheel.isTurned { return true }
    guard scene.driveOutput?.takes(event) ?? true else { return true }
    switch event.key {
    case .up: if event.phase == .down { scene.gearbox.shiftUp(by: .input(event.hand)) }
    case .down: if event.phase == .down { scene.gearbox.shiftDown(by: .input(event.hand)) }
    default: _ = scene.wheel.handleKey(event)
    }
    return true
  }
}

extension Key {
  fileprivate nonisolated var drives: Bool { [.up, .down, .left, .right].contains(self) }
}
