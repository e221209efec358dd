// Owns what all editors of one property share: showing its value, setting it, and leaving alone what a finger holds.
// Must not know any single kind of property.

import Interface

/// Edits the value of one property of one view, live.
///
/// It follows the property whoever changes it. A control that a person has hold of, or types into, is not changed under the
/// finger; it shows the value again once it is let go.
class PropertyEditor: View {
  /// What is edited.
  let property: any AnyInspectable
  /// The view that has the property; it is not kept alive.
  private(set) weak var target: View?
  /// Called after a person's change.
  var onChange: (() -> Void)?

  private var observation: PropertyObservation?
  /// The controls between a person's first change and the last.
  private var edited: Set<ObjectIdentifier> = []

  /// An editor of `property`, which `target` has.
  init(_ property: any AnyInspectable, of target: View) {
    self.property = property
    self.target = target
    super.init(frame: .zero)
    name = property.name
    observation = property.observeAny { [weak self] in self?.refresh() }
  }

  // MARK: For subclasses

  /// How wide it would like to be, in points; with less room beside the property's title it stands below that.
  var idealWidth: Double { 160 }

  /// What it shows below itself over the list's whole width, such as a plane of colours; nil for nothing.
  var expansion: View? { nil }

  /// Has those controls show `value` that nobody has hold of (`isFree`).
  func show(_ value: JSONValue) {}

  // MARK: Between property and controls

  /// Shows the property's value.
  final func refresh() { show(property.jsonValue) }

  /// Sets the property as a person wants it; what is no value for it is not taken, and the old one shows again.
  final func set(_ value: JSONValue) {
    guard let target else { return }
    let old = property.jsonValue
    // What is refused changes nothing: the editor then shows what there is.
    try? property.set(json: value, on: target)
    refresh()
    if property.jsonValue != old { onChange?() }
  }

  /// Adds `control` as the part called `name`; `change` is called after a person's change.
  final func add<Part: Control>(_ control: Part, _ name: String, _ change: @escaping (Part) -> Void) {
    control.name = name
    control.addAction(for: .valueChanged) { change($0) }
    control.addAction(for: .editingDidBegin) { [weak self] in self?.note($0, isEdited: true) }
    control.addAction(for: [.editingDidEnd, .editingDidCancel]) { [weak self] in self?.note($0, isEdited: false) }
    control.addAction(for: [.touchUpInside, .touchUpOutside, .touchCancel]) { [weak self] _ in self?.refresh() }
    addSubview(control)
  }

  private func note(_ control: Control, isEdited: Bool) {
    if isEdited {
      edited.insert(ObjectIdentifier(control))
    } else {
      edited.remove(ObjectIdentifier(control))
      refresh()
    }
  }

  /// True when nobody has hold of `control`, so that it may show another value.
  final func isFree(_ control: Control) -> Bool {
    // A field that is typed into guards its draft itself.
    !control.isTracking && (control is LineField || !edited.contains(ObjectIdentifier(control)))
  }

  override var placesSubviewsBySize: Bool { true }
}

extension PropertyEditor {
  /// The editor that fits the kind of `property`, which `view` has; `reach` is where a slider goes for a number without limits.
  static func make(
    for property: any AnyInspectable, of view: View, reach: ClosedRange<Double>? = nil
  ) -> PropertyEditor {
    let editor: PropertyEditor =
      switch property.kind {
      case .bool: BoolEditor(property, of: view)
      case .integer: NumberEditor(property, of: view, isWhole: true, reach: reach)
      case .number: NumberEditor(property, of: view, isWhole: false, reach: reach)
      case .point: NumbersEditor(property, of: view, ["X", "Y"])
      case .size: NumbersEditor(property, of: view, ["W", "H"])
      case .rect: NumbersEditor(property, of: view, ["X", "Y", "W", "H"])
      case .insets: NumbersEditor(property, of: view, ["T", "L", "B", "R"])
      case .range: RangeEditor(property, of: view)
      case .color: ColorPropertyEditor(property, of: view, isOptional: false)
      case .optional(.color): ColorPropertyEditor(property, of: view, isOptional: true)
      case .choice(let names): ChoiceEditor(property, of: view, names, isOptional: false)
      case .optional(.choice(let names)): ChoiceEditor(property, of: view, names, isOptional: true)
      case .optional(.bool): OptionalBoolEditor(property, of: view)
      case .text, .image, .optional: TextEditor(property, of: view)
      }
    editor.refresh()
    return editor
  }
}
