import CockpitControls
import ControlExercises
import ControlTools
import Controls
import Shell
import UICore

/// The types and actions for layout files of the cockpit, and its default scene file.
package enum SceneTypes {
  /// The text of docs/cockpit.json, which the build embeds in the program.
  static let text = String(decoding: PackageResources.cockpit_json, as: UTF8.self)

  /// The scene that the cockpit shows by default.
  static func own() throws(LayoutFileError) -> LayoutFile {
    try LayoutFile(text: text, name: "the cockpit's own scene")
  }

  /// A view for layout files of the cockpit, without a scene: its actions do nothing.
  package static func makeView() -> LayoutView {
    let view = LayoutView(registry: registry, actions: actions { nil })
    view.layoutDirection = Language.direction
    return view
  }

  /// Checks that the file at `path` could be shown.
  ///
  /// - Throws: `LayoutFileError` for the first error in the file.
  static func check(contentsOf path: String) throws(LayoutFileError) {
    try LayoutView.check(LayoutFile(contentsOf: path), registry: registry, actions: actions { nil })
  }

  /// The types: the controls of all libraries, and the cockpit's own views.
  static var registry: ViewRegistry {
    var registry = ViewRegistry.controls
    registry.register(
      gearbox, { SteeringWheel() }, { Horn() }, { GradientView() }, { StickyHeaderView() }, { PulseRadar() },
      { Gauge() }, { Lamp() })
    registry.register("CockpitPanel") { CockpitPanel() }
    registry.register("Backdrop") { Backdrop() }
    registry.register("InstrumentCluster") { InstrumentCluster() }
    registry.register("Video") { Video() }
    return registry
  }

  /// A gearbox with the defaults of scenes: it fills its frame, and numbers its gears.
  static func gearbox() -> ThrottleGearbox {
    let gearbox = ThrottleGearbox()
    gearbox.fit = .filling
    gearbox.showsGearNumbers = true
    return gearbox
  }

  /// Returns the actions for layout files; they act on the scene that `scene` returns.
  static func actions(_ scene: @escaping () -> CockpitScene?) -> LayoutActions {
    let all = SceneAction.allCases.map { action in
      (action.rawValue, { (control: Control) in action.run(by: control, in: scene()) })
    }
    return LayoutActions(uniqueKeysWithValues: all)
  }
}

/// An effect of a control of a layout file on the cockpit, by its name in files.
enum SceneAction: String, CaseIterable {
  case brake, shiftUp, shiftDown, log

  /// The effect, to complete "the action ...".
  var about: String {
    switch self {
    case .brake: "puts the gearbox into neutral, which brakes"
    case .shiftUp: "chooses the next gear; not while `--drive` sends"
    case .shiftDown: "chooses the gear before; not while `--drive` sends"
    case .log: "writes the control's name, the event and its values to standard error"
    }
  }

  func run(by control: Control, in scene: CockpitScene?) {
    switch self {
    case .brake: scene?.gearbox.brake()
    case .shiftUp: scene?.shift { $0.shiftUp() }
    case .shiftDown: scene?.shift { $0.shiftDown() }
    case .log: Log.write(.app, .info, SceneAction.line(of: control))
    }
  }

  /// The line of the action `log`: the control, the event that is sent, and the control's values; a range is written
  /// `(lower upper)`, as in the source article's log.
  static func line(of control: Control) -> String {
    var values = control.inspection.values
    var texts: [String] = []
    if let slider = control as? RangeSlider {
      texts.append("(\(slider.lowerValue) \(slider.upperValue))")
      for name in ["lowerValue", "upperValue"] { values[name] = nil }
    }
    texts += values.sorted { $0.key < $1.key }.map { name, value in
      "\(name) \(value.finiteNumber.map { NumberFormat().text($0) } ?? value.jsonText)"
    }
    let name = control.name.isEmpty ? "\(type(of: control))" : control.name
    let events = Control.Event.named.filter { control.sentEvents.contains($0.event) }.map(\.name)
    return ([name] + events).joined(separator: " ") + ": " + texts.joined(separator: ", ")
  }
}
