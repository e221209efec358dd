// Owns what a type needs to be the type of an inspectable property: its kind of editor and its form in JSON.
// Must not know properties or views.

/// How a property's value is shown and edited (K18).
nonisolated public enum InspectableKind: Hashable, Sendable {
  /// A tick.
  case bool
  /// A line of text.
  case text
  /// A whole number.
  case integer
  /// A number.
  case number
  /// Two coordinates: `[x, y]`.
  case point
  /// Two sides: `[width, height]`.
  case size
  /// Four numbers: `[x, y, width, height]`.
  case rect
  /// Four distances: `[top, left, bottom, right]`, or one number for all.
  case insets
  /// A colour: `"#rrggbb"`, `"#rrggbbaa"`, `"#rgb"`, `"clear"`, or `[red, green, blue]` with or without alpha, each 0...1.
  case color
  /// Two numbers: `[lower, upper]`.
  case range
  /// The file of a picture.
  case image
  /// One of these names.
  case choice([String])
  /// Also nothing, which is null in JSON and mostly means the theme's value.
  indirect case optional(InspectableKind)

  /// True for the file of a picture, also where there may be none.
  var isImage: Bool { self == .image || self == .optional(.image) }

  /// What a good value looks like, to complete "needs ...".
  public var expectation: String {
    switch self {
    case .bool: "true or false"
    case .text: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .point: "a point as [x, y]"
    case .size: "a size as [width, height]"
    case .rect: "a rectangle as [x, y, width, height]"
    case .insets: "insets as [top, left, bottom, right], or one number"
    case .color: "a colour such as \"#2dd4bf\", \"#2dd4bf80\" or [0.18, 0.83, 0.75]"
    case .range: "a range as [lower, upper], the lower first"
    case .image: "the name of a picture's file"
    case .choice(let names): "one of " + names.joined(separator: ", ")
    case .optional(let kind): kind.expectation + ", or null"
    }
  }
}

/// Why a JSON value is none for a property.
nonisolated public enum InspectableError: Error, Hashable, Sendable {
  /// The value is of another type, or not usable, such as a colour that is none. `expected` completes "needs ...".
  case badValue(JSONValue, expected: String)
  /// A name that is none of a choice's; `nearest` is the one that may have been meant.
  case unknownChoice(String, nearest: String?, choices: [String])
}

nonisolated extension InspectableError: CustomStringConvertible {
  /// One line: what is needed and what is there.
  public var description: String {
    switch self {
    case .badValue(.string(let text), let expected): "needs \(expected); \"\(text)\" isn't"
    case .badValue(let value, let expected): "needs \(expected), not \(value.article)"
    case .unknownChoice(let name, let nearest?, _): "\"\(name)\" is no choice; did you mean \"\(nearest)\"?"
    case .unknownChoice(let name, nil, let choices):
      "\"\(name)\" is no choice; it can be " + choices.joined(separator: ", ")
    }
  }
}

/// A type of inspectable properties.
///
/// A value and its JSON form are the same: `Value(json: value.json)` gives `value` again. An enum with texts as raw
/// values that lists its cases conforms without more.
nonisolated public protocol InspectableValue: Equatable, Sendable {
  /// How it is shown and edited.
  static var inspectableKind: InspectableKind { get }
  /// The value as JSON.
  var json: JSONValue { get }
  /// The value from JSON.
  init(json: JSONValue) throws(InspectableError)
  /// False for a value with NaN or infinite parts: it is no property's value.
  var isUsable: Bool { get }
}

nonisolated extension InspectableValue {
  /// True: most types have no parts that could be NaN.
  public var isUsable: Bool { true }

  /// The error for a value that is none of this type.
  static func error(_ json: JSONValue) -> InspectableError {
    .badValue(json, expected: inspectableKind.expectation)
  }
}

nonisolated extension InspectableValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// A choice among the cases' names.
  public static var inspectableKind: InspectableKind { .choice(allCases.map(\.rawValue)) }

  /// The case's name.
  public var json: JSONValue { .string(rawValue) }

  /// The case of that name.
  public init(json: JSONValue) throws(InspectableError) {
    guard case .string(let name) = json else { throw Self.error(json) }
    guard let value = Self(rawValue: name) else {
      let choices = Self.allNames
      throw .unknownChoice(name, nearest: EditDistance.nearest(to: name, in: choices), choices: choices)
    }
    self = value
  }

  private static var allNames: [String] { allCases.map(\.rawValue) }
}
