/// A line of text with a caret, an input method's composition at the caret, and an undo history. Positions count user-perceived
/// characters, so that an accent or a flag is never cut in two.
nonisolated package struct TextEditModel: Hashable, Sendable {
  /// The extent of a step or a deletion: one character, or up to the beginning or end of a word or of the line.
  package enum Unit: Hashable, Sendable {
    case character, word, line
  }

  package enum End: Hashable, Sendable {
    case start, end
  }

  /// The text; never more than one line.
  package private(set) var text: String
  /// The index of the character before which the caret is, 0 to the number of characters.
  package private(set) var caret: Int
  /// The other end of the selection; equal to `caret` if nothing is selected.
  package private(set) var anchor: Int
  /// The maximum number of characters that typing can produce.
  package let maximumLength: Int
  /// False if the whole text counts as one word: where words begin says much of a password.
  let hasWords: Bool
  /// The text that an input method composes at the caret; empty if absent. It is not part of `text`.
  package private(set) var preedit = ""
  /// The caret position in `preedit`, or the emphasised range, in bytes of UTF-8; nil hides the caret.
  package private(set) var preeditSelection: Range<Int>?
  private var history = EditHistory<Line>()

  private struct Line: Hashable {
    let text: String
    let caret: Int
    let anchor: Int
  }

  package init(_ text: String = "", maximumLength: Int = 1000, hasWords: Bool = true) {
    self.text = Self.line(text)
    self.hasWords = hasWords
    self.maximumLength = max(maximumLength, 0)
    caret = self.text.count
    anchor = caret
  }

  /// The most Unicode scalars of a text; what follows is cut off. The whole of such a text can be drawn, and any one change of it
  /// takes milliseconds.
  package static let longest = 16_000
  /// How much of a given text is looked at, for one scalar that is kept: control characters, which are removed, count too.
  private static let looksAhead = 4
  /// The most scalars of a typed text for one character of the maximum length. The longest emoji have ten.
  private static let scalarsPerCharacter = 16

  /// `text` on one line: line ends and tabs become blanks, other control characters are removed, and it has `longest` scalars at
  /// most.
  package static func line(_ text: String) -> String { line(text, limit: longest) }

  /// `text` on one line of at most `limit` scalars. It is cut before it is cleaned, so that a long text costs no more than its
  /// beginning.
  private static func line(_ text: String, limit: Int) -> String {
    var line: [UInt8] = []
    line.reserveCapacity(min(text.utf8.count, limit))
    var (kept, isAfterReturn) = (0, false)
    var rest = text.unicodeScalars.prefix(looksAhead * limit)
    while kept < limit, let scalar = rest.popFirst() {
      // A CR LF is one character, and so one blank.
      let isRest = isAfterReturn && scalar == "\n"
      isAfterReturn = scalar == "\r"
      guard !isRest else { continue }
      switch scalar.value {
      case 0x20..<0x7f: line.append(UInt8(truncatingIfNeeded: scalar.value))
      case 0x09...0x0d, 0x85, 0x2028, 0x2029: line.append(UInt8(ascii: " "))
      default:
        if scalar.properties.generalCategory == .control { continue }
        line.append(contentsOf: scalar.utf8)
      }
      kept += 1
    }
    var cleaned = String(decoding: line, as: UTF8.self)
    // The last character may have been cut in two.
    if kept == limit, let next = rest.first, let last = cleaned.last {
      let joined = String(last) + String(Character(next))
      if joined.count == 1, cleaned.unicodeScalars.count > last.unicodeScalars.count { cleaned.removeLast() }
    }
    return cleaned
  }

  // MARK: Places

  package var count: Int { text.count }

  package var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }

  package var selectedText: String { String(text[index(selection.lowerBound)..<index(selection.upperBound)]) }

  /// The position before the byte `offset` of the text's UTF-8, or before the character that contains it.
  package func place(utf8 offset: Int) -> Int {
    let index = text.utf8.index(text.startIndex, offsetBy: max(offset, 0), limitedBy: text.endIndex) ?? text.endIndex
    return text[..<index].isEmpty ? 0 : count(upTo: index)
  }

  /// The position in the text of the byte `offset` of `shownText`; that of the caret anywhere in the composition.
  func place(shownUTF8 offset: Int) -> Int {
    let composed = preeditUTF8
    if offset <= composed.lowerBound { return place(utf8: offset) }
    return place(utf8: max(offset - composed.count, composed.lowerBound))
  }

  /// The byte of the text's UTF-8 at which the character at `place` begins.
  package func utf8(_ place: Int) -> Int { text.utf8.distance(from: text.startIndex, to: index(place)) }

  private func index(_ place: Int) -> String.Index {
    text.index(text.startIndex, offsetBy: max(place, 0), limitedBy: text.endIndex) ?? text.endIndex
  }

  /// The number of characters that begin before `end`, not counting one that continues past it.
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

  /// Puts the caret before the character at `place`, clamped to the text; with `extends` the text between is selected.
  package mutating func move(to place: Int, extends: Bool = false) {
    history.endGroup()
    put(place, extends: extends)
  }

  private mutating func put(_ place: Int, extends: Bool = false) {
    caret = place.clamped(to: 0...count)
    if !extends { anchor = caret }
  }

  /// Moves the caret towards an end of the text. Something selected, unless it `extends`, is left at that end of it.
  package mutating func move(towards end: End, by unit: Unit, extends: Bool = false) {
    if unit == .character, !extends, !selection.isEmpty {
      return move(to: end == .start ? selection.lowerBound : selection.upperBound)
    }
    move(to: place(towards: end, by: unit), extends: extends)
  }

  package mutating func selectAll() {
    history.endGroup()
    anchor = 0
    caret = count
  }

  /// Selects the word that contains the character at `place`, or the run of blanks or symbols.
  package mutating func selectWord(at place: Int) {
    let word = word(at: place)
    history.endGroup()
    (anchor, caret) = (word.lowerBound, word.upperBound)
  }

  /// Selects from the word `start`, which was selected by `selectWord`, up to the end of the word at `place`.
  package mutating func selectWords(from start: Range<Int>, to place: Int) {
    let word = word(at: place)
    history.endGroup()
    let isBefore = word.lowerBound < start.lowerBound
    anchor = isBefore ? start.upperBound : start.lowerBound
    caret = isBefore ? word.lowerBound : max(word.upperBound, start.upperBound)
  }

  private func word(at place: Int) -> Range<Int> {
    let characters = Array(text)
    guard !characters.isEmpty else { return 0..<0 }
    guard hasWords else { return 0..<characters.count }
    let at = min(max(place, 0), characters.count - 1)
    let sort = characters[at].isWordPart
    let start = (characters[..<at].lastIndex { $0.isWordPart != sort } ?? -1) + 1
    let end = characters[at...].firstIndex { $0.isWordPart != sort } ?? characters.count
    return WordBreaks.word(in: characters[start..<end], at: at)
  }

  /// The position to which a step from the caret leads.
  private func place(towards end: End, by unit: Unit) -> Int {
    let step = end == .start ? -1 : 1
    switch unit {
    case .character: return (caret + step).clamped(to: 0...count)
    case .line: return end == .start ? 0 : count
    case .word:
      let characters = Array(text)
      var next = end == .start ? caret - 1 : caret
      while characters.indices.contains(next), !characters[next].isWordPart { next += step }
      guard characters.indices.contains(next) else { return end == .start ? 0 : count }
      let word = word(at: next)
      return end == .start ? word.lowerBound : word.upperBound
    }
  }

  // MARK: Changing

  /// Replaces the selection by `typed`, or inserts it at the caret. It is cut off at the maximum length.
  package mutating func insert(_ typed: String) {
    let room = max(maximumLength - (count - selection.count), 0)
    let kept = text.unicodeScalars.count - selectedText.unicodeScalars.count
    let scalars = max(min(maximumLength, Self.longest) * Self.scalarsPerCharacter - kept, 0)
    let new = String(Self.line(typed, limit: min(scalars, Self.longest)).prefix(room))
    // One undo reverts a word, or an insertion that came at once.
    let before = selection.isEmpty ? text[..<index(caret)].last : nil
    let goesOn = before?.isWordPart == true || new.first?.isWordPart == false
    replace(selection, with: new, as: new.count > 1 ? .alone : goesOn ? .typing : .wordStart)
  }

  /// Removes the selection, else one character, word or line from the caret towards `end`.
  package mutating func delete(towards end: End, by unit: Unit = .character) {
    var range = selection
    if range.isEmpty {
      let other = place(towards: end, by: unit)
      range = min(caret, other)..<max(caret, other)
    }
    replace(range, with: "", as: unit == .character && selection.isEmpty ? .deleting : .alone)
  }

  package mutating func replaceAll(with new: String) {
    let new = Self.line(new)
    if new != text { replace(0..<count, with: new, as: .alone) }
    selectAll()
  }

  private mutating func replace(_ range: Range<Int>, with new: String, as kind: EditHistory<Line>.Kind) {
    endComposing()
    guard !range.isEmpty || !new.isEmpty else { return }
    history.note(Line(text: text, caret: caret, anchor: anchor), kind)
    let head = String(text[..<index(range.lowerBound)]) + new
    let end = head.utf8.count
    text = head + text[index(range.upperBound)...]
    // Characters may have joined across the seam, such as an accent with the letter before it.
    let seam = text.utf8.index(text.startIndex, offsetBy: end)
    let before = count(upTo: seam)
    put(utf8(before) < end ? before + 1 : before)
  }

  // MARK: Undoing

  /// Takes the latest change back, or a whole word that was typed.
  package mutating func undo() {
    endComposing()
    if let line = history.undo(from: Line(text: text, caret: caret, anchor: anchor)) { show(line) }
  }

  package mutating func redo() {
    endComposing()
    if let line = history.redo(from: Line(text: text, caret: caret, anchor: anchor)) { show(line) }
  }

  private mutating func show(_ line: Line) { (text, caret, anchor) = (line.text, line.caret, line.anchor) }

  // MARK: Composing

  /// Applies the change of an input method, or a pasted text, cut off at the maximum length.
  package mutating func apply(_ edit: TextEdit) {
    endComposing()
    if edit.deletedBefore > 0 || edit.deletedAfter > 0 { delete(before: edit.deletedBefore, after: edit.deletedAfter) }
    if !edit.inserted.isEmpty { insert(edit.inserted) }
    guard !edit.preedit.isEmpty else { return }
    // The composition replaces the selection.
    if !selection.isEmpty { replace(selection, with: "", as: .alone) }
    preedit = Self.line(edit.preedit)
    preeditSelection = edit.preeditSelection.map { range in
      let sent = edit.preedit
      // Offsets count bytes of the received text, before `line` removes any.
      func place(_ offset: Int) -> Int {
        let end = sent.utf8.index(sent.startIndex, offsetBy: offset.clamped(to: 0...sent.utf8.count))
        return min(Self.line(String(sent[..<end])).utf8.count, preedit.utf8.count)
      }
      let lower = place(range.lowerBound)
      return lower..<max(place(range.upperBound), lower)
    }
  }

  package mutating func endComposing() { (preedit, preeditSelection) = ("", nil) }

  /// Removes this many bytes before and behind the selection, which stays; a character is never cut in two.
  private mutating func delete(before: Int, after: Int) {
    let (selected, isBackwards) = (selection, caret < anchor)
    let start = place(utf8: utf8(selected.lowerBound) - min(before, text.utf8.count))
    let end = place(utf8: utf8(selected.upperBound) + min(after, text.utf8.count))
    let kept = selectedText
    replace(start..<end, with: kept, as: .alone)
    anchor = max(caret - selected.count, 0)
    if isBackwards { (caret, anchor) = (anchor, caret) }
  }

  /// The text as it is shown: with the composition at the caret.
  package var shownText: String {
    guard !preedit.isEmpty else { return text }
    let place = index(caret)
    return String(text[..<place]) + preedit + String(text[place...])
  }

  /// The composed text, as bytes of `shownText`; empty at the caret without a composition.
  package var preeditUTF8: Range<Int> {
    let start = utf8(caret)
    return start..<(start + preedit.utf8.count)
  }

  /// The caret position in bytes of `shownText`; nil if an input method hides it.
  package var shownCaretUTF8: Int? {
    guard !preedit.isEmpty else { return utf8(caret) }
    return preeditSelection.map { utf8(caret) + $0.upperBound }
  }

  /// The character that stands for each of a hidden text.
  package static let bullet: Character = "\u{2022}"

  /// The same line with a bullet for each character, except for the one at `shown`; places, selection and composition are the same. For
  /// layout and drawing only: it has no history.
  func hidden(except shown: Int? = nil) -> TextEditModel {
    var hidden = TextEditModel(maximumLength: maximumLength, hasWords: hasWords)
    func bullets(_ count: Int) -> String { String(repeating: Self.bullet, count: count) }
    hidden.text = bullets(count)
    if let shown, 0..<count ~= shown {
      let character = text[index(shown)]
      let line = bullets(shown) + String(character) + bullets(count - shown - 1)
      // An accent alone would join the bullet before it.
      if line.count == count { hidden.text = line }
    }
    (hidden.caret, hidden.anchor) = (caret, anchor)
    hidden.preedit = bullets(preedit.count)
    hidden.preeditSelection = preeditSelection.map { range in
      func place(_ byte: Int) -> Int {
        String(decoding: preedit.utf8.prefix(byte), as: UTF8.self).count * String(Self.bullet).utf8.count
      }
      return place(range.lowerBound)..<max(place(range.upperBound), place(range.lowerBound))
    }
    return hidden
  }
}

nonisolated struct EditHistory<State: Hashable & Sendable>: Hashable, Sendable {
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

  static var limit: Int { 100 }

  private var past: [State] = []
  private var future: [State] = []
  /// The kind of change that the next one may continue.
  private var group: Kind?

  /// Records that `state` is about to change.
  mutating func note(_ state: State, _ kind: Kind) {
    let goesOn = kind == .typing || kind == .deleting ? kind == group : false
    if !goesOn { past.append(state) }
    if past.count > Self.limit { past.removeFirst() }
    future.removeAll()
    group = kind == .wordStart ? .typing : kind == .alone ? nil : kind
  }

  /// The next change begins a group: the caret was moved.
  mutating func endGroup() { group = nil }

  mutating func undo(from state: State) -> State? {
    endGroup()
    guard let last = past.popLast() else { return nil }
    future.append(state)
    return last
  }

  mutating func redo(from state: State) -> State? {
    endGroup()
    guard let next = future.popLast() else { return nil }
    past.append(state)
    return next
  }
}

extension Character {
  nonisolated fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" || self == "'" }
}
