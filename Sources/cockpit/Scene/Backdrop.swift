import CockpitControls
import Controls
import UICore

/// A background without bitmaps: the interior of a car, matt and still. The sky and the road's horizon behind a windscreen between two
/// pillars, the dashboard with one soft highlight on its edge and a seam, a hood around the dial, air vents where there is room, the
/// column behind the wheel, and a faint vignette.
@ListsProperties
final class Backdrop: PassiveView {
  /// The y of the dashboard's edge, in points.
  @Redraws(.staticDisplay) var dashboardEdge = 0.0
  /// The frame of the gearbox's console, in points; empty for none.
  @Redraws(.staticDisplay) var console = Rect.zero
  /// The frame of the wheel, in points; empty for none.
  @Redraws(.staticDisplay) var wheel = Rect.zero

  /// The frame of the dial that stands in the dashboard, in points; empty for none.
  @Redraws(.staticDisplay) var dial = Rect.zero

  init() { super.init("backdrop") }

  override var hasStaticDrawing: Bool { true }
  override var isStaticDrawingOpaque: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    let interior = Interior(bounds: bounds, edge: dashboardEdge, rise: rise, console: console, dial: dial, wheel: wheel)
    interior.drawView(canvas, palette)
    drawDashboard(canvas, hood: interior.hood)
    interior.drawDashboard(canvas, palette)
    drawVignette(canvas)
    drawConsole(canvas)
    drawShadow(canvas)
  }

  /// The number of steps of the wheel's shadow: each is two or three levels of 255, too little to be seen.
  private static let shadowSteps = 12

  /// Draws, by day, the shadow of the wheel and its hub below them. (At night it would be invisible.) It consists of crescents, each
  /// between the disc and the same disc lower and larger, which end in points at the sides: nothing is cut off where the dashboard ends.
  /// They are plain steps, since gradients over the dashboard's own would step by two levels where both step.
  func drawShadow(_ canvas: Canvas) {
    let geometry = WheelGeometry(size: wheel.size)
    guard geometry.outerRadius > 0, palette.shadow.alpha > 0 else { return }
    for radius in [geometry.outerRadius, geometry.hubRadius] {
      for step in 1...Self.shadowSteps {
        let part = Double(step) / Double(Self.shadowSteps)
        let (fall, wider) = (geometry.outerRadius * 0.05 * part, geometry.outerRadius * 0.012 * part)
        // The height at which the two circles meet.
        let top = (fall * fall - 2 * radius * wider - wider * wider) / (2 * fall)
        var shape = Path(circleAt: wheel.center.offsetBy(dx: 0, dy: fall), radius: radius + wider)
        shape.addCircle(center: wheel.center, radius: radius)
        canvas.saved {
          let below = (wheel.center.y + max(top, -radius)).rounded()
          canvas.clip(to: Rect(x: 0, y: below, width: bounds.width, height: max(bounds.height - below, 0)))
          canvas.fill(shape, palette.shadow, rule: .evenOdd)
        }
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

  /// Draws the dashboard with the hood over the dial, and the light on their edges.
  private func drawDashboard(_ canvas: Canvas, hood: Path?) {
    let area = bounds
    let paint = Gradient.linear(
      from: Point(x: 0, y: dashboardEdge - rise), to: Point(x: 0, y: area.height),
      stops: [
        .init(0, palette.dashboard[0]), .init(0.12, palette.dashboard[1]), .init(1, palette.dashboard[2]),
      ])
    let light = Gradient.linear(
      from: .zero, to: Point(x: area.width, y: 0),
      stops: [
        .init(0, palette.edge[0]), .init(0.5, palette.edge[1]), .init(1, palette.edge[0]),
      ])
    let line = StrokeStyle(width: max(1, area.height / 540))
    // Only the edge needs its curve; below it a plain rectangle costs a tenth of a path.
    let straight = dashboardEdge.rounded(.up)
    canvas.fill(closed(edge, at: straight), paint)
    canvas.fill(Rect(x: 0, y: straight, width: area.width, height: area.height - straight), paint)
    canvas.stroke(edge, light, line)
    guard let hood else { return }
    canvas.fill(closed(hood, at: straight), paint)
    canvas.stroke(hood, light, line)
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

  /// The area from `line`, which runs from left to right, down to `bottom`.
  private func closed(_ line: Path, at bottom: Double) -> Path {
    let box = line.bounds
    var shape = line
    shape.line(to: Point(x: box.maxX, y: bottom))
    shape.line(to: Point(x: box.minX, y: bottom))
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
