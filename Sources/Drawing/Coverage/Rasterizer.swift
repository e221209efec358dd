import UICore

/// Computes the coverage of outlines, row by row.
///
/// The coverage of a pixel is its exact area inside the outline, with corners in 256ths of a pixel along both axes, so a clip
/// cannot change an edge. If several edges meet in one pixel their areas are added before the fill rule applies, as glyph
/// rasterisers do. Its memory is reused for the next outline; every index is first clamped to the image. docs/notes/rasteriser.md
/// derives it. A value, because debug builds check every access to a property of a class at run time: a third of a frame.
nonisolated struct Rasterizer: ~Copyable {
  /// A straight edge from top to bottom, in 256ths of a pixel.
  private struct Edge {
    /// The present position, at first the upper end: x in units of 2^-32, plus one half.
    var x: Int
    var y: Int
    let bottom: (x: Int, y: Int)
    /// The advance to the right per 256th downwards, in the units of `x`: over the highest image its rounding error stays below
    /// a hundredth of a 256th.
    let advance: Int
    /// 1 for an edge that runs down along the outline, -1 for one that runs up.
    let sign: Int
    /// The index of the previous edge that begins in the same row, or -1.
    let next: Int
  }

  /// Shared by all drawings, which are made sequentially.
  @MainActor static var shared = Rasterizer()

  private var size = PixelSize.zero
  private var edges = Scratch<Edge>(64)
  private var count = 0
  /// For each row of the image the index of the latest edge that begins in it, or -1.
  private var latest = Scratch<Int32>(0)
  /// The edges that continue in the next row.
  private var active = Scratch<Edge>(64)
  private var activeCount = 0
  /// For each column of a row two sums over its edges, packed so that one addition adds to both: the low 32 bits are the heights,
  /// in 256ths of a pixel, positive downwards; the high 32 bits are twice the areas left of the edges, in 65,536ths.
  private var sums = Scratch<Int>(0)
  /// One bit for each column: whether it has an edge.
  private var used = Scratch<UInt64>(0)
  /// The rows that the outline meets.
  private var rows = 0..<0

  /// The greatest distance of a line from the curve that it approximates, in pixels: five 255ths of coverage.
  private static let tolerance = 0.02

  // MARK: Edges

  /// Adds the edges of `path`, mapped by `transform`, in an image of `size`. Returns the rows to gather and sweep, in order
  /// from the first to the last; empty if a coordinate is not finite.
  mutating func trace(_ path: Path, _ transform: Transform, _ size: PixelSize) -> Range<Int> {
    self.size = size
    latest.reserve(size.height, filledWith: -1)
    sums.reserve(size.width + 1, filledWith: 0)
    used.reserve(size.width / 64 + 1, filledWith: 0)
    (count, activeCount) = (0, 0)
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
      for row in rows { unsafe latest[row] = -1 }
      return 0..<0
    }
    return rows
  }

  private mutating func curve(_ a: Point, _ b: Point, _ c: Point, _ d: Point) {
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

  /// Adds an edge, clipped at the image's sides: a part left of it counts from its left side on, a part right of it is ignored.
  private mutating func line(_ a: Point, _ b: Point) {
    let (width, height) = (Double(size.width), Double(size.height))
    guard a.y != b.y, max(a.y, b.y) > 0, min(a.y, b.y) < height, min(a.x, b.x) < width else { return }
    if min(a.x, b.x) >= 0, max(a.x, b.x) <= width, min(a.y, b.y) >= 0, max(a.y, b.y) <= height { return edge(a, b) }
    let slope = (b.x - a.x) / (b.y - a.y)
    func cut(_ end: Point) -> Point {
      let y = min(max(end.y, 0), height)
      // Of coordinates next to 0 the slope is infinite, or 0: the point stays between the ends all the same.
      return y == end.y ? end : Point(x: Self.between(a.x, b.x, a.x + (y - a.y) * slope), y: y)
    }
    let (from, to) = (cut(a), cut(b))
    func corner(_ side: Double) -> Point? {
      guard (from.x < side) != (to.x < side) else { return nil }
      return Point(x: side, y: Self.between(from.y, to.y, from.y + (side - from.x) / slope))
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

  /// `value` clamped to the range between `a` and `b`; NaN gives the lower one.
  private static func between(_ a: Double, _ b: Double, _ value: Double) -> Double {
    min(max(min(a, b), value), max(a, b))
  }

  /// Adds an edge that lies within the image's sides, or entirely left or right of them and is then moved to that side.
  private mutating func edge(_ from: Point, _ to: Point) {
    let limit = size.width << 8
    @inline(__always) func fixed(_ value: Double, _ limit: Int) -> Int {
      Int(min(max(0, value * 256 + 0.5), Double(limit)))
    }
    let (x0, x1) = (fixed(from.x, limit), fixed(to.x, limit))
    let (y0, y1) = (fixed(from.y, size.height << 8), fixed(to.y, size.height << 8))
    guard y0 != y1, min(x0, x1) < limit else { return }
    let (top, bottom) = y0 < y1 ? ((x0, y0), (x1, y1)) : ((x1, y1), (x0, y0))
    let (first, last) = (top.1 >> 8, (bottom.1 - 1) >> 8)
    rows = rows.isEmpty ? first..<last + 1 : min(rows.lowerBound, first)..<max(rows.upperBound, last + 1)
    if count == edges.capacity { edges.reserve(2 * count, keeping: count) }
    unsafe edges[count] = unsafe Edge(
      x: top.0 &<< 32 &+ 1 &<< 31, y: top.1, bottom: bottom,
      advance: Int(Double(bottom.0 - top.0) / Double(bottom.1 - top.1) * 0x1p32), sign: y0 < y1 ? 1 : -1,
      next: Int(latest[first]))
    unsafe latest[first] = Int32(truncatingIfNeeded: count)
    count += 1
  }

  /// Adds up what the edges leave in the pixels of `row`. Returns how many spans the row may have, for `sweep`, which must follow.
  mutating func gather(_ row: Int) -> Int {
    var index = unsafe Int(latest[row])
    unsafe latest[row] = -1
    while index >= 0 {
      active.reserve(activeCount + 1, keeping: activeCount)
      unsafe active[activeCount] = unsafe edges[index]
      activeCount += 1
      index = unsafe edges[index].next
    }
    var (number, place) = (1, 0)
    while place < activeCount {
      let edge = unsafe active[place]
      let (x, y, bottom) = (edge.x, edge.y, edge.bottom)
      let end = min((row &+ 1) << 8, bottom.y)
      let height = end &- y
      let next = x &+ height &* edge.advance
      let isLast = end == bottom.y
      let (from, to) = (x >> 32, isLast ? bottom.x : next >> 32)
      number &+= 2 &* step(min(from, to), max(from, to), height &* edge.sign)
      if isLast {
        activeCount &-= 1
        unsafe active[place] = unsafe active[activeCount]
      } else {
        unsafe (active[place].x, active[place].y) = (next, end)
        place &+= 1
      }
    }
    return number
  }

  /// Adds the part of an edge within a row, `height` high, between two positions, the left one first. Returns the number of its
  /// pixels.
  @inline(__always) private mutating func step(_ from: Int, _ to: Int, _ height: Int) -> Int {
    let (first, last) = (from >> 8, to >> 8)
    if first == last {
      add(first, height, from & 255 &+ to & 255)
      return 1
    }
    let corner = (first &+ 1) << 8
    if first &+ 1 == last {
      let part = Int(Int32(truncatingIfNeeded: height &* (corner &- from)) / Int32(truncatingIfNeeded: to &- from))
      add(first, part, from & 255 &+ 256)
      add(last, height &- part, to & 255)
      return 2
    }
    let rise = Double(height) / Double(to &- from)
    var (x, done) = (from, 0)
    for column in first..<last {
      let end = (column &+ 1) << 8
      let total = Int(Double(end &- from) * rise + 256.5) &- 256
      add(column, total &- done, x & 255 &+ 256)
      (x, done) = (end, total)
    }
    add(last, height &- done, to & 255)
    return last &- first &+ 1
  }

  @inline(__always) private mutating func add(_ column: Int, _ height: Int, _ sides: Int) {
    unsafe sums[column] &+= height &* (sides &<< 32 | 1)
    unsafe used[column >> 6] |= 1 &<< UInt64(truncatingIfNeeded: column & 63)
  }

  // MARK: Spans

  /// Writes the spans of the row that was gathered, from left to right.
  @inline(__always) func sweep(_ row: Int, _ rule: FillRule, into writer: inout Spans<UInt8>.Writer) {
    var (height, x) = (0, 0)
    let (sums, used, width) = unsafe (sums.base, used.base, size.width)
    for word in 0...width >> 6 {
      var bits = unsafe used[word]
      if bits == 0 { continue }
      unsafe used[word] = 0
      repeat {
        let column = word &<< 6 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        assert(column <= width, "an edge beyond the image")
        if height != 0, x < column { unsafe writer.append(x, column, Self.level(height &<< 9, rule)) }
        let sum = unsafe sums[column]
        unsafe sums[column] = 0
        let own = Int(Int32(truncatingIfNeeded: sum))
        height &+= own
        // Edges beyond the right side lie in a column that is not shown.
        if column < width {
          unsafe writer.append(column, column &+ 1, Self.level(height &<< 9 &- (sum &- own) >> 32, rule))
        }
        x = column &+ 1
      } while bits != 0
    }
    if x < width, height != 0 { unsafe writer.append(x, width, Self.level(height &<< 9, rule)) }
  }

  /// The coverage of an area in 131,072nds of a pixel, signed by its direction.
  @inline(__always) private static func level(_ area: Int, _ rule: FillRule) -> UInt8 {
    let whole = 1 << 17
    var share = area < 0 ? 0 &- area : area
    if rule == .evenOdd {
      share &= 2 &* whole &- 1
      share = min(share, 2 &* whole &- share)
    }
    return UInt8(truncatingIfNeeded: (min(share, whole) &* 255 &+ whole / 2) >> 17)
  }
}
