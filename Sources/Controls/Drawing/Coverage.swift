import UICore

/// How much of each pixel an outline covers, found once and painted under any clip.
nonisolated final class Coverage {
  /// The levels, 1...255.
  private(set) var spans = Spans<UInt8>()
  private var size = PixelSize.zero

  /// The first row with levels, and one past the last.
  var rows: Range<Int> { spans.rows }

  /// A rectangle around what is covered.
  var bounds: PixelRect { spans.bounds }

  /// Makes it that of `path`, mapped by `transform`, in a picture of `size`; none where a coordinate is not finite.
  func fill(_ path: Path, _ transform: Transform, rule: FillRule, size: PixelSize, with raster: Rasterizer) {
    self.size = size
    let rows = raster.trace(path, transform, size)
    spans.begin(rows, width: size.width)
    for row in rows { spans.addRow(raster.gather(row)) { raster.sweep(row, rule, into: &$0) } }
  }

  /// Notes all that it covers; with `other`, of a picture of the same size, what either of them covers in the rows in which they differ.
  ///
  /// The pixels are noted in bands of rows, two and a half times as high as those of a trace, since the spans say exactly where a
  /// band's pixels are.
  func note(in ink: inout Region, except other: Coverage? = nil) {
    // A box that is mostly filled needs no bands.
    if other == nil, bounds.area <= spans.area + spans.area / 2 { return ink.join(bounds) }
    var all = rows
    if let others = other?.rows, !others.isEmpty {
      all = all.isEmpty ? others : min(all.lowerBound, others.lowerBound)..<max(all.upperBound, others.upperBound)
    }
    let band = 5 * OutlineTrace.bandHeight(size) / 2
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: ColumnSet.words(size.width)) { words in
      var columns = ColumnSet(words)
      var top = all.lowerBound
      while top < all.upperBound {
        let bottom = min((top / band + 1) * band, all.upperBound)
        for row in top..<bottom {
          let mine = spans[row]
          if let other {
            let others = other.spans[row]
            if spans.isRow(mine, like: others, of: other.spans) { continue }
            columns.insert(others)
          }
          columns.insert(mine)
        }
        columns.removeAll {
          ink.join(PixelRect(left: $0.lowerBound, top: top, right: $0.upperBound, bottom: bottom))
        }
        top = bottom
      }
    }
  }
}

/// Columns of a picture, a bit for each, in memory of its maker's.
nonisolated private struct ColumnSet {
  private let bits: UnsafeMutablePointer<UInt64>
  /// The words that may hold bits.
  private var low = Int.max
  private var high = -1

  /// The number of words that a picture's columns need.
  static func words(_ width: Int) -> Int { width / 64 + 1 }

  /// An empty set in `words`.
  init(_ words: UnsafeMutableBufferPointer<UInt64>) {
    words.initialize(repeating: 0)
    bits = words.baseAddress!
  }

  /// Calls `body` with each word that has columns from `start` to before `end`, and their bits in it.
  @inline(__always) private func forEachWord(_ start: Int16, _ end: Int16, _ body: (Int, UInt64) -> Void) {
    let (a, b) = (Int(start), Int(end) &- 1)
    for word in a >> 6...b >> 6 {
      var mask = UInt64.max
      if word == a >> 6 { mask &= .max &<< UInt64(truncatingIfNeeded: a & 63) }
      if word == b >> 6 { mask &= .max &>> UInt64(truncatingIfNeeded: 63 &- b & 63) }
      body(word, mask)
    }
  }

  /// Adds the columns of `spans`, which go from left to right.
  mutating func insert(_ spans: UnsafeBufferPointer<PixelSpan>) {
    guard let first = spans.first, let last = spans.last else { return }
    (low, high) = (min(low, Int(first.start) >> 6), max(high, (Int(last.end) - 1) >> 6))
    for span in spans { forEachWord(span.start, span.end) { bits[$0] |= $1 } }
  }

  /// Removes every column, and calls `body` with neighbours that were in it.
  mutating func removeAll(_ body: (Range<Int>) -> Void) {
    guard low <= high else { return }
    var start: Int?
    for word in low...high {
      var rest = bits[word]
      bits[word] = 0
      var column = word &<< 6
      // Bits are shifted out, so that the lowest one stands for `column`.
      while start != nil || rest != 0 {
        let isIn = start != nil
        let length = (isIn ? ~rest : rest).trailingZeroBitCount
        if column &+ length >= (word &+ 1) &<< 6 { break }
        column &+= length
        rest = rest &>> UInt64(truncatingIfNeeded: length)
        if let first = start {
          body(first..<column)
          start = nil
        } else {
          start = column
        }
      }
    }
    if let start { body(start..<(high &+ 1) &<< 6) }
    (low, high) = (.max, -1)
  }
}
