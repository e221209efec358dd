/// Draws a horn: a dark disc lit from above, the horn mark, and the rings.
struct HornPainter {
  let center: Point
  let radius: Double
  let isEnabled: Bool
  let lit: Color

  /// The horn when nobody holds it.
  func drawAtRest(on canvas: Canvas) {
    guard radius > 0 else { return }
    canvas.multiplyAlpha(isEnabled ? 1 : 0.4)
    canvas.fill(
      Path(circleAt: center, radius: radius),
      .linear(
        from: Point(x: 0, y: center.y - radius), to: Point(x: 0, y: center.y + radius),
        stops: [
          .init(0, Color(hex: 0x3a4552)), .init(0.5, Color(hex: 0x262e38)), .init(1, Color(hex: 0x151b22)),
        ]))
    canvas.stroke(Path(circleAt: center, radius: radius - 0.75), Color(white: 1, alpha: 0.24), width: 1.5)
    drawMark(on: canvas, Color(hex: 0xc9d3de))
  }

  /// What sounding lays over that: rings (`phase` 0...1 is how far they have come), the lit edge and the lit mark.
  func drawSounding(on canvas: Canvas, phase: Double?) {
    guard radius > 0 else { return }
    if let phase { drawRings(on: canvas, phase: phase) }
    canvas.stroke(Path(circleAt: center, radius: radius - 1), lit, width: 2)
    drawMark(on: canvas, lit)
  }

  /// Rings at even distances, brightest near the mark, gone at the edge.
  private func drawRings(on canvas: Canvas, phase: Double) {
    for ring in PulseModel(ringCount: Horn.ringCount).rings(at: phase) {
      let circle = Path(circleAt: center, radius: radius * (0.42 + (0.96 - 0.42) * ring.way))
      canvas.stroke(circle, lit.withAlpha(0.75 * ring.strength), width: radius * 0.035)
    }
  }

  /// A trumpet seen from the side, with its bell to the right.
  private func drawMark(on canvas: Canvas, _ color: Color) {
    let unit = radius / 70
    func place(_ x: Double, _ y: Double) -> Point { Point(x: center.x + x * unit, y: center.y + y * unit) }
    let style = StrokeStyle(width: 2.6 * unit, cap: .round, join: .round)
    var tube = Path()
    tube.move(to: place(-21, -2.4))
    tube.curve(to: place(15, -11.5), control1: place(-2, -2.4), control2: place(8, -4.5))
    tube.line(to: place(15, 11.5))
    tube.curve(to: place(-21, 2.4), control1: place(8, 4.5), control2: place(-2, 2.4))
    tube.close()
    canvas.fill(tube, color)
    canvas.stroke(tube, color, StrokeStyle(width: 1.6 * unit, cap: .round, join: .round))
    canvas.stroke(Path(from: place(-25.5, -4.5), to: place(-25.5, 4.5)), color, style)
    var valve = Path()
    valve.move(to: place(-13, 4.5))
    valve.curve(to: place(-2, 5.5), control1: place(-15, 14), control2: place(-1, 15))
    canvas.stroke(valve, color, style)
  }
}
