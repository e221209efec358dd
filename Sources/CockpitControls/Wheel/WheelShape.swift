import Glibc

/// The outlines of the turning parts for one geometry, created once. A turn only transforms their points into storage that is
/// kept. It does so once per angle, because a frame needs them twice: to find the pixels that they touch, and to draw.
final class WheelShape {
  let geometry: WheelGeometry
  /// The spokes at the present angle, each with its slot as a hole by the even-odd rule.
  private(set) var spokes = Path()
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

  /// The number of straight pieces in a spoke's side: at a wheel radius of 1,000 pixels none is a quarter of a pixel off the
  /// parabola.
  private static let sidePieces = 12

  /// A spoke to the right: its ends follow the circles of hub and rim, its sides are parabolas.
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
    let half = -atan2(corner.y, corner.x)
    return (1..<pieces).map { piece in
      let angle = half * (1 - 2 * Double(piece) / Double(pieces))
      return Point(x: radius * cos(angle), y: radius * sin(angle))
    }
  }

  private static func spokeSlot(_ geometry: WheelGeometry) -> Path {
    let (hub, length) = (geometry.hubRadius, geometry.rimInnerRadius - geometry.hubRadius)
    let (from, to, half) = (hub + length * 0.24, hub + length * 0.86, geometry.outerRadius * 0.02)
    // Each end is half a circle of eight pieces.
    let ends = (0...8).map { piece in
      let angle = Double(piece) / 8 * .pi - .pi / 2
      return Point(x: half * cos(angle), y: half * sin(angle))
    }
    return Path(
      polygon: ends.map { Point(x: to - half + $0.x, y: $0.y) } + ends.map { Point(x: from + half - $0.x, y: -$0.y) })
  }

  private static func mark(_ geometry: WheelGeometry) -> Path {
    let mark = geometry.mark
    return Path(
      roundedRect: Rect(
        x: mark.inner, y: -mark.halfWidth, width: mark.outer - mark.inner, height: 2 * mark.halfWidth),
      cornerRadius: mark.halfWidth * 0.5)
  }
}

/// The lit edge of a held wheel as a separate view in front of the wheel, so that a turn does not redraw it.
final class WheelLitEdge: View {
  @Redraws var isLit = false

  override func point(inside point: Point) -> Bool { false }

  override var drawsPlainFills: Bool { true }

  override func draw(_ canvas: Canvas) {
    let geometry = WheelGeometry(size: bounds.size)
    guard isLit, geometry.outerRadius > 0 else { return }
    let (inner, outer) = geometry.litEdge
    var ring = Path(circleAt: geometry.center, radius: outer)
    ring.addCircle(center: geometry.center, radius: inner)
    canvas.fill(ring, Color(hex: 0xe8f1fb), rule: .evenOdd)
  }
}
