// Owns writing a value as JSON on one line.
// Must not know what the value is for.

nonisolated extension JSONValue {
  /// The value as JSON on one line; numbers that are not finite as null, members sorted by name.
  public var jsonText: String {
    var text = ""
    write(into: &text)
    return text
  }

  /// `number` as JSON: the shortest text that gives it again.
  static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    if let whole = Int(exactly: number), abs(number) < 1e15 { return String(whole) }
    return "\(number)"
  }

  func write(into text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): text += Self.text(of: number)
    case .string(let value): Self.write(value, into: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        value.write(into: &text)
      }
      text += "]"
    case .object(let values):
      text += "{"
      for (index, member) in values.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += ", " }
        Self.write(member.key, into: &text)
        text += ": "
        member.value.write(into: &text)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
