// Owns the editor of colours: a well that opens a plane of colours below.
// Must not know how properties are listed.

import Interface

/// A colour as a well with its text beside; pressing the well opens an editor below it. Where there may be no colour, a
/// button there gives the theme's back.
final class ColorPropertyEditor: PropertyEditor {
  private static let wellSize = Size(width: 56, height: 32)
  private static let gap = 12.0

  private let well = ColorWell()
  private let text = Label()
  private let opened = OpenedColor()
  /// The word for no colour.
  private let none: String

  init(_ property: any AnyInspectable, of target: View, isOptional: Bool) {
    // Nothing lies under a view whose ground has no colour; whatever else has none takes the theme's.
    none = property.name == "backgroundColor" ? "None" : "Theme’s"
    super.init(property, of: target)
    text.textStyle = .caption
    add(well, "well") { _ in }
    addSubview(text)
    well.addAction(for: .primaryActionTriggered) { [unowned self] _ in isOpen.toggle() }
    add(opened.editor, "colors") { [unowned self] in set($0.color.json) }
    opened.addSubview(opened.editor)
    guard isOptional else { return }
    let reset = Button()
    reset.name = "reset"
    reset.title = none
    reset.textStyle = .caption
    reset.addAction(for: .primaryActionTriggered) { [unowned self] _ in set(.null) }
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

  override func show(_ value: JSONValue) {
    let color = try? Color(json: value)
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
