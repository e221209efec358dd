import ControlTools
import Controls
import Shell
import UICore

/// What layout files may say of the cockpit, and the file that it shows when no other is asked for.
enum SceneFile {
  /// The text of docs/cockpit.json.
  static let text = """
    // The cockpit's own scene. A copy of this file is where scenes of your own begin: cockpit --watch FILE.json
    {
      // Puts the views that it names beside each other, with "margin" of the window's shorter side between them. Where the
      // window is "wideFrom" times as wide as high, the left view takes its whole height, and the middle one what is left;
      // else the middle view lies above the two others. Every number is a part of the window's width or height. Views
      // that it does not name, and those with anchors, lie where they say.
      "type": "CockpitPanel",
      "name": "panel",
      "wideFrom": 1.25,
      "margin": 0.03,
      // The lever: as wide as the gate needs, at most this.
      "leftView": "gearbox",
      "leftWidth": 0.24,
      "stackedLeftWidth": 0.3,
      // The wheel: a square in the lower corner, as large as this, what is left, and the instruments allow.
      "rightView": "wheel",
      "rightHeight": 0.72,
      "middleView": "cluster",
      "middleWidth": 0.22,
      "stackedMiddleHeight": 0.36,
      // The hub belongs to the wheel's square but not to the wheel: the horn lies in front of it.
      "hubView": "horn",
      "backView": "backdrop",
      "dashboardEdge": 0.42,
      "subviews": [
        {"type": "Backdrop", "name": "backdrop"},
        {"type": "InstrumentCluster", "name": "cluster"},
        {
          "type": "ThrottleGearbox",
          "name": "gearbox",
          "fit": "filling",
          "showsGearNumbers": true,
          "showsSlot": true,
        },
        {"type": "SteeringWheel", "name": "wheel"},
        {"type": "Horn", "name": "horn"},
      ],
    }
    """

  /// The scene that the cockpit shows when no other is asked for.
  static func own() throws(LayoutFileError) -> LayoutFile {
    try LayoutFile(text: text, name: "the cockpit's own scene")
  }

  /// Checks that the file at `path` could be shown.
  ///
  /// - Throws: `LayoutFileError` for the first mistake in the file.
  static func check(contentsOf path: String) throws(LayoutFileError) {
    try LayoutView.check(LayoutFile(contentsOf: path), registry: registry, actions: actions { nil })
  }

  /// The types: the controls, and the cockpit's own views.
  static var registry: ViewRegistry {
    var registry = ViewRegistry.controls
    registry.register("CockpitPanel") { CockpitPanel() }
    registry.register("Backdrop") { Backdrop() }
    registry.register("InstrumentCluster") { InstrumentCluster() }
    return registry
  }

  /// The actions, for the scene that `scene` gives.
  static func actions(_ scene: @escaping () -> CockpitScene?) -> LayoutActions {
    var actions = LayoutActions()
    actions.bind("brake") { _ in scene()?.gearbox.brake() }
    actions.bind("shiftUp") { _ in scene()?.gearbox.shiftUp() }
    actions.bind("shiftDown") { _ in scene()?.gearbox.shiftDown() }
    actions.bind("log") { control in
      let values = control.inspection.values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }
      let name = control.name.isEmpty ? "\(type(of: control))" : control.name
      Log.write(.app, .info, "\(name): \(values.joined(separator: ", "))")
    }
    return actions
  }
}

/// Shows the scene's file, in which the scene's own parts have their places.
final class SceneView: LayoutView {
  /// Has files place `parts` and call the actions of `scene`.
  init(_ parts: [LayoutPart], of scene: @escaping () -> CockpitScene?) {
    super.init(registry: SceneFile.registry, actions: SceneFile.actions(scene), parts: parts)
  }
}

extension Inspection.Value {
  /// The value as people read it.
  fileprivate var text: String {
    switch self {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\((value * 1000).rounded() / 1000)"
    case .text(let value): "\"\(value)\""
    }
  }
}
