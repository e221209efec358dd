import UICore

/// Finds the coverage of outlines, row by row.
///
/// Each pixel's share is its exact area inside the outline, with corners in 256ths of a pixel along both axes, so a clip can't
/// change an edge. Where several edges meet in one pixel their areas are added before the fill rule acts, as rasters of letters
/// do. Its memory is kept for the next outline and read without checks: every index is cut to the picture before.
nonisolated final class Rasterizer {
  /// A pixel that an edge crosses: what the edge adds to it and to all pixels right of it.
  private struct Cell {
    var x: Int32
    /// The index of the row's cell before this one, or -1.
    var next: Int32
    /// The edge's height within the pixel in 256ths, positive downwards; and twice the area between the edge and the
    /// pixel's left side, in 65,536ths.
    var sum: SIMD2<Int32>
  }

  private var size = PixelSize.zero
  private var cells = UnsafeMutablePointer<Cell>.allocate(capacity: 1024)
  private var capacity = 1024
  private var count = 0
  /// For each row of the picture the index of its latest cell, or -1.
  private var latest = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)
  /// The sums of one row's cells, and a bit for each that is in use.
  private var sums = UnsafeMutableBufferPointer<SIMD2<Int32>>.allocate(capacity: 0)
  private var used = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 0)
  /// The rows that the outline meets.
  private var rows = 0..<0

  /// The greatest distance of a line from the curve that it stands for, in pixels.
  private static let tolerance = 0.06

  deinit {
    cells.deallocate()
    latest.deallocate()
    sums.deallocate()
    used.deallocate()
  }

  private func resize(to size: PixelSize) {
    func fill<Value>(_ memory: inout UnsafeMutableBufferPointer<Value>, _ count: Int, _ value: Value) {
      guard count > memory.count else { return }
      memory.deallocate()
      memory = .allocate(capacity: count)
      memory.initialize(repeating: value)
    }
    self.size = size
    fill(&latest, size.height, -1)
    fill(&sums, size.width + 1, .zero)
    fill(&used, size.width / 64 + 1, 0)
  }

  // MARK: Edges

  /// Takes the edges of `path`, mapped by `transform`, in a picture of `size`. Returns the rows to sweep, all of them and once
  /// each; none where a coordinate is not finite.
  func trace(_ path: Path, _ transform: Transform, _ size: PixelSize) -> Range<Int> {
    resize(to: size)
    count = 0
    rows = 0..<0
    var (start, last) = (Point.zero, Point.zero)
    var isFinite = true
    func map(_ point: Point) -> Point {
      let place = transform.apply(point)
      guard place.isFinite else {
        isFinite = false
        return .zero
      }
      let limit = Canvas.limit
      return Point(x: min(max(place.x, -limit), limit), y: min(max(place.y, -limit), limit))
    }
    for element in path.elements {
      switch element {
      case .move(let p):
        line(last, start)
        start = map(p)
        last = start
      case .line(let p):
        let to = map(p)
        line(last, to)
        last = to
      case .curve(let c1, let c2, let p):
        let to = map(p)
        curve(last, map(c1), map(c2), to)
        last = to
      case .close:
        line(last, start)
        last = start
      }
    }
    line(last, start)
    guard isFinite else {
      for row in rows { latest[row] = -1 }
      return 0..<0
    }
    return rows
  }

  private func curve(_ a: Point, _ b: Point, _ c: Point, _ d: Point) {
    // The second derivative is at most six times the bend, and a chord strays by an eighth of it over the pieces squared.
    let bend = max((a - b).distance(to: b - c), (b - c).distance(to: c - d))
    let pieces = min(max((bend * 0.75 / Self.tolerance).squareRoot().rounded(.up), 1), 256)
    var last = a
    for piece in 1...Int(pieces) {
      let t = Double(piece) / pieces
      let s = 1 - t
      let (p, q, r, u) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
      let point =
        t == 1 ? d : Point(x: p * a.x + q * b.x + r * c.x + u * d.x, y: p * a.y + q * b.y + r * c.y + u * d.y)
      line(last, point)
      last = point
    }
  }

  /// Takes an edge, cut at the picture's sides: what lies left of it counts from its left side on, what lies right not at all.
  private func line(_ a: Point, _ b: Point) {
    let (width, height) = (Double(size.width), Double(size.height))
    guard a.y != b.y, max(a.y, b.y) > 0, min(a.y, b.y) < height, min(a.x, b.x) < width else { return }
    if min(a.x, b.x) >= 0, max(a.x, b.x) <= width, min(a.y, b.y) >= 0, max(a.y, b.y) <= height { return edge(a, b) }
    let slope = (b.x - a.x) / (b.y - a.y)
    func cut(_ end: Point) -> Point {
      let y = min(max(end.y, 0), height)
      return y == end.y ? end : Point(x: a.x + (y - a.y) * slope, y: y)
    }
    let (from, to) = (cut(a), cut(b))
    func corner(_ side: Double) -> Point? {
      (from.x < side) == (to.x < side) ? nil : Point(x: side, y: from.y + (side - from.x) / slope)
    }
    let corners = from.x < to.x ? (corner(0), corner(width)) : (corner(width), corner(0))
    var last = from
    if let first = corners.0 {
      edge(last, first)
      last = first
    }
    if let second = corners.1 {
      edge(last, second)
      last = second
    }
    edge(last, to)
  }

  /// Takes an edge that lies within the picture's sides, or wholly left or right of them: then along that side.
  private func edge(_ from: Point, _ to: Point) {
    let limit = size.width << 8
    func fixed(_ value: Double, _ limit: Int) -> Int { min(max(Int((value * 256).rounded()), 0), limit) }
    let (x0, x1) = (fixed(from.x, limit), fixed(to.x, limit))
    let (y0, y1) = (fixed(from.y, size.height << 8), fixed(to.y, size.height << 8))
    guard y0 != y1, min(x0, x1) < limit else { return }
    let slope = Double(x1 - x0) / Double(y1 - y0)
    let isDown = y1 > y0
    let (first, last) = isDown ? (y0 >> 8, (y1 - 1) >> 8) : (y1 >> 8, (y0 - 1) >> 8)
    rows = rows.isEmpty ? first..<last + 1 : min(rows.lowerBound, first)..<max(rows.upperBound, last + 1)
    var (x, y) = (x0, y0)
    while y != y1 {
      let row = isDown ? y >> 8 : (y - 1) >> 8
      let end = isDown ? min((row + 1) << 8, y1) : max(row << 8, y1)
      let endX = end == y1 ? x1 : x0 + Int((Double(end - y0) * slope).rounded())
      step(row, x, endX, end - y)
      (x, y) = (endX, end)
    }
  }

  /// Takes the part of an edge within one row, `height` high, between two places.
  private func step(_ row: Int, _ a: Int, _ b: Int, _ height: Int) {
    // Both directions meet the same pixels at the same heights.
    let (from, to) = (min(a, b), max(a, b))
    let last = to >> 8
    var column = from >> 8
    guard column != last else { return add(row, column, height, (from & 255) + (to & 255)) }
    let rise = Double(height) / Double(to - from)
    var (x, done) = (from, 0)
    while column < last {
      let end = (column + 1) << 8
      let total = Int((Double(end - from) * rise).rounded())
      add(row, column, total - done, (x & 255) + 256)
      (x, done) = (end, total)
      column += 1
    }
    add(row, last, height - done, to & 255)
  }

  private func add(_ row: Int, _ column: Int, _ height: Int, _ sides: Int) {
    guard height != 0 else { return }
    if count == capacity {
      let more = UnsafeMutablePointer<Cell>.allocate(capacity: 2 * capacity)
      more.moveInitialize(from: cells, count: count)
      cells.deallocate()
      (cells, capacity) = (more, 2 * capacity)
    }
    cells[count] = Cell(
      x: Int32(truncatingIfNeeded: column), next: latest[row],
      sum: SIMD2(Int32(truncatingIfNeeded: height), Int32(truncatingIfNeeded: height &* sides)))
    latest[row] = Int32(truncatingIfNeeded: count)
    count += 1
  }

  // MARK: Runs

  /// Hands `body` the runs of `row` from left to right, and forgets its cells.
  func sweep(_ row: Int, _ rule: FillRule, _ body: (Coverage.Run) -> Void) {
    var index = Int(latest[row])
    guard index >= 0 else { return }
    latest[row] = -1
    var (low, high) = (Int.max, -1)
    while index >= 0 {
      let cell = cells[index]
      let x = Int(cell.x)
      sums[x] &+= cell.sum
      used[x >> 6] |= 1 << UInt64(x & 63)
      (low, high) = (min(low, x >> 6), max(high, x >> 6))
      index = Int(cell.next)
    }
    var (height, x) = (0, 0)
    var run = Coverage.Run(start: 0, end: 0, level: 0)
    func append(_ start: Int, _ end: Int, _ level: UInt8) {
      guard start < end else { return }
      if level == run.level, Int(run.end) == start {
        run.end = Int16(truncatingIfNeeded: end)
      } else {
        if run.level > 0 { body(run) }
        run = Coverage.Run(start: Int16(truncatingIfNeeded: start), end: Int16(truncatingIfNeeded: end), level: level)
      }
    }
    for word in low...high {
      var bits = used[word]
      used[word] = 0
      while bits != 0 {
        let column = word << 6 + bits.trailingZeroBitCount
        bits &= bits &- 1
        append(x, column, Self.level(height << 9, rule))
        let sum = sums[column]
        sums[column] = .zero
        height += Int(sum.x)
        // Edges beyond the right side lie in a column that is not shown.
        if column < size.width { append(column, column + 1, Self.level(height << 9 - Int(sum.y), rule)) }
        x = column + 1
      }
    }
    append(x, size.width, Self.level(height << 9, rule))
    if run.level > 0 { body(run) }
  }

  /// The coverage of an area in 131,072nds of a pixel, with the sign of its direction.
  private static func level(_ area: Int, _ rule: FillRule) -> UInt8 {
    let whole = 1 << 17
    var share = abs(area)
    if rule == .evenOdd {
      share &= 2 * whole - 1
      share = min(share, 2 * whole - share)
    }
    return UInt8(truncatingIfNeeded: (min(share, whole) * 255 + whole / 2) >> 17)
  }
}
