import Controls

/// Light and dark squares under colours that let them through.
enum Checkerboard {
  private static let side = 6.0
  /// No more squares than that each way: in an enormous place they are larger.
  private static let mostSquares = 256.0

  /// Fills `rect`, its corners round, with squares and `color` over them, and a thin line around.
  static func draw(_ canvas: Canvas, _ rect: Rect, _ color: Color, cornerRadius: Double, edge: Color) {
    let shape = Path(roundedRect: rect, cornerRadius: cornerRadius)
    drawGround(canvas, rect, shape, isOpaque: Color.clamped(color.alpha) >= 1)
    canvas.fill(shape, color)
    canvas.stroke(
      Path(roundedRect: rect.insetBy(dx: 0.5, dy: 0.5), cornerRadius: cornerRadius - 0.5), edge, width: 1)
  }

  /// Fills `shape` within `rect` with squares, unless nothing of them would be seen.
  static func drawGround(_ canvas: Canvas, _ rect: Rect, _ shape: Path, isOpaque: Bool = false) {
    guard !isOpaque else { return }
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
