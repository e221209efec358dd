// Owns the outlines of what turns of a wheel: spokes with their slots, and the mark.
// Must not know colours or what is drawn when.

import Interface

/// Outlines for one geometry, made once: a turn only maps their points, into storage that is kept.
final class WheelShape {
  /// The geometry that they are of.
  let geometry: WheelGeometry
  private let spoke: Path
  private let mark: Path
  private var turned = Path()

  init(_ geometry: WheelGeometry) {
    self.geometry = geometry
    var spoke = Self.spoke(geometry)
    spoke.append(Self.spokeSlot(geometry))
    self.spoke = spoke
    mark = Self.mark(geometry)
  }

  /// Every spoke, with its slot as a hole by the even-odd rule, at `angle` in degrees.
  func spokes(at angle: Double) -> Path {
    turned.removeAll()
    for direction in WheelGeometry.spokeDirections { turned.append(spoke, applying: turn(direction + angle)) }
    return turned
  }

  /// The mark at `angle` in degrees.
  func mark(at angle: Double) -> Path {
    turned.removeAll()
    turned.append(mark, applying: turn(angle - 90))
    return turned
  }

  private func turn(_ angle: Double) -> Transform {
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
