/// An extent in logical points.
public struct Size: Hashable, Sendable {
  /// From left to right.
  public var width: Double
  /// From top to bottom.
  public var height: Double

  /// An extent from its sides.
  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  /// No extent, 0 x 0.
  public static let zero = Size(width: 0, height: 0)

  /// True if either side is zero or negative.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}
