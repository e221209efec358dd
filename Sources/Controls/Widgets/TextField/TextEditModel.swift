/// A text of one line or several with a caret, an input method's composition at the caret, and an undo history. Positions count
/// user-perceived characters, so that an accent or a flag is never cut in two.
nonisolated package struct TextEditModel: Hashable, Sendable {
  /// The extent of a step or a deletion: one character, or up to the beginning or end of a word, of the line or of the text.
  package enum Unit: Hashable, Sendable {
    case character, word, line, text
  }

  package enum End: Hashable, Sendable {
    case start, end
  }

  /// The text, in pieces.
  package private(set) var pieces: TextPieces
  /// The index of the character before which the caret is, 0 to the number of characters.
  package private(set) var caret: Int
  /// The other end of the selection; equal to `caret` if nothing is selected.
  package private(set) var anchor: Int
  /// The maximum number of characters that typing can produce.
  package var maximumLength: Int { didSet { maximumLength = max(maximumLength, 0) } }
  /// False for a text of one line.
  package let hasLines: Bool
  /// False if the whole text counts as one word: where words begin says much of a password.
  let hasWords: Bool
  /// The text that an input method composes at the caret; empty if absent. It is not part of `text`.
  package private(set) var preedit = ""
  /// The caret position in `preedit`, or the emphasised range, in bytes of UTF-8; nil hides the caret.
  package private(set) var preeditSelection: Range<Int>?
  private var history = EditHistory()
  /// How many pieces at the beginning and at the end are what they were; see `takeChange`.
  private var (sameAtStart, sameAtEnd) = (0, 0)

  /// A text of one line; with `hasLines` of any number. The caret is at its end.
  package init(_ text: String = "", maximumLength: Int = 1000, hasWords: Bool = true, hasLines: Bool = false) {
    let text = hasLines ? Self.lines(text) : Self.line(text)
    pieces = TextPieces(text, limit: hasLines ? TextPieces.longest : .max)
    self.hasWords = hasWords
    self.hasLines = hasLines
    self.maximumLength = max(maximumLength, 0)
    caret = pieces.count
    anchor = caret
  }

  /// The whole text.
  package var text: String { pieces.text }

  // MARK: What is kept of a text

  /// The most Unicode scalars of a line; what follows is cut off. The whole of such a text can be drawn, and any one change of it
  /// takes milliseconds.
  package static let longest = 16_000
  /// The same of a text of several lines, of which only what is in sight is drawn.
  package static let longestLines = 2_000_000
  /// How much of a given text is looked at, for one scalar that is kept: control characters, which are removed, count too.
  private static let looksAhead = 4
  /// The most scalars of a typed text for one character of the maximum length. The longest emoji have ten.
  private static let scalarsPerCharacter = 16

  /// `text` on one line: line ends and tabs become blanks, other control characters are removed, and it has `longest` scalars at
  /// most.
  package static func line(_ text: String) -> String { cleaned(text, limit: longest) }

  /// `text` on several lines: each line end becomes LF, other control characters than tabs are removed, and it has `longestLines`
  /// scalars at most.
  package static func lines(_ text: String) -> String { cleaned(text, hasLines: true, limit: longestLines) }

  /// The one rule for what comes from outside: `text` without control characters, of at most `limit` scalars. It is cut before it is
  /// cleaned, so that a long text costs no more than its beginning; what need not change is copied at once.
  private static func cleaned(_ text: String, hasLines: Bool = false, limit: Int) -> String {
    let most = looksAhead * limit
    let bytes = Array(text.utf8.prefix(4 * most))
    let lineEnd = UInt8(ascii: hasLines ? "\n" : " ")
    var line: [UInt8] = []
    // The bytes from `copied` to `index` are to be copied. Of scalars, `kept` stay and `seen` were looked at.
    var (index, copied, kept, seen) = (0, 0, 0, 0)
    while index < bytes.count, kept < limit, seen < most {
      let byte = bytes[index]
      let isPlain = byte >= 0x20 && byte < 0x7f || hasLines && (byte == 0x0a || byte == 0x09)
      if isPlain || byte >= 0x80 && !isControl(bytes, index) {
        index += isPlain ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
        (kept, seen) = (kept + 1, seen + 1)
        continue
      }
      line += bytes[copied..<index]
      let isTab = byte == 0x09
      if isTab || isLineEnd(bytes, index) {
        line.append(lineEnd)
        kept += 1
      }
      // A CR LF is one character, and so one line end.
      if byte == 0x0d, index + 1 < bytes.count, bytes[index + 1] == 0x0a { (index, seen) = (index + 1, seen + 1) }
      index += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : 3
      (copied, seen) = (index, seen + 1)
    }
    if copied == 0, index == text.utf8.count { return text }
    line += bytes[copied..<index]
    var cleaned = String(decoding: line, as: UTF8.self)
    // The last character may have been cut in two.
    if kept == limit, let last = cleaned.last,
      let next = text.unicodeScalars[text.utf8.index(text.startIndex, offsetBy: index)...].first
    {
      let joined = String(last) + String(Character(next))
      if joined.count == 1, cleaned.unicodeScalars.count > last.unicodeScalars.count { cleaned.removeLast() }
    }
    return cleaned
  }

  /// Whether a scalar beyond ASCII begins here that is a control character or a line end: U+0080 to U+009F, U+2028, U+2029.
  private static func isControl(_ bytes: [UInt8], _ index: Int) -> Bool {
    bytes[index] == 0xc2 && bytes[index + 1] < 0xa0 || isLineEnd(bytes, index)
  }

  private static func isLineEnd(_ bytes: [UInt8], _ index: Int) -> Bool {
    switch bytes[index] {
    case 0x0a...0x0d: true
    case 0xc2: bytes[index + 1] == 0x85
    case 0xe2: bytes[index + 1] == 0x80 && (bytes[index + 2] == 0xa8 || bytes[index + 2] == 0xa9)
    default: false
    }
  }

  // MARK: Places

  package var count: Int { pieces.count }

  package var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }

  package var selectedText: String { pieces.substring(utf8(selection.lowerBound)..<utf8(selection.upperBound)) }

  /// The position before the byte `offset` of the text's UTF-8, or before the character that contains it.
  package func place(utf8 offset: Int) -> Int { pieces.place(utf8: offset) }

  /// The position in the text of the byte `offset` of `shownText`; that of the caret anywhere in the composition.
  func place(shownUTF8 offset: Int) -> Int {
    let composed = preeditUTF8
    if offset <= composed.lowerBound { return place(utf8: offset) }
    return place(utf8: max(offset - composed.count, composed.lowerBound))
  }

  /// The byte of the text's UTF-8 at which the character at `place` begins.
  package func utf8(_ place: Int) -> Int { pieces.utf8(place) }

  /// The part of the text around the caret that says enough to an input method, in whole pieces: the whole text if it is short.
  var surroundings: (text: String, caret: Int, anchor: Int) {
    let (caret, anchor) = (utf8(caret), utf8(anchor))
    let first = pieces.piece(atUTF8: max(caret - Self.surrounding, 0))
    let last = pieces.piece(atUTF8: min(caret + Self.surrounding, pieces.utf8Count))
    let end = utf8(pieces.places(of: last).upperBound)
    return (pieces.substring(first.utf8..<end), caret - first.utf8, anchor.clamped(to: first.utf8...end) - first.utf8)
  }
  private static let surrounding = 4000

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

  /// Forgets what could be undone and what is composed: the same text is edited anew, with the caret at its end.
  mutating func beginAnew() {
    endComposing()
    history = EditHistory()
    put(count)
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

  /// Selects the line that contains the character at `place`, without its end: all of a text of one line.
  package mutating func selectLine(at place: Int) {
    move(to: place)
    (anchor, caret) = (lineEnd(.start), lineEnd(.end))
  }

  /// Selects from the word `start`, which was selected by `selectWord`, up to the end of the word at `place`.
  package mutating func selectWords(from start: Range<Int>, to place: Int) {
    let word = word(at: place)
    history.endGroup()
    let isBefore = word.lowerBound < start.lowerBound
    anchor = isBefore ? start.upperBound : start.lowerBound
    caret = isBefore ? word.lowerBound : max(word.upperBound, start.upperBound)
  }

  /// The word at a place, within its piece: no word goes on in the next line.
  private func word(at place: Int) -> Range<Int> {
    guard hasWords else { return 0..<count }
    let found = pieces.piece(at: place)
    let word = Self.word(in: Array(pieces.all[found.index].text), at: place - found.place)
    return word.lowerBound + found.place..<word.upperBound + found.place
  }

  private static func word(in characters: [Character], at place: Int) -> Range<Int> {
    guard !characters.isEmpty else { return 0..<0 }
    let at = min(max(place, 0), characters.count - 1)
    let sort = characters[at].isWordPart
    let start = (characters[..<at].lastIndex { $0.isWordPart != sort } ?? -1) + 1
    let end = characters[at...].firstIndex { $0.isWordPart != sort } ?? characters.count
    return WordBreaks.word(in: characters[start..<end], at: at)
  }

  /// The position to which a step from the caret leads.
  private func place(towards end: End, by unit: Unit) -> Int {
    switch unit {
    case .character: (caret + (end == .start ? -1 : 1)).clamped(to: 0...count)
    case .text: end == .start ? 0 : count
    case .line: lineEnd(end)
    case .word: hasWords ? wordEnd(end) : end == .start ? 0 : count
    }
  }

  /// The end of the caret's line, which may have several pieces.
  private func lineEnd(_ end: End) -> Int {
    var found = pieces.piece(at: caret)
    if end == .start {
      while found.index > 0, !pieces.all[found.index - 1].endsLine, let before = pieces.piece(found.index - 1) {
        found = before
      }
      return found.place
    }
    while !pieces.all[found.index].endsLine, let next = pieces.piece(after: found) { found = next }
    return pieces.places(of: found).upperBound
  }

  /// The beginning of the word before the caret, or the end of the one behind it, in whichever line.
  private func wordEnd(_ end: End) -> Int {
    let step = end == .start ? -1 : 1
    var found = pieces.piece(at: end == .start ? max(caret - 1, 0) : caret)
    var next = (end == .start ? caret - 1 : caret) - found.place
    while true {
      let characters = Array(pieces.all[found.index].text)
      if end == .start { next = min(next, characters.count - 1) }
      while characters.indices.contains(next), !characters[next].isWordPart { next += step }
      if characters.indices.contains(next) {
        let word = Self.word(in: characters, at: next)
        return found.place + (end == .start ? word.lowerBound : word.upperBound)
      }
      guard let other = pieces.piece(found.index + step) else { return end == .start ? 0 : count }
      found = other
      next = end == .start ? .max : 0
    }
  }

  // MARK: Changing

  /// Replaces the selection by `typed`, or inserts it at the caret. It is cut off at the maximum length.
  package mutating func insert(_ typed: String) {
    let room = max(maximumLength - (count - selection.count), 0)
    let kept = pieces.scalarCount - (selection.isEmpty ? 0 : selectedText.unicodeScalars.count)
    let most = hasLines ? Self.longestLines : Self.longest
    let scalars = max(min(maximumLength, most) * Self.scalarsPerCharacter - kept, 0)
    var new = Self.cleaned(typed, hasLines: hasLines, limit: min(scalars, hasLines ? max(most - kept, 0) : most))
    if new.utf8.count > room { new = String(new.prefix(room)) }
    // One undo reverts a word, or an insertion that came at once.
    let before = selection.isEmpty ? pieces.character(at: caret - 1) : nil
    let goesOn = before?.isWordPart == true || new.first?.isWordPart == false
    replace(selection, with: new, as: new.dropFirst().isEmpty ? goesOn ? .typing : .wordStart : .alone)
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
    let new = hasLines ? Self.lines(new) : Self.line(new)
    if new != text { replace(0..<count, with: new, as: .alone) }
    selectAll()
  }

  private mutating func replace(_ range: Range<Int>, with new: String, as kind: EditHistory.Kind) {
    endComposing()
    guard !range.isEmpty || !new.isEmpty else { return }
    let bytes = utf8(range.lowerBound)..<utf8(range.upperBound)
    let change = EditHistory.Change(start: bytes.lowerBound, removed: pieces.substring(bytes), inserted: new)
    history.note(change, carets, kind)
    replace(bytes, by: new)
    // Characters may have joined across the seam, such as an accent with the letter before it.
    let end = change.insertedBytes.upperBound
    let before = place(utf8: end)
    put(utf8(before) < end ? before + 1 : before)
  }

  private mutating func replace(_ bytes: Range<Int>, by new: String) {
    let old = pieces.all.count
    let replaced = pieces.replace(bytes, with: new)
    (sameAtStart, sameAtEnd) = (min(sameAtStart, replaced.lowerBound), min(sameAtEnd, old - replaced.upperBound))
  }

  /// Which pieces have come in place of which since this was asked last, when there were `count`: a view lays out those.
  mutating func takeChange(since count: Int) -> (old: Range<Int>, new: Range<Int>) {
    let now = pieces.all.count
    let start = min(sameAtStart, count, now)
    let change = (old: start..<max(count - sameAtEnd, start), new: start..<max(now - sameAtEnd, start))
    (sameAtStart, sameAtEnd) = (now, now)
    return change
  }

  // MARK: Undoing

  private var carets: EditHistory.Carets {
    get { EditHistory.Carets(caret: caret, anchor: anchor) }
    set { (caret, anchor) = (newValue.caret, newValue.anchor) }
  }

  /// Takes the latest change back, or a whole word that was typed.
  package mutating func undo() {
    endComposing()
    guard let step = history.undo(at: carets) else { return }
    for change in step.changes.reversed() { replace(change.insertedBytes, by: change.removed) }
    carets = step.carets
  }

  package mutating func redo() {
    endComposing()
    guard let step = history.redo(at: carets) else { return }
    for change in step.changes { replace(change.removedBytes, by: change.inserted) }
    carets = step.carets
  }

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
    let start = place(utf8: utf8(selected.lowerBound) - min(before, pieces.utf8Count))
    let end = place(utf8: utf8(selected.upperBound) + min(after, pieces.utf8Count))
    let kept = selectedText
    replace(start..<end, with: kept, as: .alone)
    anchor = max(caret - selected.count, 0)
    if isBackwards { (caret, anchor) = (anchor, caret) }
  }

  /// The text as it is shown: with the composition at the caret.
  package var shownText: String {
    guard !preedit.isEmpty else { return text }
    let byte = utf8(caret)
    return pieces.substring(0..<byte) + preedit + pieces.substring(byte..<pieces.utf8Count)
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
    hidden.pieces = TextPieces(bullets(count), limit: .max)
    if let shown, let character = pieces.character(at: shown) {
      let line = TextPieces(bullets(shown) + String(character) + bullets(count - shown - 1), limit: .max)
      // An accent alone would join the bullet before it.
      if line.count == count { hidden.pieces = line }
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

extension Character {
  nonisolated fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" || self == "'" }
}
