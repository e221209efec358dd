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
    a.size == b.size && a.firstDifference(from: b, mask: a.hasAlpha && b.hasAlpha ? 0xffff_ffff : 0x00ff_ffff) == nil
  }

  /// Returns the first pixel of `part`, all by default, and outside `ignored` that differs from `other` in the bits of `mask`. A pixel beyond
  /// the edges of `other` differs, and a format without alpha is opaque. Nil if none differs.
  func firstDifference(
    from other: BufferCopy, in part: PixelRect? = nil, outside ignored: [PixelRect] = [], mask: UInt32 = 0xffff_ffff
  ) -> (x: Int, y: Int)? {
    let bounds = PixelRect(size)
    let part = part?.intersection(bounds) ?? bounds
    let opacity: UInt32 = 0xff00_0000
    let (mine, its) = (hasAlpha ? 0 : opacity, other.hasAlpha ? 0 : opacity)
    let isAlike = size.width == other.size.width && hasAlpha == other.hasAlpha
    return unsafe words.withUnsafeBufferPointer { words in
      unsafe other.words.withUnsafeBufferPointer { others in
        for y in part.y..<part.maxY {
          let (row, otherRow) = (y * size.width, y * other.size.width)
          let isCommon = y < other.size.height
          if isAlike, isCommon, let words = words.baseAddress, let others = others.baseAddress,
            unsafe memcmp(words + row, others + otherRow, size.width * 4) == 0
          {
            continue
          }
          for gap in gaps(inRow: y, between: ignored) {
            for x in gap.clamped(to: part.x..<part.maxX) {
              guard isCommon, x < other.size.width else { return (x, y) }
              if unsafe ((words[row + x] | mine) ^ (others[otherRow + x] | its)) & mask != 0 { return (x, y) }
            }
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
