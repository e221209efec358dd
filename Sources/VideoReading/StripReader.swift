/// Reads the strip that dimos appends below its pictures, which says when they were put together.
///
/// The strip has 16 rows, black but for 26 cells of 16 by 16 pixels at its left: 1, 0, 1, 0, then 22 bits of milliseconds of the wall clock,
/// the highest first. White cells are ones. It is large so that it survives H.264; a picture that is scaled down loses it.
package enum StripReader {
  private static let (cell, sync, bits) = (16, [true, false, true, false], 22)

  /// The strip's milliseconds; nil if the picture, of pixels without gaps between the rows, has none.
  package static func milliseconds(_ pixels: Span<UInt32>, width: Int, height: Int) -> Int? {
    let end = (sync.count + bits) * cell
    guard width >= end, height > cell, width * height <= pixels.count else { return nil }
    var value = 0
    for index in 0..<(sync.count + bits) {
      guard let isLit = isLit(pixels, index * cell, width, height) else { return nil }
      if index < sync.count {
        guard isLit == sync[index] else { return nil }
      } else {
        value = value << 1 | (isLit ? 1 : 0)
      }
    }
    // What is behind the cells is black: nothing else looks like that by chance.
    for x in stride(from: end, through: width - cell, by: cell) where isLit(pixels, x, width, height) != false {
      return nil
    }
    return value
  }

  /// Whether a cell is white, or black; nil if it is neither. Its edges are left out, which compression blurs, and of the rows those that may
  /// be cut off: encoders want an even number.
  private static func isLit(_ pixels: Span<UInt32>, _ x: Int, _ width: Int, _ height: Int) -> Bool? {
    var sum = 0
    for row in (height - 12)..<(height - 4) {
      for column in (x + 4)..<(x + 12) {
        let pixel = pixels[row * width + column]
        sum += Int(pixel & 0xff) + 2 * Int(pixel >> 8 & 0xff) + Int(pixel >> 16 & 0xff)
      }
    }
    let mean = sum / (64 * 4)
    return mean < 72 ? false : mean > 184 ? true : nil
  }
}
