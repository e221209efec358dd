import Glibc

/// A copy of a buffer's pixels at one moment.
public struct BufferCopy: Equatable, Sendable {
  /// The size in pixels.
  public let size: PixelSize
  /// False for xrgb8888, whose top byte has no meaning.
  public let hasAlpha: Bool
  /// The pixels as in memory, top row first, without padding between rows.
  let words: [UInt32]

  /// Reads `size` pixels whose rows are `stride` bytes apart. `read` fills memory from a byte on; nil if it returns false.
  init?(size: PixelSize, hasAlpha: Bool, stride: Int, read: (UnsafeMutableRawBufferPointer, Int) -> Bool) {
    self.size = size
    self.hasAlpha = hasAlpha
    // Rows without padding between them are read at once.
    let (rows, width) = stride == size.width * 4 ? (1, size.area) : (size.height, size.width)
    words = unsafe Array(unsafeUninitializedCapacity: size.area) { room, count in
      let isComplete = (0..<rows).allSatisfy { row in
        unsafe read(
          UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[row * width..<(row + 1) * width])),
          row * stride)
      }
      count = isComplete ? size.area : 0
    }
    if words.count != size.area { return nil }
  }

  /// Returns the pixel at (`x`, `y`) as premultiplied 0xAARRGGBB; opaque if the format has no alpha.
  public func pixel(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "the pixel lies outside")
    return hasAlpha ? words[y * size.width + x] : words[y * size.width + x] | 0xff00_0000
  }

  /// True if the sizes and all pixels are equal; the top byte is ignored unless both have alpha.
  public static func == (a: BufferCopy, b: BufferCopy) -> Bool {
    let (plain, other) = a.hasAlpha ? (b, a) : (a, b)
    return a.size == b.size && plain.firstDifference(from: other) == nil
  }

  /// Returns the first pixel outside `ignored` that differs from `other`, which must have the same size; nil if all are equal.
  func firstDifference(from other: BufferCopy, outside ignored: [PixelRect] = []) -> (x: Int, y: Int)? {
    precondition(size == other.size, "pictures of two sizes")
    let mask: UInt32 = hasAlpha ? 0xffff_ffff : 0x00ff_ffff
    return unsafe words.withUnsafeBufferPointer { words in
      unsafe other.words.withUnsafeBufferPointer { others in
        guard let mine = words.baseAddress, let its = others.baseAddress else { return nil }
        for y in 0..<size.height {
          let (row, other) = unsafe (mine + y * size.width, its + y * size.width)
          if unsafe memcmp(row, other, size.width * 4) == 0 { continue }
          for gap in gaps(inRow: y, between: ignored) {
            for x in gap where unsafe (row[x] ^ other[x]) & mask != 0 { return (x, y) }
          }
        }
        return nil
      }
    }
  }

  /// Returns the columns of the row `y` that no rectangle covers.
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

  /// Returns the first pixel inside `rect` that is not opaque; nil if all are opaque.
  func firstTransparent(in rect: PixelRect) -> (x: Int, y: Int)? {
    guard hasAlpha else { return nil }
    let part = rect.intersection(PixelRect(size))
    return unsafe words.withUnsafeBufferPointer { words -> (x: Int, y: Int)? in
      for y in part.y..<part.maxY {
        for x in part.x..<part.maxX where unsafe words[y * size.width + x] >> 24 != 0xff { return (x, y) }
      }
      return nil
    }
  }
}
