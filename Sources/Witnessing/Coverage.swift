import Glyphs

/// How much of each pixel of an area lies inside a text: the expectation that pixels on the screen are compared with.
///
/// It shares nothing with the code that draws: rows are cut into sixteen lines, and of each line the pieces inside the outlines are added.
struct Coverage {
  let area: PixelArea
  /// 0 (outside) to `inside`, row by row. Bytes, for the memory: their steps are a hundredth of what the limit of a reading tolerates.
  let values: [UInt8]
  /// The sum of all values, in pixels.
  let ink: Double

  /// The value of a pixel that lies inside.
  static let inside: Float = 255

  private static let linesPerRow = 16

  /// The coverage by `line`, set in `size` pixels, its left end at `x` and its baseline at `y`.
  init(_ line: GlyphLine, size: Double, x: Double, y: Double, in area: PixelArea) {
    self.area = area
    var parts = [Float](repeating: 0, count: area.width * area.height)
    let edges = Self.edges(of: line, size: size, x: x - Double(area.x), y: y - Double(area.y))
    var crossings: [(x: Double, sign: Int)] = []
    let share = 1 / Double(Self.linesPerRow)
    for row in 0..<area.height {
      let (top, bottom) = (Double(row), Double(row + 1))
      let near = edges.filter { $0.top < bottom && $0.bottom > top }
      if near.isEmpty { continue }
      for index in 0..<Self.linesPerRow {
        let height = top + (Double(index) + 0.5) * share
        crossings.removeAll(keepingCapacity: true)
        for edge in near where edge.top <= height && height < edge.bottom {
          crossings.append((edge.x + (height - edge.top) * edge.slope, edge.sign))
        }
        crossings.sort { $0.x < $1.x }
        var (winding, start) = (0, 0.0)
        for crossing in crossings {
          if winding == 0 { start = crossing.x }
          winding += crossing.sign
          if winding == 0 { Self.add(share, from: start, to: crossing.x, row: row, of: area, to: &parts) }
        }
      }
    }
    values = parts.map { UInt8((min($0, 1) * Self.inside).rounded()) }
    ink = values.reduce(0) { $0 + Double($1) } / Double(Self.inside)
  }

  private static func add(
    _ share: Double, from start: Double, to end: Double, row: Int, of area: PixelArea, to parts: inout [Float]
  ) {
    let (left, right) = (max(start, 0), min(end, Double(area.width)))
    guard right > left else { return }
    let last = min(Int(right), area.width - 1)
    for column in Int(left)...last {
      let part = min(right, Double(column + 1)) - max(left, Double(column))
      if part > 0 { parts[row * area.width + column] += Float(part * share) }
    }
  }

  private struct Edge {
    let top, bottom, x, slope: Double
    let sign: Int
  }

  private static func edges(of line: GlyphLine, size: Double, x: Double, y: Double) -> [Edge] {
    var edges: [Edge] = []
    for polygon in line.polygons {
      for (index, point) in polygon.enumerated() {
        let next = polygon[(index + 1) % polygon.count]
        let (a, b) = ((x: x + point.x * size, y: y + point.y * size), (x: x + next.x * size, y: y + next.y * size))
        guard a.y != b.y else { continue }
        let (upper, lower) = a.y < b.y ? (a, b) : (b, a)
        edges.append(
          Edge(
            top: upper.y, bottom: lower.y, x: upper.x, slope: (lower.x - upper.x) / (lower.y - upper.y),
            sign: a.y < b.y ? 1 : -1))
      }
    }
    return edges
  }
}
