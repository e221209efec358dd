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

  /// An end of the text.
  public enum End: Hashable, Sendable {
    /// Before the first character.
    case start
    /// After the last one.
    case end
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
    var line = String.UnicodeScalarView()
    // A CR LF is one character, and so one blank.
    for character in text {
      if character.isNewline || character == "\t" {
        line.append(" ")
      } else {
        line.append(contentsOf: character.unicodeScalars.filter { $0.properties.generalCategory != .control })
      }
    }
    return String(line)
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

  /// Moves the caret towards an end of the text. Something selected, unless it `extends`, is left at that end of it.
  public mutating func move(towards end: End, by unit: Unit, extends: Bool = false) {
    if unit == .character, !extends, !selection.isEmpty {
      return move(to: end == .start ? selection.lowerBound : selection.upperBound)
    }
    move(to: place(towards: end, by: unit), extends: extends)
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

  /// The place to which a step from the caret leads.
  private func place(towards end: End, by unit: Unit) -> Int {
    let step = end == .start ? -1 : 1
    switch unit {
    case .character: return min(max(caret + step, 0), count)
    case .line: return end == .start ? 0 : count
    case .word:
      let characters = Array(text)
      var place = caret
      func passes(wordPart: Bool) -> Bool {
        let next = end == .start ? place - 1 : place
        return characters.indices.contains(next) && characters[next].isWordPart == wordPart
      }
      while passes(wordPart: false) { place += step }
      while passes(wordPart: true) { place += step }
      return place
    }
  }

  // MARK: Changing

  /// Puts `typed` in the place of what is selected, or at the caret. What would make the text too long is cut off.
  public mutating func insert(_ typed: String) {
    let room = max(maximumLength - (count - selection.count), 0)
    replaceSelection(with: String(Self.line(typed).prefix(room)))
  }

  /// Removes what is selected, else what a step from the caret towards an end passes.
  public mutating func delete(towards end: End, by unit: Unit = .character) {
    if selection.isEmpty { anchor = place(towards: end, by: unit) }
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

extension Character {
  /// True for what words are made of.
  nonisolated fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" || self == "'" }
}
