/// Where the keys of a page are, in points of the keyboard. Letters keep their places in texts that run from right to left.
nonisolated struct KeyboardGeometry: Hashable, Sendable {
  /// The space between two keys, in points.
  static let gap = 6.0
  /// The height of a row that fits a finger, and the least one, in points.
  static let (rowHeight, leastRowHeight) = (52.0, 24.0)

  /// The cells of the keys, row by row; they touch each other, and a key fills its cell but for half of the gap on each side.
  let cells: [[Rect]]

  /// The cells of `rows` in `size`.
  init(_ rows: [[KeyboardLayout.Key]], in size: Size) {
    let widest = rows.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 1
    let unit = max(size.width - Self.gap, 0) / max(widest, 1)
    let height = max(size.height - Self.gap, 0) / Double(max(rows.count, 1))
    cells = rows.enumerated().map { number, row in
      let width = row.reduce(0) { $0 + $1.width } * unit
      var x = (size.width - width) / 2
      return row.map { key in
        defer { x += key.width * unit }
        return Rect(x: x, y: Self.gap / 2 + Double(number) * height, width: key.width * unit, height: height)
      }
    }
  }

  /// The height of a page of `rows` rows, each `rowHeight` high.
  static func height(rows: Int, rowHeight: Double = rowHeight) -> Double { Double(rows) * rowHeight + gap }

  /// The part of a cell that its key fills.
  static func key(in cell: Rect) -> Rect {
    let (dx, dy) = (min(gap / 2, cell.width / 4), min(gap / 2, cell.height / 8))
    return cell.insetBy(dx: dx, dy: dy)
  }

  /// The key under `point`: the nearest of its row, so that no finger falls between keys; nil outside of the rows.
  func key(at point: Point) -> KeyboardModel.Place? {
    guard let row = cells.firstIndex(where: { $0.first.map { $0.minY <= point.y && point.y < $0.maxY } ?? false })
    else { return nil }
    func distance(_ cell: Rect) -> Double { max(cell.minX - point.x, point.x - cell.maxX, 0) }
    let nearest = cells[row].indices.min { distance(cells[row][$0]) < distance(cells[row][$1]) }
    return nearest.map { KeyboardModel.Place(row: row, key: $0) }
  }

  /// The cells of `count` alternatives above `cell`, as near to it as they fit into `width`, and no higher than `top`.
  static func alternatives(_ count: Int, above cell: Rect, width: Double, top: Double) -> [Rect] {
    let side = min(max(cell.width, 36), width / Double(max(count, 1)))
    let x = min(max(cell.midX - side / 2, 0), max(width - side * Double(count), 0))
    let y = max(cell.minY - cell.height, top)
    return (0..<count).map { Rect(x: x + Double($0) * side, y: y, width: side, height: cell.height) }
  }
}
