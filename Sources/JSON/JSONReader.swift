/// The dialect of JSON that a reader accepts. In each of them a repeated name is an error: one of its values would be lost.
package struct JSONGrammar: Sendable {
  /// Whether JSON5 is accepted, which users write by hand: with comments, a comma after the last value, names without quotes.
  /// Rare forms are errors, such as a line break or a tab in a string.
  let isRelaxed: Bool
  /// The maximum nesting depth of lists and objects; the reader calls itself once per level.
  let greatestDepth: Int
  /// The maximum length of a text, in bytes.
  package let greatestLength: Int

  /// The dialect of files that users write by hand: JSON5.
  package static let file = JSONGrammar(isRelaxed: true, greatestDepth: 256, greatestLength: 16 << 20)
  /// The dialect of lines that programs write: strict RFC 8259.
  package static let line = JSONGrammar(isRelaxed: false, greatestDepth: 16, greatestLength: 1 << 20)
}

/// The reason why a text cannot be read, and the position of the error.
package struct JSONError: Error, Hashable, Sendable {
  /// The index of the byte at which the error begins. If a list, an object, a string or a comment has no end, that is its first
  /// byte.
  package let offset: Int
  /// The line and column of `offset`.
  package internal(set) var place = TextPlace.start
  /// The path of the value that cannot be read; the root if the text is not JSON.
  package let path: JSONPath
  /// The reason in words, without the position of the error: "expected a value".
  package let message: String

  fileprivate init(_ offset: Int, _ message: String, of path: JSONPath = .root) {
    (self.offset, self.message, self.path) = (offset, message, path)
  }
}

extension JSONValue {
  /// Reads the value in `text`.
  ///
  /// - Throws: `JSONError`, the first error found.
  package init(_ text: [UInt8], _ grammar: JSONGrammar) throws(JSONError) {
    do throws(JSONError) {
      var reader = JSONReader(text, grammar)
      self = try reader.document()
    } catch {
      var mistake = error
      mistake.place = TextPlace(offset: error.offset, in: text)
      throw mistake
    }
  }

  /// Reads a line that a program wrote; nil if `text` breaks the rules of `JSONGrammar.line`.
  package init?(line text: some Collection<UInt8>) {
    guard text.count <= JSONGrammar.line.greatestLength, let value = try? JSONValue(Array(text), .line) else {
      return nil
    }
    self = value
  }
}

extension TextPlace {
  /// Finds the position at which the value at `path` begins in a file's text, or its name if `ofName` is true. If the value is
  /// missing, this is the position of the nearest enclosing value.
  ///
  /// Values do not store their positions, because few are ever needed, and only after an error. The text is read again instead.
  package init(of path: JSONPath, in text: [UInt8], ofName: Bool = false) {
    var reader = JSONReader(text, .file, wanted: path)
    _ = try? reader.document()
    self.init(offset: ofName ? reader.foundName ?? reader.found : reader.found, in: text)
  }
}

/// Reads a text in one pass.
private struct JSONReader {
  /// The maximum length of a number, in bytes; numbers in real files are shorter.
  private static let longestNumber = 64

  let text: [UInt8]
  let grammar: JSONGrammar
  /// The path of the value whose position is wanted.
  private let wanted: JSONPath?
  /// The index at which the innermost value on the wanted path begins.
  private(set) var found = 0
  /// The index at which the name of the wanted value begins; nil until it is found.
  private(set) var foundName: Int?
  private var path = JSONPath.root
  private var index = 0
  /// The indices of the open brackets, the outermost first.
  private var open: [Int] = []

  init(_ text: [UInt8], _ grammar: JSONGrammar, wanted: JSONPath? = nil) {
    (self.text, self.grammar, self.wanted) = (text, grammar, wanted)
  }

  /// The next byte; 0 at the end of the text (a text contains no NUL).
  private var next: UInt8 { index < text.count ? text[index] : 0 }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  /// Reads the whole text as one value.
  mutating func document() throws(JSONError) -> JSONValue {
    guard text.count <= grammar.greatestLength else {
      throw JSONError(grammar.greatestLength, "the text is longer than \(grammar.greatestLength) bytes")
    }
    // Check the whole text once, so that no later code has to: a NUL would look like the end of the text, and bytes that are
    // not UTF-8 are not characters.
    guard !text.contains(0), String(validating: text, as: UTF8.self) != nil else {
      throw JSONError(lettersEnd, "the text is not UTF-8")
    }
    // Skip a byte order mark, which is not part of the file's text.
    if grammar.isRelaxed, text.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
    try skipSpace()
    let value = try value()
    try skipSpace()
    guard index == text.count else { throw expected("nothing after the end") }
    return value
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    if let wanted, wanted.steps.starts(with: path.steps) { found = index }
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try list()
    case UInt8(ascii: "\""): return .string(try quoted("text"))
    case UInt8(ascii: "'") where grammar.isRelaxed: return .string(try quoted("text"))
    default: return try word()
    }
  }

  // MARK: Lists and objects

  /// Reads a list or an object, from the bracket at the current index to `end` inclusive. `part` reads each item or member.
  private mutating func parts(
    until end: Unicode.Scalar, _ part: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard open.count < grammar.greatestDepth else {
      throw JSONError(index, "more than \(grammar.greatestDepth) lists and objects inside each other")
    }
    open.append(index)
    index += 1
    try skipSpace()
    var goesOn = next != UInt8(ascii: end)
    while goesOn {
      try part(&self)
      try skipSpace()
      goesOn = take(",")
      if goesOn {
        try skipSpace()
        goesOn = !grammar.isRelaxed || next != UInt8(ascii: end)
      } else if next != UInt8(ascii: end) {
        throw expected(", or the closing bracket after a value")
      }
    }
    index += 1
    open.removeLast()
  }

  /// Reads the value at `step` of the current list or object.
  private mutating func value(at step: JSONPath.Step) throws(JSONError) -> JSONValue {
    path.steps.append(step)
    let value = try value()
    path.steps.removeLast()
    return value
  }

  private mutating func list() throws(JSONError) -> JSONValue {
    var items: [JSONValue] = []
    try parts(until: "]") { reader throws(JSONError) in items.append(try reader.value(at: .index(items.count))) }
    return .array(items)
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var members: [String: JSONValue] = [:]
    try parts(until: "}") { reader throws(JSONError) in
      let start = reader.index
      let name = try reader.name()
      try reader.skipSpace()
      guard reader.take(":") else { throw reader.expected(": after a name") }
      try reader.skipSpace()
      guard members[name] == nil else {
        throw JSONError(start, "\"\(name)\" is there twice", of: .key(reader.path, name))
      }
      if let wanted = reader.wanted, wanted == .key(reader.path, name) { reader.foundName = start }
      members[name] = try reader.value(at: .key(name))
    }
    return .object(members)
  }

  private mutating func name() throws(JSONError) -> String {
    if next == UInt8(ascii: "\"") || (grammar.isRelaxed && next == UInt8(ascii: "'")) { return try quoted("name") }
    let start = index
    let name = skipWord()
    let isName = name.unicodeScalars.enumerated().allSatisfy { position, scalar in
      let isLetter = scalar == "$" || scalar == "_" || scalar.properties.isIDStart
      return isLetter || (position > 0 && (scalar.properties.isIDContinue || scalar.properties.isJoinControl))
    }
    guard grammar.isRelaxed, !name.isEmpty, isName else {
      index = start
      throw expected("a name in \" \"")
    }
    return name
  }

  // MARK: Words and numbers

  /// Reads a value without quotes: a number, `true`, `false` or `null`.
  private mutating func word() throws(JSONError) -> JSONValue {
    let start = index
    let word = skipWord()
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: break
    }
    guard let first = word.utf8.first,
      isDigit(first) || "+-.".utf8.contains(first) || (grammar.isRelaxed && (word == "NaN" || word == "Infinity"))
    else {
      index = start
      throw expected("a value")
    }
    guard let number = try number(start) else {
      throw JSONError(start, "the number can't be read", of: path)
    }
    return .number(number)
  }

  private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The number from `start` to the current index; nil if the text there is not a number.
  private func number(_ start: Int) throws(JSONError) -> Double? {
    var rest = text[start..<index]
    func take(_ signs: String) -> Bool {
      guard let first = rest.first, signs.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    func digits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest.removeFirst(count)
      return count
    }
    let value = Double(String(decoding: rest, as: UTF8.self))
    _ = take(grammar.isRelaxed ? "+-" : "-")
    if grammar.isRelaxed {
      if rest.elementsEqual("NaN".utf8) || rest.elementsEqual("Infinity".utf8) { return value }
      if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) {
        let areDigits = rest.dropFirst(2).allSatisfy { $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }
        return areDigits && rest.count > 2 && rest.count <= JSONReader.longestNumber ? value : nil
      }
    }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    if startsWithZero, whole > 1 { return nil }
    let hasPoint = take(".")
    let fraction = hasPoint ? digits() : 0
    guard grammar.isRelaxed ? whole + fraction > 0 : whole > 0 && (fraction > 0 || !hasPoint) else { return nil }
    if take("eE") {
      let sign = rest.startIndex
      _ = take("+-")
      guard digits() > 0 else {
        throw JSONError(sign, "expected digits after the e; texts stand in \" \"")
      }
    }
    guard rest.isEmpty, index - start <= JSONReader.longestNumber, let value, value.isFinite else { return nil }
    return value
  }

  /// Skips the characters up to the next space, quote, bracket, comma, colon or comment, and returns them.
  private mutating func skipWord() -> String {
    let start = index
    scan: while index < text.count {
      switch text[index] {
      case 0x09...0x0d, 0x20: break scan
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["),
        UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
        break scan
      // A comment may follow the word without a space.
      case UInt8(ascii: "/") where index > start: break scan
      default: index += 1
      }
    }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  // MARK: Texts

  /// Reads a string, from the quote at the current index to the next one of the same kind. `noun` names the string in errors.
  private mutating func quoted(_ noun: String) throws(JSONError) -> String {
    let start = index
    let quote = text[index]
    var unreadable: JSONError { JSONError(start, "the \(noun) can't be read", of: path) }
    var result = ""
    index += 1
    // The start of the bytes that are copied unchanged.
    var plain = index
    scan: while index < text.count {
      switch text[index] {
      case quote:
        result += String(decoding: text[plain..<index], as: UTF8.self)
        index += 1
        return result
      case UInt8(ascii: "\n"): break scan
      case UInt8(ascii: "\\"):
        result += String(decoding: text[plain..<index], as: UTF8.self)
        index += 1
        if index == text.count || next == UInt8(ascii: "\n") { break scan }
        guard let scalar = escaped() else { throw unreadable }
        result.unicodeScalars.append(scalar)
        plain = index
      case ..<0x20: throw unreadable
      default: index += 1
      }
    }
    let sign = Unicode.Scalar(quote)
    throw JSONError(start, "the text has no end on its line: \(sign) is missing")
  }

  /// Reads the rest of an escape sequence, after the backslash. Returns its character, or nil if the sequence is invalid.
  private mutating func escaped() -> Unicode.Scalar? {
    let letter = next
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "'") where grammar.isRelaxed: return "'"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "v") where grammar.isRelaxed: return "\u{b}"
    case UInt8(ascii: "x") where grammar.isRelaxed: return hexadecimal(2).flatMap { Unicode.Scalar($0) }
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let high = hexadecimal(4) else { return nil }
    // A surrogate alone is not a character: a high one must be followed by a low one.
    guard (0xd800...0xdbff).contains(high) else { return Unicode.Scalar(high) }
    guard take("\\"), take("u"), let low = hexadecimal(4), (0xdc00...0xdfff).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
  }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard next < 0x80, let digit = Character(Unicode.Scalar(next)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  // MARK: Spaces and comments

  private mutating func skipSpace() throws(JSONError) {
    while index < text.count {
      switch text[index] {
      case 0x20, 0x09, 0x0a, 0x0d: index += 1
      case 0x0b, 0x0c: if grammar.isRelaxed { index += 1 } else { return }
      case UInt8(ascii: "/"): if try !skipComment() { return }
      default: return
      }
    }
  }

  /// Skips a comment; returns false if no comment begins at this position.
  private mutating func skipComment() throws(JSONError) -> Bool {
    let start = index
    let sign = index + 1 < text.count ? text[index + 1] : 0
    let isLine = sign == UInt8(ascii: "/")
    guard grammar.isRelaxed, isLine || sign == UInt8(ascii: "*") else { return false }
    index += 2
    if isLine {
      while index < text.count, text[index] != UInt8(ascii: "\n"), text[index] != UInt8(ascii: "\r") { index += 1 }
      return true
    }
    while index < text.count {
      if take("*") {
        if take("/") { return true }
      } else {
        index += 1
      }
    }
    throw JSONError(start, "the comment has no end: */ is missing")
  }

  // MARK: Errors

  /// The error if the text at the current index is not `what`. If a closing bracket is missing, the error reports that instead.
  private func expected(_ what: String) -> JSONError {
    let isEnd = index == text.count
    guard isEnd || next == UInt8(ascii: "]") || next == UInt8(ascii: "}") else {
      return JSONError(index, "expected \(what)")
    }
    guard let start = open.last else {
      let message = isEnd ? "expected \(what)" : "\(Unicode.Scalar(next)) closes nothing"
      return JSONError(index, message)
    }
    let (name, end): (String, Unicode.Scalar) = text[start] == UInt8(ascii: "[") ? ("list", "]") : ("object", "}")
    if isEnd { return JSONError(start, "the \(name) has no end: \(end) is missing") }
    if next == UInt8(ascii: end) { return JSONError(index, "expected \(what)") }
    let line = TextPlace(offset: start, in: text).line
    return JSONError(index, "\(end) is missing: the \(name) that begins on line \(line) is still open")
  }

  /// The number of bytes before the first NUL, or before the first byte that is not UTF-8.
  private var lettersEnd: Int {
    var (bytes, decoder, count) = (text.makeIterator(), UTF8(), 0)
    while case .scalarValue(let scalar) = decoder.decode(&bytes), scalar != "\0" { count += UTF8.width(scalar) }
    return count
  }
}
