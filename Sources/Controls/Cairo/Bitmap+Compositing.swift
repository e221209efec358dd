// Owns laying bitmaps over each other, pixel by pixel.
// Must not know shapes or views. What a pixel becomes depends on the two pixels alone, never on what is done around it.

internal import CCairo
import Glibc

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

  /// Calls `body` with rectangles that hold all pixels of `rect` which differ from those of `other`, a bitmap of the same size:
  /// at most one in every 32 columns, and none larger than it must be.
  func forEachDifference(from other: Bitmap, in rect: PixelRect, _ body: (PixelRect) -> Void) {
    for left in Swift.stride(from: rect.x, to: rect.maxX, by: 32) {
      let width = min(32, rect.maxX - left)
      var (top, bottom, first, last) = (rect.maxY, rect.y, width, -1)
      for y in rect.y..<rect.maxY {
        let a = (base + (y * stride + left * 4)).assumingMemoryBound(to: UInt32.self)
        let b = (other.base + (y * other.stride + left * 4)).assumingMemoryBound(to: UInt32.self)
        guard memcmp(a, b, width * 4) != 0 else { continue }
        top = min(top, y)
        bottom = y + 1
        if let x = (0..<first).first(where: { a[$0] != b[$0] }) { first = x }
        if let x = (max(last, 0)..<width).last(where: { a[$0] != b[$0] }) { last = x }
      }
      if top < bottom {
        body(PixelRect(x: left + first, y: top, width: last + 1 - first, height: bottom - top))
      }
    }
  }

  /// Lays `other`, whose pixel (0, 0) lies at (`x`, `y`), over the pixels of `rect`, which must lie inside both.
  func lay(_ other: Bitmap, x: Int, y: Int, over rect: PixelRect, through share: SolidShare? = nil) {
    guard !rect.isEmpty else { return }
    pixman_image_composite32(
      PIXMAN_OP_OVER, other.image, share?.image, image, Int32(rect.x - x), Int32(rect.y - y), 0, 0, Int32(rect.x),
      Int32(rect.y), Int32(rect.width), Int32(rect.height))
  }

  /// Lays a premultiplied colour over the pixels of `rect`, which must lie inside.
  func lay(_ pixel: UInt32, over rect: PixelRect) {
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

/// A share that all pixels of a picture are weakened by.
nonisolated final class SolidShare: @unchecked Sendable {
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
