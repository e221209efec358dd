/// Lines of numbers over time, which may grow while they are shown.
///
/// Each column of pixels shows the smallest and the largest of its numbers, so no peak is lost, and a million points take no longer to draw
/// than the columns that they are on. Appending a number takes constant time on average. A number that is not finite is a gap.
/// The numbers are set in code; layout files set the look.
@ListsProperties
public final class Chart: View {
  /// A line of a chart.
  private struct Series {
    var title: String
    var color: Color?
    var tree = ExtentTree()
  }

  /// How the lines are drawn.
  @Inspectable(.display) public var style = ChartStyle.line
  /// The number of latest points that are shown; 0 for all.
  @Inspectable(.display, normalise: { max($0, 0) }) public var shownPointCount = 0
  /// The number of points that each line keeps; the oldest are forgotten.
  @Inspectable(.none, normalise: { min(max($0, 1), 100_000_000) }, then: Chart.capacityChanged) public
    var pointCapacity = 1_000_000
  /// The value at the foot; nil for the smallest that is shown.
  @Inspectable(.display) public var minimumValue: Double?
  /// The value at the top; nil for the largest that is shown.
  @Inspectable(.display) public var maximumValue: Double?
  /// The width of the lines in points.
  @Inspectable(.display, limits: 0.5...20) public var lineWidth = 1.5
  /// Whether lines across the chart have round values, which stand beside them.
  @Inspectable(.display) public var showsScale = true

  private var series: [Series] = []

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
  }

  // MARK: The numbers

  /// The number of lines.
  public var seriesCount: Int { series.count }

  /// Adds a line without points, in `color` or, if that is nil, in a colour of the theme. Returns its number, which counts from 0.
  @discardableResult public func addSeries(_ title: String = "", color: Color? = nil) -> Int {
    var new = Series(title: title, color: color)
    new.tree.capacity = pointCapacity
    series.append(new)
    setNeedsDisplay()
    return series.count - 1
  }

  /// The number of points that a line has; 0 for a number that no line has.
  public func pointCount(of number: Int) -> Int { series.indices.contains(number) ? series[number].tree.count : 0 }

  /// Adds a point at the end of a line; nothing for a number that no line has.
  public func append(_ value: Double, to number: Int = 0) {
    guard series.indices.contains(number) else { return }
    series[number].tree.append(value)
    setNeedsDisplay()
  }

  /// Adds points at the end of a line, in their order.
  public func append(contentsOf values: some Sequence<Double>, to number: Int = 0) {
    guard series.indices.contains(number) else { return }
    for value in values { series[number].tree.append(value) }
    setNeedsDisplay()
  }

  /// Removes the points of all lines, which stay.
  public func removeAllPoints() {
    for index in series.indices { series[index].tree.removeAll() }
    setNeedsDisplay()
  }

  private func capacityChanged() {
    for index in series.indices { series[index].tree.capacity = pointCapacity }
    setNeedsDisplay()
  }

  // MARK: Geometry

  /// The points that are shown: lines of different lengths end together, with the newest.
  private var longest: Int { series.map(\.tree.count).max() ?? 0 }

  private func points(of tree: ExtentTree) -> Range<Int> {
    let count = shownPointCount > 0 ? min(shownPointCount, longest) : longest
    return tree.count - count..<tree.count
  }

  /// The values at the foot and at the top.
  private var limits: ValueExtent? {
    let shown = series.compactMap { $0.tree.extent(of: points(of: $0.tree)) }
    guard var limits = shown.dropFirst().reduce(shown.first, { $0?.union($1) }) else { return nil }
    if style == .area { limits = limits.union(ValueExtent(0)) }
    if let minimumValue { limits = ValueExtent(least: minimumValue, most: max(limits.most, minimumValue)) }
    if let maximumValue { limits = ValueExtent(least: min(limits.least, maximumValue), most: maximumValue) }
    return limits
  }

  private var font: Font { theme.font(.caption) }

  public override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width.isFinite && size.width > 0 ? min(size.width, 280) : 280, height: 140)
  }

  // MARK: Drawing

  public override func draw(_ canvas: Canvas) {
    guard !bounds.isEmpty else { return }
    let limits = limits
    let ground = bounds.insetBy(dx: 0.5, dy: 0.5)
    canvas.fill(bounds, theme.panel)
    canvas.stroke(Path(rect: ground), theme.hairline, width: 1)
    guard let limits else { return }
    let inner = bounds.insetBy(dx: 1, dy: 6)
    let frame = ChartGeometry(plot: inner, limits: limits, points: 0..<2, direction: effectiveLayoutDirection)
    let labels = showsScale ? self.labels(frame) : []
    let side = labels.map { $0.text.size.width }.max().map { ($0 + 14).rounded(.up) } ?? 0
    drawScale(labels, frame, canvas)
    let plot = mirrored(Rect(x: inner.minX, y: inner.minY, width: max(inner.width - side, 1), height: inner.height))
    let pixels = max(Int((plot.width * canvas.scale.factor).rounded(.down)), 1)
    canvas.saved {
      canvas.clip(to: Rect(x: plot.minX, y: bounds.minY, width: plot.width, height: bounds.height))
      for (number, line) in series.enumerated() {
        let geometry = ChartGeometry(
          plot: plot, limits: limits, points: points(of: line.tree), direction: effectiveLayoutDirection)
        let outline = ChartOutline(line.tree, geometry, pixels: pixels)
        draw(outline, line.color ?? color(number), base: geometry.y(0), column: plot.width / Double(pixels), canvas)
      }
    }
  }

  private func color(_ number: Int) -> Color {
    let colors = [theme.accent, theme.attention, theme.stop, theme.label]
    return colors[number % colors.count]
  }

  /// The round values, and their texts.
  private func labels(_ geometry: ChartGeometry) -> [(value: Double, text: TextLayout)] {
    let count = Int(clamping: (geometry.plot.height / (font.size * 2)).rounded(.down))
    return geometry.ticks(atMost: min(count, 8)).map { value in
      (value, FontLibrary.shared.layout(NumberFormat(fractionDigits: 6).text(value), font: font))
    }
  }

  private func drawScale(_ labels: [(value: Double, text: TextLayout)], _ geometry: ChartGeometry, _ canvas: Canvas) {
    let line = 1 / canvas.scale.factor
    for (value, text) in labels {
      let y = geometry.y(value)
      let width = max(bounds.width - text.size.width - 14, 0)
      canvas.fill(
        canvas.onWholePixels(mirrored(Rect(x: 1, y: y, width: width, height: line))), theme.hairline)
      let place = y.clamped(
        to: bounds.minY + text.size.height / 2
          + 1...max(bounds.maxY - text.size.height / 2 - 1, text.size.height / 2 + 1))
      draw(
        text, leading: bounds.width - text.size.width - 7, y: place - text.size.height / 2, theme.secondaryLabel,
        on: canvas)
    }
  }

  private func draw(_ outline: ChartOutline, _ color: Color, base: Double, column: Double, _ canvas: Canvas) {
    let half = lineWidth / 2
    for run in outline.runs {
      guard let first = run.first, let last = run.last else { continue }
      if style == .area {
        let area = [Point(x: first.x, y: base)] + run.map { Point(x: $0.x, y: $0.top) } + [Point(x: last.x, y: base)]
        canvas.fill(Path(polygon: area), color.withAlpha(color.alpha * 0.25))
      }
      if run.count == 1 {
        let dot = Rect(
          x: first.x - half, y: first.top - half, width: lineWidth, height: first.foot - first.top + lineWidth)
        canvas.fill(dot, color)
      } else if !outline.isDense {
        canvas.stroke(
          Path(line: run.map { Point(x: $0.x, y: $0.top) }), color,
          StrokeStyle(width: lineWidth, cap: .round, join: .round))
      } else {
        // One outline around the bars of all columns, from left to right.
        let side = column / 2
        let run = first.x <= last.x ? run : run.reversed()
        let tops = run.flatMap { [Point(x: $0.x - side, y: $0.top - half), Point(x: $0.x + side, y: $0.top - half)] }
        let feet = run.flatMap { [Point(x: $0.x - side, y: $0.foot + half), Point(x: $0.x + side, y: $0.foot + half)] }
        canvas.fill(Path(polygon: tops + feet.reversed()), color)
      }
    }
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .image }
  /// The chart's name, and the names of the lines with their newest values.
  public override var accessibilityTitle: String {
    let lines = series.map { line in
      let value = line.tree[line.tree.count - 1].map { NumberFormat(fractionDigits: 2).text($0) }
      return [line.title, value ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
    return [name, lines.joined(separator: ", ")].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  public override var inspection: Inspection {
    super.inspection.adding(["points": .number(Double(longest))])
  }
}

/// How the lines of a chart are drawn.
nonisolated public enum ChartStyle: String, CaseIterable, InspectableValue {
  /// Lines alone.
  case line
  /// Lines, with the area between each and the value 0.
  case area
}
