import Glibc
import UICore

/// The pixels of a drawing that never changes, in little memory: clear pixels take none, neighbours of one colour one pixel. A
/// sky that fades downwards takes a tenth of its bitmap, a ring a fifth.
nonisolated final class SpanBitmap {
  private(set) var spans = Spans<UInt32>()

  /// Takes the pixels of `bitmap`, which is not needed afterwards.
  init(_ bitmap: Bitmap) {
    let size = bitmap.size
    spans.begin(0..<size.height, width: size.width)
    for y in 0..<size.height {
      let row = unsafe bitmap.row(y)
      // Found many times as fast.
      if y > 0, unsafe memcmp(row, bitmap.row(y - 1), size.width * 4) == 0 {
        spans.repeatRow()
        continue
      }
      // A pixel begins a span at most.
      spans.addRow(size.width) {
        var x = 0
        while x < size.width {
          let (start, pixel) = unsafe (x, row[x])
          x &+= 1
          while x < size.width, unsafe row[x] == pixel { x &+= 1 }
          unsafe $0.append(start, x, pixel)
        }
      }
    }
    spans.trim()
  }
}
