/// A line of text with a caret. Places are counted in characters as people see them, so that an accent or a flag is never
/// cut in two.
nonisolated public struct TextEditModel: Hashable, Sendable {
  /// How much a step or a deletion takes.
  public enum Unit: Hashable, Sendable {
    /// One character.
    case character
    /// Up to the next beginning or end of a word.
    case word
    /// Up to the line's beginning or end.
    case line
  }

  /// The text; never more than one line.
  public private(set) var text: String
  /// Before which character the caret stands, 0 to the number of characters.
  public private(set) var caret: Int
  /// The other end of what is selected; equal to `caret` when nothing is.
  public private(set) var anchor: Int
  /// The most characters that typing makes of it.
  public let maximumLength: Int

  /// The text with the caret at its end.
  public init(_ text: String = "", maximumLength: Int = 1000) {
    self.text = Self.line(text)
    self.maximumLength = max(maximumLength, 0)
    caret = self.text.count
    anchor = caret
  }

  /// `text` on one line: line ends and tabs become blanks, other control characters go.
  public static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0.isLineEnd }) else {
      return text
    }
    var scalars = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar.isLineEnd || scalar == "\t" {
        // The two of a CR LF are one line end.
        if !(scalar == "\n" && last == "\r") { scalars.append(" ") }
      } else if scalar.properties.generalCategory != .control {
        scalars.append(scalar)
      }
      last = scalar
    }
    return String(scalars)
  }

  // MARK: Places

  /// The number of characters.
  public var count: Int { text.count }

  /// What is selected; empty at the caret when nothing is.
  public var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }

  /// The text selected.
  public var selectedText: String { String(text[index(selection.lowerBound)..<index(selection.upperBound)]) }

  /// The place before the byte `offset` of the text's UTF-8, or before the character that it lies in.
  public func place(utf8 offset: Int) -> Int {
    let index = text.utf8.index(text.startIndex, offsetBy: max(offset, 0), limitedBy: text.endIndex) ?? text.endIndex
    return text[..<index].isEmpty ? 0 : count(upTo: index)
  }

  /// The byte of the text's UTF-8 that the character at `place` begins with.
  public func utf8(_ place: Int) -> Int { text.utf8.distance(from: text.startIndex, to: index(place)) }

  private func index(_ place: Int) -> String.Index {
    text.index(text.startIndex, offsetBy: max(place, 0), limitedBy: text.endIndex) ?? text.endIndex
  }

  /// How many characters begin before `end`, not counting one that goes on past it.
  private func count(upTo end: String.Index) -> Int {
    var (place, index) = (0, text.startIndex)
    while index < end {
      let next = text.index(after: index)
      guard next <= end else { break }
      (place, index) = (place + 1, next)
    }
    return place
  }

  // MARK: Moving

  /// Puts the caret before the character at `place`, the nearest there is; with `extends` what lies between is selected.
  public mutating func move(to place: Int, extends: Bool = false) {
    caret = min(max(place, 0), count)
    if !extends { anchor = caret }
  }

  /// Moves the caret towards the text's beginning. Something selected, unless it `extends`, is left at its beginning.
  public mutating func moveBack(by unit: Unit, extends: Bool = false) {
    if unit == .character, !extends, !selection.isEmpty { return move(to: selection.lowerBound) }
    move(to: place(before: caret, by: unit), extends: extends)
  }

  /// Moves the caret towards the text's end. Something selected, unless it `extends`, is left at its end.
  public mutating func moveForward(by unit: Unit, extends: Bool = false) {
    if unit == .character, !extends, !selection.isEmpty { return move(to: selection.upperBound) }
    move(to: place(after: caret, by: unit), extends: extends)
  }

  /// Selects everything, the caret at the end.
  public mutating func selectAll() {
    anchor = 0
    caret = count
  }

  /// Selects the word that the character at `place` belongs to, or the blanks or signs that it is one of.
  public mutating func selectWord(at place: Int) {
    let characters = Array(text)
    guard !characters.isEmpty else { return move(to: 0) }
    let at = min(max(place, 0), characters.count - 1)
    let sort = characters[at].isWordPart
    anchor = (characters[..<at].lastIndex { $0.isWordPart != sort } ?? -1) + 1
    caret = characters[at...].firstIndex { $0.isWordPart != sort } ?? characters.count
  }

  private func place(before place: Int, by unit: Unit) -> Int {
    switch unit {
    case .character: return max(place - 1, 0)
    case .line: return 0
    case .word:
      let characters = Array(text)
      var at = min(place, characters.count)
      while at > 0, !characters[at - 1].isWordPart { at -= 1 }
      while at > 0, characters[at - 1].isWordPart { at -= 1 }
      return at
    }
  }

  private func place(after place: Int, by unit: Unit) -> Int {
    switch unit {
    case .character: return min(place + 1, count)
    case .line: return count
    case .word:
      let characters = Array(text)
      var at = max(place, 0)
      while at < characters.count, !characters[at].isWordPart { at += 1 }
      while at < characters.count, characters[at].isWordPart { at += 1 }
      return at
    }
  }

  // MARK: Changing

  /// Puts `typed` in the place of what is selected, or at the caret. What would make the text too long is cut off.
  public mutating func insert(_ typed: String) {
    let room = max(maximumLength - (count - selection.count), 0)
    replaceSelection(with: String(Self.line(typed).prefix(room)))
  }

  /// Removes what is selected, else what lies before the caret.
  public mutating func deleteBack(by unit: Unit = .character) {
    if selection.isEmpty { anchor = place(before: caret, by: unit) }
    replaceSelection(with: "")
  }

  /// Removes what is selected, else what lies after the caret.
  public mutating func deleteForward(by unit: Unit = .character) {
    if selection.isEmpty { anchor = place(after: caret, by: unit) }
    replaceSelection(with: "")
  }

  private mutating func replaceSelection(with new: String) {
    let head = String(text[..<index(selection.lowerBound)]) + new
    let end = head.utf8.count
    text = head + text[index(selection.upperBound)...]
    // Letters may have joined across the seam, such as an accent with what stands before it.
    let seam = text.utf8.index(text.startIndex, offsetBy: end)
    let before = count(upTo: seam)
    move(to: utf8(before) < end ? before + 1 : before)
  }
}

extension Unicode.Scalar {
  /// True for all that ends a line: line feed, carriage return, and Unicode's own.
  nonisolated fileprivate var isLineEnd: Bool {
    switch self {
    case "\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}

extension Character {
  /// True for what words are made of.
  nonisolated fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" || self == "'" }
}
