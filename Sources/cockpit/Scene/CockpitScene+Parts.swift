import ControlTools
import Controls
import Shell
import UICore

extension CockpitScene {
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

/// Shows the scene's file, and says when its views are others.
final class SceneView: LayoutView {
  var onChange: (() -> Void)?

  override func sceneDidChange() { onChange?() }

  /// The view called `name`, if it is of this type; else the first of this type.
  func find<Part: View>(_ type: Part.Type, _ name: String) -> Part? {
    view(named: name) as? Part ?? first(type, in: self)
  }

  private func first<Part: View>(_ type: Part.Type, in view: View) -> Part? {
    for view in view.subviews {
      if let found = view as? Part ?? first(type, in: view) { return found }
    }
    return nil
  }
}
