/// A row of an outline: its item's title and detail, and a triangle if the item has children.
final class OutlineRow: Control {
  /// The width of the triangle's touch area.
  private static let triangleSide = 44.0
  /// The horizontal middle of the first level's triangle.
  private static let start = 20.0
  /// The minimum width of a title, however deep a row is.
  private static let leastText = 96.0

  @Redraws var row: OutlineModel.Row?
  @Redraws var indentation = 16.0
  /// Called after a tap; `onTriangle` is true if the tap was on the triangle.
  var onTap: ((_ row: OutlineModel.Row, _ onTriangle: Bool) -> Void)?

  override var canBecomeFirstResponder: Bool { false }
  override var hasPrimaryAction: Bool { true }

  override var accessibilityTitle: String { row.map { $0.item.title } ?? "" }
  override var accessibilityIsOn: Bool? { row?.hasChildren == true ? row?.isOpen : nil }
  override var accessibilityActions: [AccessibilityAction] {
    guard let row else { return [] }
    let words = AccessibilityWords.current
    let choose = AccessibilityAction("press", title: words.press) { [unowned self] in onTap?(row, false) }
    guard row.hasChildren else { return [choose] }
    return [choose, AccessibilityAction("open", title: words.open) { [unowned self] in onTap?(row, true) }]
  }

  /// The horizontal middle of the triangle. Levels beyond the available space are not indented further.
  private var inset: Double {
    let room = max(bounds.width - Self.leastText - 2 * Self.start, 0)
    return Self.start + min(Double(row?.depth ?? 0) * indentation, room)
  }

  override func endTracking(_ touch: Touch) {
    let point = touch.location(in: self)
    guard let row, self.point(inside: point) else { return }
    let x = effectiveLayoutDirection.x(point.x, in: bounds.width)
    onTap?(row, abs(x - inset) <= Self.triangleSide / 2)
  }

  override func draw(_ canvas: Canvas) {
    guard let row else { return }
    let place = bounds.insetBy(dx: 6, dy: 2)
    let shape = Path(roundedRect: place, cornerRadius: 8)
    if isSelected { canvas.fill(shape, theme.accent.withAlpha(0.2)) }
    if isHighlighted { canvas.fill(shape, theme.pressed) }
    if isSelected {
      let mark = Rect(x: place.minX, y: place.minY + 8, width: 3, height: place.height - 16)
      canvas.fill(Path(roundedRect: mirrored(mark), cornerRadius: 1.5), theme.accent)
    }
    if row.item.isDimmed { canvas.multiplyAlpha(0.5) }
    if row.hasChildren { drawTriangle(canvas, isOpen: row.isOpen, effectiveLayoutDirection) }
    drawText(canvas, row)
  }

  private func drawTriangle(_ canvas: Canvas, isOpen: Bool, _ direction: LayoutDirection) {
    let center = Point(x: direction.x(inset, in: bounds.width), y: bounds.midY)
    let (long, short) = (4.5, 2.5)
    let way = direction == .leftToRight ? 1.0 : -1
    let points =
      isOpen
      ? [Point(x: -long, y: -short), Point(x: 0, y: short), Point(x: long, y: -short)]
      : [Point(x: -short * way, y: -long), Point(x: short * way, y: 0), Point(x: -short * way, y: long)]
    let path = Path(line: points.map { center + $0 })
    canvas.stroke(path, theme.secondaryLabel, StrokeStyle(width: 1.75, cap: .round, join: .round))
  }

  private func drawText(_ canvas: Canvas, _ row: OutlineModel.Row) {
    let start = inset + 16
    let room = max(bounds.width - start - 14, 0)
    let title = line(row.item.title, Font(size: 15), width: room)
    let gap = 8.0
    let detail = line(row.item.detail, theme.font(.caption), width: room - title.size.width - gap)
    func draw(_ layout: TextLayout, at x: Double, _ color: Color) {
      self.draw(layout, leading: x, y: (bounds.height - layout.size.height) / 2, color, on: canvas)
    }
    draw(title, at: start, theme.label)
    // A detail of which only two characters and an ellipsis fit carries no information.
    guard !row.item.detail.isEmpty, room - title.size.width - gap > 28 else { return }
    draw(detail, at: start + title.size.width + gap, theme.secondaryLabel)
  }

  override var inspection: Inspection {
    super.inspection.adding(["title": row.map { .string($0.item.title) }])
  }
}
