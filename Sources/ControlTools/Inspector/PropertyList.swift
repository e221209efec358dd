/// Every inspectable property of a view with a fitting editor, in groups under headings. Editors change the view at once, and
/// follow changes made elsewhere.
///
/// It is as high as its rows need at its width (`sizeThatFits`), so put it into a scroll view. It holds the view weakly; once
/// that no longer exists, editing does nothing.
public final class PropertyList: StackView {
  /// Decides which properties are listed; nil for all. Set it before `target`.
  public var includes: ((_ property: AnyProperty) -> Bool)?
  /// The range of a slider for a number without limits or a `reach` of its own; nil uses only a field, which also accepts other
  /// numbers. Set it before `target`.
  public var reach: ((_ property: AnyProperty, _ view: View) -> ClosedRange<Double>?)?
  /// Called with the property after the user changed it here.
  public var onChange: ((_ property: AnyProperty) -> Void)?

  /// Creates an empty list at `frame`, in points of the future superview, with 16 points free at both sides (`insets`).
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    insets = EdgeInsets(top: 0, left: 16, bottom: 0, right: 16)
  }

  /// The view whose properties are listed; nil for an empty list.
  public weak var target: View? {
    // A destroyed target reads as nil, but its rows are still there.
    didSet { if target !== oldValue || target == nil { reload() } }
  }

  /// Rebuilds all rows.
  public func reload() {
    for group in subviews { group.removeFromSuperview() }
    guard let target else { return }
    var names: [String] = []
    var members: [String: [AnyProperty]] = [:]
    for property in target.inspectables where includes?(property) ?? true {
      if members[property.group] == nil { names.append(property.group) }
      members[property.group, default: []].append(property)
    }
    // Properties that every view has come last, because users look for the specific ones.
    let common = ["Control", "View"]
    let order = names.filter { !common.contains($0) } + common.filter { members[$0] != nil }
    for name in order {
      let rows = (members[name] ?? []).map { property in
        let editor = PropertyEditor.make(for: property, of: target, reach: property.reach ?? reach?(property, target))
        editor.onChange = { [weak self] in self?.onChange?(property) }
        return PropertyRow(editor)
      }
      addSubview(PropertyGroup(name, rows))
    }
  }

  /// As wide as requested, 320 points by default, and as high as all rows.
  public override func sizeThatFits(_ size: Size) -> Size {
    let width = size.width.isFinite && size.width > 0 ? size.width : 320
    return super.sizeThatFits(Size(width: width, height: size.height))
  }

  public override var inspection: Inspection {
    let titles = subviews.compactMap { ($0 as? PropertyGroup)?.title }
    return super.inspection.adding(["groups": .string(titles.joined(separator: ", "))])
  }
}

private final class PropertyGroup: StackView {
  private static let headingHeight = 40.0

  let title: String

  init(_ title: String, _ rows: [PropertyRow]) {
    self.title = title
    super.init(frame: .zero)
    insets = EdgeInsets(top: Self.headingHeight, left: 0, bottom: 8, right: 0)
    for row in rows { addSubview(row) }
  }

  override func draw(_ canvas: Canvas) {
    let text = FontLibrary.shared.layout(title, font: theme.font(.caption, weight: .semibold))
    draw(text, leading: 0, y: Self.headingHeight - 6 - text.size.height, theme.accent, on: canvas)
    let line = 1 / max(canvas.scale.factor, 1)
    canvas.fill(Rect(x: 0, y: bounds.height - line, width: bounds.width, height: line), theme.hairline)
  }
}

/// A property's title with its editor beside it, or below it if that needs more space.
final class PropertyRow: View {
  private static let gap = 12.0
  private static let padding = 6.0
  /// The least height of an editor beside a title.
  private static let leastHeight = 40.0

  let editor: PropertyEditor
  private let title = Label()
  private var expansion: View?

  init(_ editor: PropertyEditor) {
    self.editor = editor
    super.init(frame: .zero)
    title.text = editor.property.title
    title.fontSize = 14
    title.numberOfLines = 2
    addSubview(title)
    addSubview(editor)
    // With several fields, the accessibility label also names the field.
    let parts = editor.accessibilityElements.filter { !($0 is Label) }
    for part in parts { part.accessibilityLabel = parts.count == 1 ? title.text : "\(title.text) \(part.name)" }
  }

  override var placesSubviewsBySize: Bool { true }

  private struct Places {
    var title = Rect.zero
    var editor = Rect.zero
    var expansion = Rect.zero
    var height = 0.0
  }

  private func places(in width: Double) -> Places {
    var places = Places()
    let gap = Self.gap
    // The editors of one list are left-aligned, those of fixed size right-aligned.
    let column = editor.hasFixedWidth ? editor.idealWidth : max((width * 0.56).rounded(), 0)
    let isBeside = editor.idealWidth <= column && width - column - gap >= 64
    let (titleWidth, editorWidth) = isBeside ? (width - column - gap, column) : (width, width)
    let lines = title.sizeThatFits(Size(width: titleWidth, height: .infinity)).height
    let wanted = editor.fittingSize(in: Size(width: editorWidth, height: .infinity)).height
    let y: Double
    if isBeside {
      // Beside a high editor, the title is level with the editor's first line.
      let line = max(Self.leastHeight, lines)
      places.title = Rect(x: 0, y: Self.padding, width: titleWidth, height: line)
      places.editor = Rect(
        x: width - column, y: Self.padding + max((line - wanted) / 2, 0), width: column, height: wanted)
      y = Self.padding + max(wanted, line)
    } else {
      places.title = Rect(x: 0, y: Self.padding, width: width, height: lines)
      places.editor = Rect(x: 0, y: places.title.maxY + Self.padding, width: width, height: wanted)
      y = places.editor.maxY + Self.padding
    }
    places.height = y + Self.padding
    if let expansion = editor.expansion {
      let height = expansion.fittingSize(in: Size(width: width, height: .infinity)).height
      places.expansion = Rect(x: 0, y: y + 8, width: width, height: height)
      places.height = places.expansion.maxY + 2 * Self.padding
    }
    return places
  }

  override func sizeThatFits(_ size: Size) -> Size { Size(width: size.width, height: places(in: size.width).height) }

  override func layoutSubviews() {
    if expansion !== editor.expansion {
      expansion?.removeFromSuperview()
      expansion = editor.expansion
      if let expansion { addSubview(expansion) }
    }
    let places = places(in: bounds.width)
    title.frame = mirrored(places.title)
    editor.frame = mirrored(places.editor)
    expansion?.frame = mirrored(places.expansion)
  }
}
