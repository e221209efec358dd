import Foundation

/// A JSON value, read by Foundation and not by the package's own reader.
package enum ParsedJSON: Hashable, Decodable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([ParsedJSON])
  case object([String: ParsedJSON])

  /// The value that a text is.
  package init(_ text: String) throws { self = try JSONDecoder().decode(ParsedJSON.self, from: Data(text.utf8)) }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func read<Value: Decodable>(_ type: Value.Type) -> Value? { try? container.decode(type) }
    self =
      try container.decodeNil()
      ? .null
      : read(Bool.self).map(ParsedJSON.bool) ?? read(Double.self).map(ParsedJSON.number) ?? read(String.self).map(
        ParsedJSON.text)
        ?? read([ParsedJSON].self).map(ParsedJSON.list) ?? .object(container.decode([String: ParsedJSON].self))
  }

  /// An object's property; setting nil removes it.
  package subscript(name: String) -> ParsedJSON? {
    get { if case .object(let properties) = self { properties[name] } else { nil } }
    set {
      guard case .object(var properties) = self else { return }
      properties[name] = newValue
      self = .object(properties)
    }
  }

  /// The properties of an object.
  package var properties: [String: ParsedJSON] { if case .object(let value) = self { value } else { [:] } }
  /// The items of a list.
  package var items: [ParsedJSON] { if case .list(let value) = self { value } else { [] } }
  /// The number.
  package var number: Double? { if case .number(let value) = self { value } else { nil } }
  /// The text.
  package var text: String? { if case .text(let value) = self { value } else { nil } }
}
