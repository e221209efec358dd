nonisolated struct ChoiceGeometry: Hashable, Sendable {
  /// The least height of a row among several, in points: each is touched alone.
  static let rowHeight = 44.0

  let rowCount: Int
  let frames: [Rect]
  /// The number of segments in each row except the last, which may have fewer.
  let columnCount: Int

  /// Lays out segments that need `widths` each, in a control of `size`. It uses as few rows as show all names untruncated; a
  /// text wider than the control gets its own row.
  init(widths: [Double], size: Size, direction: LayoutDirection) {
    let widths = widths.map { $0 > 0 ? $0 : 0 }
    let (rows, columns) = Self.rows(widths, in: size.width)
    rowCount = rows
    columnCount = columns
    let height = rows > 0 ? size.height / Double(rows) : 0
    var frames: [Rect] = []
    for row in 0..<rows {
      let inside = row * columns..<min((row + 1) * columns, widths.count)
      let parts = Self.parts(Array(widths[inside]), of: size.width, isOnly: rows == 1)
      var x = 0.0
      for width in parts {
        frames.append(
          direction.rect(Rect(x: x, y: Double(row) * height, width: width, height: height), in: size.width))
        x += width
      }
    }
    self.frames = frames
  }

  /// The number of rows that segments of these widths need, and the number of segments in each.
  static func rows(_ widths: [Double], in width: Double) -> (rows: Int, columns: Int) {
    guard !widths.isEmpty else { return (0, 0) }
    if widths.reduce(0, +) <= width { return (1, widths.count) }
    let widest = widths.max() ?? 0
    let columns =
      widest > 0 ? Int(clamping: (width / widest).rounded(.down)).clamped(to: 1...widths.count) : widths.count
    let rows = (widths.count + columns - 1) / columns
    // As even as possible: five in two rows are three and two, not four and one.
    return (rows, (widths.count + rows - 1) / rows)
  }

  /// Equal parts; if a single row needs it, parts in proportion to the needed widths.
  private static func parts(_ widths: [Double], of width: Double, isOnly: Bool) -> [Double] {
    let equal = width / Double(max(widths.count, 1))
    guard isOnly, widths.contains(where: { $0 > equal }) else { return widths.map { _ in equal } }
    let spare = (width - widths.reduce(0, +)) / Double(widths.count)
    return widths.map { $0 + max(spare, 0) }
  }

  func index(at point: Point) -> Int? {
    frames.indices.min { frames[$0].distance(to: point) < frames[$1].distance(to: point) }
  }

  /// The segment that an arrow key moves to from `index`, sideways in the order of segments, up and down by rows; nil at
  /// the edge.
  func index(after index: Int?, key: Key, direction: LayoutDirection) -> Int? {
    guard let last = frames.indices.last else { return nil }
    guard let index, frames.indices.contains(index) else { return 0 }
    let goal: Int
    switch direction.key(key) {
    case .left: goal = index - 1
    case .right: goal = index + 1
    case .up: goal = index - columnCount
    case .down: goal = index + columnCount
    case .home: goal = 0
    case .end: goal = last
    default: return nil
    }
    return frames.indices.contains(goal) ? goal : nil
  }
}
