import Glibc

/// A copy of a buffer's pixels.
package struct Picture: Equatable, Sendable {
  package let size: PixelSize
  /// False if the format has no alpha: that byte then means nothing.
  package let hasAlpha: Bool
  /// The rows, top first, without padding: the words as they were in memory.
  let words: [UInt32]

  /// A copy of the `size` pixels at `memory`, whose rows are `stride` bytes apart.
  init(size: PixelSize, hasAlpha: Bool, memory: UnsafeRawPointer, stride: Int) {
    self.size = size
    self.hasAlpha = hasAlpha
    words = Array(unsafeUninitializedCapacity: size.area) { room, count in
      guard let base = room.baseAddress else { return }
      for y in 0..<size.height {
        memcpy(base + y * size.width, memory + y * stride, size.width * 4)
      }
      count = size.area
    }
  }

  /// The pixel at (`x`, `y`) as 0xAARRGGBB, premultiplied; opaque if the format has no alpha.
  package func pixel(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "the pixel lies outside")
    return hasAlpha ? words[y * size.width + x] : words[y * size.width + x] | 0xff00_0000
  }

  /// True if every pixel looks the same.
  package static func == (a: Picture, b: Picture) -> Bool { a.size == b.size && a.firstDifference(from: b) == nil }

  /// The first pixel that differs from `other`, of the same size, outside `ignored`.
  func firstDifference(from other: Picture, outside ignored: [PixelRect] = []) -> (x: Int, y: Int)? {
    precondition(size == other.size, "pictures of two sizes")
    return other.words.withUnsafeBytes { memory in
      memory.baseAddress.flatMap { firstDifference(fromMemory: $0, stride: size.width * 4, outside: ignored) }
    }
  }

  /// The first pixel that differs from the memory's, outside `ignored`.
  func firstDifference(
    fromMemory memory: UnsafeRawPointer, stride: Int, outside ignored: [PixelRect] = []
  ) -> (x: Int, y: Int)? {
    words.withUnsafeBufferPointer { words -> (x: Int, y: Int)? in
      guard let base = words.baseAddress else { return nil }
      let mask: UInt32 = hasAlpha ? 0xffff_ffff : 0x00ff_ffff
      for y in 0..<size.height {
        let row = base + y * size.width
        let other = memory + y * stride
        if memcmp(row, other, size.width * 4) == 0 { continue }
        for gap in gaps(inRow: y, between: ignored)
        where memcmp(row + gap.lowerBound, other + gap.lowerBound * 4, gap.count * 4) != 0 {
          for x in gap where (row[x] ^ other.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)) & mask != 0 {
            return (x, y)
          }
        }
      }
      return nil
    }
  }

  /// The columns of the row `y` that no rectangle covers.
  private func gaps(inRow y: Int, between rects: [PixelRect]) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var end = 0
    for rect in rects.filter({ $0.y <= y && y < $0.maxY }).sorted(by: { $0.x < $1.x }) {
      if rect.x > end { gaps.append(end..<min(rect.x, size.width)) }
      end = max(end, rect.maxX)
      if end >= size.width { return gaps }
    }
    gaps.append(end..<size.width)
    return gaps
  }

  /// The first pixel inside `rect` that is not opaque.
  func firstTransparent(in rect: PixelRect) -> (x: Int, y: Int)? {
    guard hasAlpha else { return nil }
    let part = rect.intersection(PixelRect(size))
    return words.withUnsafeBufferPointer { words -> (x: Int, y: Int)? in
      for y in part.y..<part.maxY {
        for x in part.x..<part.maxX where words[y * size.width + x] >> 24 != 0xff { return (x, y) }
      }
      return nil
    }
  }
}
