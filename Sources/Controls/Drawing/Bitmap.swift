internal import CCairo
import Glibc

/// Pixels in memory with cairo's and pixman's handles of them.
/// cairo draws into it, pixman composites one over another. Each result depends on its two source pixels alone, so any split into
/// rectangles gives the same bytes.
nonisolated final class Bitmap: @unchecked Sendable {
  /// The meaning of a pixel's bits.
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

  /// True for the memory of `buffer`, laid out as it says.
  func isOf(_ buffer: PixelBuffer) -> Bool {
    base == buffer.bytes.baseAddress && size == buffer.size && stride == buffer.stride
  }

  /// The pixels as something that others draw into or read; valid as long as this object lives.
  var buffer: PixelBuffer {
    PixelBuffer(
      size: size, stride: stride, bytes: UnsafeMutableRawBufferPointer(start: base, count: stride * size.height))
  }
}

nonisolated extension Bitmap {
  /// Replaces the pixels of `rect`, which must lie inside, by those of `other`, whose pixel (0, 0) lies at (`x`, `y`).
  func copy(_ other: Bitmap, x: Int = 0, y: Int = 0, to rect: PixelRect) {
    guard !rect.isEmpty else { return }
    var from = other.base + ((rect.y - y) * other.stride + (rect.x - x) * 4)
    var to = base + (rect.y * stride + rect.x * 4)
    for _ in 0..<rect.height {
      memcpy(to, from, rect.width * 4)
      from += other.stride
      to += stride
    }
  }

  /// Calls `body` with rectangles that hold all pixels of `rect` which differ from those of `other`, a bitmap of the
  /// same size: at most one in every 32 columns of 16 rows, and none larger than it must be.
  func forEachDifference(from other: Bitmap, in rect: PixelRect, _ body: (PixelRect) -> Void) {
    for y in Swift.stride(from: rect.y, to: rect.maxY, by: 16) {
      for x in Swift.stride(from: rect.x, to: rect.maxX, by: 32) {
        let tile = PixelRect(x: x, y: y, width: min(32, rect.maxX - x), height: min(16, rect.maxY - y))
        let difference = difference(from: other, in: tile)
        if !difference.isEmpty { body(difference) }
      }
    }
  }

  private func difference(from other: Bitmap, in tile: PixelRect) -> PixelRect {
    var (top, bottom, first, last) = (tile.maxY, tile.y, tile.width, -1)
    for y in tile.y..<tile.maxY {
      let a = (base + (y * stride + tile.x * 4)).assumingMemoryBound(to: UInt32.self)
      let b = (other.base + (y * other.stride + tile.x * 4)).assumingMemoryBound(to: UInt32.self)
      guard memcmp(a, b, tile.width * 4) != 0 else { continue }
      top = min(top, y)
      bottom = y + 1
      if let x = (0..<first).first(where: { a[$0] != b[$0] }) { first = x }
      if let x = (max(last, 0)..<tile.width).last(where: { a[$0] != b[$0] }) { last = x }
    }
    return top < bottom
      ? PixelRect(x: tile.x + first, y: top, width: last + 1 - first, height: bottom - top) : .zero
  }

  /// Composites `other`, whose pixel (0, 0) lies at (`x`, `y`), over the pixels of `rect`, which must lie inside both.
  func composite(_ other: Bitmap, x: Int, y: Int, over rect: PixelRect, through fraction: SolidFraction? = nil) {
    guard !rect.isEmpty else { return }
    pixman_image_composite32(
      PIXMAN_OP_OVER, other.image, fraction?.image, image, Int32(rect.x - x), Int32(rect.y - y), 0, 0, Int32(rect.x),
      Int32(rect.y), Int32(rect.width), Int32(rect.height))
  }

  /// Composites a premultiplied colour over the pixels of `rect`, which must lie inside.
  func composite(_ pixel: UInt32, over rect: PixelRect) {
    guard !rect.isEmpty else { return }
    if pixel >> 24 == 255 { return set(pixel, in: rect) }
    func part(_ shift: UInt32) -> UInt16 { UInt16((pixel >> shift) & 255) * 257 }
    var color = pixman_color_t(red: part(16), green: part(8), blue: part(0), alpha: part(24))
    guard let source = pixman_image_create_solid_fill(&color) else { return }
    pixman_image_composite32(
      PIXMAN_OP_OVER, source, nil, image, 0, 0, 0, 0, Int32(rect.x), Int32(rect.y), Int32(rect.width),
      Int32(rect.height))
    pixman_image_unref(source)
  }

  /// Makes the pixels of `rect`, which must lie inside, `pixel`.
  func set(_ pixel: UInt32, in rect: PixelRect) {
    var row = base + (rect.y * stride + rect.x * 4)
    for _ in 0..<rect.height {
      row.assumingMemoryBound(to: UInt32.self).update(repeating: pixel, count: rect.width)
      row += stride
    }
  }
}

/// A fraction that all pixels of a bitmap are weakened by.
nonisolated final class SolidFraction: @unchecked Sendable {
  let image: OpaquePointer

  /// `alpha` from 0 to 1.
  init?(_ alpha: Double) {
    let part = UInt16(Color.clamped(alpha) * 255 + 0.5) * 257
    var color = pixman_color_t(red: 0, green: 0, blue: 0, alpha: part)
    guard let image = pixman_image_create_solid_fill(&color) else { return nil }
    self.image = image
  }

  deinit {
    pixman_image_unref(image)
  }
}

/// Zeroed memory. Untouched pages cost nothing, unless all were asked for at once.
nonisolated final class Memory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let count: Int
  private let isMapped: Bool

  /// `count` bytes of zeros, or nil when there is not as much. With `isFilled` all of it is about to be written: then its
  /// pages come at once, since each page's first touch would cost a trap of its own.
  init?(count: Int, isFilled: Bool = false) {
    guard count > 0 else { return nil }
    isMapped = isFilled
    if isMapped {
      let flags = MAP_PRIVATE | Int32(MAP_ANONYMOUS) | Int32(MAP_POPULATE)
      guard let base = mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0), base != MAP_FAILED else { return nil }
      self.base = base
    } else {
      guard let base = calloc(count, 1) else { return nil }
      self.base = base
    }
    self.count = count
  }

  deinit {
    if isMapped { munmap(base, count) } else { free(base) }
  }
}
