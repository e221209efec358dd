// Owns a rectangle of pixels as the two libraries that touch it see it: cairo, which draws, and pixman, which lays
// pictures over each other.
// Must not know what the pixels show.

internal import CCairo

/// Pixels in memory with cairo's and pixman's handles of them.
nonisolated final class Bitmap: @unchecked Sendable {
  /// What a pixel is.
  enum Format {
    /// `PixelBuffer`'s format: 32 bits with premultiplied alpha.
    case color
    /// A share, 8 bits.
    case mask
  }

  let size: PixelSize
  /// Bytes from one row to the next.
  let stride: Int
  let base: UnsafeMutableRawPointer
  /// A `cairo_surface_t`.
  let surface: OpaquePointer
  /// A `pixman_image_t`.
  let image: OpaquePointer
  private let memory: Memory?

  /// The largest side that cairo takes.
  static let maximumSide = 32_767
  /// More pixels than that are not worth their memory: 256 MB.
  static let maximumArea = 64_000_000

  /// Zeroed pixels; nil for sizes that are empty or too large.
  convenience init?(size: PixelSize, format: Format = .color) {
    guard Self.isUsable(size) else { return nil }
    let stride = Self.stride(width: size.width, format)
    guard let memory = Memory(count: stride * size.height) else { return nil }
    self.init(size: size, stride: stride, base: memory.base, format: format, memory: memory)
  }

  /// Pixels at the start of `memory`, which must be large enough.
  convenience init?(size: PixelSize, in memory: Memory) {
    let stride = Self.stride(width: size.width, .color)
    guard Self.isUsable(size), stride * size.height <= memory.count else { return nil }
    self.init(size: size, stride: stride, base: memory.base, format: .color, memory: memory)
  }

  /// The pixels of `buffer`, for as long as its giver says; nil where rows do not lie on whole pixels.
  convenience init?(_ buffer: PixelBuffer) {
    guard Self.isUsable(buffer.size), buffer.stride % 4 == 0, let base = buffer.bytes.baseAddress else { return nil }
    self.init(size: buffer.size, stride: buffer.stride, base: base, format: .color, memory: nil)
  }

  private init?(size: PixelSize, stride: Int, base: UnsafeMutableRawPointer, format: Format, memory: Memory?) {
    let isColor = format == .color
    guard
      let surface = cairo_image_surface_create_for_data(
        base.assumingMemoryBound(to: UInt8.self), isColor ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_A8, Int32(size.width),
        Int32(size.height), Int32(stride))
    else { return nil }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let image = pixman_image_create_bits_no_clear(
        isColor ? PIXMAN_a8r8g8b8 : PIXMAN_a8, Int32(size.width), Int32(size.height),
        base.assumingMemoryBound(to: UInt32.self), Int32(stride))
    else {
      cairo_surface_destroy(surface)
      return nil
    }
    self.size = size
    self.stride = stride
    self.base = base
    self.surface = surface
    self.image = image
    self.memory = memory
  }

  deinit {
    pixman_image_unref(image)
    cairo_surface_destroy(surface)
  }

  /// True for sizes that a bitmap can have.
  static func isUsable(_ size: PixelSize) -> Bool {
    !size.isEmpty && max(size.width, size.height) <= maximumSide && size.area <= maximumArea
  }

  private static func stride(width: Int, _ format: Format) -> Int {
    format == .color ? width * 4 : (width + 3) & ~3
  }

  /// The whole rectangle, from (0, 0).
  var rect: PixelRect { PixelRect(size) }

  /// The pixels as something that others draw into or read; valid as long as this object lives.
  var buffer: PixelBuffer {
    PixelBuffer(
      size: size, stride: stride, bytes: UnsafeMutableRawBufferPointer(start: base, count: stride * size.height))
  }
}
