/// How a number is written: so many digits after the point at most, none that say nothing.
nonisolated public struct NumberFormat: Hashable, Sendable {
  /// The most digits after the point, 0...9; 0 for whole numbers.
  public let fractionDigits: Int

  /// Numbers with up to `fractionDigits` digits after the point.
  public init(fractionDigits: Int = 3) {
    self.fractionDigits = min(max(fractionDigits, 0), 9)
  }

  /// The number that is written for `value`.
  public func rounded(_ value: Double) -> Double {
    let unit = Self.power(fractionDigits)
    guard value.isFinite, abs(value) < 1e15 / unit else { return value }
    let rounded = (value * unit).rounded() / unit
    return rounded == 0 ? 0 : rounded
  }

  /// `value` as text: `0.25`, `-3`, `12`.
  public func text(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "" : value < 0 ? "-∞" : "∞" }
    let unit = Self.power(fractionDigits)
    guard abs(value) < 1e15 / unit else { return "\(value)" }
    let whole = Int((abs(value) * unit).rounded())
    let (front, back) = (whole / Int(unit), whole % Int(unit))
    var digits = String(back)
    digits = String(repeating: "0", count: fractionDigits - min(digits.count, fractionDigits)) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    let sign = value < 0 && whole > 0 ? "-" : ""
    return sign + String(front) + (back == 0 ? "" : "." + digits)
  }

  /// The number that `text` writes, with a point or a comma; nil for what is none. It is not rounded.
  public func value(_ text: String) -> Double? {
    var plain = ""
    for character in text where !character.isWhitespace {
      switch character {
      case ",": plain.append(".")
      case "−": plain.append("-")
      default: plain.append(character)
      }
    }
    guard let first = plain.unicodeScalars.first, "0123456789.-+".unicodeScalars.contains(first), !plain.contains("x"),
      let value = Double(plain), value.isFinite
    else { return nil }
    return fractionDigits == 0 && value != value.rounded() ? nil : value
  }

  private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { value, _ in value * 10 } }
}
