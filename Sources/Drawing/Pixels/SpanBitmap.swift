import Glibc
import UICore

/// The pixels of a drawing that never changes, in little memory: clear pixels take none, neighbours of one colour one pixel. A
/// sky that fades downwards takes a tenth of its bitmap, a ring a fifth.
nonisolated final class SpanBitmap {
  private(set) var spans = Spans<UInt32>()
  /// The longest run of opaque pixels in each row.
  private var opaque: [Range<Int>] = []
  /// The columns that are in all of these runs.
  private var opaqueColumns = 0..<Int.max

  /// Takes the pixels of `bitmap`, which is not needed afterwards.
  init(_ bitmap: Bitmap) {
    let size = bitmap.size
    spans.begin(0..<size.height, width: size.width)
    opaque.reserveCapacity(size.height)
    for y in 0..<size.height {
      let row = unsafe bitmap.row(y)
      // Found many times as fast.
      if y > 0, unsafe memcmp(row, bitmap.row(y - 1), size.width * 4) == 0 {
        spans.repeatRow()
        opaque.append(opaque[y - 1])
        continue
      }
      // A pixel begins a span at most.
      var (longest, run) = (0..<0, 0..<0)
      spans.addRow(size.width) {
        var x = 0
        while x < size.width {
          let (start, pixel) = unsafe (x, row[x])
          x &+= 1
          while x < size.width, unsafe row[x] == pixel { x &+= 1 }
          unsafe $0.append(start, x, pixel)
          guard pixel >> 24 == 255 else { continue }
          run = (run.upperBound == start ? run.lowerBound : start)..<x
          if run.count > longest.count { longest = run }
        }
      }
      opaque.append(longest)
      opaqueColumns = opaqueColumns.clamped(to: longest)
    }
    spans.trim()
  }

  /// Whether all pixels of `rect` are known to be opaque; false if one of them is outside the image, and for a row in which a longer
  /// run of opaque pixels is elsewhere.
  func isOpaque(in rect: PixelRect) -> Bool {
    guard rect.y >= 0, rect.maxY <= opaque.count else { return false }
    if opaqueColumns.lowerBound <= rect.x, opaqueColumns.upperBound >= rect.maxX { return true }
    for row in rect.rows where opaque[row].lowerBound > rect.x || opaque[row].upperBound < rect.maxX { return false }
    return true
  }
}
