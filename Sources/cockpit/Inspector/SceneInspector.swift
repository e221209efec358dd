import ControlTools
import Controls
import Glibc
import Shell
import UICore

/// Opens and closes the inspector beside a scene. The panel is created when it is first opened, and freed when it is closed.
final class SceneInspector {
  private weak var scene: CockpitScene?
  /// The gamepads that are there; nil without any, and in a replay.
  weak var gamepads: (any GamepadWatching)?
  private(set) var panel: InspectorPanel? { didSet { scene?.setNeedsLayout() } }

  init(scene: CockpitScene) {
    self.scene = scene
  }

  func toggle() {
    if panel == nil { open() } else { close() }
  }

  /// Opens the panel. It stays closed if it would cover controls that drive a vehicle, or while such controls are held, since
  /// they would have to move aside.
  func open() {
    guard panel == nil, let scene else { return }
    guard !isOverControls(in: scene.bounds.size) else {
      return Log.write(.app, .error, "no room for the inspector beside what drives: make the window larger")
    }
    guard !(scene.mustStayInSight && (scene.isHeld || scene.driveOutput?.isHeld == true)) else {
      return Log.write(.app, .error, "no inspector while somebody drives: let go first")
    }
    let panel = InspectorPanel()
    panel.registry = SceneTypes.registry
    // Standard output may carry the vehicle's lines.
    if scene.drivesVehicle {
      panel.writesOut = { text in
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      }
    }
    // A replay has the page too, without devices: touches on it find the same panel.
    if scene.gamepad != nil {
      let table = GamepadTable()
      panel.addPage("Gamepads", shortTitle: "Pads", table)
      table.follow(gamepads)
    }
    panel.onClose = { [unowned self] in close() }
    self.panel = panel
    scene.addSubview(panel)
  }

  func close() {
    panel?.removeFromSuperview()
    panel = nil
  }

  /// Positions the panel in a window of `size`, and closes it if it would lie over controls that drive something; returns the
  /// frame that is left for the scene.
  func place(in size: Size) -> Rect {
    if isOverControls(in: size) {
      Log.write(.app, .error, "no room for the inspector beside what drives: it is closed")
      close()
      return Rect(origin: .zero, size: size)
    }
    let placement = placement(in: size)
    panel?.frame = placement.panel
    return placement.scene
  }

  private func isOverControls(in size: Size) -> Bool {
    scene?.mustStayInSight == true && placement(in: size).kind == .over
  }

  private func placement(in size: Size) -> InspectorPlacement {
    InspectorPlacement(
      size: size, minimumScene: CockpitLayout.minimumSize, direction: scene?.effectiveLayoutDirection ?? .leftToRight)
  }
}

/// Recognises three fingers that rest for two seconds outside of controls; a finger that holds a control drives and does not
/// count.
final class InspectorHold: LongPressGestureRecognizer {
  convenience init(_ action: @escaping () -> Void) {
    self.init()
    numberOfTouchesRequired = 3
    minimumPressDuration = .seconds(2)
    addAction { if $0.state == .began { action() } }
  }

  override func canReceive(_ touch: Touch) -> Bool {
    var view = touch.view
    while let current = view {
      if current is Control || current is InspectorPanel { return false }
      view = current.superview
    }
    return true
  }
}

extension CockpitScene {
  /// True while the user edits a text field.
  var isTextEdited: Bool { (firstResponder as? TextControl)?.isEditing ?? false }
}
