// Owns reading JSON's numbers and texts.
// Must not know lists and objects.

nonisolated extension JSONReader {
  private static let powersOfTen: [Double] = (0...22).map { power in (0..<power).reduce(1) { value, _ in value * 10 } }

  mutating func number() throws(JSONSyntaxError) -> Double {
    let start = index
    let isNegative = next == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var digits: UInt64 = 0
    var count = 0
    var exponent = 0
    func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    guard isDigit(next) else { throw mistake("expected a digit") }
    let hasLeadingZero = next == UInt8(ascii: "0")
    while isDigit(next) {
      (digits, count) = (digits &* 10 &+ UInt64(next - UInt8(ascii: "0")), count + 1)
      index += 1
    }
    if hasLeadingZero, count > 1 { throw JSONSyntaxError(offset: start, message: "a number does not begin with 0") }
    if next == UInt8(ascii: ".") {
      index += 1
      guard isDigit(next) else { throw mistake("expected a digit after the point") }
      while isDigit(next) {
        (digits, count, exponent) = (digits &* 10 &+ UInt64(next - UInt8(ascii: "0")), count + 1, exponent - 1)
        index += 1
      }
    }
    var isSimple = count <= 15
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isSimple = false
      index += 1
      if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { index += 1 }
      guard isDigit(next) else { throw mistake("expected a digit after the e") }
      while isDigit(next) { index += 1 }
    }
    // Fifteen digits and a power of ten up to 22 are exact, and so is their quotient, rounded once.
    if isSimple, -exponent < Self.powersOfTen.count {
      let value = Double(digits) / Self.powersOfTen[-exponent]
      return isNegative ? -value : value
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw JSONSyntaxError(offset: start, message: "the number is too large")
    }
    return value
  }

  mutating func string() throws(JSONSyntaxError) -> String {
    let start = index
    index += 1
    let first = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        guard let text = String(validating: bytes[first..<index], as: UTF8.self) else {
          throw JSONSyntaxError(offset: start, message: "the text is not UTF-8")
        }
        index += 1
        return text
      case UInt8(ascii: "\\"): return try escapedString(from: first)
      case ..<0x20: throw mistake("a text ends on the line on which it begins; write \\n for a new line")
      default: index += 1
      }
    }
    throw JSONSyntaxError(offset: start, message: "the text has no end: \" is missing")
  }

  /// A text from its first backslash on.
  private mutating func escapedString(from first: Int) throws(JSONSyntaxError) -> String {
    var text = Array(bytes[first..<index])
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw JSONSyntaxError(offset: first - 1, message: "the text is not UTF-8")
        }
        index += 1
        return string
      case UInt8(ascii: "\\") where index + 1 < bytes.count:
        index += 1
        text.append(contentsOf: try escape().utf8)
      case ..<0x20: throw mistake("a text ends on the line on which it begins; write \\n for a new line")
      default:
        text.append(byte)
        index += 1
      }
    }
    throw JSONSyntaxError(offset: first - 1, message: "the text has no end: \" is missing")
  }

  private mutating func escape() throws(JSONSyntaxError) -> String {
    let byte = next
    index += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexUnit()
      if let scalar = Unicode.Scalar(unit) { return String(scalar) }
      // The first half of a pair; the second must follow.
      guard unit < 0xdc00, next == UInt8(ascii: "\\") else { break }
      index += 1
      guard next == UInt8(ascii: "u") else { break }
      index += 1
      let low = try hexUnit()
      guard (0xdc00..<0xe000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xd800) << 10 + (UInt32(low) - 0xdc00))
      else { break }
      return String(scalar)
    default:
      index -= 1
      throw mistake("after \\ comes one of \" \\ / b f n r t u")
    }
    throw mistake("half of a pair of \\u")
  }

  private mutating func hexUnit() throws(JSONSyntaxError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
        throw mistake("\\u needs four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }
}
