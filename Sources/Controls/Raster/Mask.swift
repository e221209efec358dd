// Owns a share for every pixel of a rectangle: glyphs, and clips that are not upright rectangles.
// Must not know what made it or what it limits.

/// Shares 0...255 of the pixels of `rect`; 0 outside.
nonisolated final class Mask {
  let rect: PixelRect
  private(set) var shares: [UInt8]

  /// `shares` are rows, top first, without padding.
  init(rect: PixelRect, shares: [UInt8]) {
    precondition(shares.count >= rect.area, "the mask has too few shares")
    self.rect = rect
    self.shares = shares
  }

  subscript(x: Int, y: Int) -> UInt8 {
    guard x >= rect.x, x < rect.maxX, y >= rect.y, y < rect.maxY else { return 0 }
    return shares[(y - rect.y) * rect.width + x - rect.x]
  }

  /// Calls `body` with the shares of row `y`, which must be one of `rect`'s, from `rect.x` on.
  @inline(__always) func withRow(_ y: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
    shares.withUnsafeBufferPointer { all in
      if let base = all.baseAddress { body(base + (y - rect.y) * rect.width) }
    }
  }

  /// The share of both masks together: their product.
  func intersected(with other: Mask) -> Mask {
    let both = rect.intersection(other.rect)
    var result: [UInt8] = []
    result.reserveCapacity(both.area)
    for y in both.y..<both.maxY {
      for x in both.x..<both.maxX {
        result.append(UInt8(Blend.product(UInt32(self[x, y]), UInt32(other[x, y]))))
      }
    }
    return Mask(rect: both, shares: result)
  }
}
