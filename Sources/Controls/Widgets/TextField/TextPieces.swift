/// The text of an editor in pieces, so that a change, a place and a layout cost as much as a paragraph and not as much as the text.
///
/// A piece is a line without its end. A line of more than 2,000 scalars is several pieces, each of which is shown on lines of its own.
/// Places count user-perceived characters, a line end as one; a place between two pieces of a line belongs to the second.
nonisolated package struct TextPieces: Hashable, Sendable {
  /// A part of the text that is counted and laid out as one.
  package struct Piece: Hashable, Sendable {
    /// Its characters, without a line end.
    package let text: String
    /// Whether a line end follows.
    package let endsLine: Bool
    fileprivate let characters: Int
    fileprivate let scalars: Int
    fileprivate let bytes: Int

    fileprivate init(_ text: String, endsLine: Bool) {
      (self.text, self.endsLine) = (text, endsLine)
      bytes = text.utf8.count
      scalars = text.unicodeScalars.count
      // Of plain text each byte is a character: it holds no CR, which a LF could join.
      characters = scalars == bytes ? bytes : text.count
    }

    /// The number of its characters, of its Unicode scalars and of its bytes of UTF-8, with its line end.
    fileprivate var count: Int { characters + (endsLine ? 1 : 0) }
    fileprivate var scalarCount: Int { scalars + (endsLine ? 1 : 0) }
    fileprivate var utf8Count: Int { bytes + (endsLine ? 1 : 0) }
    fileprivate var isPlain: Bool { characters == bytes }
  }

  /// The pieces, at least one. Only the last has no line end and no piece behind it.
  package private(set) var all: [Piece]
  /// The characters and the bytes of each.
  private var counts = RunningSums<Int>()
  private var utf8Counts = RunningSums<Int>()
  /// The number of characters, of Unicode scalars, and of bytes of UTF-8.
  package private(set) var count = 0
  private(set) var scalarCount = 0
  private(set) var utf8Count = 0
  /// The most scalars of a piece, if there is a character's end before.
  private let limit: Int

  /// The most scalars of a piece of several lines: laying one out takes milliseconds.
  package static let longest = 2000

  /// `text`, which holds no line ends but LF, in pieces of at most `limit` scalars.
  package init(_ text: String = "", limit: Int = Self.longest) {
    self.limit = max(limit, 1)
    all = []
    put(split(text, endsLine: false), in: 0..<0)
  }

  /// The whole text.
  package var text: String {
    if all.count == 1 { return all[0].text }
    var text = ""
    text.reserveCapacity(utf8Count)
    for piece in all {
      text += piece.text
      if piece.endsLine { text += "\n" }
    }
    return text
  }

  // MARK: Places

  /// A piece, with the number of characters and of bytes before it.
  package struct Found: Hashable, Sendable {
    /// Its index in `all`.
    package var index: Int
    /// The place at which it begins.
    package var place: Int
    /// The byte of the text's UTF-8 at which it begins.
    package var utf8: Int
  }

  /// The piece that contains the character at `place`, or its line end; the last for one beyond the end.
  package func piece(at place: Int) -> Found {
    let found = counts.find(place)
    return Found(index: found.index, place: found.start, utf8: utf8Counts.sum(before: found.index))
  }

  /// The same for a byte of the text's UTF-8.
  package func piece(atUTF8 byte: Int) -> Found {
    let found = utf8Counts.find(byte)
    return Found(index: found.index, place: counts.sum(before: found.index), utf8: found.start)
  }

  /// The piece with this index; nil if there is none.
  package func piece(_ index: Int) -> Found? {
    guard all.indices.contains(index) else { return nil }
    return Found(index: index, place: counts.sum(before: index), utf8: utf8Counts.sum(before: index))
  }

  /// The next piece; nil after the last.
  package func piece(after found: Found) -> Found? {
    guard found.index + 1 < all.count else { return nil }
    let piece = all[found.index]
    return Found(index: found.index + 1, place: found.place + piece.count, utf8: found.utf8 + piece.utf8Count)
  }

  /// The places of a piece's characters; its end is before its line end.
  package func places(of found: Found) -> Range<Int> { found.place..<found.place + all[found.index].characters }

  /// The byte of the text's UTF-8 at which the character at `place` begins; places beyond the ends are at the ends.
  package func utf8(_ place: Int) -> Int {
    let found = piece(at: place)
    let (piece, inside) = (all[found.index], max(place - found.place, 0))
    if piece.isPlain { return found.utf8 + min(inside, piece.bytes) }
    let end = piece.text.index(piece.text.startIndex, offsetBy: inside, limitedBy: piece.text.endIndex)
    return found.utf8 + piece.text.utf8.distance(from: piece.text.startIndex, to: end ?? piece.text.endIndex)
  }

  /// The place before the byte `offset` of the text's UTF-8, or before the character that contains it.
  package func place(utf8 offset: Int) -> Int {
    let found = piece(atUTF8: offset)
    let (piece, inside) = (all[found.index], max(offset - found.utf8, 0))
    if piece.isPlain || inside >= piece.bytes { return found.place + min(inside, piece.characters) }
    let text = piece.text
    let end = text.utf8.index(text.startIndex, offsetBy: inside)
    var (place, index) = (0, text.startIndex)
    while index < end {
      let next = text.index(after: index)
      guard next <= end else { break }
      (place, index) = (place + 1, next)
    }
    return found.place + place
  }

  /// The number of Unicode scalars before the character at `place`; of all for a place beyond the end.
  func scalars(before place: Int) -> Int {
    let found = piece(at: place)
    var scalars = 0
    for piece in all[..<found.index] { scalars += piece.scalarCount }
    let (piece, inside) = (all[found.index], place - found.place)
    return scalars + (piece.isPlain ? min(inside, piece.bytes) : piece.text.prefix(inside).unicodeScalars.count)
  }

  /// The character at `place`; nil where there is none.
  package func character(at place: Int) -> Character? {
    guard 0..<count ~= place else { return nil }
    let found = piece(at: place)
    let (text, inside) = (all[found.index].text, place - found.place)
    guard inside < all[found.index].characters else { return "\n" }
    return text[text.index(text.startIndex, offsetBy: inside)]
  }

  /// The text of these bytes of UTF-8, which begin and end between scalars.
  package func substring(_ bytes: Range<Int>) -> String {
    let (first, last) = (piece(atUTF8: bytes.lowerBound), piece(atUTF8: bytes.upperBound))
    guard first.index < last.index else {
      return String(part(first, from: bytes.lowerBound, to: bytes.upperBound))
    }
    var text = String(part(first, from: bytes.lowerBound, to: .max))
    for index in first.index..<last.index {
      if index > first.index { text += all[index].text }
      if all[index].endsLine { text += "\n" }
    }
    text += part(last, from: last.utf8, to: bytes.upperBound)
    return text
  }

  /// The part of a piece's characters between two bytes of the text.
  private func part(_ found: Found, from: Int, to: Int) -> Substring {
    let text = all[found.index].text
    func index(_ byte: Int) -> String.Index {
      text.utf8.index(text.startIndex, offsetBy: max(byte - found.utf8, 0), limitedBy: text.endIndex) ?? text.endIndex
    }
    let start = index(from)
    return text[start..<max(to == .max ? text.endIndex : index(to), start)]
  }

  // MARK: Changing

  /// Replaces these bytes of UTF-8, which begin and end between scalars, by `new`, which holds no line ends but LF. Returns which pieces
  /// others have replaced.
  @discardableResult package mutating func replace(_ bytes: Range<Int>, with new: String) -> Range<Int> {
    var (first, last) = (piece(atUTF8: bytes.lowerBound), piece(atUTF8: bytes.upperBound))
    let end = last.utf8 + all[last.index].bytes
    var text = String(part(first, from: first.utf8, to: bytes.lowerBound))
    text += new
    text += part(last, from: bytes.upperBound, to: .max)
    // Inside a long line characters may join across a seam that the change touches, and what is left of a piece may be too short to be one.
    let (start, few) = (bytes.lowerBound == first.utf8, limit / 4)
    if first.index > 0, !all[first.index - 1].endsLine, start || Self.lineLength(of: text.utf8) < few {
      first.index -= 1
      text = all[first.index].text + text
    }
    if last.index < all.count - 1, !all[last.index].endsLine,
      bytes.upperBound == end || Self.lineLength(of: text.utf8.reversed()) < few
    {
      last.index += 1
      text += all[last.index].text
    }
    let replaced = first.index..<last.index + 1
    put(split(text, endsLine: all[last.index].endsLine), in: replaced)
    return replaced
  }

  /// The number of bytes before the first line end.
  private static func lineLength(of bytes: some Sequence<UInt8>) -> Int {
    var length = 0
    for byte in bytes {
      if byte == UInt8(ascii: "\n") { break }
      length += 1
    }
    return length
  }

  private mutating func put(_ pieces: [Piece], in range: Range<Int>) {
    for piece in all[range] { count(piece, -1) }
    for piece in pieces { count(piece, 1) }
    all.replaceSubrange(range, with: pieces)
    counts.replace(range, with: pieces.map(\.count))
    utf8Counts.replace(range, with: pieces.map(\.utf8Count))
  }

  private mutating func count(_ piece: Piece, _ sign: Int) {
    count += sign * piece.count
    utf8Count += sign * piece.utf8Count
    scalarCount += sign * piece.scalarCount
  }

  private func split(_ text: String, endsLine: Bool) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
      append(rest[..<end], to: &pieces, endsLine: true)
      rest = rest[rest.utf8.index(after: end)...]
    }
    append(rest, to: &pieces, endsLine: endsLine)
    return pieces
  }

  /// Appends a line; if it is long in several pieces of about the same length, so that each has room for what is typed into it.
  private func append(_ line: Substring, to pieces: inout [Piece], endsLine: Bool) {
    var rest = line
    // A scalar has at least one byte, so the usual line need not be counted.
    var scalars = rest.utf8.count > limit ? rest.unicodeScalars.count : 0
    while scalars > limit {
      let parts = (scalars - 1) / limit + 1
      let most = rest.unicodeScalars.index(rest.startIndex, offsetBy: (scalars - 1) / parts + 1)
      let piece = Piece(String(rest[..<seam(of: rest, before: most)]), endsLine: false)
      pieces.append(piece)
      scalars -= piece.scalars
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: piece.bytes)...]
    }
    pieces.append(Piece(String(rest), endsLine: endsLine))
  }

  /// Where a line is cut: after a blank if there is one shortly before `most`, else between characters.
  private func seam(of line: Substring, before most: Substring.Index) -> Substring.Index {
    let bytes = line.utf8
    /// Whether two scalars of ASCII meet here: they are two characters, since the text holds no CR.
    func isPlain(_ index: Substring.Index) -> Bool {
      guard index > line.startIndex, index < line.endIndex else { return false }
      return bytes[index] < 0x80 && bytes[bytes.index(before: index)] < 0x80
    }
    var blank = most
    for _ in 0..<limit / 4 where blank > line.startIndex {
      let before = bytes.index(before: blank)
      if bytes[before] == UInt8(ascii: " "), isPlain(blank) { return blank }
      blank = before
    }
    if isPlain(most) { return most }
    var end = line.startIndex
    while end < most {
      let next = line.index(after: end)
      guard next <= most else { break }
      end = next
    }
    // One character of more scalars than that is cut.
    return end == line.startIndex ? most : end
  }
}
