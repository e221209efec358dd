// Owns a value as JSON has it.
// Must not know files, nor what a value is for.

/// Any value of JSON.
nonisolated public enum JSONValue: Hashable, Sendable {
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

  /// What kind of value it is, with an article, for people: "a number".
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

  /// The number, if it is a finite one.
  public var finiteNumber: Double? {
    if case .number(let number) = self, number.isFinite { return number }
    return nil
  }

  /// The text, if it is one.
  public var text: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  /// The numbers of a list of exactly `count` finite ones.
  public func numbers(_ count: Int) -> [Double]? {
    guard case .array(let values) = self, values.count == count else { return nil }
    let numbers = values.compactMap(\.finiteNumber)
    return numbers.count == count ? numbers : nil
  }

  /// A list of numbers.
  public init(numbers: [Double]) {
    self = .array(numbers.map { .number($0) })
  }
}

nonisolated extension JSONValue: Encodable {
  /// Written as the plain value; whole numbers without a point, numbers that are not finite as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      if let whole = Int(exactly: value) {
        try container.encode(whole)
      } else if value.isFinite {
        try container.encode(value)
      } else {
        try container.encodeNil()
      }
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}
