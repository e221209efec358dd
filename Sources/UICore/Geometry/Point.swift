/// A location in logical points; x grows rightwards, y downwards.
public struct Point: Hashable, Sendable {
  /// To the right.
  public var x: Double
  /// Downwards.
  public var y: Double

  /// A location from its coordinates.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// The origin, (0, 0).
  public static let zero = Point(x: 0, y: 0)

  /// True if no coordinate is NaN or infinite.
  public var isFinite: Bool { x.isFinite && y.isFinite }

  /// The location moved by `dx` points to the right and `dy` points down.
  public func offsetBy(dx: Double, dy: Double) -> Point { Point(x: x + dx, y: y + dy) }

  /// The distance to `other` in points.
  public func distance(to other: Point) -> Double {
    let dx = x - other.x
    let dy = y - other.y
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Both coordinates added.
  public static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
  /// Both coordinates subtracted.
  public static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
}
