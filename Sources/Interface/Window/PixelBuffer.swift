// Memory to draw a frame into.

/// Pixels in memory: 32 bits each, blue, green, red, alpha from the lowest byte on a little-endian machine, colours
/// premultiplied by alpha (cairo's ARGB32, wl_shm's argb8888).
///
/// The memory belongs to the giver and is valid only during the call that hands it over.
public struct PixelBuffer {
  /// The extent in pixels.
  public let size: PixelSize
  /// Bytes from one row to the next; at least 4 x width.
  public let stride: Int
  /// The rows, top first: `stride` x height bytes.
  public let bytes: UnsafeMutableRawBufferPointer

  /// Wraps memory of at least `stride` x height bytes.
  public init(size: PixelSize, stride: Int, bytes: UnsafeMutableRawBufferPointer) {
    precondition(stride >= size.width * 4 && bytes.count >= stride * size.height, "the memory is too small")
    self.size = size
    self.stride = stride
    self.bytes = bytes
  }

  /// The pixel at (`x`, `y`), which must lie inside, as 0xAARRGGBB.
  public func pixel(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "the pixel lies outside")
    return bytes.load(fromByteOffset: y * stride + x * 4, as: UInt32.self)
  }
}
