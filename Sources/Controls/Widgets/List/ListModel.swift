/// What a list knows of its rows: their number, and which one is selected.
nonisolated struct ListModel: Hashable, Sendable {
  /// The number of rows.
  var count = 0 { didSet { if count < 0 { count = 0 } } }
  /// The number that was selected, -1 for none. One that no row has selects nothing, until there is such a row.
  var index = -1 {
    didSet {
      if index < -1 { index = -1 }
      gap = nil
    }
  }
  /// The row after the place where the selection was when it went with its row: keys go on from there.
  private var gap: Int?

  /// The selected row; nil for none.
  var selection: Int? { 0..<count ~= index ? index : nil }

  /// Selects a row, or none for nil; nothing happens for a number that no row has.
  mutating func select(_ row: Int?) { if row.map((0..<count).contains) ?? true { index = row ?? -1 } }

  /// Rows came or went: the selection stays with its row, and goes with it.
  mutating func apply(_ change: ListChange) {
    let (selection, gap) = (selection, gap)
    count += change.difference
    if let selection {
      index = change.number(of: selection) ?? -1
      if index < 0 { self.gap = change.place(of: selection) }
    } else {
      self.gap = gap.map(change.place(of:))
    }
  }

  /// Moves the selection by a key: by one row, by as many as fit (`page`), or to an end. Returns false for other keys.
  mutating func handle(_ key: Key, page: Int) -> Bool {
    let last = count - 1
    let goal: Int
    switch key {
    case .up: goal = (selection ?? gap).map { $0 - 1 } ?? last
    case .down: goal = selection.map { $0 + 1 } ?? gap ?? 0
    case .pageUp: goal = (selection ?? gap ?? 0) - page
    case .pageDown: goal = (selection ?? gap ?? 0) + page
    case .home: goal = 0
    case .end: goal = last
    default: return false
    }
    if last >= 0 { index = goal.clamped(to: 0...last) }
    return true
  }
}
