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

  /// Listens to the scene's present controls instead of those that it had before. One that stays is held on.
  func attach() {
    for action in actions { action.remove() }
    held.formIntersection([scene.gearbox, scene.wheel, scene.horn].map(ObjectIdentifier.init))
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

  /// True while somebody holds a control.
  var isHeld: Bool { !held.isEmpty }

  private func update() { window?.inhibitsIdle = isHeld }
}
