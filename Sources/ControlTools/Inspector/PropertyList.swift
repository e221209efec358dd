import Controls
import UICore

/// Every inspectable property of a view with a fitting editor, in groups under headings (K18). Editors change the view at once,
/// and follow whatever changes it.
///
/// It is as high as its rows need at its width (`sizeThatFits`): put it into a scroll view. The view that it shows is not kept
/// alive; where it has gone, editing does nothing.
public final class PropertyList: View {
  /// Decides which properties are listed; nil for all. Set it before `target`.
  public var includes: ((_ property: AnyProperty) -> Bool)?
  /// Over which values a slider goes for a number that has no limits; nil leaves it to a field alone, which also takes others.
  /// Set it before `target`.
  public var reach: ((_ property: AnyProperty, _ view: View) -> ClosedRange<Double>?)?
  /// Called with the property after a person changed it here.
  public var onChange: ((_ property: AnyProperty) -> Void)?
  /// The free space at both sides of rows, in points.
  @Inspectable public var margin = 16.0

  /// Besides those of its superclass.
  public override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("margin", \PropertyList.margin, .layout, limits: 0...200)
    ]
  }

  private var groups: [PropertyGroup] = []

  /// Makes an empty list at `frame`, in points of the future superview.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
  }

  /// A list of the properties of `target`.
  public convenience init(of target: View) {
    self.init(frame: .zero)
    self.target = target
  }

  /// The view whose properties are listed; nil for an empty list.
  public weak var target: View? {
    // One that is gone has left its rows.
    didSet { if target !== oldValue || target == nil { reload() } }
  }

  /// Makes all rows anew.
  public func reload() {
    for group in groups { group.removeFromSuperview() }
    groups = []
    if let target { makeGroups(of: target) }
    setNeedsLayout()
    setNeedsDisplay()
  }

  private func makeGroups(of target: View) {
    let properties = target.inspectables.filter { includes?($0) ?? true }
    var names: [String] = []
    var members: [String: [AnyProperty]] = [:]
    for property in properties {
      if members[property.group] == nil { names.append(property.group) }
      members[property.group, default: []].append(property)
    }
    // What every view has comes last: people look for what this one has.
    let common = ["Control", "View"]
    let order = names.filter { !common.contains($0) } + common.filter { members[$0] != nil }
    groups = order.map { name in
      PropertyGroup(
        name,
        (members[name] ?? []).map { property in
          let editor = PropertyEditor.make(for: property, of: target, reach: reach?(property, target))
          editor.onChange = { [weak self] in self?.onChange?(property) }
          return PropertyRow(editor)
        })
    }
    for group in groups { addSubview(group) }
  }

  // MARK: Layout

  /// True: rows say how high they are.
  public override var placesSubviewsBySize: Bool { true }

  /// As wide as asked for, 320 points where nothing is, and as high as all rows.
  public override func sizeThatFits(_ size: Size) -> Size {
    let width = size.width.isFinite && size.width > 0 ? size.width : 320
    let inside = Size(width: max(width - 2 * margin, 0), height: .infinity)
    return Size(width: width, height: groups.reduce(0) { $0 + $1.sizeThatFits(inside).height })
  }

  /// Groups from the top down.
  public override func layoutSubviews() {
    var y = 0.0
    let width = max(bounds.width - 2 * margin, 0)
    for group in groups {
      let height = group.sizeThatFits(Size(width: width, height: .infinity)).height
      group.frame = Rect(x: margin, y: y, width: width, height: height)
      y += height
    }
  }

  /// Which properties are listed, for people and tools.
  public override var inspection: Inspection {
    var inspection = super.inspection
    inspection.values["groups"] = .text(groups.map(\.title).joined(separator: ", "))
    return inspection
  }
}

/// The rows under one heading.
private final class PropertyGroup: View {
  private static let headingHeight = 40.0
  private static let bottom = 8.0

  let title: String
  private let rows: [PropertyRow]

  init(_ title: String, _ rows: [PropertyRow]) {
    self.title = title
    self.rows = rows
    super.init(frame: .zero)
    for row in rows { addSubview(row) }
  }

  override var placesSubviewsBySize: Bool { true }

  override func sizeThatFits(_ size: Size) -> Size {
    let height = rows.reduce(Self.headingHeight) { $0 + $1.sizeThatFits(size).height } + Self.bottom
    return Size(width: size.width, height: height)
  }

  override func layoutSubviews() {
    var y = Self.headingHeight
    for row in rows {
      let height = row.sizeThatFits(Size(width: bounds.width, height: .infinity)).height
      row.frame = Rect(x: 0, y: y, width: bounds.width, height: height)
      y += height
    }
  }

  override func draw(_ canvas: Canvas) {
    let text = FontLibrary.shared.layout(title, font: theme.font(.caption, weight: .semibold))
    let x = effectiveLayoutDirection.x(0, width: text.size.width, in: bounds.width)
    canvas.draw(text, at: Point(x: x, y: Self.headingHeight - 6 - text.size.height), theme.accent)
    let line = 1 / max(canvas.scale.factor, 1)
    canvas.fill(Rect(x: 0, y: bounds.height - line, width: bounds.width, height: line), theme.hairline)
  }
}
