import Glibc

/// The meaning of a gradient's angle.
nonisolated public enum GradientAngleMode: String, CaseIterable, InspectableValue {
  /// The angle in the unit square, which is then stretched over the view. At 45° the gradient runs along one diagonal whatever
  /// the view's shape, and lines of equal colour are parallel to the other diagonal.
  case unitSquare
  /// The angle on the screen: 45° is 45° whatever the view's shape, and lines of equal colour are perpendicular to it. The
  /// farthest corners along it have the end colours, as in CSS.
  case trueAngle
}

/// A gradient's line as two points, from an angle in degrees from east, counter-clockwise.
nonisolated public struct GradientGeometry: Hashable, Sendable {
  /// The angle in degrees, 0..<360.
  public let angle: Double
  /// The meaning of the angle.
  public let mode: GradientAngleMode

  /// The line at `angle` degrees; -90 is 270, 450 is 90. Nil for NaN and infinity.
  public init?(angle: Double, mode: GradientAngleMode = .unitSquare) {
    guard angle.isFinite else { return nil }
    let rest = angle.truncatingRemainder(dividingBy: 360)
    // A tiny negative remainder rounds up to a full turn.
    let turned = rest < 0 ? rest + 360 : rest
    self.angle = turned >= 360 ? 0 : turned
    self.mode = mode
  }

  /// The start and end of the line; (0, 0) is the top left corner, (1, 1) the bottom right one.
  ///
  /// - Parameter size: The extent over which the unit square is stretched; only `.trueAngle` depends on it.
  public func unitPoints(in size: Size = Size(width: 1, height: 1)) -> (start: Point, end: Point) {
    let end: Point
    switch mode {
    case .unitSquare: end = squareEnd
    case .trueAngle:
      guard !size.isEmpty, size.width.isFinite, size.height.isFinite else {
        return (Point(x: 0.5, y: 0.5), Point(x: 0.5, y: 0.5))
      }
      let (x, y) = direction
      // Half the view's extent along the line, so that the end colours reach exactly the farthest corners.
      let half = abs(size.width * x) / 2 + abs(size.height * y) / 2
      end = Point(x: 2 * half * x / size.width, y: 2 * half * y / size.height)
    }
    // The start is the end mirrored at the centre. In the result, y grows downwards.
    return (
      Point(x: (1 - end.x) / 2, y: (1 + end.y) / 2), Point(x: (1 + end.x) / 2, y: (1 - end.y) / 2)
    )
  }

  /// Cosine and sine of the angle, exact where they are 0 or 1.
  private var direction: (x: Double, y: Double) {
    switch angle {
    case 0: (1, 0)
    case 90: (0, 1)
    case 180: (-1, 0)
    case 270: (0, -1)
    default: (cos(angle * .pi / 180), sin(angle * .pi / 180))
    }
  }

  /// The end on the edge of the square from -1 to 1, y upwards.
  private var squareEnd: Point {
    let (x, y) = direction
    // Diagonals are exact here; below, rounding would decide between the two formulas.
    if angle.truncatingRemainder(dividingBy: 90) == 45 { return Point(x: x > 0 ? 1 : -1, y: y > 0 ? 1 : -1) }
    return abs(x) > abs(y)
      ? Point(x: x > 0 ? 1 : -1, y: y / abs(x)) : Point(x: x / abs(y), y: y > 0 ? 1 : -1)
  }
}
