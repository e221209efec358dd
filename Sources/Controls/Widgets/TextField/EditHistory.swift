/// The changes of a text that can be taken back, and those that were and can be made again.
nonisolated struct EditHistory: Hashable, Sendable {
  /// The kinds of changes; consecutive changes of one kind are undone together.
  enum Kind: Hashable, Sendable {
    /// A typed character that continues a word, or a blank or symbol.
    case typing
    /// The first letter of a word: a group begins with it.
    case wordStart
    /// One character removed.
    case deleting
    /// A change by itself.
    case alone
  }

  /// A part of the text that another replaced.
  struct Change: Hashable, Sendable {
    /// The byte of UTF-8 at which the part begins.
    var start: Int
    var removed: String
    var inserted: String

    /// The bytes of what was inserted, and of what was removed.
    var insertedBytes: Range<Int> { start..<start + inserted.utf8.count }
    var removedBytes: Range<Int> { start..<start + removed.utf8.count }

    /// Makes this one change of both, if the next one continues it.
    fileprivate mutating func join(_ next: Change) -> Bool {
      switch (next.removed.isEmpty, next.inserted.isEmpty) {
      case (true, false) where next.start == insertedBytes.upperBound: inserted += next.inserted
      case (false, true) where inserted.isEmpty && next.start == start: removed += next.removed
      case (false, true) where inserted.isEmpty && next.removedBytes.upperBound == start:
        (start, removed) = (next.start, next.removed + removed)
      default: return false
      }
      return true
    }
  }

  /// Where caret and selection are.
  struct Carets: Hashable, Sendable {
    let caret: Int
    let anchor: Int
  }

  /// Changes that go together, in order, and the carets that come back with them.
  struct Step: Hashable, Sendable {
    fileprivate(set) var changes: [Change]
    let carets: Carets
  }

  /// The most steps that are kept.
  static let limit = 100

  private var past: [Step] = []
  private var future: [Step] = []
  /// The kind of change that the next one may continue.
  private var group: Kind?

  /// Records a change, before which the carets were these.
  mutating func note(_ change: Change, _ carets: Carets, _ kind: Kind) {
    let goesOn = kind == .typing || kind == .deleting ? kind == group : false
    future.removeAll()
    group = kind == .wordStart ? .typing : kind == .alone ? nil : kind
    if goesOn, var step = past.popLast() {
      if var last = step.changes.popLast() {
        let isJoined = last.join(change)
        step.changes.append(last)
        if !isJoined { step.changes.append(change) }
      }
      return past.append(step)
    }
    past.append(Step(changes: [change], carets: carets))
    if past.count > Self.limit { past.removeFirst() }
  }

  /// The next change begins a group: the caret was moved.
  mutating func endGroup() { group = nil }

  /// The step to take back, its changes in reverse; nil if there is none. The carets now come back when it is made again.
  mutating func undo(at carets: Carets) -> Step? {
    endGroup()
    guard let last = past.popLast() else { return nil }
    future.append(Step(changes: last.changes, carets: carets))
    return last
  }

  /// The step to make again.
  mutating func redo(at carets: Carets) -> Step? {
    endGroup()
    guard let next = future.popLast() else { return nil }
    past.append(Step(changes: next.changes, carets: carets))
    return next
  }
}
