/// What a list knows of its rows: their number, and which one is selected.
nonisolated struct ListModel: Hashable, Sendable {
  /// The number of rows; a selection beyond them ends.
  var count = 0 {
    didSet {
      count = max(count, 0)
      if let selection, selection >= count { self.selection = nil }
    }
  }
  /// The selected row; nil for none.
  private(set) var selection: Int?

  /// Selects a row; nothing for a number that no row has.
  mutating func select(_ index: Int?) {
    guard let index else { return selection = nil }
    if 0..<count ~= index { selection = index }
  }

  /// Moves the selection by a key: by one row, by as many as fit (`page`), or to an end. Returns false for other keys.
  mutating func handle(_ key: Key, page: Int) -> Bool {
    let last = count - 1
    let goal: Int
    switch key {
    case .up: goal = selection.map { $0 - 1 } ?? last
    case .down: goal = selection.map { $0 + 1 } ?? 0
    case .pageUp: goal = (selection ?? 0) - page
    case .pageDown: goal = (selection ?? 0) + page
    case .home: goal = 0
    case .end: goal = last
    default: return false
    }
    if last >= 0 { selection = goal.clamped(to: 0...last) }
    return true
  }
}
