/// A row of a `ListView`: a text, unless the program adds views to it.
public final class ListRow: Control {
  /// The text, in one line.
  public var text = "" { didSet { if text != oldValue { setNeedsDisplay() } } }
  /// The number of the row, from 0.
  public internal(set) var index = -1
  /// A text at the trailing end, such as a value.
  public var detail = "" { didSet { if detail != oldValue { setNeedsDisplay() } } }

  var onTap: (Int) -> Void = { _ in }
  var hasSeparator = false { didSet { if hasSeparator != oldValue { setNeedsDisplay() } } }
  /// True if the row must get its content again although it has its number.
  var isStale = true

  /// Seconds since the row went, while it fades out; nil for a row of the list.
  var ageOfDeparture: Double?
  /// Whether the list has changed its opacity.
  var isFading = false

  static let margin = 16.0

  init() { super.init(frame: .zero) }

  // MARK: Fingers

  /// Tapped, not dragged.
  public override var dragAxes: Axes { [] }

  public override var canBecomeFirstResponder: Bool { false }

  public override func endTracking(_ touch: Touch) {
    if point(inside: touch.location(in: self)) { onTap(index) }
  }

  // MARK: Drawing

  public override func draw(_ canvas: Canvas) {
    if isSelected {
      canvas.fill(bounds, theme.panel.mixed(with: theme.accent, 0.22))
      canvas.fill(mirrored(Rect(x: 0, y: 0, width: 4, height: bounds.height)), theme.accent)
    }
    if isHighlighted { canvas.fill(bounds, theme.pressed) }
    let font = theme.font(.body)
    let room = max(bounds.width - 2 * Self.margin, 0)
    var free = room
    if !detail.isEmpty {
      let text = line(detail, theme.font(.body), width: room * 0.5)
      draw(
        text, leading: bounds.width - Self.margin - text.size.width, y: (bounds.height - text.size.height) / 2,
        theme.secondaryLabel, on: canvas)
      free -= text.size.width + 12
    }
    if !text.isEmpty, free > 0 {
      let text = line(text, font, width: free)
      draw(text, leading: Self.margin, y: (bounds.height - text.size.height) / 2, theme.label, on: canvas)
    }
    guard hasSeparator else { return }
    let height = 1 / canvas.scale.factor
    canvas.fill(
      canvas.onWholePixels(
        mirrored(Rect(x: Self.margin, y: bounds.height - height, width: bounds.width - Self.margin, height: height))),
      theme.hairline)
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .button }
  public override var accessibilityTitle: String { [text, detail].filter { !$0.isEmpty }.joined(separator: ", ") }
  public override var accessibilityActions: [AccessibilityAction] {
    [AccessibilityAction("press", title: AccessibilityWords.current.press) { [unowned self] in onTap(index) }]
  }
}
