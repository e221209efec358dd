import CockpitControls
import Controls
import Glibc
import UICore

/// The shapes that make the backdrop the interior of a car: few, matt, around gate, dial and wheel, and across no text.
struct Interior {
  let bounds: Rect
  /// The height of the dashboard's edge, and by how much it rises to the middle.
  let edge, rise: Double
  /// The frames of gate, dial and wheel; empty where they are not.
  let console, dial, wheel: Rect

  /// The height of the horizon: a little above the dashboard, below the lamps over the dial. A dial that itself stands before the sky has no
  /// horizon behind it, which would be darker or lighter.
  private var horizon: Double { dial.isEmpty ? edge : max((edge - rise * 1.45).rounded(), dial.minY) }

  // MARK: Outside

  /// Draws what is seen through the windscreen, down to the dashboard: the sky, the ground below the horizon, and the pillars.
  @MainActor func drawView(_ canvas: Canvas, _ palette: CockpitTheme) {
    let height = max(min(horizon, bounds.height), 0)
    let sky = Rect(x: 0, y: 0, width: bounds.width, height: min(edge, bounds.height))
    canvas.fill(sky, .linear(from: .zero, to: Point(x: 0, y: bounds.height), palette.sky[0], palette.sky[1]))
    if height < edge {
      let ground = Rect(x: 0, y: height, width: bounds.width, height: edge - height)
      canvas.fill(
        ground, .linear(from: Point(x: 0, y: height), to: Point(x: 0, y: edge), palette.ground[0], palette.ground[1]))
    }
    for isRight in [false, true] { canvas.fill(pillar(isRight: isRight), palette.pillar) }
  }

  /// A pillar of the windscreen: it leans inwards towards the roof.
  private func pillar(isRight: Bool) -> Path {
    let (foot, roof) = (bounds.width * 0.012, min(bounds.width, bounds.height) * 0.13)
    func corner(_ x: Double, _ y: Double) -> Point { Point(x: isRight ? bounds.width - x : x, y: y) }
    var path = Path()
    path.move(to: corner(0, 0))
    path.line(to: corner(roof, 0))
    path.curve(
      to: corner(foot, edge), control1: corner(roof * 0.62, edge * 0.4), control2: corner(foot * 1.5, edge * 0.75))
    path.line(to: corner(0, edge))
    path.close()
    return path
  }

  // MARK: Inside

  @MainActor func drawDashboard(_ canvas: Canvas, _ palette: CockpitTheme) {
    drawSeam(canvas, palette)
    drawColumn(canvas, palette)
    drawHoodInside(canvas, palette)
    for vent in vents { draw(vent, canvas, palette) }
  }

  /// The dashboard's edge, `lower` points further down.
  private func line(_ lower: Double) -> (start: Point, control1: Point, control2: Point, end: Point) {
    let y = edge + lower
    return (
      Point(x: 0, y: y), Point(x: bounds.width * 0.3, y: y - rise), Point(x: bounds.width * 0.7, y: y - rise),
      Point(x: bounds.width, y: y)
    )
  }

  /// The height of the dashboard's edge at `x`, from -0.5 to 0.5 window widths beside the middle. Its curve is nearly even in x.
  private func height(at x: Double) -> Double {
    let part = (x / max(bounds.width, 1)).clamped(to: 0...1)
    return edge - 3 * rise * part * (1 - part)
  }

  // MARK: Hood

  /// The radius of the inside of the hood, a ring around the dial.
  private var hoodRadius: Double { dial.width / 2 + (dial.width * 0.01).rounded(.up) }

  /// The outline of the hood over the dial, open below: the dashboard's edge rises beside the dial, runs around it, and falls again. Nil
  /// without a dial that stands out of the dashboard.
  var hood: Path? {
    guard !dial.isEmpty else { return nil }
    let radius = hoodRadius + max((dial.width * 0.011).rounded(), 2)
    let center = dial.center
    let above = (center.y - height(at: center.x)) / radius
    guard above > -0.5, above < 0.9 else { return nil }
    // Each flank leaves the circle a little above the edge, and ends on the edge as far beyond the point where both directions meet.
    let angle = asin(above) + 0.3
    let leave = Point(x: cos(angle) * radius, y: sin(angle) * radius)
    func flank(_ side: Double) -> (leave: Point, bend: Point, end: Point) {
      let way = (leave.y - above * radius) / cos(angle)
      let bend = leave.x + sin(angle) * way
      func low(_ x: Double) -> Point { Point(x: center.x + side * x, y: height(at: center.x + side * x)) }
      return (Point(x: center.x + side * leave.x, y: center.y - leave.y), low(bend), low(bend + way))
    }
    let (left, right) = (flank(-1), flank(1))
    func mix(_ a: Point, _ b: Point) -> Point { Point(x: a.x + (b.x - a.x) * 2 / 3, y: a.y + (b.y - a.y) * 2 / 3) }
    var path = Path()
    path.move(to: left.end)
    path.curve(to: left.leave, control1: mix(left.end, left.bend), control2: mix(left.leave, left.bend))
    path.addArc(center: center, radius: radius, from: .pi + angle, to: 2 * .pi - angle)
    path.curve(to: right.end, control1: mix(right.leave, right.bend), control2: mix(right.end, right.bend))
    return path
  }

  /// A seam along the dashboard's edge: a fold, and stitches of even length.
  @MainActor private func drawSeam(_ canvas: Canvas, _ palette: CockpitTheme) {
    let unit = min(bounds.width, bounds.height)
    let curve = line((unit * 0.045).rounded())
    func point(_ t: Double) -> Point {
      let (a, b, c, d) = (curve.start, curve.control1, curve.control2, curve.end)
      let u = 1 - t
      func mix(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
        u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
      }
      return Point(x: mix(a.x, b.x, c.x, d.x), y: mix(a.y, b.y, c.y, d.y))
    }
    let (length, width) = (max(unit * 0.011, 4), max(unit / 720, 1))
    let count = Int((bounds.width / (length * 1.7)).rounded())
    guard count > 0, count < 4000 else { return }
    var stitches = Path()
    for index in 0..<count {
      let (start, end) = (point(Double(index) / Double(count)), point((Double(index) + 0.59) / Double(count)))
      stitches.move(to: start)
      stitches.line(to: end)
    }
    canvas.stroke(stitches, palette.seam, StrokeStyle(width: width, cap: .round))
  }

  /// The column behind the wheel: from behind the hub to the foot of the window, broader below, with a ridge that catches the light. Its
  /// shades run downwards only, as the vignette over them runs sideways: two gradients in one direction would step together.
  @MainActor private func drawColumn(_ canvas: Canvas, _ palette: CockpitTheme) {
    let geometry = WheelGeometry(size: wheel.size)
    let radius = geometry.outerRadius
    guard radius > 0 else { return }
    let (top, foot) = (wheel.center.y, max(bounds.height, wheel.maxY))
    func part(_ share: Double) -> Path {
      let (center, half) = (wheel.center, geometry.hubRadius * 0.86 * share)
      let wide = half * 1.5
      var path = Path()
      path.move(to: Point(x: center.x - half, y: top))
      path.line(to: Point(x: center.x + half, y: top))
      path.curve(
        to: Point(x: center.x + wide, y: foot), control1: Point(x: center.x + half, y: top + radius * 0.7),
        control2: Point(x: center.x + wide * 0.9, y: foot - radius * 0.35))
      path.line(to: Point(x: center.x - wide, y: foot))
      path.curve(
        to: Point(x: center.x - half, y: top), control1: Point(x: center.x - wide * 0.9, y: foot - radius * 0.35),
        control2: Point(x: center.x - half, y: top + radius * 0.7))
      path.close()
      return path
    }
    func shade(_ colors: [Color]) -> Gradient {
      .linear(from: Point(x: 0, y: top), to: Point(x: 0, y: foot), colors[0], colors[1])
    }
    canvas.fill(part(1), shade(palette.column))
    canvas.fill(part(0.62), shade(palette.ridge))
    canvas.stroke(part(1), palette.fold, width: max(radius / 300, 1))
  }

  /// The inside of the hood: a recess around the dial, with a fold.
  @MainActor private func drawHoodInside(_ canvas: Canvas, _ palette: CockpitTheme) {
    guard !dial.isEmpty else { return }
    canvas.fill(Path(circleAt: dial.center, radius: hoodRadius), palette.hood)
    canvas.stroke(circleAt: dial.center, radius: hoodRadius - 0.5, palette.fold, width: 1)
  }

  /// The air vents: in the gaps between gate, dial and wheel that are broad enough, below the seam.
  private var vents: [Rect] {
    guard !dial.isEmpty, !wheel.isEmpty, wheel.minX > dial.maxX else { return [] }
    let (width, height) = ((dial.width * 0.3).rounded(), (dial.width * 0.11).rounded())
    let y = (edge + dial.width * 0.16).rounded()
    return [(console.maxX, dial.minX), (dial.maxX, wheel.minX)].compactMap { left, right in
      guard right - left >= width * 1.3 else { return nil }
      return Rect(x: ((left + right - width) / 2).rounded(), y: y, width: width, height: height)
    }
  }

  @MainActor private func draw(_ vent: Rect, _ canvas: Canvas, _ palette: CockpitTheme) {
    let radius = (vent.height * 0.22).rounded()
    canvas.fill(roundedRect: vent, cornerRadius: radius, palette.recess)
    let slats = 4
    let thick = max((vent.height * 0.045).rounded(), 1)
    for slat in 1...slats {
      let y = (vent.minY + vent.height * Double(slat) / Double(slats + 1)).rounded()
      let inset = radius * 0.8
      canvas.fill(Rect(x: vent.minX + inset, y: y, width: vent.width - 2 * inset, height: thick), palette.fold)
    }
    canvas.stroke(roundedRect: vent.insetBy(dx: 0.5, dy: 0.5), cornerRadius: radius, palette.fold, width: 1)
  }
}
