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

  /// What is to be filled.
  var outline = Outline()

  private var active: [Int] = []
  private var order: [Int] = []
  /// One row's sums: cell 0 holds everything left of the clip, cell i the pixel left + i - 1.
  private var cover: [Int32] = []
  private var area: [Int32] = []
  private var touched: [UInt64] = []

  /// Calls `span` with (y, x, length, coverage 1...255) for every run inside `clip` and `bands`, downwards and rightwards.
  func render(rule: Rule, bands: ClipBands, clip: PixelRect, span: (Int, Int, Int, UInt32) -> Void) {
    outline.close()
    guard !outline.isBroken, !outline.edges.isEmpty else { return }
    let box = clip.intersection(bands.bounds)
    let left = max(box.x, outline.minX >> 8)
    let right = min(box.maxX, (outline.maxX >> 8) + 1)
    guard left < right else { return }
    let cells = right - left + 2
    if cover.count < cells {
      cover = Array(repeating: 0, count: cells)
      area = Array(repeating: 0, count: cells)
      touched = Array(repeating: 0, count: cells / 64 + 1)
    }
    outline.edges.withUnsafeBufferPointer { edges in
      cover.withUnsafeMutableBufferPointer { cover in
        area.withUnsafeMutableBufferPointer { area in
          touched.withUnsafeMutableBufferPointer { touched in
            let row = Row(left: left, right: right, cover: cover, area: area, touched: touched)
            // Out of the object for the time of the loops: every access to a property of an object is checked.
            var order: [Int] = []
            var active: [Int] = []
            swap(&order, &self.order)
            swap(&active, &self.active)
            Self.sort(edges, firstRow: box.y, lastRow: box.maxY - 1, into: &order)
            if !order.isEmpty {
              Self.renderRows(edges, order, &active, row: row, rule: rule, bands: bands, box: box, span: span)
            }
            swap(&order, &self.order)
            swap(&active, &self.active)
          }
        }
      }
    }
  }

  /// The edges that touch the rows, from the top.
  private static func sort(
    _ edges: UnsafeBufferPointer<Outline.Edge>, firstRow: Int, lastRow: Int, into order: inout [Int]
  ) {
    order.removeAll(keepingCapacity: true)
    for index in edges.indices where (edges[index].bottom - 1) >> 8 >= firstRow && edges[index].top >> 8 <= lastRow {
      order.append(index)
    }
    order.sort { edges[$0].top < edges[$1].top }
  }

  private static func renderRows(
    _ edges: UnsafeBufferPointer<Outline.Edge>, _ order: [Int], _ active: inout [Int], row: Row, rule: Rule,
    bands: ClipBands, box: PixelRect, span: (Int, Int, Int, UInt32) -> Void
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
