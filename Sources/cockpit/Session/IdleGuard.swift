// Keeping the screen awake while somebody drives.

import Controls
import Shell

/// Inhibits idling of the window while a finger or key holds a control of the scene.
final class IdleGuard {
  private unowned let scene: CockpitScene
  private var actions: [ActionToken] = []
  /// The controls that somebody holds.
  private var held: Set<ObjectIdentifier> = []
  /// The window that shows the scene.
  weak var window: Window? { didSet { update() } }

  init(scene: CockpitScene) {
    self.scene = scene
    attach()
  }

  /// Listens to the scene's present controls instead of those that it had before.
  func attach() {
    for action in actions { action.remove() }
    held.removeAll()
    for control in [scene.gearbox, scene.wheel] as [Control] {
      let id = ObjectIdentifier(control)
      actions.append(
        control.addAction(for: .editingDidBegin) { [unowned self] _ in note(id, true) })
      actions.append(
        control.addAction(for: [.editingDidEnd, .editingDidCancel]) { [unowned self] _ in note(id, false) })
    }
    let horn = ObjectIdentifier(scene.horn)
    actions.append(scene.horn.addAction(for: .valueChanged) { [unowned self] in note(horn, $0.isSounding) })
    update()
  }

  private func note(_ control: ObjectIdentifier, _ isHeld: Bool) {
    if isHeld { held.insert(control) } else { held.remove(control) }
    update()
  }

  private func update() { window?.inhibitsIdle = !held.isEmpty }
}
