import Glibc

/// A band along a circle that can be cut into parts: a scale's track, and the lit part of it.
///
/// Angles are in radians, clockwise from east. The band is a polygon with corners at fixed angles, near enough that no side
/// deviates from the circle by more than a twentieth of a point; so two parts differ only at their ends, and only that is
/// repainted.
nonisolated package struct Arc: Hashable, Sendable {
  package var center: Point
  /// The radius of the band's middle line, in points.
  package var radius: Double
  /// The distance between the band's edges, in points.
  package var width: Double
  /// The angle at which the band begins.
  package var start: Double
  /// The angle from its start to its end; positive is clockwise.
  package var sweep: Double

  package init(center: Point, radius: Double, width: Double, start: Double, sweep: Double) {
    (self.center, self.radius, self.width, self.start, self.sweep) = (center, radius, width, start, sweep)
  }

  private var pieces: Int {
    let outer = max(radius + width / 2, 1)
    return max(Int((abs(sweep) / (2 * acos(max(1 - 0.05 / outer, 0)))).rounded(.up)), 2)
  }

  /// Adds the piece between two fractions of the band (0 its beginning, 1 its end) to `path`.
  package func add(from first: Double, to last: Double, to path: inout Path) {
    let (first, last) = (min(first, last).clamped(to: 0...1), max(first, last).clamped(to: 0...1))
    guard last > first, width > 0 else { return }
    let count = Double(pieces)
    func corner(_ radius: Double, _ fraction: Double) -> Point {
      let angle = start + sweep * fraction
      return Point(x: center.x + cos(angle) * radius, y: center.y + sin(angle) * radius)
    }
    let (outer, inner) = (radius + width / 2, radius - width / 2)
    let (next, end) = (Int((first * count).rounded(.down)) + 1, Int((last * count).rounded(.up)))
    path.move(to: corner(outer, first))
    // Counted by hand: a range's iterator is a call for each corner where code is not optimised.
    var index = next
    while index < end {
      path.line(to: corner(outer, Double(index) / count))
      index += 1
    }
    path.line(to: corner(outer, last))
    path.line(to: corner(inner, last))
    while index > next {
      index -= 1
      path.line(to: corner(inner, Double(index) / count))
    }
    path.line(to: corner(inner, first))
    path.close()
  }

  /// The piece between two fractions of the band.
  package func path(from first: Double = 0, to last: Double = 1) -> Path {
    var path = Path()
    add(from: first, to: last, to: &path)
    return path
  }

  /// A stroke across the middle of a band at the foot of its circle, pointing inwards.
  package var notch: Path {
    let half = max(width * 0.15, 0.75)
    return Path(
      rect: Rect(x: center.x - half, y: center.y + radius - width * 1.2, width: 2 * half, height: width * 1.7))
  }
}
