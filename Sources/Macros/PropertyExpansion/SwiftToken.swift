/// A piece of Swift source. Blanks and comments are no tokens.
struct SwiftToken: Equatable {
  enum Kind: Equatable {
    /// An identifier or a keyword, with its backticks.
    case name
    /// A number, a string with everything inside, or a regular expression.
    case literal
    /// Operator characters that belong together, such as `=` or `...`.
    case symbol
    /// One of `( ) [ ] { } , : ; @ # \ $`, or `.` before a name.
    case mark
  }

  let kind: Kind
  let text: String
  /// The bytes of the source.
  let range: Range<Int>
  /// The number of brackets that are open around it; a bracket itself is outside of what it encloses.
  let depth: Int
}

extension [SwiftToken] {
  /// The tokens of `source`, which the compiler has parsed already: brackets are balanced and literals end.
  init(_ source: String) {
    var lexer = SwiftLexer(Array<UInt8>(source.utf8))
    self = lexer.tokens()
  }
}

/// Splits Swift source into tokens.
struct SwiftLexer {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0
  private var found: [SwiftToken] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func tokens() -> [SwiftToken] {
    while place < bytes.count {
      let start = place
      if skipBlank() { continue }
      let kind = skipToken()
      let text = String(decoding: bytes[start..<place], as: UTF8.self)
      if [")", "]", "}"].contains(text) { depth -= 1 }
      found.append(SwiftToken(kind: kind, text: text, range: start..<place, depth: depth))
      if ["(", "[", "{"].contains(text) { depth += 1 }
    }
    return found
  }

  private func byte(_ ahead: Int = 0) -> UInt8 { place + ahead < bytes.count ? bytes[place + ahead] : 0 }

  private func isNext(_ text: StaticString) -> Bool {
    (0..<text.utf8CodeUnitCount).allSatisfy { byte($0) == text.utf8Start[$0] }
  }

  private func isName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
  }

  private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static let operators = Set("/=-+!*%<>&|^~?.".utf8)

  /// Skips a blank or a comment.
  private mutating func skipBlank() -> Bool {
    if byte() <= 0x20 {
      place += 1
    } else if isNext("//") {
      while place < bytes.count, byte() != UInt8(ascii: "\n") { place += 1 }
    } else if isNext("/*") {
      var nesting = 0
      repeat {
        let (opens, closes) = (isNext("/*"), isNext("*/"))
        nesting += opens ? 1 : closes ? -1 : 0
        place += opens || closes ? 2 : 1
      } while nesting > 0 && place < bytes.count
    } else {
      return false
    }
    return true
  }

  private mutating func skipToken() -> SwiftToken.Kind {
    if skipString() || skipExpression() { return .literal }
    if isDigit(byte()) {
      while isName(byte()) || (byte() == UInt8(ascii: ".") && isDigit(byte(1))) { place += 1 }
      return .literal
    }
    if byte() == UInt8(ascii: "`") {
      repeat { place += 1 } while place < bytes.count && byte() != UInt8(ascii: "`")
      place += 1
      return .name
    }
    if isName(byte()) {
      while isName(byte()) { place += 1 }
      return .name
    }
    let isMember = byte() == UInt8(ascii: ".") && byte(1) != UInt8(ascii: ".")
    guard Self.operators.contains(byte()), !isMember else {
      place += 1
      return .mark
    }
    repeat { place += 1 } while Self.operators.contains(byte()) && !isNext("//") && !isNext("/*")
    return .symbol
  }

  /// Skips a string literal, including the expressions interpolated into it.
  private mutating func skipString() -> Bool {
    var hashes = 0
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    guard byte(hashes) == UInt8(ascii: "\"") else { return false }
    place += hashes
    let quotes = isNext("\"\"\"") ? 3 : 1
    place += quotes
    while place < bytes.count {
      if byte() == UInt8(ascii: "\\"), (0..<hashes).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) {
        place += 1 + hashes
        if byte() == UInt8(ascii: "(") { skipInterpolation() } else { place += 1 }
      } else if (0..<quotes).allSatisfy({ byte($0) == UInt8(ascii: "\"") }),
        (0..<hashes).allSatisfy({ byte(quotes + $0) == UInt8(ascii: "#") })
      {
        place += quotes + hashes
        return true
      } else {
        place += 1
      }
    }
    return true
  }

  private mutating func skipInterpolation() {
    var open = 0
    repeat {
      if skipBlank() { continue }
      let start = place
      _ = skipToken()
      if bytes[start] == UInt8(ascii: "(") { open += 1 }
      if bytes[start] == UInt8(ascii: ")") { open -= 1 }
    } while open > 0 && place < bytes.count
  }

  /// Skips a regular expression between slashes: where a value may begin, with no blank after the first slash.
  private mutating func skipExpression() -> Bool {
    var hashes = 0
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    guard byte(hashes) == UInt8(ascii: "/") else { return false }
    if hashes == 0 {
      let isValue = found.last.map {
        $0.kind == .symbol || ["(", "[", "{", ",", ":", "return", "in"].contains($0.text)
      }
      guard isValue ?? false, byte(1) > 0x20, byte(1) != UInt8(ascii: "/"), byte(1) != UInt8(ascii: "*") else {
        return false
      }
    }
    let start = place
    place += hashes + 1
    while place < bytes.count, hashes > 0 || byte() != UInt8(ascii: "\n") {
      if byte() == UInt8(ascii: "/"), (0..<hashes).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) {
        place += 1 + hashes
        return true
      }
      place += byte() == UInt8(ascii: "\\") ? 2 : 1
    }
    // Only a division.
    place = start
    return false
  }
}
