import Controls
import UICore

/// A cockpit without bitmaps: a gradient for the sky, the dashboard with one soft highlight on its edge, a faint vignette.
final class Backdrop: PassiveView {
  /// The y of the dashboard's edge, in points.
  @Redraws(.staticDisplay) var dashboardEdge = 0.0
  /// The frame of the gearbox's console, in points; empty for none.
  @Redraws(.staticDisplay) var console = Rect.zero

  init() { super.init("backdrop") }

  override var hasStaticDrawing: Bool { true }
  override var isStaticDrawingOpaque: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    let area = bounds
    canvas.fill(
      area,
      .linear(from: .zero, to: Point(x: 0, y: area.height), palette.sky[0], palette.sky[1]))
    drawDashboard(canvas)
    drawVignette(canvas)
    drawConsole(canvas)
  }

  /// The plate that the gate is cut into, lit from above.
  private func drawConsole(_ canvas: Canvas) {
    guard !console.isEmpty else { return }
    let plate = console.insetBy(dx: 0.5, dy: 0.5)
    let shape = Path(roundedRect: plate, cornerRadius: min(plate.width, plate.height) * 0.1)
    canvas.fill(shape, palette.plate)
    canvas.stroke(shape, palette.hairline, width: 1)
  }

  private func drawDashboard(_ canvas: Canvas) {
    let area = bounds
    // The dashboard rises to the middle, as a hood over the instruments.
    let rise = min(area.width, area.height) * 0.05
    var edge = Path()
    edge.move(to: Point(x: 0, y: dashboardEdge))
    edge.curve(
      to: Point(x: area.width, y: dashboardEdge), control1: Point(x: area.width * 0.3, y: dashboardEdge - rise),
      control2: Point(x: area.width * 0.7, y: dashboardEdge - rise))
    var hood = edge
    hood.line(to: Point(x: area.width, y: dashboardEdge.rounded(.up)))
    hood.line(to: Point(x: 0, y: dashboardEdge.rounded(.up)))
    hood.close()
    let paint = Gradient.linear(
      from: Point(x: 0, y: dashboardEdge - rise), to: Point(x: 0, y: area.height),
      stops: [
        .init(0, palette.dashboard[0]), .init(0.12, palette.dashboard[1]), .init(1, palette.dashboard[2]),
      ])
    // Only the hood needs its curve; below it a plain rectangle costs a tenth of a path.
    let straight = dashboardEdge.rounded(.up)
    canvas.fill(hood, paint)
    canvas.fill(Rect(x: 0, y: straight, width: area.width, height: area.height - straight), paint)
    let light = Gradient.linear(
      from: .zero, to: Point(x: area.width, y: 0),
      stops: [
        .init(0, palette.edge[0]), .init(0.5, palette.edge[1]), .init(1, palette.edge[0]),
      ])
    canvas.stroke(edge, light, StrokeStyle(width: max(1, area.height / 540)))
  }

  /// A faint vignette at the sides. Straight, since a round one over the whole window would take as long to draw as all
  /// the rest of the first frame.
  private func drawVignette(_ canvas: Canvas) {
    let area = bounds
    let width = (area.width * 0.16).rounded()
    let (none, dark) = (palette.shade.withAlpha(0), palette.shade)
    canvas.fill(
      Rect(x: 0, y: 0, width: width, height: area.height),
      .linear(from: .zero, to: Point(x: width, y: 0), dark, none))
    canvas.fill(
      Rect(x: area.width - width, y: 0, width: width, height: area.height),
      .linear(from: Point(x: area.width - width, y: 0), to: Point(x: area.width, y: 0), none, dark))
  }
}
