extension JSONValue {
  /// The value as JSON on one line, with members sorted by name. NaN and infinite numbers become null.
  public var jsonText: String {
    var text = ""
    write(into: &text)
    return text
  }

  func write(into text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): JSONValue.write(number, into: &text)
    case .string(let value): JSONValue.write(value, into: &text)
    case .array(let values): text.write(values, between: "[", "]") { $1.write(into: &$0) }
    case .object(let values):
      text.write(values.sorted { $0.key < $1.key }, between: "{", "}") {
        JSONValue.write($1.key, into: &$0)
        $0 += ": "
        $1.value.write(into: &$0)
      }
    }
  }

  /// Writes the number so that reading it back gives an equal number; NaN and infinite numbers become null.
  private static func write(_ number: Double, into text: inout String) {
    if !number.isFinite {
      text += "null"
    } else if let whole = Int(exactly: number), abs(number) < 1e15 {
      text += String(whole)
    } else {
      text += "\(number)"
    }
  }

  fileprivate static func write(_ string: String, into text: inout String) {
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

/// JSON for users: each item and each member is on a separate line, and members keep the given order.
package indirect enum JSONText {
  /// A value, written on one line.
  case value(JSONValue)
  case list([JSONText])
  case object([(key: String, value: JSONText)])

  /// The text, without a newline at its end.
  package var text: String {
    var text = ""
    write(into: &text, indent: 0)
    return text
  }

  /// Writes the text at the nesting level `indent`: its closing bracket is indented by `indent` levels, its parts by one more. A
  /// level is two spaces.
  private func write(into text: inout String, indent: Int) {
    switch self {
    case .value(let value): value.write(into: &text)
    case .list(let parts):
      text.write(parts, between: "[", "]", indent: indent) { $1.write(into: &$0, indent: indent + 1) }
    case .object(let members):
      text.write(members, between: "{", "}", indent: indent) {
        JSONValue.write($1.key, into: &$0)
        $0 += ": "
        $1.value.write(into: &$0, indent: indent + 1)
      }
    }
  }
}

extension String {
  /// Writes `parts` between brackets, separated by commas: on one line, or, if `indent` is given, each on a separate line that is
  /// indented by `indent` + 1 levels.
  fileprivate mutating func write<Part>(
    _ parts: [Part], between start: String, _ end: String, indent: Int? = nil, _ body: (inout String, Part) -> Void
  ) {
    func lineBreak(_ level: Int) -> String { "\n" + String(repeating: "  ", count: level) }
    self += start
    for (index, part) in parts.enumerated() {
      if index > 0 { self += indent == nil ? ", " : "," }
      if let indent { self += lineBreak(indent + 1) }
      body(&self, part)
    }
    if let indent, !parts.isEmpty { self += lineBreak(indent) }
    self += end
  }
}
