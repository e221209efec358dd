/// Lines of text in two columns, drawn as one view.
final class InspectorTable: View {
  struct Line: Hashable {
    var start: String
    var end: String
    /// Whether the line is a heading, which has no `end`.
    var isHeading = false
    /// Whether the line is about the chosen view, and is highlighted.
    var isLit = false
  }

  private static let lineHeight = 30.0
  private static let headingHeight = 40.0
  private static let margin = 16.0

  var lines: [Line] = [] {
    didSet {
      guard lines != oldValue else { return }
      if height(lines) != height(oldValue) { setNeedsLayout() }
      setNeedsDisplay()
    }
  }
  /// The text shown while there are no lines.
  @Redraws var hint = ""

  init() {
    super.init(frame: .zero)
    isUserInteractionEnabled = false
  }

  private func height(_ lines: [Line]) -> Double {
    lines.reduce(8) { $0 + ($1.isHeading ? Self.headingHeight : Self.lineHeight) }
  }

  override func sizeThatFits(_ size: Size) -> Size { Size(width: size.width, height: max(height(lines), 120)) }

  override func draw(_ canvas: Canvas) {
    if lines.isEmpty { return drawHint(canvas) }
    var y = 0.0
    for line in lines {
      let height = line.isHeading ? Self.headingHeight : Self.lineHeight
      draw(line, Rect(x: Self.margin, y: y, width: max(bounds.width - 2 * Self.margin, 0), height: height), canvas)
      y += height
    }
  }

  private func draw(_ line: Line, _ place: Rect, _ canvas: Canvas) {
    if line.isHeading {
      let text = self.line(line.start, theme.font(.caption, weight: .semibold), width: place.width)
      return self.draw(text, leading: place.minX, y: place.maxY - 6 - text.size.height, theme.accent, on: canvas)
    }
    let end = self.line(line.end, theme.font(.caption), width: place.width * 0.68)
    let start = self.line(line.start, theme.font(.caption), width: place.width - end.size.width - 12)
    func draw(_ text: TextLayout, at x: Double, _ color: Color) {
      self.draw(text, leading: x, y: place.minY + (place.height - text.size.height) / 2, color, on: canvas)
    }
    draw(start, at: place.minX, line.isLit ? theme.accent : theme.secondaryLabel)
    draw(end, at: place.maxX - end.size.width, theme.label)
  }

  private func drawHint(_ canvas: Canvas) {
    let limits = TextLimits(
      width: max(bounds.width - 2 * Self.margin, 0), alignment: .center, direction: effectiveLayoutDirection)
    let text = TextLayout(hint, font: theme.font(.caption), limits: limits)
    canvas.draw(text, at: Point(x: bounds.midX, y: 56), theme.secondaryLabel, anchor: .center)
  }
}

extension InspectorTable {
  static func lines(about view: View) -> [Line] {
    let said = view.inspection
    var lines: [Line] = []
    func add(_ title: String, _ value: String?) {
      lines.append(Line(start: title, end: value ?? "", isHeading: value == nil))
    }
    add("Place", nil)
    add("In Window", text(view.windowFrame.origin))
    add("In Superview", text(view.frame.origin))
    add("Size", "\(text(view.frame.width)) × \(text(view.frame.height))")
    add("State", nil)
    if !said.state.isEmpty { add("State", said.state.map { PropertyName($0).title }.joined(separator: ", ")) }
    if let control = view as? Control { add("Fingers", String(control.trackedTouches.count)) }
    let known: [(title: String, isSet: Bool)] = [
      ("Not Seen", !view.isShown), ("Opaque", view.isOpaque), ("Has Keys", view.isFirstResponder),
      ("Can Have Keys", view.canBecomeFirstResponder), ("Under Pointer", view.isHovered),
      ("Several Fingers", view.isMultipleTouchEnabled), ("Anchored", view.anchors != nil),
    ]
    let flags = known.filter(\.isSet).map(\.title)
    add("Flags", flags.isEmpty ? "None" : flags.joined(separator: ", "))
    add("Views Inside", String(view.subviews.count))
    if !said.values.isEmpty { add("Values", nil) }
    for (name, value) in said.values.sorted(by: { $0.key < $1.key }) { add(PropertyName(name).title, text(value)) }
    return lines
  }

  private static func text(_ number: Double) -> String { NumberFormat(fractionDigits: 2).text(number) }
  private static func text(_ point: Point) -> String { "\(text(point.x)), \(text(point.y))" }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .bool(let value): value ? "Yes" : "No"
    case .number(let value): NumberFormat(fractionDigits: 3).text(value)
    default: value.text ?? value.jsonText
    }
  }
}

/// The latest events. Continuous ones, such as a moving finger, are one entry with a count.
nonisolated struct InspectorLog: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// The time of the latest occurrence.
    var time: MonotonicTime
    /// The view's number in the tree; nil for the window.
    var view: Int?
    /// The view's display name.
    var source: String
    var text: String
    /// The number of consecutive occurrences.
    var count: Int
    /// Whether the event is one that repeats, such as motion.
    var goesOn: Bool
  }

  static let capacity = 50
  /// The number of latest entries among which a repeating event may be counted.
  private static let reach = 6

  /// The entries, the latest first.
  private(set) var entries: [Entry] = []

  /// Records an event. A repeating event (`goesOn`) raises the count of the same event among the latest entries, unless the view
  /// had an event since that does not repeat.
  mutating func note(_ text: String, of source: String, view: Int?, at time: MonotonicTime, goesOn: Bool = false) {
    if goesOn {
      for index in entries.indices.prefix(Self.reach) where entries[index].view == view {
        guard entries[index].goesOn else { break }
        guard entries[index].text == text else { continue }
        entries[index].count += 1
        entries[index].time = time
        return
      }
    }
    entries.insert(Entry(time: time, view: view, source: source, text: text, count: 1, goesOn: goesOn), at: 0)
    if entries.count > Self.capacity { entries.removeLast(entries.count - Self.capacity) }
  }

  mutating func removeAll() { entries = [] }
}
