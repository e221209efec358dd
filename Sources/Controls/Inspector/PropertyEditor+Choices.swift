// Owns the editors of what has few values: true or false, and names.
// Must not know how properties are listed.

import Interface

/// True or false, as a switch.
final class BoolEditor: PropertyEditor {
  private let control = Switch()

  override init(_ property: any AnyInspectable, of target: View) {
    super.init(property, of: target)
    add(control, "switch") { [unowned self] in set(.bool($0.isOn)) }
  }

  override var idealWidth: Double { SwitchGeometry.preferredSize.width }

  override func show(_ value: JSONValue) {
    if isFree(control) { control.isOn = value == .bool(true) }
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: SwitchGeometry.preferredSize.height)
  }

  override func layoutSubviews() {
    let size = SwitchGeometry.preferredSize
    let place = Rect(
      x: bounds.width - size.width, y: (bounds.height - size.height) / 2, width: size.width, height: size.height)
    control.frame = effectiveLayoutDirection.rect(place, in: bounds.width)
  }
}

/// One of a few names, as segments.
class ChoiceEditor: PropertyEditor {
  private let control = ChoiceControl()
  private let values: [JSONValue]

  /// An editor with `titles` for `values`.
  init(_ property: any AnyInspectable, of target: View, _ titles: [String], _ values: [JSONValue]) {
    self.values = values
    super.init(property, of: target)
    control.titles = titles
    add(control, "choice") { [unowned self] control in
      if values.indices.contains(control.selectedIndex) { set(values[control.selectedIndex]) }
    }
  }

  /// An editor of one of `names`, or of none of them too.
  convenience init(_ property: any AnyInspectable, of target: View, _ names: [String], isOptional: Bool) {
    let none = isOptional ? [Self.none] : []
    self.init(
      property, of: target, none + names.map { PropertyName($0).title },
      none.map { _ in JSONValue.null } + names.map { .string($0) })
  }

  /// What stands for no choice.
  static let none = "Default"

  override var idealWidth: Double { control.sizeThatFits(Size(width: .infinity, height: .infinity)).width }

  override func show(_ value: JSONValue) {
    if isFree(control) { control.selectedIndex = values.firstIndex(of: value) ?? -1 }
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: control.sizeThatFits(size).height)
  }

  override func layoutSubviews() { control.frame = bounds }
}

/// True, false or neither.
final class OptionalBoolEditor: ChoiceEditor {
  init(_ property: any AnyInspectable, of target: View) {
    super.init(property, of: target, [Self.none, "Off", "On"], [.null, .bool(false), .bool(true)])
  }
}
