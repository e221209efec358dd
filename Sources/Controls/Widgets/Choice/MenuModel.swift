/// The rules of an open menu for keys: which row is lit, which is picked, and what closes it.
nonisolated struct MenuModel: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    /// The row of that number is chosen, and the menu closes.
    case pick(Int)
    /// The menu closes without a choice.
    case close
    /// Stay open; a different row may be highlighted.
    case stay
  }

  /// The longest time between two letters of one typed word.
  static let typingPause = Duration.seconds(1)

  let titles: [String]
  var lit: Int?
  private var typed = ""
  private var typedAt = MonotonicTime.zero

  /// Creates a menu of `titles` with the row of the current choice highlighted; an index out of range highlights none.
  init(_ titles: [String], chosen: Int) {
    self.titles = titles
    lit = titles.indices.contains(chosen) ? chosen : nil
  }

  /// Handles a key that goes down or repeats; nil if the menu does not use the key.
  mutating func press(_ key: Key, text: String, at time: MonotonicTime) -> Outcome? {
    let last = titles.count - 1
    switch key {
    case .down: light(lit.map { min($0 + 1, last) } ?? 0)
    case .up: light(lit.map { max($0 - 1, 0) } ?? last)
    case .home, .pageUp: light(0)
    case .end, .pageDown: light(last)
    case .enter: return lit.map(Outcome.pick) ?? .close
    // In a word that is being typed it is a letter.
    case .space where typed.isEmpty || time - typedAt > Self.typingPause: return lit.map(Outcome.pick) ?? .close
    case .escape: return .close
    default:
      guard let letter = text.first, !letter.isNewline,
        letter.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
      else { return nil }
      type(text, at: time)
    }
    return .stay
  }

  private mutating func light(_ row: Int) {
    typed = ""
    if titles.indices.contains(row) { lit = row }
  }

  /// Highlights the next row whose title begins with the typed letters. Repeating one letter cycles through all of its rows.
  private mutating func type(_ text: String, at time: MonotonicTime) {
    if time - typedAt > Self.typingPause { typed = "" }
    typed += text.lowercased()
    typedAt = time
    guard let first = typed.first else { return }
    let isOneLetter = typed.allSatisfy { $0 == first }
    let word = isOneLetter ? String(first) : typed
    // One letter continues from the highlighted row; a longer word may stay on it.
    let start = (lit ?? -1) + (isOneLetter ? 1 : 0)
    let rows = titles.indices.map { (max(start, 0) + $0) % titles.count }
    if let row = rows.first(where: { titles[$0].lowercased().hasPrefix(word) }) { lit = row }
  }
}
