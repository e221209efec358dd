// Owns reading one line of JSON that somebody else wrote.
// Must not know what it is about.

/// A value of a line. A line that is no JSON, or that is larger than any of the project's own, is none.
public enum LineValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([LineValue])
  case object([String: LineValue])

  /// The longest line that is read, in bytes.
  public static let longestLine = 1 << 20
  /// Lists and objects inside each other, at most.
  static let deepest = 16

  /// The value that `bytes` are; nil when they are none, or the same name is there twice in an object.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= LineValue.longestLine else { return nil }
    let read = bytes.withContiguousStorageIfAvailable { LineReader.read($0) }
    guard let value = read ?? Array(bytes).withUnsafeBufferPointer({ LineReader.read($0) }) else { return nil }
    self = value
  }

  /// An object's property; nil when it is not there, or this is no object.
  public subscript(name: String) -> LineValue? {
    if case .object(let properties) = self { properties[name] } else { nil }
  }

  /// The number; nil when this is none.
  public var number: Double? { if case .number(let value) = self { value } else { nil } }
  /// The whole number; nil when this is none, or too large to be exact.
  public var whole: Int? { number.flatMap { abs($0) <= 9e15 ? Int(exactly: $0) : nil } }
  /// The text; nil when this is none.
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The truth; nil when this is none.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The items; nil when this is no list.
  public var items: [LineValue]? { if case .list(let value) = self { value } else { nil } }
}

/// Reads strict JSON: what other readers would refuse is refused here too.
private struct LineReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var depth = 0

  static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> LineValue? {
    var reader = LineReader(bytes: bytes)
    guard let value = reader.value() else { return nil }
    reader.skipSpace()
    return reader.index == bytes.count ? value : nil
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The byte at the place, 0 at the end.
  private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func skipSpace() {
    while [0x20, 0x09, 0x0a, 0x0d].contains(next) { index += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte, index < bytes.count else { return false }
    index += 1
    return true
  }

  private mutating func word(_ word: StaticString, _ value: LineValue) -> LineValue? {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[index...].starts(with: letters) else { return nil }
    index += letters.count
    return value
  }

  private mutating func value() -> LineValue? {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return nested { $0.object() }
    case UInt8(ascii: "["): return nested { $0.list() }
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "t"): return word("true", .bool(true))
    case UInt8(ascii: "f"): return word("false", .bool(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return number()
    }
  }

  private mutating func nested(_ body: (inout LineReader) -> LineValue?) -> LineValue? {
    guard depth < LineValue.deepest else { return nil }
    depth += 1
    index += 1
    defer { depth -= 1 }
    return body(&self)
  }

  private mutating func list() -> LineValue? {
    var items: [LineValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .list(items) }
    while let item = value() {
      items.append(item)
      skipSpace()
      if take(UInt8(ascii: "]")) { return .list(items) }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
    return nil
  }

  private mutating func object() -> LineValue? {
    var properties: [String: LineValue] = [:]
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(properties) }
    while true {
      skipSpace()
      guard let name = string() else { return nil }
      skipSpace()
      guard take(UInt8(ascii: ":")), let item = value(), properties.updateValue(item, forKey: name) == nil else {
        return nil
      }
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(properties) }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
  }

  // MARK: Scalars

  private mutating func digits() -> Int {
    let start = index
    while (0x30...0x39).contains(next) { index += 1 }
    return index - start
  }

  private mutating func number() -> LineValue? {
    let start = index
    _ = take(UInt8(ascii: "-"))
    let isZero = next == UInt8(ascii: "0")
    let count = digits()
    guard count > 0, !isZero || count == 1 else { return nil }
    if take(UInt8(ascii: ".")), digits() == 0 { return nil }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      if digits() == 0 { return nil }
    }
    // No number of anybody's has so many digits.
    guard index - start <= 64, let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)), value.isFinite
    else { return nil }
    return .number(value)
  }

  private mutating func string() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        text += Array(String(Character(scalar)).utf8)
      case ..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    let letter = bytes[index]
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let high = hexadecimal() else { return nil }
    guard (0xd800...0xdbff).contains(high) else { return Unicode.Scalar(high) }
    guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let low = hexadecimal(), (0xdc00...0xdfff).contains(low)
    else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
  }

  private mutating func hexadecimal() -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[index..<index + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
      value = value << 4 | UInt32(digit)
    }
    index += 4
    return value
  }
}
