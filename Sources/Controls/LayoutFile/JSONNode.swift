// Owns a JSON text as a tree that knows where each value stands.
// Must not know what the values mean.

/// A value of a JSON text and the byte at which it begins.
nonisolated struct JSONNode: Sendable {
  enum Content: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONNode])
    /// In the order of the text; no key twice.
    case object([JSONMember])
  }

  let offset: Int
  let content: Content

  /// The value without its place.
  var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .array(let nodes): .array(nodes.map(\.value))
    case .object(let members):
      .object(Dictionary(members.map { ($0.key, $0.node.value) }, uniquingKeysWith: { $1 }))
    }
  }

  /// What kind of value it is, for people: "a list".
  var article: String {
    switch content {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// A key of an object and its value.
nonisolated struct JSONMember: Sendable {
  let key: String
  let offset: Int
  let node: JSONNode
}

/// A place in a text, as editors count: both from 1, columns in characters of the text.
nonisolated struct TextPlace: Hashable, Sendable {
  let line: Int
  let column: Int

  /// The place of byte `offset` of `text`.
  init(offset: Int, in text: [UInt8]) {
    var line = 1
    var column = 1
    for byte in text.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if byte & 0xc0 != 0x80 {
        column += 1
      }
    }
    (self.line, self.column) = (line, column)
  }
}
