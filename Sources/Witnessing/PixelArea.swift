/// A rectangle of whole pixels.
public struct PixelArea: Hashable, Sendable {
  public var x, y, width, height: Int

  /// Negative extents count as 0.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, max(width, 0), max(height, 0))
  }
}
