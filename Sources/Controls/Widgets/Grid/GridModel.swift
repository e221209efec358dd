/// Places items in rows and columns: in order, each in the next free cell that has room for it.
nonisolated struct GridModel: Hashable, Sendable {
  /// The number of columns, at least 1.
  var columnCount = 2
  /// The share of each column of the width that is left over; 0 for one that is as wide as what is in it. Missing ones are 1.
  var weights: [Double] = []
  var columnSpacing = 0.0
  var rowSpacing = 0.0
  var insets = EdgeInsets.zero

  /// The number of columns and rows that an item takes.
  struct Span: Hashable, Sendable {
    var columns = 1
    var rows = 1
  }

  /// Where an item lies: the first column and row, and how many.
  struct Cell: Hashable, Sendable {
    var columns: Range<Int>
    var rows: Range<Int>
  }

  func weight(of column: Int) -> Double { weights.indices.contains(column) ? max(weights[column], 0) : 1 }

  /// The cells of items with these spans, row by row. One that is broader than the grid takes a whole row.
  func cells(of spans: [Span]) -> [Cell] {
    var taken: [Set<Int>] = []
    var (row, column) = (0, 0)
    return spans.map { span in
      let (width, height) = (span.columns.clamped(to: 1...columnCount), max(span.rows, 1))
      func isFree() -> Bool {
        guard column + width <= columnCount else { return false }
        return (row..<row + height).allSatisfy { row in
          !taken.indices.contains(row) || taken[row].isDisjoint(with: column..<column + width)
        }
      }
      while !isFree() {
        column += 1
        if column >= columnCount { (row, column) = (row + 1, 0) }
      }
      while taken.count < row + height { taken.append([]) }
      for row in row..<row + height { taken[row].formUnion(column..<column + width) }
      return Cell(columns: column..<column + width, rows: row..<row + height)
    }
  }

  // MARK: Columns

  /// The widths that columns want, by those of the items in them: of a column with a share, what keeps its proportion to the others.
  private func wishes(_ cells: [Cell], _ widths: [Double]) -> [Double] {
    var natural = [Double](repeating: 0, count: columnCount)
    for (cell, width) in zip(cells, widths).sorted(by: { $0.0.columns.count < $1.0.columns.count }) {
      let inside = cell.columns.reduce(0) { $0 + natural[$1] } + columnSpacing * Double(cell.columns.count - 1)
      guard width > inside else { continue }
      // What is missing is added to columns with a share, if there are any.
      let shared = cell.columns.filter { weight(of: $0) > 0 }
      let grown = shared.isEmpty ? Array(cell.columns) : shared
      for column in grown { natural[column] += (width - inside) / Double(grown.count) }
    }
    let unit = (0..<columnCount).filter { weight(of: $0) > 0 }.map { natural[$0] / weight(of: $0) }.max() ?? 0
    return (0..<columnCount).map { weight(of: $0) > 0 ? unit * weight(of: $0) : natural[$0] }
  }

  private var gaps: Double { columnSpacing * Double(columnCount - 1) }

  /// The width of a grid whose items have the widths that they want.
  func preferredWidth(_ cells: [Cell], _ widths: [Double]) -> Double {
    wishes(cells, widths).reduce(0, +) + gaps + insets.left + insets.right
  }

  /// The widths of the columns of a grid that is `width` wide. Columns with a share have what the others leave; without room the others shrink
  /// too, in proportion.
  func columns(_ cells: [Cell], _ widths: [Double], in width: Double) -> [Double] {
    let room = max(width - gaps - insets.left - insets.right, 0)
    var columns = wishes(cells, widths)
    let fixed = (0..<columnCount).filter { weight(of: $0) == 0 }
    let used = fixed.reduce(0) { $0 + columns[$1] }
    if used > room { for column in fixed { columns[column] *= room / used } }
    let shares = (0..<columnCount).reduce(0) { $0 + weight(of: $1) }
    for column in 0..<columnCount where weight(of: column) > 0 {
      columns[column] = max(room - used, 0) * weight(of: column) / shares
    }
    return columns
  }

  /// The width of a cell.
  func width(of cell: Cell, _ columns: [Double]) -> Double {
    columns[cell.columns].reduce(0, +) + columnSpacing * Double(cell.columns.count - 1)
  }

  // MARK: Rows

  /// The heights of the rows, by those of the items: what an item over several rows needs more is added to its last one.
  func rows(_ cells: [Cell], _ heights: [Double]) -> [Double] {
    var rows = [Double](repeating: 0, count: cells.map(\.rows.upperBound).max() ?? 0)
    for (cell, height) in zip(cells, heights).sorted(by: { $0.0.rows.count < $1.0.rows.count }) {
      let inside = rows[cell.rows].reduce(0, +) + rowSpacing * Double(cell.rows.count - 1)
      if height > inside { rows[cell.rows.upperBound - 1] += height - inside }
    }
    return rows
  }

  /// The height of a grid with these rows.
  func height(_ rows: [Double]) -> Double {
    rows.reduce(0, +) + rowSpacing * Double(max(rows.count - 1, 0)) + insets.top + insets.bottom
  }

  /// The frame of a cell in a grid `width` wide.
  func frame(
    of cell: Cell, _ columns: [Double], _ rows: [Double], in width: Double, direction: LayoutDirection
  ) -> Rect {
    let x = columns[..<cell.columns.lowerBound].reduce(0) { $0 + $1 + columnSpacing } + insets.left
    let y = rows[..<cell.rows.lowerBound].reduce(0) { $0 + $1 + rowSpacing } + insets.top
    var frame = Rect(
      x: x, y: y, width: self.width(of: cell, columns),
      height: rows[cell.rows].reduce(0, +) + rowSpacing * Double(cell.rows.count - 1))
    // The insets stay in place; the frames between them are mirrored.
    if direction == .rightToLeft { frame.origin.x = insets.left + width - insets.right - frame.maxX }
    return frame
  }
}

/// The shares of a grid's columns, and their text in files: `0 1 2`.
nonisolated public struct GridWeights: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The shares, from the leading column.
  public var weights: [Double]

  /// These shares.
  public init(arrayLiteral weights: Double...) { self.weights = weights }

  /// The shares of a text, with spaces between them; nil if it has anything but numbers from 0 to 1000.
  public init?(text: String) {
    weights = []
    for word in text.split(separator: " ") {
      guard let weight = Double(word), (0...1000).contains(weight) else { return nil }
      weights.append(weight)
    }
  }

  /// The text from which the same shares are read.
  public var text: String {
    let format = NumberFormat(fractionDigits: 9)
    return weights.map { format.text($0) }.joined(separator: " ")
  }
}

nonisolated extension GridWeights: InspectableValue {
  /// A text field of the inspector and a string in scene files.
  public static var inspectableKind: InspectableKind { .text }

  /// The text of the shares.
  public var json: JSONValue { .string(text) }

  /// From the text of shares.
  public init(json: JSONValue) throws(InspectableError) {
    guard let text = json.text, let read = GridWeights(text: text) else {
      throw .badValue(json, expected: "shares of columns as \"0 1 2\", each from 0 to 1000")
    }
    self = read
  }

  /// False with a share that is not finite.
  public var isUsable: Bool { weights.allSatisfy(\.isFinite) }
}
