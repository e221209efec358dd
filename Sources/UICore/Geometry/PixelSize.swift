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

  /// The largest side of a bitmap: cairo takes no more.
  package static let maximumBitmapSide = 32_767
  /// The maximum number of pixels of a bitmap: 256 MB.
  package static let maximumBitmapArea = 64_000_000

  /// True for sizes that a bitmap can have.
  package var isUsableForBitmap: Bool {
    !isEmpty && max(width, height) <= Self.maximumBitmapSide && area <= Self.maximumBitmapArea
  }
}
