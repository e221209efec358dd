/// Any value of JSON.
public enum JSONValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// True or false.
  case bool(Bool)
  /// A number; JSON knows no difference between whole numbers and others.
  case number(Double)
  /// A text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Values by name.
  case object([String: JSONValue])

  /// The kind of value with an article, for messages: "a number".
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

  /// An object's member; nil when it is not there, or this is no object.
  public subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The number, if it is a finite one.
  public var finiteNumber: Double? {
    if case .number(let number) = self, number.isFinite { number } else { nil }
  }

  /// The whole number; nil for any other value, and for numbers too large to be exact.
  public var whole: Int? { finiteNumber.flatMap { abs($0) <= 9e15 ? Int(exactly: $0) : nil } }

  /// The text, if it is one.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The truth, if it is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The items, if it is a list.
  public var items: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

  /// The numbers of a list of exactly `count` finite ones.
  public func numbers(_ count: Int) -> [Double]? {
    guard let items, items.count == count else { return nil }
    let numbers = items.compactMap(\.finiteNumber)
    return numbers.count == count ? numbers : nil
  }

  /// A list of numbers.
  public init(numbers: [Double]) {
    self = .array(numbers.map { .number($0) })
  }
}
