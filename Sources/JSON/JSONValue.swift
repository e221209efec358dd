/// A JSON value.
public enum JSONValue: Hashable, Sendable {
  /// The value `null`.
  case null
  /// True or false.
  case bool(Bool)
  /// A number; JSON does not distinguish integers from other numbers.
  case number(Double)
  /// A text, without its quotation marks and escapes.
  case string(String)
  /// A list: values in order.
  case array([JSONValue])
  /// An object: values by name.
  case object([String: JSONValue])

  /// The kind of value in words, with an article if it has one, for messages: "a number".
  public var article: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number(let number) where number.isNaN: "NaN"
    case .number(let number) where number.isInfinite: "an infinite number"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The member called `name`; nil if the value is not an object or has no such member.
  public subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The number; nil if the value is not a finite number.
  public var finiteNumber: Double? {
    if case .number(let number) = self, number.isFinite { number } else { nil }
  }

  /// The integer; nil if the value is not an integer, or if its magnitude is above 9e15, where numbers may not be exact.
  public var whole: Int? { finiteNumber.flatMap { abs($0) <= 9e15 ? Int(exactly: $0) : nil } }

  /// The string; nil if the value is not a string.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The Boolean; nil if the value is neither true nor false.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The items of the list; nil if the value is not a list.
  public var items: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

  /// The numbers of the list; nil if the value is not a list of exactly `count` finite numbers.
  public func numbers(_ count: Int) -> [Double]? {
    guard let items, items.count == count else { return nil }
    let numbers = items.compactMap(\.finiteNumber)
    return numbers.count == count ? numbers : nil
  }

  /// Makes a list of numbers.
  public init(numbers: [Double]) {
    self = .array(numbers.map { .number($0) })
  }
}
