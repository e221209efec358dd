import Controls
import Shell

/// Inhibits idling of the window while a finger or key holds a control of the scene.
final class IdleGuard {
  private var actions: [ActionToken] = []
  /// The controls that somebody holds.
  private var held: Set<ObjectIdentifier> = []
  /// The window that shows the scene.
  weak var window: Window? { didSet { update() } }

  init(scene: CockpitScene) {
    for control in [scene.gearbox, scene.wheel] as [Control] {
      let id = ObjectIdentifier(control)
      actions += [
        control.addAction(for: .editingDidBegin) { [unowned self] _ in note(id, true) },
        control.addAction(for: [.editingDidEnd, .editingDidCancel]) { [unowned self] _ in note(id, false) },
      ]
    }
    let horn = ObjectIdentifier(scene.horn)
    actions.append(scene.horn.addAction(for: .valueChanged) { [unowned self] in note(horn, $0.isSounding) })
  }

  private func note(_ control: ObjectIdentifier, _ isHeld: Bool) {
    if isHeld { held.insert(control) } else { held.remove(control) }
    update()
  }

  /// True while somebody holds a control.
  var isHeld: Bool { !held.isEmpty }

  private func update() { window?.inhibitsIdle = isHeld }
}
