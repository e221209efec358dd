import UICore

/// How much of each pixel an outline covers, found once and painted under any clip.
nonisolated final class Coverage {
  /// Neighbouring pixels of one row with the same coverage.
  struct Run {
    var start: Int16
    var end: Int16
    /// 1...255.
    var level: UInt8
  }

  /// The first row with runs, and one past the last.
  private(set) var rows = 0..<0
  private var runs = Scratch<Run>(0)
  private var count = 0
  /// For each row from the first on the index of its first run, and the end of the last row's.
  private var starts = Scratch<Int32>(1)
  private var size = PixelSize.zero

  /// Makes it that of `path`, mapped by `transform`, in a picture of `size`; none where a coordinate is not finite.
  func fill(_ path: Path, _ transform: Transform, rule: FillRule, size: PixelSize, with raster: Rasterizer) {
    begin(raster.trace(path, transform, size), size)
    for row in rows {
      let room = raster.gather(row)
      runs.reserve(count + room, keeping: count)
      count += raster.sweep(row, rule, into: runs.base + count)
      endRow(row)
    }
  }

  /// Makes it that of the pixels of `bitmap` that are other than clear: whole where they are opaque, and 1 elsewhere.
  func scan(_ bitmap: Bitmap) {
    begin(0..<bitmap.size.height, bitmap.size)
    for y in rows {
      runs.reserve(count + size.width, keeping: count)
      let row = (bitmap.base + y * bitmap.stride).assumingMemoryBound(to: UInt32.self)
      func kind(_ pixel: UInt32) -> UInt8 { pixel == 0 ? 0 : pixel >> 24 == 255 ? 255 : 1 }
      var x = 0
      while x < size.width {
        let (start, level) = (x, kind(row[x]))
        repeat { x += 1 } while x < size.width && kind(row[x]) == level
        guard level > 0 else { continue }
        runs[count] = Run(start: Int16(start), end: Int16(x), level: level)
        count += 1
      }
      endRow(y)
    }
    runs.trim(count)
  }

  private func begin(_ rows: Range<Int>, _ size: PixelSize) {
    self.rows = rows
    self.size = size
    count = 0
    starts.reserve(rows.count + 1, keeping: 0)
    starts[0] = 0
  }

  private func endRow(_ row: Int) {
    starts[row - rows.lowerBound + 1] = Int32(truncatingIfNeeded: count)
  }

  /// Notes the pixels of the runs, in bands of rows: twice as high as those of a trace, since the runs say exactly where a band's
  /// pixels are.
  func note(in ink: inout Region) {
    let band = 2 * OutlineTrace.bandHeight(size)
    var top = rows.lowerBound
    while top < rows.upperBound {
      let bottom = min((top / band + 1) * band, rows.upperBound)
      noteBand(top..<bottom, in: &ink)
      top = bottom
    }
  }

  private func noteBand(_ band: Range<Int>, in ink: inout Region) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: size.width / 64 + 1) { columns in
      columns.update(repeating: 0)
      var runs = self[band][...]
      while let first = runs.popFirst() {
        var end = first.end
        while let next = runs.first, next.start == end { end = runs.removeFirst().end }
        let (a, b) = (Int(first.start), Int(end) - 1)
        for word in a >> 6...b >> 6 {
          var bits = UInt64.max
          if word == a >> 6 { bits &= .max << UInt64(a & 63) }
          if word == b >> 6 { bits &= .max >> UInt64(63 - b & 63) }
          columns[word] |= bits
        }
      }
      func next(_ x: Int, isIn: Bool) -> Int {
        var x = x
        while x < size.width {
          let word = (isIn ? columns[x >> 6] : ~columns[x >> 6]) >> UInt64(x & 63)
          if word != 0 { return min(x + word.trailingZeroBitCount, size.width) }
          x = (x >> 6 + 1) << 6
        }
        return size.width
      }
      var x = next(0, isIn: true)
      while x < size.width {
        let end = next(x, isIn: false)
        ink.join(PixelRect(x: x, y: band.lowerBound, width: end - x, height: band.count))
        x = next(end, isIn: true)
      }
    }
  }

  /// The runs of `band`, which lies within `rows`: row by row, from left to right.
  subscript(band: Range<Int>) -> UnsafeBufferPointer<Run> {
    let first = Int(starts[band.lowerBound - rows.lowerBound])
    return UnsafeBufferPointer(
      start: runs.base + first, count: Int(starts[band.upperBound - rows.lowerBound]) - first)
  }
}

nonisolated extension Bitmap {
  /// Composites a premultiplied colour through `coverage`, whose pixel (0, 0) lies at (`x`, `y`), over the pixels of `rect`, which
  /// must lie inside.
  func composite(_ pixel: UInt32, through coverage: Coverage, x: Int, y: Int, over rect: PixelRect) {
    forEachRun(of: coverage, x: x, y: y, in: rect) { run, _, pixels in
      let color = run.level == 255 ? pixel : Self.times(pixel, UInt32(run.level))
      let rest = 255 - color >> 24
      if rest == 0 { return pixels.update(repeating: color) }
      for index in pixels.indices { pixels[index] = color &+ Self.times(pixels[index], rest) }
    }
  }

  /// Composites `other`, whose pixel (0, 0) lies at (`x`, `y`) and whose coverage `coverage` is, over the pixels of `rect`, which
  /// must lie inside.
  func composite(_ other: Bitmap, through coverage: Coverage, x: Int, y: Int, over rect: PixelRect) {
    forEachRun(of: coverage, x: x, y: y, in: rect) { run, row, pixels in
      let source = (other.base + (row * other.stride + Int(run.start) * 4)).assumingMemoryBound(to: UInt32.self)
      if run.level == 255 {
        pixels.baseAddress?.update(from: source, count: pixels.count)
        return
      }
      for index in pixels.indices {
        pixels[index] = source[index] &+ Self.times(pixels[index], 255 - source[index] >> 24)
      }
    }
  }

  /// Calls `body` with the part of each run inside `rect`, its row, and its pixels here.
  @inline(__always) private func forEachRun(
    of coverage: Coverage, x: Int, y: Int, in rect: PixelRect,
    _ body: (Coverage.Run, Int, UnsafeMutableBufferPointer<UInt32>) -> Void
  ) {
    let rows = (rect.y - y..<rect.maxY - y).clamped(to: coverage.rows)
    let (left, right) = (Int16(clamping: rect.x - x), Int16(clamping: rect.maxX - x))
    for row in rows {
      let pixels = (base + ((row + y) * stride + x * 4)).assumingMemoryBound(to: UInt32.self)
      for whole in coverage[row..<row + 1] where whole.end > left {
        if whole.start >= right { break }
        var run = whole
        run.start = max(run.start, left)
        run.end = min(run.end, right)
        body(run, row, UnsafeMutableBufferPointer(start: pixels + Int(run.start), count: Int(run.end - run.start)))
      }
    }
  }

  /// Each of a pixel's four parts times `share` 255ths, rounded.
  @inline(__always) private static func times(_ pixel: UInt32, _ share: UInt32) -> UInt32 {
    func pair(_ parts: UInt32) -> UInt32 {
      let product = parts &* share &+ 0x80_0080
      return ((product &+ ((product >> 8) & 0xff_00ff)) >> 8) & 0xff_00ff
    }
    return pair(pixel & 0xff_00ff) | pair((pixel >> 8) & 0xff_00ff) << 8
  }
}
