import CockpitControls
import Controls
import UICore

/// A background without bitmaps: a gradient for the sky, the dashboard with one soft highlight on its edge, a faint vignette.
final class Backdrop: PassiveView {
  /// The y of the dashboard's edge, in points.
  @Redraws(.staticDisplay) var dashboardEdge = 0.0
  /// The frame of the gearbox's console, in points; empty for none.
  @Redraws(.staticDisplay) var console = Rect.zero
  /// The frame of the wheel, in points; empty for none.
  @Redraws(.staticDisplay) var wheel = Rect.zero

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
    drawShadow(canvas)
  }

  /// Draws, by day, the shadow that the wheel's ring and hub cast on the dashboard, not on the sky. (At night it would be
  /// invisible.) It has two plain steps: gradients over the dashboard's own would step by two levels where both step.
  private func drawShadow(_ canvas: Canvas) {
    let geometry = WheelGeometry(size: wheel.size)
    let radius = geometry.outerRadius
    guard radius > 0, palette.shadow.alpha > 0 else { return }
    canvas.saved {
      canvas.clip(to: dashboard(to: bounds.height))
      for (fall, wider) in [(0.03, 0.0), (0.05, 0.015)] {
        let center = wheel.center.offsetBy(dx: 0, dy: radius * fall)
        var shape = Path(circleAt: center, radius: radius * (1 + wider))
        shape.addCircle(center: center, radius: geometry.rimInnerRadius - radius * wider)
        shape.addCircle(center: center, radius: geometry.hubRadius + radius * wider)
        canvas.fill(shape, palette.shadow, rule: .evenOdd)
      }
    }
  }

  /// Draws the plate that the gate is cut into.
  private func drawConsole(_ canvas: Canvas) {
    guard !console.isEmpty else { return }
    let plate = console.insetBy(dx: 0.5, dy: 0.5)
    let shape = Path(roundedRect: plate, cornerRadius: min(plate.width, plate.height) * 0.1)
    canvas.fill(shape, palette.plate)
    canvas.stroke(shape, palette.hairline, width: 1)
  }

  private func drawDashboard(_ canvas: Canvas) {
    let area = bounds
    let hood = dashboard(to: dashboardEdge.rounded(.up))
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

  /// The height by which the dashboard rises to the middle, as a hood over the instruments.
  private var rise: Double { min(bounds.width, bounds.height) * 0.05 }

  private var edge: Path {
    var edge = Path()
    edge.move(to: Point(x: 0, y: dashboardEdge))
    edge.curve(
      to: Point(x: bounds.width, y: dashboardEdge), control1: Point(x: bounds.width * 0.3, y: dashboardEdge - rise),
      control2: Point(x: bounds.width * 0.7, y: dashboardEdge - rise))
    return edge
  }

  private func dashboard(to bottom: Double) -> Path {
    var shape = edge
    shape.line(to: Point(x: bounds.width, y: bottom))
    shape.line(to: Point(x: 0, y: bottom))
    shape.close()
    return shape
  }

  /// Draws a faint vignette at the sides. It is straight, since a round one over the whole window would take as long to draw as
  /// all the rest of the first frame.
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
