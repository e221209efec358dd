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

  /// Lays `other`, whose pixel (0, 0) lies at (`x`, `y`), over the pixels of `rect`, which must lie inside both.
  func lay(_ other: Bitmap, x: Int, y: Int, over rect: PixelRect, through share: SolidShare? = nil) {
    guard !rect.isEmpty else { return }
    pixman_image_composite32(
      PIXMAN_OP_OVER, other.image, share?.image, image, Int32(rect.x - x), Int32(rect.y - y), 0, 0, Int32(rect.x),
      Int32(rect.y), Int32(rect.width), Int32(rect.height))
  }

  /// Lays `other` over the pixels of `rect` as cairo does when it fills an opaque shape right here: what is under a
  /// smooth edge is weakened by cairo's product of two shares, which is one level off pixman's in 128 of 65,536 cases.
  func layAsFilled(_ other: Bitmap, x: Int, y: Int, over rect: PixelRect) {
    for row in rect.y..<max(rect.y, rect.maxY) {
      let from = (other.base + ((row - y) * other.stride + (rect.x - x) * 4)).assumingMemoryBound(to: UInt32.self)
      let to = (base + (row * stride + rect.x * 4)).assumingMemoryBound(to: UInt32.self)
      for column in 0..<rect.width {
        let pixel = from[column]
        let rest = 255 - pixel >> 24
        guard rest < 255 else { continue }
        guard rest > 0 else {
          to[column] = pixel
          continue
        }
        let under = to[column]
        var sum: UInt32 = 0
        for shift: UInt32 in [0, 8, 16, 24] {
          let product = (under >> shift & 255) * rest + 0x7f
          let part = min((pixel >> shift & 255) + (product + product >> 8) >> 8, 255)
          sum |= part << shift
        }
        to[column] = sum
      }
    }
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
