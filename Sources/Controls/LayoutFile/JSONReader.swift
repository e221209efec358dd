// Owns reading JSON as people write it: with comments and with commas after the last value.
// Must not know what the text is about.

/// Why a text is no JSON, and where.
nonisolated struct JSONSyntaxError: Error, Hashable {
  let offset: Int
  /// Completes a sentence: `expected a value`.
  let message: String
}

/// Reads a text to its first mistake.
///
/// Foundation's decoder reads the same texts, but on Linux it does not say where a mistake is, and takes ten times as long:
/// 0.2 s for a scene of 10,000 controls.
nonisolated struct JSONReader {
  /// Lists and objects inside each other, at most.
  static let maximumDepth = 256

  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0
  private var depth = 0

  /// The value that `text` is.
  static func read(_ text: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
    let result = text.withUnsafeBufferPointer { bytes -> Result<JSONNode, JSONSyntaxError> in
      var reader = JSONReader(bytes)
      do throws(JSONSyntaxError) {
        return .success(try reader.wholeText())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private mutating func wholeText() throws(JSONSyntaxError) -> JSONNode {
    // A byte order mark is no part of the text.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
    try skipSpace()
    let node = try value()
    try skipSpace()
    guard index == bytes.count else { throw mistake("unexpected text after the end") }
    return node
  }

  func mistake(_ message: String) -> JSONSyntaxError { JSONSyntaxError(offset: index, message: message) }

  /// The next byte; 0 at the end.
  var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

  // MARK: Space

  /// Skips blanks and comments.
  private mutating func skipSpace() throws(JSONSyntaxError) {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0a, 0x0d: index += 1
      case UInt8(ascii: "/"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(JSONSyntaxError) {
    let start = index
    index += 1
    switch next {
    case UInt8(ascii: "/"):
      while index < bytes.count, bytes[index] != 0x0a { index += 1 }
    case UInt8(ascii: "*"):
      index += 1
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
          index += 2
          return
        }
        index += 1
      }
      throw JSONSyntaxError(offset: start, message: "the comment has no end")
    default:
      throw JSONSyntaxError(offset: start, message: "a comment begins with // or /*")
    }
  }

  // MARK: Values

  private mutating func value() throws(JSONSyntaxError) -> JSONNode {
    let start = index
    let content: JSONNode.Content
    switch next {
    case UInt8(ascii: "{"): content = .object(try object())
    case UInt8(ascii: "["): content = .array(try array())
    case UInt8(ascii: "\""): content = .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = .number(try number())
    case UInt8(ascii: "t"): content = .bool(try word("true", true))
    case UInt8(ascii: "f"): content = .bool(try word("false", false))
    case UInt8(ascii: "n"):
      try word("null", ())
      content = .null
    case 0 where index >= bytes.count: throw mistake("the text ends where a value is expected")
    default: throw mistake("expected a value")
    }
    return JSONNode(offset: start, content: content)
  }

  @discardableResult
  private mutating func word<Meaning>(_ word: StaticString, _ meaning: Meaning) throws(JSONSyntaxError) -> Meaning {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[index...].starts(with: letters) else { throw mistake("expected a value; texts stand in \" \"") }
    index += letters.count
    return meaning
  }

  private mutating func enter() throws(JSONSyntaxError) {
    guard depth < JSONReader.maximumDepth else {
      throw mistake("more than \(JSONReader.maximumDepth) lists and objects inside each other")
    }
    depth += 1
    index += 1
  }

  private mutating func array() throws(JSONSyntaxError) -> [JSONNode] {
    let start = index
    try enter()
    var nodes: [JSONNode] = []
    while true {
      try skipSpace()
      if next == UInt8(ascii: "]") { break }
      guard index < bytes.count else {
        throw JSONSyntaxError(offset: start, message: "the list has no end: ] is missing")
      }
      nodes.append(try value())
      try skipSpace()
      if next == UInt8(ascii: ",") {
        index += 1
      } else if next != UInt8(ascii: "]"), index < bytes.count {
        throw mistake("expected , or ] after a value of a list")
      }
    }
    index += 1
    depth -= 1
    return nodes
  }

  private mutating func object() throws(JSONSyntaxError) -> [JSONMember] {
    let start = index
    try enter()
    var members: [JSONMember] = []
    // Few keys are compared one by one, many by their hashes.
    var keys: Set<String> = []
    while true {
      try skipSpace()
      if next == UInt8(ascii: "}") { break }
      guard index < bytes.count else {
        throw JSONSyntaxError(offset: start, message: "the object has no end: } is missing")
      }
      let keyStart = index
      guard next == UInt8(ascii: "\"") else { throw mistake("expected a name in \" \"") }
      let key = try string()
      if members.count == 16 { keys = Set(members.map(\.key)) }
      let isKnown = members.count < 16 ? members.contains { $0.key == key } : !keys.insert(key).inserted
      if isKnown { throw JSONSyntaxError(offset: keyStart, message: "\"\(key)\" is there twice") }
      try skipSpace()
      guard next == UInt8(ascii: ":") else { throw mistake("expected : after a name") }
      index += 1
      try skipSpace()
      members.append(JSONMember(key: key, offset: keyStart, node: try value()))
      try skipSpace()
      if next == UInt8(ascii: ",") {
        index += 1
      } else if next != UInt8(ascii: "}"), index < bytes.count {
        throw mistake("expected , or } after a value of an object")
      }
    }
    index += 1
    depth -= 1
    return members
  }
}
