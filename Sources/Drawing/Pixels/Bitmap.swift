internal import CCairo
import Glibc
import Linux

/// Pixels in memory, with cairo's surface to draw on them.
@safe nonisolated package final class Bitmap: @unchecked Sendable {
  /// The meaning of a pixel's bits.
  package enum Format {
    /// `PixelBuffer`'s format: 32 bits with premultiplied alpha.
    case color
    /// A share, 8 bits.
    case mask
  }

  /// The extent.
  package let size: PixelSize
  /// The number of bytes from one row to the next.
  let stride: Int
  let base: UnsafeMutableRawPointer
  /// A `cairo_surface_t`.
  let surface: OpaquePointer
  private let memory: Memory?

  /// Zeroed pixels; nil for sizes that are empty or too large.
  package convenience init?(size: PixelSize, format: Format = .color) {
    guard size.isUsableForBitmap else { return nil }
    let stride = Self.stride(width: size.width, format)
    guard let memory = Memory(count: stride * size.height) else { return nil }
    unsafe self.init(size: size, stride: stride, base: memory.base, format: format, memory: memory)
  }

  /// Pixels at the start of `memory`, which must be large enough.
  convenience init?(size: PixelSize, in memory: Memory, format: Format = .color) {
    guard size.isUsableForBitmap, Self.byteCount(size, format) <= memory.count else { return nil }
    let stride = Self.stride(width: size.width, format)
    unsafe self.init(size: size, stride: stride, base: memory.base, format: format, memory: memory)
  }

  /// The pixels of `buffer`, to be used no longer than the buffer is valid; nil if rows are not aligned to whole pixels.
  @unsafe package convenience init?(_ buffer: PixelBuffer) {
    guard buffer.size.isUsableForBitmap, buffer.stride % 4 == 0,
      let base = unsafe buffer.withUnsafeBytes({ $0.baseAddress })
    else { return nil }
    unsafe self.init(size: buffer.size, stride: buffer.stride, base: base, format: .color, memory: nil)
  }

  /// The pixels of `rect`, which must lie inside, as a separate bitmap over the same memory.
  package func part(_ rect: PixelRect) -> Bitmap? {
    check(rect)
    let corner = unsafe base + (rect.y * stride + rect.x * 4)
    let size = PixelSize(width: rect.width, height: rect.height)
    return unsafe Bitmap(size: size, stride: stride, base: corner, format: .color, memory: memory)
  }

  private init?(size: PixelSize, stride: Int, base: UnsafeMutableRawPointer, format: Format, memory: Memory?) {
    let isColor = format == .color
    guard
      let surface = unsafe cairo_image_surface_create_for_data(
        base.assumingMemoryBound(to: UInt8.self), isColor ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_A8, Int32(size.width),
        Int32(size.height), Int32(stride))
    else { return nil }
    guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
      unsafe cairo_surface_destroy(surface)
      return nil
    }
    self.size = size
    self.stride = stride
    unsafe self.base = unsafe base
    unsafe self.surface = unsafe surface
    self.memory = memory
  }

  deinit {
    unsafe cairo_surface_destroy(surface)
  }

  /// Completes cairo's drawing, before the pixels are read or written by others.
  func flush() { unsafe cairo_surface_flush(surface) }

  /// Has cairo draw over the present pixels, after they were written by others.
  func markDirty() { unsafe cairo_surface_mark_dirty(surface) }

  /// Gives the first pixel the coordinates (`x`, `y`) in cairo.
  func setOrigin(x: Int, y: Int) { unsafe cairo_surface_set_device_offset(surface, -Double(x), -Double(y)) }

  private static func stride(width: Int, _ format: Format) -> Int {
    format == .color ? width * 4 : (width + 3) & ~3
  }

  static func byteCount(_ size: PixelSize, _ format: Format) -> Int { stride(width: size.width, format) * size.height }

  /// The whole rectangle, from (0, 0).
  package var rect: PixelRect { PixelRect(size) }

  /// True for the memory of `buffer`, with the same layout.
  package func isOf(_ buffer: PixelBuffer) -> Bool {
    unsafe base == buffer.withUnsafeBytes { $0.baseAddress } && size == buffer.size && stride == buffer.stride
  }

  func withBuffer<Result>(_ body: (PixelBuffer) -> Result) -> Result {
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: base, count: stride * (size.height - 1) + size.width * 4)
    return unsafe body(PixelBuffer(size: size, stride: stride, bytes: bytes))
  }
}

nonisolated extension Bitmap {
  /// Traps unless all pixels of `rect` lie inside: the loops over them check no index.
  func check(_ rect: PixelRect) { precondition(self.rect.contains(rect), "pixels beyond the bitmap") }

  /// Replaces the pixels of `rect`, which must lie inside both bitmaps, by those of `other`.
  func copy(_ other: Bitmap, to rect: PixelRect) {
    guard !rect.isEmpty else { return }
    check(rect)
    other.check(rect)
    var from = unsafe other.base + (rect.y * other.stride + rect.x * 4)
    var to = unsafe base + (rect.y * stride + rect.x * 4)
    for _ in 0..<rect.height {
      unsafe memcpy(to, from, rect.width * 4)
      unsafe from += other.stride
      unsafe to += stride
    }
  }

  /// Calls `body` with rectangles that hold all pixels of `rect` which differ from those of `other`, a bitmap of the same size:
  /// at most one in every 32 columns of 16 rows, and none larger than necessary.
  func forEachDifference(from other: Bitmap, in rect: PixelRect, _ body: (PixelRect) -> Void) {
    check(rect)
    other.check(rect)
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
      let a = unsafe (base + (y * stride + tile.x * 4)).assumingMemoryBound(to: UInt32.self)
      let b = unsafe (other.base + (y * other.stride + tile.x * 4)).assumingMemoryBound(to: UInt32.self)
      guard unsafe memcmp(a, b, tile.width * 4) != 0 else { continue }
      top = min(top, y)
      bottom = y + 1
      if let x = (0..<first).first(where: { unsafe a[$0] != b[$0] }) { first = x }
      if let x = (max(last, 0)..<tile.width).last(where: { unsafe a[$0] != b[$0] }) { last = x }
    }
    return top < bottom
      ? PixelRect(x: tile.x + first, y: top, width: last + 1 - first, height: bottom - top) : .zero
  }

  /// Sets the pixels of `rect`, which must lie inside, to `pixel`.
  package func set(_ pixel: UInt32, in rect: PixelRect) {
    check(rect)
    var row = unsafe base + (rect.y * stride + rect.x * 4)
    for _ in 0..<rect.height {
      unsafe row.assumingMemoryBound(to: UInt32.self).fill(pixel, count: rect.width)
      unsafe row += stride
    }
  }
}

/// Zeroed memory. Untouched pages cost nothing, unless all were requested at once.
@safe nonisolated final class Memory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let count: Int
  /// Nil if the memory is malloc's.
  private let mapped: MappedMemory?

  /// `count` bytes of zeros, or nil if there is not enough memory. With `isFilled` all of it is about to be written: its pages
  /// are then mapped at once, since each page's first touch would cost a separate trap.
  init?(count: Int, isFilled: Bool = false) {
    guard count > 0 else { return nil }
    mapped = isFilled ? MappedMemory(count: count) : nil
    mapped?.takePages()
    guard let base = unsafe isFilled ? mapped?.bytes.baseAddress : calloc(count, 1) else { return nil }
    unsafe self.base = unsafe base
    self.count = count
  }

  deinit {
    if mapped == nil { unsafe free(base) }
  }

  func clear(_ count: Int) { unsafe memset(base, 0, count) }
}
