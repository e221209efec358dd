/// Edits the value of one property of one view, live.
///
/// It shows every change of the property. A control that the user holds or types into is left alone, and shows the value again
/// once it is released.
class PropertyEditor: View {
  let property: AnyProperty
  private(set) weak var target: View?
  /// Called after a change by the user.
  var onChange: (() -> Void)?

  private var observation: ObservationToken?
  /// The controls that the user is editing: those between `editingDidBegin` and its end.
  private var edited: Set<ObjectIdentifier> = []

  init(_ property: AnyProperty, of target: View) {
    self.property = property
    self.target = target
    super.init(frame: .zero)
    name = property.name
    observation = target.observe(property) { [weak self] in self?.refresh() }
  }

  // MARK: For subclasses

  /// The preferred width, in points; with less space beside the property's title the editor is placed below it.
  var idealWidth: Double { 160 }

  /// Whether the editor always has `idealWidth`, whatever space there is.
  var hasFixedWidth: Bool { false }

  /// The view below the editor, over the list's whole width, such as a plane of colours; nil for none.
  var expansion: View? { nil }

  func refresh() {}

  // MARK: Between property and controls

  /// Adds `control` as the part called `name`; `change` is called after a change by the user.
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

  /// True if `control` is not held, so that it may show a different value.
  final func isFree(_ control: Control) -> Bool {
    // A text field itself protects what the user is typing.
    !control.isTracking && (control is TextControl || !edited.contains(ObjectIdentifier(control)))
  }

  override var placesSubviewsBySize: Bool { true }
}

/// An editor whose controls show and choose values of one type.
class ValueEditor<Value: Equatable>: PropertyEditor {
  private let read: (View) -> Value
  private let write: (Value, View) -> Void

  init(
    _ property: AnyProperty, of target: View, read: @escaping (View) -> Value, write: @escaping (Value, View) -> Void
  ) {
    (self.read, self.write) = (read, write)
    super.init(property, of: target)
  }

  /// Shows `value` in the controls that are not held (`isFree`).
  func show(_ value: Value) {}

  /// The value; nil once the view no longer exists.
  final var value: Value? { target.map(read) }

  final override func refresh() {
    if let value { show(value) }
  }

  /// Sets the property on behalf of the user; if it does not accept the value, the old one shows again.
  final func set(_ value: Value) {
    guard let target else { return }
    let old = read(target)
    write(value, target)
    refresh()
    if read(target) != old { onChange?() }
  }
}

extension PropertyEditor {
  /// The editor for the type of `property` of `view`; `reach` is the range of a slider for a number without limits.
  static func make(for property: AnyProperty, of view: View, reach: ClosedRange<Double>? = nil) -> PropertyEditor {
    let editor = typed(property, view, reach) ?? choice(property, view) ?? text(property, view)
    editor.refresh()
    return editor
  }

  private static func typed(_ property: AnyProperty, _ view: View, _ reach: ClosedRange<Double>?) -> PropertyEditor? {
    switch property {
    case let property as Property<Bool>:
      ControlEditor(
        property, of: view, Switch(), "switch", fixedSize: Switch.preferredSize,
        read: { property.value(of: $0) }, write: { property.set($0, on: $1) }, show: { $0.isOn = $1 },
        choice: { $0.isOn })
    case let property as Property<Int>:
      NumberEditor(
        property, of: view, isWhole: true, reach: reach, read: { Double(property.value(of: $0)) },
        write: { property.set(Int(clamping: $0), on: $1) })
    case let property as Property<Double>:
      NumberEditor(
        property, of: view, isWhole: false, reach: reach, read: { property.value(of: $0) },
        write: { property.set($0, on: $1) })
    case let property as Property<Point>: NumbersEditor(property, of: view)
    case let property as Property<Size>: NumbersEditor(property, of: view)
    case let property as Property<Rect>: NumbersEditor(property, of: view)
    case let property as Property<EdgeInsets>: NumbersEditor(property, of: view)
    case let property as Property<ClosedRange<Double>>: NumbersEditor(property, of: view)
    case let property as Property<Color>:
      ColorPropertyEditor(
        property, of: view, isOptional: false, read: { property.value(of: $0) },
        write: { if let color = $0 { property.set(color, on: $1) } })
    case let property as Property<Color?>:
      ColorPropertyEditor(
        property, of: view, isOptional: true, read: { property.value(of: $0) }, write: { property.set($0, on: $1) })
    case let property as Property<Bool?>:
      segments(
        property, view, [noChoice, "Off", "On"], read: { property.value(of: $0).map { $0 ? 2 : 1 } ?? 0 },
        write: { property.set($0 == 0 ? nil : $0 == 2, on: $1) })
    default: nil
    }
  }

  private static let noChoice = "Default"

  private static func choice(_ property: AnyProperty, _ view: View) -> PropertyEditor? {
    let values: [JSONValue]
    switch property.kind {
    case .choice(let names): values = names.map(JSONValue.string)
    case .optional(.choice(let names)): values = [.null] + names.map(JSONValue.string)
    default: return nil
    }
    return segments(
      property, view, values.map { $0.text.map { PropertyName($0).title } ?? noChoice },
      read: { values.firstIndex(of: property.json(of: $0)) ?? -1 }, write: { try? property.set(values[$0], on: $1) })
  }

  /// An editor that chooses one of `titles` by its index: segments in a row, or a menu for more than four.
  private static func segments(
    _ property: AnyProperty, _ view: View, _ titles: [String], read: @escaping (View) -> Int,
    write: @escaping (Int, View) -> Void
  ) -> PropertyEditor {
    let control: SelectionControl = titles.count > 4 ? PopUpButton() : ChoiceControl()
    control.titles = titles
    return ControlEditor(
      property, of: view, control, "choice",
      idealWidth: { $0.fittingSize(in: Size(width: .infinity, height: .infinity)).width }, read: read, write: write,
      show: { $0.selectedIndex = $1 },
      choice: { titles.indices.contains($0.selectedIndex) ? $0.selectedIndex : nil })
  }

  /// An editor for a line of text in the value's file form, which each type reads and writes itself. If the property is optional,
  /// an empty line means nil. Several numbers are comma-separated.
  private static func text(_ property: AnyProperty, _ view: View) -> PropertyEditor {
    let kind: InspectableKind
    let isOptional: Bool
    if case .optional(let inner) = property.kind {
      (kind, isOptional) = (inner, true)
    } else {
      (kind, isOptional) = (property.kind, false)
    }
    let field = TextField()
    field.placeholder = kind == .image ? "File.png" : kind == .text && !isOptional ? "" : noChoice
    field.validate = { json(typed: $0, kind, isOptional) == nil ? nil : $0 }
    return ControlEditor(
      property, of: view, field, "field", read: { property.json(of: $0) },
      // If the property refuses the value, it keeps its old one and the field shows that again.
      write: { try? property.set($0, on: $1) }, show: { $0.text = text(of: $1) },
      choice: { json(typed: $0.text, kind, isOptional) })
  }

  /// The JSON value that `text` represents; nil if it is invalid.
  private static func json(typed text: String, _ kind: InspectableKind, _ isOptional: Bool) -> JSONValue? {
    if isOptional, text.allSatisfy(\.isWhitespace) { return .null }
    func numbers(_ count: Int) -> JSONValue? {
      let parts = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
      let numbers = parts.compactMap { NumberFormat(fractionDigits: 9).value(String($0)) }
      return numbers.count == count && parts.count == count ? JSONValue(numbers: numbers) : nil
    }
    switch kind {
    case .integer, .number:
      return NumberFormat(fractionDigits: kind == .integer ? 0 : 9).value(text).map { .number($0) }
    case .numbers(let count, _): return numbers(count)
    case .image: return text.isEmpty ? nil : .string(text)
    default: return .string(text)
    }
  }

  private static func text(of value: JSONValue) -> String {
    let format = NumberFormat(fractionDigits: 3)
    return switch value {
    case .string(let text): text
    case .number(let number): format.text(number)
    case .array(let values): values.map { format.text($0.finiteNumber ?? 0) }.joined(separator: ", ")
    default: ""
    }
  }
}

final class ControlEditor<Value: Equatable, Part: Control>: ValueEditor<Value> {
  private let control: Part
  private let fixedSize: Size?
  private let ideal: (Part) -> Double
  private let display: (Part, Value) -> Void

  /// An editor of `property` that uses `control`, called `name`. The control is as wide as the editor unless it has a
  /// `fixedSize`. `show` makes it show a value; `choice` returns the value that it shows, nil if it shows none.
  init(
    _ property: AnyProperty, of target: View, _ control: Part, _ name: String, fixedSize: Size? = nil,
    idealWidth: @escaping (Part) -> Double = { _ in 160 }, read: @escaping (View) -> Value,
    write: @escaping (Value, View) -> Void, show: @escaping (Part, Value) -> Void,
    choice: @escaping (Part) -> Value?
  ) {
    (self.control, self.fixedSize, ideal, display) = (control, fixedSize, idealWidth, show)
    super.init(property, of: target, read: read, write: write)
    add(control, name) { [unowned self] in if let value = choice($0) { set(value) } }
  }

  override var idealWidth: Double { fixedSize?.width ?? ideal(control) }
  override var hasFixedWidth: Bool { fixedSize != nil }

  override func show(_ value: Value) {
    if isFree(control) { display(control, value) }
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: fixedSize?.height ?? control.fittingSize(in: size).height)
  }

  override func layoutSubviews() {
    let size = fixedSize ?? bounds.size
    let place = Rect(
      x: bounds.width - size.width, y: (bounds.height - size.height) / 2, width: size.width, height: size.height)
    control.frame = mirrored(place)
  }
}

/// An editor that shows a colour as a well with its text; pressing the well opens a colour editor below. If the colour is
/// optional, a button there resets it to nil.
final class ColorPropertyEditor: ValueEditor<Color?> {
  private static let wellSize = Size(width: 56, height: 32)
  private static let gap = 12.0

  private let well = ColorWell()
  private let text = Label()
  private let colors = ColorEditor()
  private let reset = Button()
  private let opened = StackView([], spacing: 8)
  private let none: String

  init(
    _ property: AnyProperty, of target: View, isOptional: Bool, read: @escaping (View) -> Color?,
    write: @escaping (Color?, View) -> Void
  ) {
    // A missing background colour means none; any other missing colour means the theme's.
    none = property.name == "backgroundColor" ? "None" : "Theme’s"
    super.init(property, of: target, read: read, write: write)
    text.textStyle = .caption
    add(well, "well") { _ in }
    addSubview(text)
    well.addAction(for: .primaryActionTriggered) { [unowned self] _ in isOpen.toggle() }
    add(colors, "colors") { [unowned self] in set($0.color) }
    opened.addSubview(colors)
    guard isOptional else { return }
    reset.name = "reset"
    reset.title = none
    reset.textStyle = .caption
    reset.addAction(for: .primaryActionTriggered) { [unowned self] _ in set(nil) }
    opened.addSubview(reset)
  }

  private(set) var isOpen = false {
    didSet {
      well.isSelected = isOpen
      refresh()
      setNeedsLayout()
      superview?.setNeedsLayout()
    }
  }

  override var idealWidth: Double { 150 }
  override var hasFixedWidth: Bool { true }
  override var expansion: View? { isOpen ? opened : nil }

  override func show(_ color: Color?) {
    well.color = color
    text.text = color?.hexString ?? none
    text.textColor = color == nil ? theme.secondaryLabel : nil
    reset.isEnabled = color != nil
    if isOpen, isFree(colors) { colors.color = color ?? theme.fill }
  }

  override func themeDidChange() { refresh() }

  override func sizeThatFits(_ size: Size) -> Size { Size(width: size.width, height: Self.wellSize.height) }

  override func layoutSubviews() {
    let size = Self.wellSize
    let y = (bounds.height - size.height) / 2
    let place = Rect(x: bounds.width - size.width, y: y, width: size.width, height: size.height)
    well.frame = mirrored(place)
    text.frame = mirrored(Rect(x: 0, y: 0, width: max(place.minX - Self.gap, 0), height: bounds.height))
    text.textAlignment = effectiveLayoutDirection == .leftToRight ? .right : .left
  }
}
