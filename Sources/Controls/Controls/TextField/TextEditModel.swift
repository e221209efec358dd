/// A line of text with a caret, with an input method's composition at the caret, and with the states to go back to. Places are counted in characters as people see them, so that an accent or a flag is never
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
  /// The other end of the selection; equal to `caret` when nothing is.
  public private(set) var anchor: Int
  /// The most characters that typing makes of it.
  public let maximumLength: Int
  /// The text that an input method composes at the caret; empty when it composes none. It is not part of `text`.
  public private(set) var preedit = ""
  /// The caret's place in `preedit`, or the emphasised part of it, in bytes of UTF-8; nil hides the caret.
  public private(set) var preeditSelection: Range<Int>?
  private var history = EditHistory<Line>()

  /// What undoing brings back.
  private struct Line: Hashable {
    let text: String
    let caret: Int
    let anchor: Int
  }

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

  /// The place of the text at the byte `offset` of `shownText`; anywhere in the composition the caret's.
  func place(shownUTF8 offset: Int) -> Int {
    let composed = preeditUTF8
    if offset <= composed.lowerBound { return place(utf8: offset) }
    return place(utf8: max(offset - composed.count, composed.lowerBound))
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
    history.endGroup()
    put(place, extends: extends)
  }

  private mutating func put(_ place: Int, extends: Bool = false) {
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
    history.endGroup()
    anchor = 0
    caret = count
  }

  /// Selects the word that the character at `place` belongs to, or the blanks or signs that it is one of.
  public mutating func selectWord(at place: Int) {
    let word = word(at: place)
    history.endGroup()
    (anchor, caret) = (word.lowerBound, word.upperBound)
  }

  /// Selects from the word `start`, which was selected by `selectWord`, up to the end of the word at `place`.
  public mutating func selectWords(from start: Range<Int>, to place: Int) {
    let word = word(at: place)
    history.endGroup()
    let isBefore = word.lowerBound < start.lowerBound
    anchor = isBefore ? start.upperBound : start.lowerBound
    caret = isBefore ? word.lowerBound : max(word.upperBound, start.upperBound)
  }

  /// The word that the character at `place` belongs to, or the blanks or signs that it is one of.
  private func word(at place: Int) -> Range<Int> {
    let characters = Array(text)
    guard !characters.isEmpty else { return 0..<0 }
    let at = min(max(place, 0), characters.count - 1)
    let sort = characters[at].isWordPart
    let start = (characters[..<at].lastIndex { $0.isWordPart != sort } ?? -1) + 1
    return start..<(characters[at...].firstIndex { $0.isWordPart != sort } ?? characters.count)
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

  /// Puts `typed` in the place of the selection, or at the caret. The end that would make the text too long is cut off.
  public mutating func insert(_ typed: String) {
    let room = max(maximumLength - (count - selection.count), 0)
    let new = String(Self.line(typed).prefix(room))
    // One undoing takes a word back, or what came at once.
    let before = selection.isEmpty ? text[..<index(caret)].last : nil
    let goesOn = before?.isWordPart == true || new.first?.isWordPart == false
    replace(selection, with: new, as: new.count > 1 ? .alone : goesOn ? .typing : .wordStart)
  }

  /// Removes the selection, else one character, word or line from the caret towards `end`.
  public mutating func delete(towards end: End, by unit: Unit = .character) {
    var range = selection
    if range.isEmpty {
      let other = place(towards: end, by: unit)
      range = min(caret, other)..<max(caret, other)
    }
    replace(range, with: "", as: unit == .character && selection.isEmpty ? .deleting : .alone)
  }

  /// Makes `new` the whole text, all selected.
  public mutating func replaceAll(with new: String) {
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
    // Letters may have joined across the seam, such as an accent with what stands before it.
    let seam = text.utf8.index(text.startIndex, offsetBy: end)
    let before = count(upTo: seam)
    put(utf8(before) < end ? before + 1 : before)
  }

  // MARK: Undoing

  /// True when there is something to take back.
  public var canUndo: Bool { history.canUndo }

  /// True when something was taken back that can be done again.
  public var canRedo: Bool { history.canRedo }

  /// Takes the latest change back, or a whole word that was typed.
  public mutating func undo() {
    endComposing()
    if let line = history.undo(from: Line(text: text, caret: caret, anchor: anchor)) { show(line) }
  }

  /// Does the change again that was taken back last.
  public mutating func redo() {
    endComposing()
    if let line = history.redo(from: Line(text: text, caret: caret, anchor: anchor)) { show(line) }
  }

  private mutating func show(_ line: Line) { (text, caret, anchor) = (line.text, line.caret, line.anchor) }

  // MARK: Composing

  /// Takes the change of an input method, or a pasted text. What would make the text too long is cut off.
  public mutating func apply(_ edit: TextEdit) {
    endComposing()
    if edit.deletedBefore > 0 || edit.deletedAfter > 0 { delete(before: edit.deletedBefore, after: edit.deletedAfter) }
    if !edit.inserted.isEmpty { insert(edit.inserted) }
    guard !edit.preedit.isEmpty else { return }
    // The composition takes the place of the selection.
    if !selection.isEmpty { replace(selection, with: "", as: .alone) }
    preedit = Self.line(edit.preedit)
    preeditSelection = edit.preeditSelection.map { range in
      let sent = edit.preedit
      // Bytes of what was sent: what `line` takes out before them does not count.
      func place(_ offset: Int) -> Int {
        let end = sent.utf8.index(sent.startIndex, offsetBy: min(max(offset, 0), sent.utf8.count))
        return min(Self.line(String(sent[..<end])).utf8.count, preedit.utf8.count)
      }
      let lower = place(range.lowerBound)
      return lower..<max(place(range.upperBound), lower)
    }
  }

  /// Drops the composition.
  public mutating func endComposing() { (preedit, preeditSelection) = ("", nil) }

  /// Removes so many bytes before and behind the selection, which stays; a character is never cut in two.
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
  public var shownText: String {
    guard !preedit.isEmpty else { return text }
    let place = index(caret)
    return text[..<place] + preedit + text[place...]
  }

  /// What is being composed, as bytes of `shownText`; empty at the caret when nothing is.
  public var preeditUTF8: Range<Int> {
    let start = utf8(caret)
    return start..<(start + preedit.utf8.count)
  }

  /// The caret's place in bytes of `shownText`; nil when an input method hides it.
  public var shownCaretUTF8: Int? {
    guard !preedit.isEmpty else { return utf8(caret) }
    return preeditSelection.map { utf8(caret) + $0.upperBound }
  }
}

/// The states that an editor can go back to, and forward to again: the only list of them that it has.
nonisolated struct EditHistory<State: Hashable & Sendable>: Hashable, Sendable {
  /// The kinds of changes: those of one kind that follow each other are taken back together.
  enum Kind: Hashable, Sendable {
    /// A letter that goes on with a word, or a blank or a sign.
    case typing
    /// The first letter of a word: a group begins with it.
    case wordStart
    /// One character removed.
    case deleting
    /// A change by itself.
    case alone
  }

  /// The most states that are kept.
  static var limit: Int { 100 }

  private var past: [State] = []
  private var future: [State] = []
  /// The kind that the next change may go on with.
  private var group: Kind?

  var canUndo: Bool { !past.isEmpty }
  var canRedo: Bool { !future.isEmpty }

  /// Notes that `state` is about to change.
  mutating func note(_ state: State, _ kind: Kind) {
    let goesOn = kind == .typing || kind == .deleting ? kind == group : false
    if !goesOn { past.append(state) }
    if past.count > Self.limit { past.removeFirst() }
    future.removeAll()
    group = kind == .wordStart ? .typing : kind == .alone ? nil : kind
  }

  /// The next change begins a group: the caret was moved.
  mutating func endGroup() { group = nil }

  /// The state before the latest change; nil where there was none.
  mutating func undo(from state: State) -> State? {
    endGroup()
    guard let last = past.popLast() else { return nil }
    future.append(state)
    return last
  }

  /// The state that was taken back last; nil where none was since a change.
  mutating func redo(from state: State) -> State? {
    endGroup()
    guard let next = future.popLast() else { return nil }
    past.append(state)
    return next
  }
}

extension Character {
  /// True for what words are made of.
  nonisolated fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" || self == "'" }
}
