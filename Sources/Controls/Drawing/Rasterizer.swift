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
  private var cells = Scratch<Cell>(1024)
  private var count = 0
  /// For each row of the picture the index of its latest cell, or -1.
  private var latest = Scratch<Int32>(0)
  /// The sums of one row's cells, and a bit for each that is in use.
  private var sums = Scratch<SIMD2<Int32>>(0)
  private var used = Scratch<UInt64>(0)
  /// The words of `used` that hold bits.
  private var words = 0..<0
  /// The rows that the outline meets.
  private var rows = 0..<0

  /// The greatest distance of a line from the curve that it stands for, in pixels.
  private static let tolerance = 0.06

  // MARK: Edges

  /// Takes the edges of `path`, mapped by `transform`, in a picture of `size`. Returns the rows to sweep, all of them and once
  /// each; none where a coordinate is not finite.
  func trace(_ path: Path, _ transform: Transform, _ size: PixelSize) -> Range<Int> {
    self.size = size
    latest.reserve(size.height, filledWith: -1)
    sums.reserve(size.width + 1, filledWith: .zero)
    used.reserve(size.width / 64 + 1, filledWith: 0)
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
    func fixed(_ value: Double, _ limit: Int) -> Int { min(max(Int(value * 256 + 0.5), 0), limit) }
    let (x0, x1) = (fixed(from.x, limit), fixed(to.x, limit))
    let (y0, y1) = (fixed(from.y, size.height << 8), fixed(to.y, size.height << 8))
    guard y0 != y1, min(x0, x1) < limit else { return }
    let slope = Double(x1 - x0) / Double(y1 - y0)
    let isDown = y1 > y0
    let (first, last) = isDown ? (y0 >> 8, (y1 - 1) >> 8) : (y1 >> 8, (y0 - 1) >> 8)
    rows = rows.isEmpty ? first..<last + 1 : min(rows.lowerBound, first)..<max(rows.upperBound, last + 1)
    // The slope in units of 2^-32: over the highest picture its rounding stays below a hundredth of a 256th.
    let advance = Int(slope * 0x1p32)
    var (x, y) = (x0, y0)
    while y != y1 {
      let row = isDown ? y >> 8 : (y &- 1) >> 8
      let end = isDown ? min((row &+ 1) << 8, y1) : max(row << 8, y1)
      let endX = end == y1 ? x1 : x0 &+ ((end &- y0) &* advance &+ 1 &<< 31) >> 32
      step(row, x, endX, end &- y)
      (x, y) = (endX, end)
    }
  }

  /// Takes the part of an edge within one row, `height` high, between two places.
  private func step(_ row: Int, _ a: Int, _ b: Int, _ height: Int) {
    // Both directions meet the same pixels at the same heights.
    let (from, to) = (min(a, b), max(a, b))
    let (first, last) = (from >> 8, to >> 8)
    if first == last { return add(row, first, height, from & 255 &+ to & 255) }
    let corner = (first &+ 1) << 8
    if first &+ 1 == last {
      let part = height &* (corner &- from) / (to &- from)
      add(row, first, part, from & 255 &+ 256)
      return add(row, last, height &- part, to & 255)
    }
    let rise = Double(height) / Double(to - from)
    var (x, done) = (from, 0)
    for column in first..<last {
      let end = (column &+ 1) << 8
      let total = Int(Double(end - from) * rise + 256.5) - 256
      add(row, column, total - done, (x & 255) + 256)
      (x, done) = (end, total)
    }
    add(row, last, height - done, to & 255)
  }

  private func add(_ row: Int, _ column: Int, _ height: Int, _ sides: Int) {
    guard height != 0 else { return }
    if count == cells.capacity { cells.reserve(2 * count, keeping: count) }
    cells[count] = Cell(
      x: Int32(truncatingIfNeeded: column), next: latest[row],
      sum: SIMD2(Int32(truncatingIfNeeded: height), Int32(truncatingIfNeeded: height &* sides)))
    latest[row] = Int32(truncatingIfNeeded: count)
    count += 1
  }

  // MARK: Runs

  /// Adds up the cells of `row` and forgets them. Returns how many runs the row may have, for `sweep`, which must follow.
  func gather(_ row: Int) -> Int {
    var index = Int(latest[row])
    latest[row] = -1
    var (low, high, number) = (Int.max, -1, 0)
    while index >= 0 {
      let cell = cells[index]
      let x = Int(cell.x)
      sums[x] &+= cell.sum
      used[x >> 6] |= 1 &<< UInt64(truncatingIfNeeded: x & 63)
      (low, high) = (min(low, x >> 6), max(high, x >> 6))
      number &+= 2
      index = Int(cell.next)
    }
    words = high < 0 ? 0..<0 : low..<high + 1
    return number + 1
  }

  /// Writes the runs of the row that was gathered, from left to right, and returns their number.
  func sweep(_ row: Int, _ rule: FillRule, into runs: UnsafeMutablePointer<Coverage.Run>) -> Int {
    var (height, x, count) = (0, 0, 0)
    func append(_ start: Int, _ end: Int, _ level: UInt8) {
      guard level > 0 else { return }
      let (start, end) = (Int16(truncatingIfNeeded: start), Int16(truncatingIfNeeded: end))
      if count > 0, runs[count &- 1].level == level, runs[count &- 1].end == start {
        runs[count &- 1].end = end
      } else {
        runs[count] = Coverage.Run(start: start, end: end, level: level)
        count &+= 1
      }
    }
    for word in words {
      var bits = used[word]
      used[word] = 0
      while bits != 0 {
        let column = word &<< 6 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if x < column { append(x, column, Self.level(height &<< 9, rule)) }
        let sum = sums[column]
        sums[column] = .zero
        height &+= Int(sum.x)
        // Edges beyond the right side lie in a column that is not shown.
        if column < size.width { append(column, column &+ 1, Self.level(height &<< 9 &- Int(sum.y), rule)) }
        x = column &+ 1
      }
    }
    if x < size.width { append(x, size.width, Self.level(height &<< 9, rule)) }
    return count
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

/// Memory that grows, is kept, and is read without checks: for loops that run thousands of times in a frame.
nonisolated struct Scratch<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int

  init(_ capacity: Int) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    base.deallocate()
  }

  /// The element at `index`, which must be below `capacity`.
  subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  /// Makes room for `wanted` elements; of those that were there the first `count` stay.
  mutating func reserve(_ wanted: Int, keeping count: Int) {
    guard wanted > capacity else { return }
    move(to: max(wanted, 2 * capacity), keeping: count)
  }

  /// Makes room for `wanted` elements, all of them `value` where there was less room.
  mutating func reserve(_ wanted: Int, filledWith value: Element) {
    guard wanted > capacity else { return }
    move(to: wanted, keeping: 0)
    base.initialize(repeating: value, count: capacity)
  }

  /// Gives back all but the first `count` elements.
  mutating func trim(_ count: Int) { move(to: count, keeping: count) }

  private mutating func move(to capacity: Int, keeping count: Int) {
    let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    new.moveInitialize(from: base, count: count)
    base.deallocate()
    (base, self.capacity) = (new, capacity)
  }
}
