import UICore

/// Draws a wheel. The ring and the hub's place look the same at every angle, so they are drawn once and kept; what turns
/// stays inside `WheelGeometry`'s spokes and mark, so that little has to be repainted.
struct WheelPainter {
  let geometry: WheelGeometry
  let state: Control.State

  private var center: Point { geometry.center }
  private var radius: Double { geometry.outerRadius }
  private var inner: Double { geometry.rimInnerRadius }
  private var fade: Double { state.contains(.disabled) ? 0.4 : 1 }

  // MARK: What stays

  /// The rim, lit from above, with its fine lighter inner edge, and the hub's ground.
  func drawRing(on canvas: Canvas) {
    guard radius > 0 else { return }
    canvas.multiplyAlpha(fade)
    let width = radius - inner
    var ring = Path(circleAt: center, radius: radius)
    ring.addCircle(center: center, radius: inner)
    // One gradient for the light from above. The tube's roundness is drawn by plain circles: a second gradient through
    // the ring's mask would cost more than all of them, since cairo then mixes the whole square.
    canvas.fill(
      ring,
      .linear(
        from: Point(x: 0, y: center.y - radius), to: Point(x: 0, y: center.y + radius),
        stops: [.init(0, Color(hex: 0x414b57)), .init(0.5, Color(hex: 0x27303a)), .init(1, Color(hex: 0x171d24))]),
      rule: .evenOdd)
    for (place, share, alpha) in [(0.06, 0.12, 0.5), (0.17, 0.12, 0.22), (0.84, 0.14, 0.2), (0.955, 0.09, 0.5)] {
      strokeCircle(inner + width * place, Color(white: 0, alpha: alpha), width: width * share, on: canvas)
    }
    strokeCircle(inner + width * 0.5, Color(white: 1, alpha: 0.05), width: width * 0.22, on: canvas)
    strokeCircle(radius - 0.75, Color(white: 1, alpha: 0.16), width: 1.5, on: canvas)
    strokeCircle(inner + 0.75, Color(white: 1, alpha: 0.34), width: 1.5, on: canvas)
    drawHub(on: canvas)
  }

  private func drawHub(on canvas: Canvas) {
    let hub = geometry.hubRadius
    canvas.fill(Path(circleAt: center, radius: hub), Color(hex: 0x1f262f))
    strokeCircle(hub - 0.75, Color(white: 1, alpha: 0.2), width: 1.5, on: canvas)
  }

  private func strokeCircle(_ radius: Double, _ color: Color, width: Double, on canvas: Canvas) {
    canvas.stroke(Path(circleAt: center, radius: radius), color, width: width)
  }

  // MARK: What turns

  /// Spokes and mark at `angle` in degrees, of a `shape` with this geometry.
  ///
  /// Two fills, whatever the number of spokes: what a turn costs is their number, since each goes through all the wheel's
  /// rows. What lies behind the wheel shows through the spokes' slots.
  func drawTurning(on canvas: Canvas, angle: Double, shape: WheelShape) {
    guard radius > 0 else { return }
    canvas.multiplyAlpha(fade)
    shape.turn(to: angle)
    canvas.fill(shape.spokes, Color(hex: 0x35404c), rule: .evenOdd)
    canvas.fill(shape.mark, Color(hex: 0xffb020))
  }

  /// The rim's lit edge while a finger holds the wheel.
  func drawLitEdge(on canvas: Canvas) {
    guard radius > 0 else { return }
    let edge = geometry.litEdge
    strokeCircle((edge.inner + edge.outer) / 2, Color(hex: 0xe8f1fb), width: edge.outer - edge.inner, on: canvas)
  }
}

/// Outlines for one geometry, made once: a turn only maps their points, into storage that is kept, and only once for an angle,
/// since a frame asks twice: for the pixels that it touches, and to draw.
final class WheelShape {
  /// The geometry that they are of.
  let geometry: WheelGeometry
  /// Every spoke as it is turned, with its slot as a hole by the even-odd rule.
  private(set) var spokes = Path()
  /// The mark as it is turned.
  private(set) var mark = Path()
  private let straightSpoke: Path
  private let straightMark: Path
  private var angle: Double?

  init(_ geometry: WheelGeometry) {
    self.geometry = geometry
    var spoke = Self.spoke(geometry)
    spoke.append(Self.spokeSlot(geometry))
    straightSpoke = spoke
    straightMark = Self.mark(geometry)
  }

  /// Turns `spokes` and `mark` to `angle` in degrees.
  func turn(to angle: Double) {
    guard angle != self.angle else { return }
    self.angle = angle
    spokes.removeAll()
    for direction in WheelGeometry.spokeDirections {
      spokes.append(straightSpoke, applying: rotation(direction + angle))
    }
    mark.removeAll()
    mark.append(straightMark, applying: rotation(angle - 90))
  }

  private func rotation(_ angle: Double) -> Transform {
    Transform.rotation(angle * .pi / 180).then(.translation(x: geometry.center.x, y: geometry.center.y))
  }

  /// How many straight pieces a spoke's side is drawn with: none strays from its parabola by half a pixel, and cairo
  /// counts a row in one step where no piece begins or ends.
  private static let sidePieces = 5

  /// A spoke to the right: both ends follow the circles that they meet, both sides their parabolas.
  private static func spoke(_ geometry: WheelGeometry) -> Path {
    let (root, end) = (geometry.spokeRoot, geometry.spokeEnd)
    let pieces = WheelShape.sidePieces
    let side = (0...pieces).map { piece in
      let x = root + (end - root) * Double(piece) / Double(pieces)
      return Point(x: x, y: geometry.spokeHalfWidth(atRadius: x))
    }
    var points = side.map { Point(x: $0.x, y: -$0.y) }
    points += arc(radius: geometry.rimInnerRadius + 0.4, from: side[pieces], pieces: 2)
    points += side.reversed()
    points += arc(radius: geometry.hubRadius, from: Point(x: root, y: -side[0].y), pieces: 6)
    return Path(polygon: points)
  }

  /// The points between `corner` and its mirror image on a circle round the centre, from -y to +y for a corner with
  /// positive y, and back for one with negative y.
  private static func arc(radius: Double, from corner: Point, pieces: Int) -> [Point] {
    let half = -Controls.angle(x: corner.x, y: corner.y)
    return (1..<pieces).map { piece in
      let angle = half * (1 - 2 * Double(piece) / Double(pieces))
      return Point(x: radius * cosine(angle), y: radius * sine(angle))
    }
  }

  /// The slot along a spoke's middle: from where to where, and half its width.
  private static func slot(_ geometry: WheelGeometry) -> (from: Double, to: Double, half: Double) {
    let way = geometry.rimInnerRadius - geometry.hubRadius
    return (geometry.hubRadius + way * 0.24, geometry.hubRadius + way * 0.86, geometry.outerRadius * 0.02)
  }

  private static func spokeSlot(_ geometry: WheelGeometry) -> Path {
    let (from, to, half) = slot(geometry)
    let bevel = half * 0.6
    // Bevelled ends: as round as a slot of this size looks, with few corners.
    return Path(polygon: [
      Point(x: from, y: -half + bevel), Point(x: from + bevel, y: -half), Point(x: to - bevel, y: -half),
      Point(x: to, y: -half + bevel), Point(x: to, y: half - bevel), Point(x: to - bevel, y: half),
      Point(x: from + bevel, y: half), Point(x: from, y: half - bevel),
    ])
  }

  /// The mark to the right, with round corners.
  private static func mark(_ geometry: WheelGeometry) -> Path {
    let mark = geometry.mark
    return Path(
      roundedRect: Rect(
        x: mark.inner, y: -mark.halfWidth, width: mark.outer - mark.inner, height: 2 * mark.halfWidth),
      cornerRadius: mark.halfWidth * 0.5)
  }
}

/// The lit edge of a held wheel as a view of its own, in front of the wheel: so a turn draws nothing of it again.
final class WheelLitEdge: View {
  /// True while the light is on.
  var isLit = false {
    didSet { if isLit != oldValue { setNeedsDisplay() } }
  }

  /// False: the light takes no touches, whatever it covers.
  override func point(inside point: Point) -> Bool { false }

  /// Draws the light for a wheel that fills the view.
  override func draw(_ canvas: Canvas) {
    guard isLit else { return }
    WheelPainter(geometry: WheelGeometry(size: bounds.size), state: .normal).drawLitEdge(on: canvas)
  }
}
