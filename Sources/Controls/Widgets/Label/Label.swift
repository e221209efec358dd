/// A text in one or several lines, vertically centred.
///
/// Size and colour are the theme's unless set. Characters that the font lacks, such as Chinese ones or emoji, come from
/// fallback fonts of the system; without any font nothing is drawn, and nothing fails.
@ListsProperties
public final class Label: View {
  /// The text that is shown.
  @Inspectable(.layout, isReported: true) public var text = ""
  /// The text style, which determines the theme's font size.
  @Inspectable(.layout) public var textStyle = Theme.TextStyle.body
  /// The font size in points, from 12 to 400; nil for the theme's.
  @Inspectable(.layout, group: "Font", normalise: Font.usableSize) public var fontSize: Double?
  /// How thick the strokes of the letters are.
  @Inspectable(.layout, group: "Font") public var fontWeight = Font.Weight.regular
  /// A font family, or several separated by commas in order of preference; empty for the default.
  @Inspectable(.layout, group: "Font") public var fontFamily = ""
  /// The text colour; nil for the theme's label colour.
  @Inspectable(.display) public var textColor: Color?
  /// The side on which lines lie that are shorter than the label is wide.
  @Inspectable(.layout) public var textAlignment = HorizontalAlignment.leading
  /// The maximum number of lines; 0 for as many as fit the height.
  @Inspectable(.layout, group: "Text", normalise: { max($0, 0) }) public var numberOfLines = 1
  /// How a text that does not fit is truncated.
  @Inspectable(.layout, group: "Text") public var truncation = TextTruncation.tail

  private var made: (key: Key, layout: TextLayout)?

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
    shrink = 1
  }

  /// Creates a label with `text`, sized to fit.
  public convenience init(_ text: String, style: Theme.TextStyle = .body) {
    self.init(frame: .zero)
    self.text = text
    textStyle = style
    sizeToFit()
  }

  public override var accessibilityRole: AccessibilityRole { text.isEmpty ? .none : .label }
  public override var accessibilityTitle: String { text }
  /// The text as it is drawn, unless the program says something else.
  public override var accessibilityTextLayout: AccessibilityTextLayout? {
    guard accessibilityLabel == text, !bounds.isEmpty else { return nil }
    let layout = fitted
    return AccessibilityTextLayout(layout, at: origin(of: layout))
  }

  /// The effective font, from the theme and the label's properties.
  public var font: Font {
    Font(
      size: fontSize ?? theme.fontSizes[textStyle], weight: fontWeight,
      family: fontFamily.isEmpty ? nil : fontFamily)
  }

  /// True if a part of the text is truncated for lack of space.
  public var isTruncated: Bool {
    let layout = fitted
    return layout.isTruncated || layout.size.width > bounds.width + 0.01 || layout.size.height > bounds.height + 0.01
  }

  // MARK: Layout

  private struct Key: Equatable {
    let text: String
    let font: Font
    let limits: TextLimits
    let library: ObjectIdentifier
  }

  private func layout(_ limits: TextLimits) -> TextLayout {
    let key = Key(text: text, font: font, limits: limits, library: ObjectIdentifier(FontLibrary.shared))
    if let made, made.key == key { return made.layout }
    let layout = TextLayout(text, font: key.font, limits: limits)
    made = (key, layout)
    return layout
  }

  private func limits(width: Double?, lineCount: Int?) -> TextLimits {
    TextLimits(
      width: width, lineCount: lineCount, truncation: truncation, alignment: textAlignment,
      direction: effectiveLayoutDirection)
  }

  /// The text in the bounds.
  private var fitted: TextLayout {
    let count = numberOfLines > 0 ? numberOfLines : nil
    let layout = layout(limits(width: bounds.width, lineCount: count))
    // Lines that would lie outside are left out, so that an ellipsis shows that there is more.
    guard layout.lineCount > 1, layout.size.height > bounds.height + 0.5 else { return layout }
    let lineHeight = layout.size.height / Double(layout.lineCount)
    return self.layout(
      limits(width: bounds.width, lineCount: max(Int(clamping: (bounds.height + 0.5) / lineHeight), 1)))
  }

  /// The size that the text needs, in whole points: for one line its own width, for several as many lines as the width of
  /// `size` requires; an infinite width is no limit.
  public override func sizeThatFits(_ size: Size) -> Size {
    let width = numberOfLines == 1 || !(size.width > 0) ? nil : size.width
    let needed = TextLayout(
      text, font: font, limits: limits(width: width, lineCount: numberOfLines > 0 ? numberOfLines : nil)
    ).size
    return Size(width: needed.width.rounded(.up), height: needed.height.rounded(.up))
  }

  /// A row may leave nothing of it, a column one line.
  override func leastLength(along axis: Axis, of size: Size) -> Double {
    guard axis == .vertical, numberOfLines != 1 else { return axis == .vertical ? size.height : 0 }
    return min(FontLibrary.shared.layout("H", font: font).size.height.rounded(.up), size.height)
  }

  // MARK: Drawing

  public override var drawsPlainFills: Bool { true }

  public override func draw(_ canvas: Canvas) {
    guard !text.isEmpty, !bounds.isEmpty else { return }
    let layout = fitted
    canvas.draw(layout, at: origin(of: layout), textColor ?? theme.label)
  }

  private func origin(of layout: TextLayout) -> Point {
    let free = bounds.width - layout.size.width
    // A text that does not fit begins at the leading side.
    let x = free * (free < 0 ? .leading : textAlignment).fraction(in: effectiveLayoutDirection)
    return Point(x: x, y: (bounds.height - layout.size.height) / 2)
  }

  public override var inspection: Inspection {
    super.inspection.adding(["isTruncated": isTruncated ? .bool(true) : nil])
  }
}

extension Font {
  /// The size in points that a label or button accepts in place of `size`; nil for the theme's.
  static func usableSize(_ size: Double?) -> Double? { size.map { min(max($0, 12), 400) } }
}

/// Weights by their names in files and editors.
nonisolated extension Font.Weight: InspectableValue {
  private static let named: [(name: String, value: Font.Weight)] = [
    ("light", .light), ("regular", .regular), ("medium", .medium), ("semibold", .semibold), ("bold", .bold),
  ]

  /// A choice among the names.
  public static var inspectableKind: InspectableKind { .choice(named.map(\.name)) }

  /// The weight's name; its number if it has no name.
  public var json: JSONValue {
    Self.named.first { $0.value == self }.map { .string($0.name) } ?? .number(Double(rawValue))
  }

  /// Creates a weight from a name, or a number from 100 to 900.
  public init(json: JSONValue) throws(InspectableError) {
    if let number = json.finiteNumber, (100...900).contains(number), let weight = Int(exactly: number) {
      self.init(rawValue: weight)
    } else {
      self = try Self.choice(json, among: Self.named)
    }
  }
}

extension Theme.TextStyle: InspectableValue {}
