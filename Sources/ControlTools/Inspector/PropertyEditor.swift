/// Edits the value of one property of one view, live.
///
/// It follows the property whoever changes it. A control that a person has hold of, or types into, is not changed under the
/// finger; it shows the value again once it is let go.
class PropertyEditor: View {
  /// What is edited.
  let property: AnyProperty
  /// The view that has the property; it is not kept alive.
  private(set) weak var target: View?
  /// Called after a person's change.
  var onChange: (() -> Void)?

  private var observation: Observation?
  /// The controls between a person's first change and the last.
  private var edited: Set<ObjectIdentifier> = []

  /// An editor of `property`, which `target` has.
  init(_ property: AnyProperty, of target: View) {
    self.property = property
    self.target = target
    super.init(frame: .zero)
    name = property.name
    observation = target.observe(property) { [weak self] in self?.refresh() }
  }

  // MARK: For subclasses

  /// How wide it would like to be, in points; with less room beside the property's title it stands below that.
  var idealWidth: Double { 160 }

  /// What it shows below itself over the list's whole width, such as a plane of colours; nil for nothing.
  var expansion: View? { nil }

  /// Shows the property's value.
  func refresh() {}

  // MARK: Between property and controls

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

/// An editor whose controls show and choose values of one type.
class ValueEditor<Value: Equatable>: PropertyEditor {
  private let read: (View) -> Value
  private let write: (Value, View) -> Void

  /// An editor of `property`, which `target` has: `read` gives its value, `write` takes one.
  init(
    _ property: AnyProperty, of target: View, read: @escaping (View) -> Value, write: @escaping (Value, View) -> Void
  ) {
    (self.read, self.write) = (read, write)
    super.init(property, of: target)
  }

  /// Has those controls show `value` that nobody has hold of (`isFree`).
  func show(_ value: Value) {}

  /// The value; nil once the view has gone.
  final var value: Value? { target.map(read) }

  final override func refresh() {
    if let value { show(value) }
  }

  /// Sets the property as a person wants it; of what it does not take, the old value shows again.
  final func set(_ value: Value) {
    guard let target else { return }
    let old = read(target)
    write(value, target)
    refresh()
    if read(target) != old { onChange?() }
  }
}

extension PropertyEditor {
  /// The editor that fits the type of `property`, which `view` has; `reach` is where a slider goes for a number without limits.
  static func make(for property: AnyProperty, of view: View, reach: ClosedRange<Double>? = nil) -> PropertyEditor {
    let editor = typed(property, view, reach) ?? choice(property, view) ?? TextEditor(property, of: view)
    editor.refresh()
    return editor
  }

  private static func typed(_ property: AnyProperty, _ view: View, _ reach: ClosedRange<Double>?) -> PropertyEditor? {
    switch property {
    case let property as Property<Bool>: BoolEditor(property, of: view)
    case let property as Property<Int>:
      NumberEditor(
        property, of: view, isWhole: true, reach: reach, read: { Double(property.value(of: $0)) },
        write: { property.set(Int(clamping: $0), on: $1) })
    case let property as Property<Double>:
      NumberEditor(
        property, of: view, isWhole: false, reach: reach, read: { property.value(of: $0) },
        write: { property.set($0, on: $1) })
    case let property as Property<Point>:
      NumbersEditor(property, of: view, [("X", \.x), ("Y", \.y)])
    case let property as Property<Size>:
      NumbersEditor(property, of: view, [("W", \.width), ("H", \.height)])
    case let property as Property<Rect>:
      NumbersEditor(
        property, of: view, [("X", \.origin.x), ("Y", \.origin.y), ("W", \.size.width), ("H", \.size.height)])
    case let property as Property<EdgeInsets>:
      NumbersEditor(property, of: view, [("T", \.top), ("L", \.left), ("B", \.bottom), ("R", \.right)])
    case let property as Property<ClosedRange<Double>>: RangeEditor(property, of: view)
    case let property as Property<Color>:
      ColorPropertyEditor(
        property, of: view, isOptional: false, read: { property.value(of: $0) },
        write: { if let color = $0 { property.set(color, on: $1) } })
    case let property as Property<Color?>:
      ColorPropertyEditor(
        property, of: view, isOptional: true, read: { property.value(of: $0) }, write: { property.set($0, on: $1) })
    case let property as Property<Bool?>:
      ChoiceEditor(
        property, of: view, [ChoiceEditor.none, "Off", "On"],
        read: { property.value(of: $0).map { $0 ? 2 : 1 } ?? 0 },
        write: { property.set($0 == 0 ? nil : $0 == 2, on: $1) })
    default: nil
    }
  }

  private static func choice(_ property: AnyProperty, _ view: View) -> PropertyEditor? {
    let names: [String]
    switch property.kind {
    case .choice(let all): names = all.map { PropertyName($0).title }
    case .optional(.choice(let all)): names = [ChoiceEditor.none] + all.map { PropertyName($0).title }
    default: return nil
    }
    return ChoiceEditor(
      property, of: view, names, read: { property.choice(of: $0) ?? -1 }, write: { property.setChoice($0, on: $1) })
  }
}

/// True or false, as a switch.
final class BoolEditor: ValueEditor<Bool> {
  private let control = Switch()

  init(_ property: Property<Bool>, of target: View) {
    super.init(property, of: target, read: { property.value(of: $0) }, write: { property.set($0, on: $1) })
    add(control, "switch") { [unowned self] in set($0.isOn) }
  }

  override var idealWidth: Double { SwitchGeometry.preferredSize.width }

  override func show(_ value: Bool) {
    if isFree(control) { control.isOn = value }
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

/// One of a few names, by its number, as segments.
final class ChoiceEditor: ValueEditor<Int> {
  private let control = ChoiceControl()

  /// An editor of one of `titles`.
  init(
    _ property: AnyProperty, of target: View, _ titles: [String], read: @escaping (View) -> Int,
    write: @escaping (Int, View) -> Void
  ) {
    super.init(property, of: target, read: read, write: write)
    control.titles = titles
    add(control, "choice") { [unowned self] in if titles.indices.contains($0.selectedIndex) { set($0.selectedIndex) } }
  }

  /// What stands for no choice.
  static let none = "Default"

  override var idealWidth: Double { control.sizeThatFits(Size(width: .infinity, height: .infinity)).width }

  override func show(_ value: Int) {
    if isFree(control) { control.selectedIndex = value }
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: control.sizeThatFits(size).height)
  }

  override func layoutSubviews() { control.frame = bounds }
}

/// A line of text. An empty one is nothing, where the property may have none; several numbers stand with commas between.
/// The text is the value's form in files, which each type reads and writes itself.
final class TextEditor: ValueEditor<JSONValue> {
  private let field = TextField()
  /// The kind inside, and whether there may be nothing.
  private let kind: InspectableKind
  private let isOptional: Bool

  init(_ property: AnyProperty, of target: View) {
    if case .optional(let inner) = property.kind {
      (kind, isOptional) = (inner, true)
    } else {
      (kind, isOptional) = (property.kind, false)
    }
    // What is refused changes nothing: the field then shows what there is.
    super.init(property, of: target, read: { property.json(of: $0) }, write: { try? property.set($0, on: $1) })
    field.placeholder =
      switch kind {
      case .image: "File.png"
      case .text: isOptional ? ChoiceEditor.none : ""
      default: ChoiceEditor.none
      }
    field.validate = { [unowned self] in value(of: $0) == nil ? nil : $0 }
    add(field, "field") { [unowned self] in if let value = value(of: $0.text) { set(value) } }
  }

  /// The value that `text` writes; nil where it is none.
  private func value(of text: String) -> JSONValue? {
    if isOptional, text.allSatisfy(\.isWhitespace) { return .null }
    let parts = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
    switch kind {
    case .integer, .number:
      return NumberFormat(fractionDigits: kind == .integer ? 0 : 9).value(text).map { .number($0) }
    case .point, .size, .range: return numbers(parts, 2)
    case .rect, .insets: return numbers(parts, 4)
    case .image: return text.isEmpty ? nil : .string(text)
    default: return .string(text)
    }
  }

  private func numbers(_ parts: [Substring], _ count: Int) -> JSONValue? {
    let numbers = parts.compactMap { NumberFormat(fractionDigits: 9).value(String($0)) }
    return numbers.count == count && parts.count == count ? JSONValue(numbers: numbers) : nil
  }

  override func show(_ value: JSONValue) {
    guard isFree(field) else { return }
    let format = NumberFormat(fractionDigits: 3)
    field.text =
      switch value {
      case .string(let text): text
      case .number(let number): format.text(number)
      case .array(let values): values.map { format.text($0.finiteNumber ?? 0) }.joined(separator: ", ")
      default: ""
      }
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: field.sizeThatFits(size).height)
  }

  override func layoutSubviews() { field.frame = bounds }
}

/// A colour as a well with its text beside; pressing the well opens an editor below it. Where there may be no colour, a
/// button there gives the theme's back.
final class ColorPropertyEditor: ValueEditor<Color?> {
  private static let wellSize = Size(width: 56, height: 32)
  private static let gap = 12.0

  private let well = ColorWell()
  private let text = Label()
  private let opened = OpenedColor()
  /// The word for no colour.
  private let none: String

  init(
    _ property: AnyProperty, of target: View, isOptional: Bool, read: @escaping (View) -> Color?,
    write: @escaping (Color?, View) -> Void
  ) {
    // Nothing lies under a view whose ground has no colour; whatever else has none takes the theme's.
    none = property.name == "backgroundColor" ? "None" : "Theme’s"
    super.init(property, of: target, read: read, write: write)
    text.textStyle = .caption
    add(well, "well") { _ in }
    addSubview(text)
    well.addAction(for: .primaryActionTriggered) { [unowned self] _ in isOpen.toggle() }
    add(opened.editor, "colors") { [unowned self] in set($0.color) }
    opened.addSubview(opened.editor)
    guard isOptional else { return }
    let reset = Button()
    reset.name = "reset"
    reset.title = none
    reset.textStyle = .caption
    reset.addAction(for: .primaryActionTriggered) { [unowned self] _ in set(nil) }
    opened.reset = reset
    opened.addSubview(reset)
  }

  /// True while the plane of colours is shown.
  private(set) var isOpen = false {
    didSet {
      well.isSelected = isOpen
      refresh()
      setNeedsLayout()
      superview?.setNeedsLayout()
    }
  }

  override var idealWidth: Double { 150 }

  override var expansion: View? { isOpen ? opened : nil }

  override func show(_ color: Color?) {
    well.color = color
    text.text = color?.hexString ?? none
    text.textColor = color == nil ? theme.secondaryLabel : nil
    opened.reset?.isEnabled = color != nil
    if isOpen, isFree(opened.editor) { opened.editor.color = color ?? theme.fill }
  }

  override func didMoveToRoot() { refresh() }
  override func themeDidChange() { refresh() }

  override func sizeThatFits(_ size: Size) -> Size { Size(width: size.width, height: Self.wellSize.height) }

  override func layoutSubviews() {
    let (size, width, direction) = (Self.wellSize, bounds.width, effectiveLayoutDirection)
    let y = (bounds.height - size.height) / 2
    let place = Rect(x: width - size.width, y: y, width: size.width, height: size.height)
    well.frame = direction.rect(place, in: width)
    text.frame = direction.rect(
      Rect(x: 0, y: 0, width: max(place.minX - Self.gap, 0), height: bounds.height), in: width)
    text.textAlignment = direction == .leftToRight ? .right : .left
  }
}

/// What is open below a colour's well.
private final class OpenedColor: View {
  let editor = ColorEditor()
  var reset: Button?
  private static let gap = 8.0

  override var placesSubviewsBySize: Bool { true }

  override func sizeThatFits(_ size: Size) -> Size {
    let height = editor.sizeThatFits(size).height
    return Size(width: size.width, height: height + (reset == nil ? 0 : Control.minimumTouchSide + Self.gap))
  }

  override func layoutSubviews() {
    let below = reset == nil ? 0 : Control.minimumTouchSide + Self.gap
    editor.frame = Rect(x: 0, y: 0, width: bounds.width, height: max(bounds.height - below, 0))
    reset?.frame = Rect(
      x: 0, y: editor.frame.maxY + Self.gap, width: bounds.width, height: Control.minimumTouchSide)
  }
}
