// Owns the fuzzing of the rasteriser: outlines of any shape against a slow reference, which shares no code with it.
// Must not know libFuzzer: ReaderFuzz.swift calls it.

import UICore

@testable import Drawing

/// An outline that bytes describe.
struct FuzzedOutline {
  private struct Edge {
    var from: Point
    var to: Point
    var isChord = false
  }

  /// The image that it is drawn in.
  let size: PixelSize
  let rule: FillRule
  private(set) var path = Path()
  /// The outline as straight edges, a curve as many chords.
  private var edges: [Edge] = []
  private var start = Point.zero
  private var curveCount = 0

  /// The chords that stand for a curve.
  private static let chords = 400

  /// The first bytes are the size and the rule; then each step takes its kind and its coordinates. Nil for too few bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 3 else { return nil }
    size = PixelSize(width: Int(bytes[0]) % 150 + 1, height: Int(bytes[1]) % 40 + 1)
    rule = bytes[2] & 1 == 0 ? .nonZero : .evenOdd
    var rest = bytes[3...].prefix(200)
    func number() -> Double {
      let pair = (rest.popFirst() ?? 0, rest.popFirst() ?? 0)
      // In halves of the raster's steps, to 256 pixels to either side of the corner.
      return Double(Int16(truncatingIfNeeded: Int(pair.0) << 8 | Int(pair.1))) / 128
    }
    func point() -> Point { Point(x: number(), y: number()) }
    while let kind = rest.popFirst() {
      switch kind & 3 {
      case 0: move(to: point())
      case 1: path.isEmpty ? move(to: point()) : line(to: point())
      case 2: curve(point(), point(), point())
      default:
        close()
        path.close()
      }
    }
    close()
  }

  private mutating func move(to point: Point) {
    close()
    path.move(to: point)
    start = point
  }

  private mutating func line(to point: Point) {
    edges.append(Edge(from: path.currentPoint, to: point))
    path.line(to: point)
  }

  private mutating func curve(_ b: Point, _ c: Point, _ end: Point) {
    if path.isEmpty { move(to: b) }
    let a = path.currentPoint
    var last = a
    for index in 1...Self.chords {
      let t = Double(index) / Double(Self.chords)
      func mixed(_ a: Point, _ b: Point) -> Point { Point(x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t) }
      let (ab, bc, cd) = (mixed(a, b), mixed(b, c), mixed(c, end))
      let point = mixed(mixed(ab, bc), mixed(bc, cd))
      edges.append(Edge(from: last, to: point, isChord: true))
      last = point
    }
    path.curve(to: end, control1: b, control2: c)
    curveCount += 1
  }

  /// Ends a part, which is closed whether it says so or not.
  private mutating func close() {
    if !path.isEmpty { edges.append(Edge(from: path.currentPoint, to: start)) }
  }

  /// The level of every pixel, and how much it may differ: each edge is clipped to the pixel's row, and the area between it and
  /// the pixel's right side is added or subtracted.
  func levels() -> [(level: Double, tolerance: Double)] {
    var areas = [Double](repeating: 0, count: size.area)
    var lines = [Int](repeating: 0, count: size.height)
    for edge in edges where edge.from.y != edge.to.y {
      let isDown = edge.from.y < edge.to.y
      let (top, bottom) = isDown ? (edge.from, edge.to) : (edge.to, edge.from)
      let slope = (bottom.x - top.x) / (bottom.y - top.y)
      for row in 0..<size.height {
        let (from, to) = (max(top.y, Double(row)), min(bottom.y, Double(row + 1)))
        guard from < to else { continue }
        if !edge.isChord { lines[row] += 1 }
        let (x0, x1) = (top.x + (from - top.y) * slope, top.x + (to - top.y) * slope)
        for column in 0..<size.width {
          let area = (to - from) * Self.meanShare(x0 - Double(column), x1 - Double(column))
          areas[row * size.width + column] += isDown ? area : -area
        }
      }
    }
    return areas.enumerated().map { index, area in
      // Ends lie on 256ths of a pixel: an edge is off by a 512th in x and y, and so is what it leaves in a pixel, here and where
      // the image's sides cut it. A curve's chords are off by a fiftieth of a pixel, on both sides of a bend.
      (Self.level(area, rule), 2 + Double(lines[index / size.width]) * 2 + Double(curveCount) * 15)
    }
  }

  /// The share of a pixel right of an edge from (`a`, 0) to (`b`, 1), in pixels from its left side: the mean of 1 - x, clamped.
  private static func meanShare(_ a: Double, _ b: Double) -> Double {
    let (low, high) = (min(a, b), max(a, b))
    if high <= 0 { return 1 }
    if low >= 1 { return 0 }
    if high - low < 1e-9 { return 1 - min(max(low, 0), 1) }
    /// The integral of the clamped share from minus infinity, but for a constant.
    func integral(_ x: Double) -> Double { x <= 0 ? x : x >= 1 ? 0.5 : x - x * x / 2 }
    return (integral(high) - integral(low)) / (high - low)
  }

  private static func level(_ area: Double, _ rule: FillRule) -> Double {
    switch rule {
    case .nonZero: return min(abs(area), 1) * 255
    case .evenOdd:
      let rest = abs(area).truncatingRemainder(dividingBy: 2)
      return min(rest, 2 - rest) * 255
    }
  }
}

/// Drawn, compared with the reference, and followed by a square, of which nothing of the outline may be left.
@MainActor func drawOutline(_ bytes: [UInt8]) {
  guard let outline = FuzzedOutline(bytes) else { return }
  let size = outline.size
  var coverage = Coverage()
  /// The levels as the spans tell them.
  func levels(_ coverage: borrowing Coverage) -> [UInt8] {
    var levels = [UInt8](repeating: 0, count: size.area)
    require(PixelRect(size).contains(coverage.bounds), "the coverage lies in the image")
    for row in coverage.rows {
      var last = 0
      for span in coverage.spans[row] {
        let (start, end) = (Int(span.start), Int(span.end))
        require(last <= start && start < end && end <= size.width, "the spans of a row follow each other")
        require(
          coverage.bounds.contains(PixelRect(x: start, y: row, width: end - start, height: 1)),
          "spans are in the bounds")
        last = end
        var value = coverage.spans.values(of: span)
        for column in start..<end {
          levels[row * size.width + column] = value.pointee
          if column + 1 <= span.sharedStart || column + 1 >= span.sharedEnd { value += 1 }
        }
      }
    }
    return levels
  }
  coverage.fill(outline.path, .identity, rule: outline.rule, size: size, with: &Rasterizer.shared)
  for (found, wanted) in zip(levels(coverage), outline.levels()) {
    require(abs(Double(found) - wanted.level) <= wanted.tolerance, "a pixel's level is its area in the outline")
  }
  coverage.fill(
    Path(rect: Rect(x: 0, y: 0, width: 1e5, height: 1)), .identity, rule: .nonZero, size: size, with: &Rasterizer.shared
  )
  require(levels(coverage).count { $0 == 255 } == size.width, "an outline leaves nothing to the next")
}
