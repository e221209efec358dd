final class InspectorButton: Control {
  enum Sign {
    /// A cross hair: pick a view.
    case pick
    /// Two sheets: copy.
    case copy
    /// A cross: close.
    case close
  }

  private let sign: Sign

  init(_ sign: Sign, _ name: String) {
    self.sign = sign
    super.init(frame: .zero)
    self.name = name
  }

  override var hasPrimaryAction: Bool { true }
  override var focusRingCornerRadius: Double? { 10 }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: Self.minimumTouchSide, height: Self.minimumTouchSide)
  }

  override func draw(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let ground = Path(roundedRect: bounds.insetBy(dx: 3, dy: 3), cornerRadius: 9)
    if isSelected { canvas.fill(ground, theme.accent) }
    if isHighlighted { canvas.fill(ground, theme.pressed) }
    let color = isSelected ? theme.onAccent : theme.label
    let style = StrokeStyle(width: 1.75, cap: .round, join: .round)
    canvas.translate(x: bounds.midX, y: bounds.midY)
    for path in paths { canvas.stroke(path, color, style) }
  }

  private var paths: [Path] {
    switch sign {
    case .pick:
      let ticks = [(0.0, -1.0), (0, 1), (-1, 0), (1, 0)].map { x, y in
        Path(from: Point(x: x * 4, y: y * 4), to: Point(x: x * 10, y: y * 10))
      }
      return [Path(circleAt: .zero, radius: 7)] + ticks
    case .copy:
      let behind = Path(line: [Point(x: -8, y: 3), Point(x: -8, y: -8), Point(x: 3, y: -8)])
      return [Path(roundedRect: Rect(x: -4, y: -4, width: 12, height: 12), cornerRadius: 2), behind]
    case .close:
      return [
        Path(from: Point(x: -6, y: -6), to: Point(x: 6, y: 6)), Path(from: Point(x: 6, y: -6), to: Point(x: -6, y: 6)),
      ]
    }
  }
}
