/// Rows of a list that come or go at one place, and the numbers that this gives to the others.
nonisolated enum ListChange: Hashable, Sendable {
  /// Rows that have these numbers afterwards.
  case insertion(Range<Int>)
  /// Rows that had these numbers before.
  case removal(Range<Int>)

  /// The number that the row `old` has afterwards; nil for one that goes.
  func number(of old: Int) -> Int? {
    if case .removal(let rows) = self, rows.contains(old) { return nil }
    return place(of: old)
  }

  /// Where the place before the row `old` is afterwards; where the rows were for the place between two that go.
  func place(of old: Int) -> Int {
    switch self {
    case .insertion(let rows): old < rows.lowerBound ? old : old + rows.count
    case .removal(let rows): old < rows.upperBound ? min(old, rows.lowerBound) : old - rows.count
    }
  }

  /// The numbers of the rows.
  var rows: Range<Int> {
    switch self {
    case .insertion(let rows), .removal(let rows): rows
    }
  }

  /// How many rows there are more afterwards.
  var difference: Int {
    switch self {
    case .insertion(let rows): rows.count
    case .removal(let rows): -rows.count
    }
  }
}
