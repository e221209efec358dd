import Foundation

/// A JSON value.
enum JSON: Hashable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  /// The value that a text is.
  init(_ text: String) throws { self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func read<Value: Decodable>(_ type: Value.Type) -> Value? { try? container.decode(type) }
    self =
      try container.decodeNil()
      ? .null
      : read(Bool.self).map(JSON.bool) ?? read(Double.self).map(JSON.number) ?? read(String.self).map(JSON.text)
        ?? read([JSON].self).map(JSON.list) ?? .object(container.decode([String: JSON].self))
  }

  /// An object's property; setting nil removes it.
  subscript(name: String) -> JSON? {
    get { if case .object(let properties) = self { properties[name] } else { nil } }
    set {
      guard case .object(var properties) = self else { return }
      properties[name] = newValue
      self = .object(properties)
    }
  }

  /// The properties of an object.
  var properties: [String: JSON] { if case .object(let value) = self { value } else { [:] } }
  /// The items of a list.
  var items: [JSON] { if case .list(let value) = self { value } else { [] } }
  /// The number.
  var number: Double? { if case .number(let value) = self { value } else { nil } }
  /// The text.
  var text: String? { if case .text(let value) = self { value } else { nil } }
}
