// Owns the JSON forms of the types that properties have (K18).
// Must not know properties or views.

nonisolated extension Bool: InspectableValue {
  /// A tick.
  public static var inspectableKind: InspectableKind { .bool }
  /// True or false.
  public var json: JSONValue { .bool(self) }
  /// From true or false, and nothing else.
  public init(json: JSONValue) throws(InspectableError) {
    guard case .bool(let value) = json else { throw Self.error(json) }
    self = value
  }
}

nonisolated extension String: InspectableValue {
  /// A line of text.
  public static var inspectableKind: InspectableKind { .text }
  /// The text.
  public var json: JSONValue { .string(self) }
  /// From a text.
  public init(json: JSONValue) throws(InspectableError) {
    guard case .string(let value) = json else { throw Self.error(json) }
    self = value
  }
}

nonisolated extension Int: InspectableValue {
  /// A whole number.
  public static var inspectableKind: InspectableKind { .integer }
  /// The number.
  public var json: JSONValue { .number(Double(self)) }
  /// From a number without fraction.
  public init(json: JSONValue) throws(InspectableError) {
    guard let number = json.finiteNumber, let value = Int(exactly: number) else { throw Self.error(json) }
    self = value
  }
}

nonisolated extension Double: InspectableValue {
  /// A number.
  public static var inspectableKind: InspectableKind { .number }
  /// The number.
  public var json: JSONValue { .number(self) }
  /// From a finite number.
  public init(json: JSONValue) throws(InspectableError) {
    guard let value = json.finiteNumber else { throw Self.error(json) }
    self = value
  }
  /// False for NaN and infinity.
  public var isUsable: Bool { isFinite }
}

nonisolated extension Point: InspectableValue {
  /// Two coordinates.
  public static var inspectableKind: InspectableKind { .point }
  /// `[x, y]`.
  public var json: JSONValue { JSONValue(numbers: [x, y]) }
  /// From `[x, y]`.
  public init(json: JSONValue) throws(InspectableError) {
    guard let parts = json.numbers(2) else { throw Self.error(json) }
    self.init(x: parts[0], y: parts[1])
  }
  /// False with NaN or infinite coordinates.
  public var isUsable: Bool { isFinite }
}

nonisolated extension Size: InspectableValue {
  /// Two sides.
  public static var inspectableKind: InspectableKind { .size }
  /// `[width, height]`.
  public var json: JSONValue { JSONValue(numbers: [width, height]) }
  /// From `[width, height]`.
  public init(json: JSONValue) throws(InspectableError) {
    guard let parts = json.numbers(2) else { throw Self.error(json) }
    self.init(width: parts[0], height: parts[1])
  }
  /// False with NaN or infinite sides.
  public var isUsable: Bool { width.isFinite && height.isFinite }
}

nonisolated extension Rect: InspectableValue {
  /// A corner and two sides.
  public static var inspectableKind: InspectableKind { .rect }
  /// `[x, y, width, height]`.
  public var json: JSONValue { JSONValue(numbers: [minX, minY, width, height]) }
  /// From `[x, y, width, height]`.
  public init(json: JSONValue) throws(InspectableError) {
    guard let parts = json.numbers(4) else { throw Self.error(json) }
    self.init(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
  }
  /// False with NaN or infinite parts.
  public var isUsable: Bool { isFinite }
}

nonisolated extension EdgeInsets: InspectableValue {
  /// Four distances.
  public static var inspectableKind: InspectableKind { .insets }
  /// `[top, left, bottom, right]`.
  public var json: JSONValue { JSONValue(numbers: [top, left, bottom, right]) }
  /// From `[top, left, bottom, right]`, or from one number for all.
  public init(json: JSONValue) throws(InspectableError) {
    if let all = json.finiteNumber {
      self.init(all)
    } else if let parts = json.numbers(4) {
      self.init(top: parts[0], left: parts[1], bottom: parts[2], right: parts[3])
    } else {
      throw Self.error(json)
    }
  }
  /// False with NaN or infinite distances.
  public var isUsable: Bool { isFinite }
}

nonisolated extension ClosedRange: InspectableValue where Bound == Double {
  /// Two numbers.
  public static var inspectableKind: InspectableKind { .range }
  /// `[lower, upper]`.
  public var json: JSONValue { JSONValue(numbers: [lowerBound, upperBound]) }
  /// From `[lower, upper]` in this order.
  public init(json: JSONValue) throws(InspectableError) {
    guard let parts = json.numbers(2), parts[0] <= parts[1] else { throw Self.error(json) }
    self = parts[0]...parts[1]
  }
  /// False with infinite bounds.
  public var isUsable: Bool { lowerBound.isFinite && upperBound.isFinite }
}

nonisolated extension Optional: InspectableValue where Wrapped: InspectableValue {
  /// The wrapped type's kind, or nothing.
  public static var inspectableKind: InspectableKind { .optional(Wrapped.inspectableKind) }
  /// The wrapped value, or null.
  public var json: JSONValue { self?.json ?? .null }
  /// From the wrapped type's form, or null.
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
  /// False when what is wrapped is not usable.
  public var isUsable: Bool { self?.isUsable ?? true }
}

/// The name of a picture's file; who shows the picture reads it.
nonisolated public struct ImageReference: Hashable, Sendable, InspectableValue {
  /// The file's path; a relative one in a layout file begins at that file's folder.
  public var path: String

  /// The picture in the file at `path`.
  public init(path: String) {
    self.path = path
  }

  /// The file of a picture.
  public static var inspectableKind: InspectableKind { .image }
  /// The path.
  public var json: JSONValue { .string(path) }
  /// From a path that is not empty.
  public init(json: JSONValue) throws(InspectableError) {
    guard case .string(let path) = json, !path.isEmpty else { throw Self.error(json) }
    self.init(path: path)
  }
}
