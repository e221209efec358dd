/// An extent in buffer pixels.
public struct PixelSize: Hashable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// An extent from its sides.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// No extent, 0 x 0.
  public static let zero = PixelSize(width: 0, height: 0)

  /// True if either side is zero or negative.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The number of pixels; 0 if empty.
  public var area: Int { isEmpty ? 0 : width * height }
}
