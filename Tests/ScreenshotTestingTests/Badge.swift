import ScreenshotTesting

/// A pill with a word, different in every state and under every condition that a screenshot can have.
final class Badge: Control {
  var text = "Ready" { didSet { setNeedsDisplay() } }
  var level = 0.0 { didSet { setNeedsDisplay() } }
  private(set) var drawnLevel = -1.0

  override init(frame: Rect = Rect(x: 0, y: 0, width: 90, height: 30)) {
    super.init(frame: frame)
  }

  override var hasPrimaryAction: Bool { true }

  override func draw(_ canvas: Canvas) {
    drawnLevel = level
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let pill = Path(roundedRect: bounds, cornerRadius: bounds.height / 2)
    canvas.fill(pill, isSelected ? theme.accent : theme.fill)
    if isHighlighted { canvas.fill(pill, theme.pressed) }
    let dot = effectiveLayoutDirection.point(Point(x: 16, y: bounds.midY), in: bounds.width)
    canvas.fill(Path(circleAt: dot, radius: 5), theme.attention)
    let bar = Rect(x: 12, y: bounds.height - 5, width: (bounds.width - 24) * level, height: 2)
    canvas.fill(bar, isSelected ? theme.onAccent : theme.trackHighlight)
    canvas.draw(
      text, at: bounds.center, font: Font(size: 13), isSelected ? theme.onAccent : theme.label, anchor: .center)
  }
}
