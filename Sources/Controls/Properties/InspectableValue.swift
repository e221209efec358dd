// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Members inherit the docstrings of the requirements that they fulfil; scripts/symbols.py demands one of each public symbol.

/// How a property's value is shown and edited.
nonisolated public enum InspectableKind: Hashable, Sendable {
  /// A tick.
  case bool
  /// A line of text.
  case text
  /// A whole number.
  case integer
  /// A number that may have a fraction.
  case number
  /// This many numbers, as in `[x, y]`; `form` completes "needs ...".
  case numbers(Int, form: String)
  /// A colour: `"#rrggbb"`, `"#rrggbbaa"`, `"#rgb"`, `"clear"`, or `[red, green, blue]` with or without alpha, each 0...1.
  case color
  /// The file of an image.
  case image
  /// One of these names.
  case choice([String])
  /// Also nothing, which is null in JSON and mostly means the theme's value.
  indirect case optional(InspectableKind)

  package var isImage: Bool { self == .image || self == .optional(.image) }

  /// A description of a valid value, to complete "needs ...".
  public var expectation: String {
    switch self {
    case .bool: "true or false"
    case .text: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .numbers(_, let form): form
    case .color: "a colour such as \"#2dd4bf\", \"#2dd4bf80\" or [0.18, 0.83, 0.75]"
    case .image: "the name of a picture's file"
    case .choice(let names): "one of " + names.joined(separator: ", ")
    case .optional(let kind): kind.expectation + ", or null"
    }
  }
}

/// The reason why a JSON value cannot be assigned to a property.
nonisolated public enum InspectableError: Error, Hashable, Sendable {
  /// The value is of a different type, or not valid, such as a malformed colour. `expected` completes "needs ...".
  case badValue(JSONValue, expected: String)
  /// A name that is not among the choices; `nearest` is the one that may have been meant.
  case unknownChoice(String, nearest: String?, choices: [String])
}

nonisolated extension InspectableError: CustomStringConvertible {
  /// One line: the expected and the actual value.
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
/// A value and its JSON form are equivalent: `Value(json: value.json)` gives `value` again. An enum with texts as raw values
/// that lists its cases conforms without further code.
nonisolated public protocol InspectableValue: Equatable, Sendable {
  /// How the value is shown and edited.
  static var inspectableKind: InspectableKind { get }
  /// The value as JSON.
  var json: JSONValue { get }
  /// The value of `json`; nil if it is not of this type. A type whose errors need other words implements `init(json:)` instead.
  static func read(_ json: JSONValue) -> Self?
  /// The value from JSON.
  init(json: JSONValue) throws(InspectableError)
  /// False for a value with NaN or infinite components, which no property accepts.
  var isUsable: Bool { get }
  /// A number clamped to `limits`; other types have no limits.
  func limited(to limits: ClosedRange<Double>) -> Self
}

nonisolated extension InspectableValue {
  /// Nil, for types that implement `init(json:)`.
  public static func read(_ json: JSONValue) -> Self? { nil }

  /// Uses `read(_:)`; the error says what the type needs.
  public init(json: JSONValue) throws(InspectableError) {
    guard let value = Self.read(json) else { throw Self.error(json) }
    self = value
  }

  /// True: most types have no components that could be NaN.
  public var isUsable: Bool { true }

  /// The value itself: most types have no order.
  public func limited(to limits: ClosedRange<Double>) -> Self { self }

  /// The value in `named` with the name in `json`.
  static func choice(
    _ json: JSONValue, among named: [(name: String, value: Self)]
  ) throws(InspectableError) -> Self {
    guard let name = json.text else { throw error(json) }
    if let found = named.first(where: { $0.name == name }) { return found.value }
    let names = named.map(\.name)
    throw .unknownChoice(name, nearest: EditDistance.nearest(to: name, in: names), choices: names)
  }

  static func error(_ json: JSONValue) -> InspectableError {
    .badValue(json, expected: inspectableKind.expectation)
  }
}

nonisolated extension InspectableValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  public static var inspectableKind: InspectableKind { .choice(allCases.map(\.rawValue)) }

  public var json: JSONValue { .string(rawValue) }

  /// The case of that name.
  public init(json: JSONValue) throws(InspectableError) {
    self = try Self.choice(json, among: Self.allCases.map { ($0.rawValue, $0) })
  }
}

/// A type whose values can be interpolated.
nonisolated public protocol Animatable {
  /// The value at `fraction` between this one (0) and `other` (1); a spring may exceed both.
  func mixed(with other: Self, _ fraction: Double) -> Self
}

// MARK: The types

nonisolated extension Bool: InspectableValue {
  public static var inspectableKind: InspectableKind { .bool }
  public var json: JSONValue { .bool(self) }
  public static func read(_ json: JSONValue) -> Bool? { json.bool }
}

nonisolated extension String: InspectableValue {
  public static var inspectableKind: InspectableKind { .text }
  public var json: JSONValue { .string(self) }
  public static func read(_ json: JSONValue) -> String? { json.text }
}

nonisolated extension Int: InspectableValue {
  public static var inspectableKind: InspectableKind { .integer }
  public var json: JSONValue { .number(Double(self)) }
  /// From a number without a fraction.
  public static func read(_ json: JSONValue) -> Int? { json.finiteNumber.flatMap { Int(exactly: $0) } }
  public func limited(to limits: ClosedRange<Double>) -> Int {
    if Double(self) < limits.lowerBound { return Int(limits.lowerBound) }
    return Double(self) > limits.upperBound ? Int(limits.upperBound) : self
  }
}

nonisolated extension Double: InspectableValue, Animatable {
  public static var inspectableKind: InspectableKind { .number }
  public var json: JSONValue { .number(self) }
  public static func read(_ json: JSONValue) -> Double? { json.finiteNumber }
  public func limited(to limits: ClosedRange<Double>) -> Double { min(max(self, limits.lowerBound), limits.upperBound) }
  public var isUsable: Bool { isFinite }
  public func mixed(with other: Double, _ fraction: Double) -> Double { self + (other - self) * fraction }
}

/// A type whose values consist of a few numbers: they share one form in files, one interpolation and one editor.
nonisolated public protocol VectorValue: InspectableValue, Animatable {
  /// The names of the numbers in an editor, in order: as many as a value has.
  static var numberNames: [String] { get }
  /// The form of a value in a file, to complete "needs ...".
  static var form: String { get }
  /// The numbers of the value, in the order of `numberNames`.
  var numbers: [Double] { get }
  /// The value with these numbers, as many as there are names; nil if they are invalid, such as a reversed range.
  init?(numbers: [Double])
}

nonisolated extension VectorValue {
  public static var inspectableKind: InspectableKind { .numbers(numberNames.count, form: form) }

  public var json: JSONValue { JSONValue(numbers: numbers) }

  /// From a list of the same number of numbers.
  public static func read(_ json: JSONValue) -> Self? { json.numbers(numberNames.count).flatMap(Self.init(numbers:)) }

  /// False if a number is NaN or infinite.
  public var isUsable: Bool { numbers.allSatisfy(\.isFinite) }

  /// Each number at `fraction` between this one and that of `other`.
  public func mixed(with other: Self, _ fraction: Double) -> Self {
    Self(numbers: zip(numbers, other.numbers).map { $0.mixed(with: $1, fraction) }) ?? other
  }
}

nonisolated extension Point: VectorValue {
  public static var form: String { "a point as [x, y]" }
  public static var numberNames: [String] { ["X", "Y"] }
  public var numbers: [Double] { [x, y] }
  public init?(numbers: [Double]) { self.init(x: numbers[0], y: numbers[1]) }
}

nonisolated extension Size: VectorValue {
  public static var form: String { "a size as [width, height]" }
  public static var numberNames: [String] { ["W", "H"] }
  public var numbers: [Double] { [width, height] }
  public init?(numbers: [Double]) { self.init(width: numbers[0], height: numbers[1]) }
}

nonisolated extension Rect: VectorValue {
  public static var form: String { "a rectangle as [x, y, width, height]" }
  public static var numberNames: [String] { Point.numberNames + Size.numberNames }
  public var numbers: [Double] { origin.numbers + size.numbers }
  public init?(numbers: [Double]) {
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

nonisolated extension EdgeInsets: VectorValue {
  public static var form: String { "insets as [top, left, bottom, right], or one number" }
  public static var numberNames: [String] { ["T", "L", "B", "R"] }
  public var numbers: [Double] { [top, left, bottom, right] }
  public init?(numbers: [Double]) {
    self.init(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
  }
  /// From `[top, left, bottom, right]`, or from one number for all.
  public static func read(_ json: JSONValue) -> EdgeInsets? {
    json.finiteNumber.map { EdgeInsets($0) } ?? json.numbers(4).flatMap(EdgeInsets.init(numbers:))
  }
}

nonisolated extension ClosedRange: Animatable, InspectableValue, VectorValue where Bound == Double {
  public static var form: String { "a range as [lower, upper], the lower first" }
  public static var numberNames: [String] { ["From", "To"] }
  public var numbers: [Double] { [lowerBound, upperBound] }
  public init?(numbers: [Double]) {
    guard numbers[0] <= numbers[1] else { return nil }
    self = numbers[0]...numbers[1]
  }
  /// The range at `fraction` between this one and `other`; bounds that a spring crosses meet in the middle.
  public func mixed(with other: ClosedRange<Double>, _ fraction: Double) -> ClosedRange<Double> {
    let lower = lowerBound.mixed(with: other.lowerBound, fraction)
    let upper = upperBound.mixed(with: other.upperBound, fraction)
    return lower <= upper ? lower...upper : (lower + upper) / 2...(lower + upper) / 2
  }
}

nonisolated extension Optional: InspectableValue where Wrapped: InspectableValue {
  public static var inspectableKind: InspectableKind { .optional(Wrapped.inspectableKind) }
  public var json: JSONValue { self?.json ?? .null }
  public init(json: JSONValue) throws(InspectableError) {
    if json == .null {
      self = nil
      return
    }
    do throws(InspectableError) {
      self = try Wrapped(json: json)
    } catch .badValue {
      throw Self.error(json)
    }
  }
  /// True for nil, and for a usable wrapped value.
  public var isUsable: Bool { self?.isUsable ?? true }
}

nonisolated extension Optional: Animatable where Wrapped: Animatable {
  /// The value at `fraction` between two values; between a value and nil there is no interpolation: it becomes `other` at once.
  public func mixed(with other: Wrapped?, _ fraction: Double) -> Wrapped? {
    guard fraction > 0, let self, let other else { return fraction > 0 ? other : self }
    return self.mixed(with: other, fraction)
  }
}

/// The path of an image file; the view that shows the image reads it.
nonisolated public struct ImageReference: Hashable, Sendable, InspectableValue {
  /// The file's path; a relative one in a layout file is relative to that file's directory.
  public var path: String

  /// The image in the file at `path`.
  public init(path: String) {
    self.path = path
  }

  public static var inspectableKind: InspectableKind { .image }
  public var json: JSONValue { .string(path) }
  /// From a non-empty path.
  public static func read(_ json: JSONValue) -> ImageReference? {
    json.text.flatMap { $0.isEmpty ? nil : ImageReference(path: $0) }
  }
}
