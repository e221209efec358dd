/// Pixels in memory, 32 bits each: blue, green, red, alpha from the lowest byte on a little-endian machine, colours
/// premultiplied by alpha (cairo's ARGB32, wl_shm's argb8888).
///
/// The memory belongs to the caller that passes the buffer, and is valid only during that call.
public struct PixelBuffer {
  /// The extent in pixels.
  public let size: PixelSize
  /// The number of bytes from one row to the next; at least 4 x width.
  public let stride: Int
  /// The rows, top first: `stride` bytes each; the last row may end after its pixels.
  public let bytes: UnsafeMutableRawBufferPointer

  /// Wraps memory of at least `stride` bytes per row; the last row may end after its pixels.
  public init(size: PixelSize, stride: Int, bytes: UnsafeMutableRawBufferPointer) {
    let needed = size.isEmpty ? 0 : stride * (size.height - 1) + size.width * 4
    precondition(stride >= size.width * 4 && bytes.count >= needed, "the memory is too small")
    self.size = size
    self.stride = stride
    self.bytes = bytes
  }

  /// The pixels of `rect` in the same memory; nil if `rect` is empty or extends beyond the buffer.
  public func part(_ rect: PixelRect) -> PixelBuffer? {
    guard !rect.isEmpty, PixelRect(size).contains(rect) else { return nil }
    return PixelBuffer(
      size: PixelSize(width: rect.width, height: rect.height), stride: stride,
      bytes: UnsafeMutableRawBufferPointer(rebasing: bytes[(rect.y * stride + rect.x * 4)...]))
  }

  /// The pixel at (`x`, `y`), which must be inside the buffer, as 0xAARRGGBB.
  public func pixel(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "the pixel lies outside")
    return bytes.load(fromByteOffset: y * stride + x * 4, as: UInt32.self)
  }
}
