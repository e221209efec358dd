/// A colour as a button: it shows a colour, or the absence of one, and sends `primaryActionTriggered` when pressed.
@ListsProperties
public final class ColorWell: Control {
  /// The colour shown; nil for none.
  @Inspectable(.display) public var color: Color?

  public override var hasPrimaryAction: Bool { true }

  public override var accessibilityTitle: String {
    [name, color?.hexString ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  public override func sizeThatFits(_ size: Size) -> Size { Size(width: 64, height: 32) }

  public override func draw(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let edge = bounds.insetBy(dx: 1, dy: 1)
    // The ring of a selected well is separate from the colour, so that it is visible around every colour.
    let shape = isSelected ? edge.insetBy(dx: 3, dy: 3) : edge
    let radius = isSelected ? 4.0 : 6
    let ground = Path(roundedRect: shape, cornerRadius: radius)
    if let color {
      if Color.clamped(color.alpha) < 1 { Checkerboard.draw(canvas, shape, ground) }
      canvas.fill(ground, color)
      canvas.stroke(
        Path(roundedRect: shape.insetBy(dx: 0.5, dy: 0.5), cornerRadius: radius - 0.5),
        theme.isDark ? theme.hairline : theme.thumbOutline, width: 1)
    } else {
      canvas.fill(ground, theme.fill)
      let line = shape.insetBy(dx: 7, dy: 7)
      canvas.stroke(
        Path(from: Point(x: line.minX, y: line.maxY), to: Point(x: line.maxX, y: line.minY)), theme.secondaryLabel,
        StrokeStyle(width: 1.5, cap: .round))
    }
    if isHighlighted { canvas.fill(ground, theme.pressed) }
    if isSelected || isHighlighted {
      canvas.stroke(Path(roundedRect: edge, cornerRadius: 7), theme.accent, width: isSelected ? 2 : 1)
    }
  }

  public override var inspection: Inspection {
    super.inspection.adding(["color": .string(color?.hexString ?? "none")])
  }
}

/// A pattern of light and dark squares that shows through translucent colours.
enum Checkerboard {
  private static let side = 6.0
  /// The maximum number of squares across and down; a huge area has larger squares instead.
  private static let mostSquares = 256.0

  static func draw(_ canvas: Canvas, _ rect: Rect, _ shape: Path) {
    canvas.fill(shape, Color(white: 0.62))
    canvas.saved {
      canvas.clip(to: shape)
      let side = max(side, rect.width / mostSquares, rect.height / mostSquares)
      let columns = Int(clamping: (rect.width / side).rounded(.up))
      for row in 0..<Int(clamping: (rect.height / side).rounded(.up)) {
        for column in 0..<columns where (row + column) % 2 == 1 {
          let (x, y) = (rect.minX + Double(column) * side, rect.minY + Double(row) * side)
          canvas.fill(Rect(x: x, y: y, width: side, height: side), Color(white: 0.38))
        }
      }
    }
  }
}
