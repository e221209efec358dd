// Owns turning outlines in pixels into coverage: which share of each pixel lies inside.
// Must not know colours, memory or where outlines come from.

/// Exact-area coverage of polygons, row by row, in integers.
///
/// What a pixel gets depends on the outline alone, never on the clip: an edge's place on a row is a function of that row,
/// and sums are integers, whose order does not matter. So a repaired part equals the whole, byte for byte (which cairo's
/// clipped fills do not: a third of random scenes differ).
nonisolated final class Rasterizer {
  /// Which of the crossings make an inside.
  enum Rule {
    case nonZero
    case evenOdd
  }

  /// An edge that goes down, in 256ths of a pixel.
  private struct Edge {
    var x: Double
    var slope: Double
    var top: Int
    var bottom: Int
    var direction: Int32
  }

  private var edges: [Edge] = []
  private var active: [Int] = []
  private var order: [Int] = []
  private var start = (x: 0, y: 0)
  private var last = (x: 0, y: 0)
  private var isBroken = false
  private var minX = Int.max
  private var maxX = Int.min

  /// One row's sums: cell 0 holds everything left of the clip, cell i the pixel left + i - 1.
  private var cover: [Int32] = []
  private var area: [Int32] = []
  private var touched: [UInt64] = []

  /// Coordinates beyond this many pixels are pulled in; nothing that large is seen.
  private static let limit = 1e6

  /// Forgets the outline.
  func begin() {
    edges.removeAll(keepingCapacity: true)
    start = (0, 0)
    last = (0, 0)
    isBroken = false
    minX = .max
    maxX = .min
  }

  /// Begins a part; the one before is closed.
  func move(_ x: Double, _ y: Double) {
    close()
    start = fixed(x, y)
    last = start
  }

  func line(_ x: Double, _ y: Double) {
    let next = fixed(x, y)
    add(last, next)
    last = next
  }

  func close() {
    add(last, start)
    last = start
  }

  private func fixed(_ x: Double, _ y: Double) -> (x: Int, y: Int) {
    guard x.isFinite, y.isFinite else {
      isBroken = true
      return (0, 0)
    }
    let limit = Self.limit
    return (
      Int((min(max(x, -limit), limit) * 256).rounded()), Int((min(max(y, -limit), limit) * 256).rounded())
    )
  }

  private func add(_ from: (x: Int, y: Int), _ to: (x: Int, y: Int)) {
    minX = min(minX, from.x, to.x)
    maxX = max(maxX, from.x, to.x)
    guard from.y != to.y else { return }
    let (upper, lower, direction): ((x: Int, y: Int), (x: Int, y: Int), Int32) =
      from.y < to.y ? (from, to, 1) : (to, from, -1)
    edges.append(
      Edge(
        x: Double(upper.x), slope: Double(lower.x - upper.x) / Double(lower.y - upper.y), top: upper.y,
        bottom: lower.y, direction: direction))
  }

  /// Calls `span` with (y, x, length, coverage 1...255) for every run inside `clip` and `bands`, downwards and rightwards.
  func render(rule: Rule, bands: ClipBands, clip: PixelRect, span: (Int, Int, Int, UInt32) -> Void) {
    close()
    guard !isBroken, !edges.isEmpty else { return }
    let box = clip.intersection(bands.bounds)
    let left = max(box.x, minX >> 8)
    let right = min(box.maxX, (maxX >> 8) + 1)
    guard left < right else { return }
    let cells = right - left + 2
    if cover.count < cells {
      cover = Array(repeating: 0, count: cells)
      area = Array(repeating: 0, count: cells)
      touched = Array(repeating: 0, count: cells / 64 + 1)
    }
    order.removeAll(keepingCapacity: true)
    let (firstRow, lastRow) = (box.y, box.maxY - 1)
    for index in edges.indices where (edges[index].bottom - 1) >> 8 >= firstRow && edges[index].top >> 8 <= lastRow {
      order.append(index)
    }
    guard !order.isEmpty else { return }
    edges.withUnsafeBufferPointer { edges in
      order.sort { edges[$0].top < edges[$1].top }
      cover.withUnsafeMutableBufferPointer { cover in
        area.withUnsafeMutableBufferPointer { area in
          touched.withUnsafeMutableBufferPointer { touched in
            let row = Row(left: left, right: right, cover: cover, area: area, touched: touched)
            renderRows(edges, row: row, rule: rule, bands: bands, box: box, span: span)
          }
        }
      }
    }
  }

  private func renderRows(
    _ edges: UnsafeBufferPointer<Edge>, row: Row, rule: Rule, bands: ClipBands, box: PixelRect,
    span: (Int, Int, Int, UInt32) -> Void
  ) {
    active.removeAll(keepingCapacity: true)
    var next = 0
    for band in bands.bands {
      let bottom = min(band.bottom, box.maxY)
      var y = max(band.top, box.y)
      while y < bottom {
        let (top, end) = (y << 8, (y + 1) << 8)
        while next < order.count, edges[order[next]].top < end {
          active.append(order[next])
          next += 1
        }
        var kept = 0
        for index in 0..<active.count {
          let edge = edges[active[index]]
          if edge.bottom <= top { continue }
          active[kept] = active[index]
          kept += 1
          let (from, to) = (max(edge.top, top), min(edge.bottom, end))
          row.add(
            x0: Int((edge.x + edge.slope * Double(from - edge.top)).rounded(.down)),
            x1: Int((edge.x + edge.slope * Double(to - edge.top)).rounded(.down)),
            y0: from - top, y1: to - top, direction: edge.direction)
        }
        active.removeLast(active.count - kept)
        if kept > 0 {
          row.sweep(rule: rule, runs: bands.runs[band.runs]) { span(y, $0, $1, $2) }
        } else if next < order.count {
          // Nothing until the next edge begins.
          y = max(y, (edges[order[next]].top >> 8) - 1)
        } else {
          return
        }
        y += 1
      }
    }
  }
}
