import UICore

/// Neighbouring pixels of one row: some with individual values, then some that share one, then again some with individual
/// values.
nonisolated struct PixelSpan {
  var start: Int16
  var end: Int16
  /// The columns that share a value; beyond all columns if none do.
  var sharedStart: Int16
  var sharedEnd: Int16
  /// The index of the first value; the others follow from left to right, the shared one once.
  var first: Int32

  /// True where columns share a value.
  var isShared: Bool { sharedStart < sharedEnd }
}

/// The values of an image's pixels, such as levels of coverage or colours: none for zeros, one for neighbours that share it,
/// and none for a row equal to the previous one.
nonisolated struct Spans<Value: FixedWidthInteger & BitwiseCopyable>: ~Copyable {
  /// Collects a row's spans in preallocated memory. (Keeps only two cursors: with more, the compiler spills and a row takes
  /// twice the instructions.)
  @safe struct Writer {
    private let values: UnsafeMutablePointer<Value>
    /// The position of the next value.
    fileprivate private(set) var value: UnsafeMutablePointer<Value>
    /// The position of the latest span, and its end.
    fileprivate private(set) var span: UnsafeMutablePointer<PixelSpan>
    private var end = -1
    /// The ends of the memory, for a debug build's checks.
    private let limits: (value: UnsafeMutablePointer<Value>, span: UnsafeMutablePointer<PixelSpan>)

    /// The number of pixels that is worth a separate loop.
    private static var fewestShared: Int { 8 }

    /// Writes values from index `value` on, and spans from index `span` on.
    @inline(__always) fileprivate init(
      _ values: borrowing Scratch<Value>, from value: Int, _ spans: borrowing Scratch<PixelSpan>, from span: Int
    ) {
      unsafe (self.values, self.value, self.span) = unsafe (values.base, values.base + value, spans.base + span - 1)
      unsafe limits = unsafe (values.base + values.capacity, spans.base + spans.capacity)
    }

    /// Sets `value` for the columns from `start` to before `end`, to the right of those that have one.
    @inline(__always) @unsafe mutating func append(_ start: Int, _ end: Int, _ value: Value) {
      guard value != 0 else { return }
      let isShared = end &- start >= Self.fewestShared
      if unsafe self.end != start || (isShared && span.pointee.isShared) {
        unsafe span += 1
        unsafe assert(span < limits.span, "more spans than reserved")
        unsafe span.pointee = unsafe PixelSpan(
          start: Int16(truncatingIfNeeded: start), end: 0, sharedStart: .max, sharedEnd: .max,
          first: Int32(truncatingIfNeeded: self.value - values))
      }
      self.end = end
      unsafe span.pointee.end = Int16(truncatingIfNeeded: end)
      if isShared {
        unsafe span.pointee.sharedStart = Int16(truncatingIfNeeded: start)
        unsafe span.pointee.sharedEnd = Int16(truncatingIfNeeded: end)
        put(value)
      } else {
        for _ in start..<end { put(value) }
      }
    }

    @inline(__always) private mutating func put(_ value: Value) {
      unsafe assert(self.value < limits.value, "more values than reserved")
      unsafe self.value.pointee = value
      unsafe self.value += 1
    }
  }

  struct Indices {
    var first: Int32
    var end: Int32
  }

  /// The first row with spans, and one past the last.
  private(set) var rows = 0..<0
  /// The values, and space for three more, so that four may be read at each of them.
  private var values = Scratch<Value>(3)
  private var count = 0
  private var spans = Scratch<PixelSpan>(0)
  private var spanCount = 0
  /// For each row from the first on the indices of its spans, which equal rows share.
  private var indices = Scratch<Indices>(0)
  private var rowCount = 0
  private var width = 0
  /// The least start and the greatest end of all spans.
  private var columns = (Int16.max, Int16.min)

  /// Clears everything, and expects `rows` of an image of `width`.
  mutating func begin(_ rows: Range<Int>, width: Int) {
    self.rows = rows
    self.width = width
    (count, spanCount, rowCount) = (0, 0, 0)
    columns = (.max, .min)
    indices.reserve(rows.count, keeping: 0)
  }

  /// Adds the next row, of at most `most` spans, which `body` writes.
  @inline(__always) mutating func addRow(_ most: Int, _ body: (inout Writer) -> Void) {
    values.reserve(count + width + 3, keeping: count)
    spans.reserve(spanCount + most, keeping: spanCount)
    let old = unsafe spans.base + spanCount
    var writer = Writer(values, from: count, spans, from: spanCount)
    body(&writer)
    let row = unsafe UnsafeBufferPointer(start: old, count: writer.span + 1 - old)
    if let first = unsafe row.first, let last = unsafe row.last {
      columns = (min(columns.0, first.start), max(columns.1, last.end))
    }
    let end = spanCount &+ row.count
    unsafe indices[rowCount] = Indices(
      first: Int32(truncatingIfNeeded: spanCount), end: Int32(truncatingIfNeeded: end))
    (count, spanCount, rowCount) = unsafe (writer.value - values.base, end, rowCount &+ 1)
  }

  mutating func repeatRow() {
    unsafe indices[rowCount] = unsafe indices[rowCount - 1]
    rowCount += 1
  }

  /// Frees the memory that the values do not need.
  mutating func trim() {
    values.trim(count + 3)
    spans.trim(spanCount)
  }

  var byteCount: Int {
    values.capacity * MemoryLayout<Value>.stride + spans.capacity * MemoryLayout<PixelSpan>.stride + indices.capacity
      * MemoryLayout<Indices>.stride
  }

  var area: Int {
    var area = 0
    for row in rows {
      let spans = unsafe self[row]
      for index in spans.indices { unsafe area += Int(spans[index].end - spans[index].start) }
    }
    return area
  }

  var bounds: PixelRect {
    guard columns.0 < columns.1 else { return .zero }
    return PixelRect(
      left: Int(columns.0), top: rows.lowerBound, right: Int(columns.1), bottom: rows.upperBound)
  }

  /// The spans of a row from left to right; empty if it lies outside of `rows`.
  subscript(row: Int) -> UnsafeBufferPointer<PixelSpan> {
    let index = row &- rows.lowerBound
    guard UInt(bitPattern: index) < UInt(bitPattern: rowCount) else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    let row = unsafe indices[index]
    return unsafe UnsafeBufferPointer(start: spans.base + Int(row.first), count: Int(row.end &- row.first))
  }

  @inline(__always) func values(of span: PixelSpan) -> UnsafeMutablePointer<Value> {
    unsafe values.base + Int(span.first)
  }

  /// True if the spans `row` of a row and `others` of one in `other` have the same values.
  @inline(__always) func isRow(
    _ row: UnsafeBufferPointer<PixelSpan>, like others: UnsafeBufferPointer<PixelSpan>, of other: borrowing Spans
  ) -> Bool {
    guard row.count == others.count else { return false }
    for index in row.indices {
      let (a, b) = unsafe (row[index], others[index])
      guard a.start == b.start, a.end == b.end, a.sharedStart == b.sharedStart, a.sharedEnd == b.sharedEnd else {
        return false
      }
      let number = Int(a.end &- a.start &- (a.isShared ? a.sharedEnd &- a.sharedStart &- 1 : 0))
      let (values, othersValues) = unsafe (values(of: a), other.values(of: b))
      for index in 0..<number where unsafe values[index] != othersValues[index] { return false }
    }
    return true
  }
}
