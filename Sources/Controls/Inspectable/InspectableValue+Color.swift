// Owns colours as people write them.
// Must not know properties or views.

nonisolated extension Color: InspectableValue {
  /// A colour.
  public static var inspectableKind: InspectableKind { .color }

  /// As `"#rrggbb"` or `"#rrggbbaa"` where that says it exactly, else as `[red, green, blue, alpha]`.
  public var json: JSONValue {
    let text = hexString
    return Color(text: text) == self ? .string(text) : JSONValue(numbers: [red, green, blue, alpha])
  }

  /// From `"#rgb"`, `"#rrggbb"`, `"#rrggbbaa"`, `"clear"`, `"white"`, `"black"`, or `[red, green, blue]` with or without
  /// alpha, each 0...1.
  public init(json: JSONValue) throws(InspectableError) {
    if case .string(let text) = json, let color = Color(text: text) {
      self = color
    } else if let parts = json.numbers(4) ?? json.numbers(3).map({ $0 + [1] }),
      parts.allSatisfy({ (0...1).contains($0) })
    {
      self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    } else {
      throw Self.error(json)
    }
  }

  /// False with NaN or infinite parts.
  public var isUsable: Bool { red.isFinite && green.isFinite && blue.isFinite && alpha.isFinite }

  /// The colour that `text` writes: `#rgb`, `#rrggbb` or `#rrggbbaa`, `clear`, `white` or `black`; nil for anything else.
  public init?(text: String) {
    switch text {
    case "clear": self = .clear
    case "white": self = .white
    case "black": self = .black
    default:
      var digits: [UInt32] = []
      for byte in text.utf8.dropFirst() {
        guard let digit = Color.hexDigit(byte) else { return nil }
        digits.append(digit)
      }
      guard text.utf8.first == UInt8(ascii: "#") else { return nil }
      if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
      guard digits.count == 6 || digits.count == 8 else { return nil }
      let bytes = stride(from: 0, to: digits.count, by: 2).map { Double(digits[$0] << 4 | digits[$0 + 1]) / 255 }
      self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count == 4 ? bytes[3] : 1)
    }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
