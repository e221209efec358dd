import UICore

/// The coverage of each pixel by an outline, computed once and painted under any clip.
///
/// A value with one owner, like the rasteriser: the compiler proves what it would check at run time for each access to a class.
nonisolated struct Coverage: ~Copyable {
  /// The levels, 1...255.
  private(set) var spans = Spans<UInt8>()
  private var size = PixelSize.zero

  /// The first row with levels, and one past the last.
  var rows: Range<Int> { spans.rows }

  var bounds: PixelRect { spans.bounds }

  /// Computes the coverage of `path` under `transform`, clipped to `size`; empty if a coordinate is not finite.
  mutating func fill(
    _ path: Path, _ transform: Transform, rule: FillRule, size: PixelSize, with raster: inout Rasterizer
  ) {
    self.size = size
    let rows = raster.trace(path, transform, size)
    spans.begin(rows, width: size.width)
    for row in rows { spans.addRow(raster.gather(row)) { raster.sweep(row, rule, into: &$0) } }
  }

  /// Records the covered pixels in `ink`.
  func note(in ink: inout Region) {
    // A box that is mostly filled needs no bands.
    if bounds.area <= spans.area + spans.area / 2 { return ink.join(bounds) }
    noteBands(rows, in: &ink) { columns, row in unsafe columns.insert(spans[row]) }
  }

  /// Records in `ink` the pixels covered by this or by `other`, of an image of the same size, in the rows in which they differ.
  func note(in ink: inout Region, except other: borrowing Coverage) {
    var all = rows
    let others = other.rows
    if !others.isEmpty {
      all = all.isEmpty ? others : min(all.lowerBound, others.lowerBound)..<max(all.upperBound, others.upperBound)
    }
    noteBands(all, in: &ink) { columns, row in
      let mine = unsafe spans[row]
      let others = unsafe other.spans[row]
      if unsafe spans.isRow(mine, like: others, of: other.spans) { return }
      unsafe columns.insert(others)
      unsafe columns.insert(mine)
    }
  }

  /// Records the pixels of `rows` that `insert` gives, in bands of 40 rows, higher in images of more than 1024 rows, so that there are
  /// never more than some dozens of rectangles.
  private func noteBands(_ rows: Range<Int>, in ink: inout Region, _ insert: (ColumnSet, _ row: Int) -> Void) {
    let band = 40 * ((size.height + 1023) / 1024)
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: ColumnSet.words(size.width)) { words in
      let columns = unsafe ColumnSet(words)
      var top = rows.lowerBound
      while top < rows.upperBound {
        let bottom = min((top / band + 1) * band, rows.upperBound)
        for row in top..<bottom { insert(columns, row) }
        columns.removeAll {
          ink.join(PixelRect(left: $0.lowerBound, top: top, right: $0.upperBound, bottom: bottom))
        }
        top = bottom
      }
    }
  }
}

/// Columns of an image, a bit for each, in memory of its creator.
@safe nonisolated private struct ColumnSet {
  private let bits: UnsafeMutableBufferPointer<UInt64>

  /// The number of words that an image's columns need.
  static func words(_ width: Int) -> Int { width / 64 + 1 }

  /// An empty set in `words`.
  init(_ words: UnsafeMutableBufferPointer<UInt64>) {
    unsafe words.initialize(repeating: 0)
    unsafe bits = unsafe words
  }

  /// Adds the columns of `spans`, which go from left to right.
  func insert(_ spans: UnsafeBufferPointer<PixelSpan>) {
    for index in spans.indices {
      let span = unsafe spans[index]
      let (start, end) = (Int(span.start), Int(span.end) &- 1)
      let last = end >> 6
      var word = start >> 6
      var mask = UInt64.max &<< UInt64(truncatingIfNeeded: start)
      while word < last {
        unsafe bits[word] |= mask
        mask = .max
        word &+= 1
      }
      unsafe bits[last] |= mask & .max &>> UInt64(truncatingIfNeeded: 63 &- end)
    }
  }

  /// Removes every column, and calls `body` with neighbours that were in it.
  func removeAll(_ body: (Range<Int>) -> Void) {
    var start: Int?
    for word in unsafe bits.indices {
      var rest = unsafe bits[word]
      unsafe bits[word] = 0
      var column = word &<< 6
      // Bits are shifted out, so that the lowest one corresponds to `column`.
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
    if let start { unsafe body(start..<bits.count &<< 6) }
  }
}
