// Owns one row of coverage while it is summed up.
// Must not know edges, colours or memory of pixels.

/// The sums of one pixel row; see `Rasterizer`.
nonisolated struct Row {
  /// The first pixel, and the one past the last.
  let left: Int
  let right: Int
  let cover: UnsafeMutableBufferPointer<Int32>
  let area: UnsafeMutableBufferPointer<Int32>
  let touched: UnsafeMutableBufferPointer<UInt64>

  /// Adds a piece of an edge within the row: x in 256ths of a pixel, y in 256ths from the row's top.
  @inline(__always) func add(x0: Int, x1: Int, y0: Int, y1: Int, direction: Int32) {
    let (cell0, cell1) = (x0 >> 8, x1 >> 8)
    if cell0 >= right && cell1 >= right { return }
    if cell0 < left && cell1 < left {
      touched[0] |= 1
      cover[0] &+= Int32(truncatingIfNeeded: y1 - y0) &* direction
      return
    }
    if cell0 == cell1 {
      put(cell0, Int32(truncatingIfNeeded: y1 - y0) &* direction, Int32(truncatingIfNeeded: (x0 & 255) + (x1 & 255)))
      return
    }
    addSloping(x0: x0, x1: x1, y0: y0, y1: y1, direction: direction)
  }

  @inline(__always) private func put(_ cell: Int, _ height: Int32, _ twiceX: Int32) {
    let index = cell - left + 1
    touched[index >> 6] |= 1 << UInt64(index & 63)
    cover[index] &+= height
    area[index] &+= height &* twiceX
  }

  /// A piece that crosses columns; where it crosses each is a function of the column alone.
  private func addSloping(x0: Int, x1: Int, y0: Int, y1: Int, direction: Int32) {
    let slope = Double(y1 - y0) / Double(x1 - x0)
    func height(at x: Int) -> Int { y0 + Int((Double(x - x0) * slope).rounded(.down)) }
    let rightwards = x1 > x0
    var cell = x0 >> 8
    let lastCell = x1 >> 8
    var (x, y) = (x0, y0)
    // Jump over what lies outside; left of the clip the height still counts.
    if rightwards, cell < left {
      y = height(at: left << 8)
      touched[0] |= 1
      cover[0] &+= Int32(truncatingIfNeeded: y - y0) &* direction
      (x, cell) = (left << 8, left)
    } else if !rightwards, cell >= right {
      (x, cell) = (right << 8, right - 1)
      y = height(at: x)
    }
    while true {
      if rightwards ? cell >= right : cell < left { break }
      let isLast = cell == lastCell
      let nextX = isLast ? x1 : (rightwards ? (cell + 1) << 8 : cell << 8)
      let nextY = isLast ? y1 : height(at: nextX)
      let offset = cell << 8
      put(
        cell, Int32(truncatingIfNeeded: nextY - y) &* direction,
        Int32(truncatingIfNeeded: (x - offset) + (nextX - offset)))
      (x, y) = (nextX, nextY)
      if isLast { return }
      cell += rightwards ? 1 : -1
    }
    if !rightwards {
      touched[0] |= 1
      cover[0] &+= Int32(truncatingIfNeeded: y1 - y) &* direction
    }
  }

  /// Reads the sums from left to right, calls `span` with (x, length, coverage) inside `runs`, and clears them.
  @inline(__always) func sweep(
    rule: Rasterizer.Rule, runs: ArraySlice<ClipBands.Run>, span: (Int, Int, UInt32) -> Void
  ) {
    var sum: Int32 = 0
    var run = runs.startIndex
    /// The next pixel that has no coverage yet.
    var x = left
    let words = (right - left + 1) / 64 + 1
    for word in 0..<words {
      var bits = touched[word]
      guard bits != 0 else { continue }
      touched[word] = 0
      while bits != 0 {
        let index = word << 6 | bits.trailingZeroBitCount
        bits &= bits &- 1
        let cell = left + index - 1
        if cell > x { emit(from: x, to: cell, coverage(sum << 9, rule), runs, &run, span) }
        sum &+= cover[index]
        if index > 0 {
          emit(from: cell, to: cell + 1, coverage((sum << 9) &- area[index], rule), runs, &run, span)
          x = cell + 1
        }
        cover[index] = 0
        area[index] = 0
      }
    }
    if x < right { emit(from: x, to: right, coverage(sum << 9, rule), runs, &run, span) }
  }

  /// A sum in 2 x 256 x 256ths as a byte.
  @inline(__always) private func coverage(_ sum: Int32, _ rule: Rasterizer.Rule) -> UInt32 {
    var value = sum < 0 ? -sum : sum
    if rule == .evenOdd {
      value &= (1 << 18) - 1
      if value > 1 << 17 { value = (1 << 18) - value }
    }
    return UInt32(min((value &* 255 &+ (1 << 16)) >> 17, 255))
  }

  @inline(__always) private func emit(
    from: Int, to: Int, _ coverage: UInt32, _ runs: ArraySlice<ClipBands.Run>, _ run: inout Int,
    _ span: (Int, Int, UInt32) -> Void
  ) {
    guard coverage > 0 else { return }
    while run < runs.endIndex {
      let (start, end) = (max(from, runs[run].start), min(to, runs[run].end))
      if start < end { span(start, end - start, coverage) }
      if runs[run].end > to { return }
      run += 1
    }
  }
}
