/// The number format: at most `fractionDigits` decimals, without trailing zeros.
nonisolated public struct NumberFormat: Hashable, Sendable {
  /// The maximum number of decimals, 0...9; 0 for whole numbers.
  public let fractionDigits: Int

  /// Numbers with up to `fractionDigits` digits after the point.
  public init(fractionDigits: Int = 3) {
    self.fractionDigits = fractionDigits.clamped(to: 0...9)
  }

  /// The decimals that `step` needs to be written exactly, from `least` to 9. A step with more, such as a third, needs as many as
  /// show that it is not 0.
  static func digits(of step: Double, atLeast least: Int) -> Int {
    let least = least.clamped(to: 0...9)
    guard step > 0, step.isFinite else { return least }
    let exact = (least...9).first { digits in
      let units = step * power(digits)
      return units >= 1 && abs(units - units.rounded()) < min(1e-9 * units, 1e-3)
    }
    return exact ?? (least...9).first { step * power($0) >= 1 } ?? 9
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
    var (front, back): (Int, Int)
    if abs(value) < 1e15 / unit {
      let whole = Int((abs(value) * unit).rounded())
      (front, back) = (whole / Int(unit), whole % Int(unit))
    } else if abs(value) < 1e16 {
      // Whole and fraction apart, since together they have more digits than a number can.
      let whole = abs(value).rounded(.down)
      (front, back) = (Int(whole), Int(((abs(value) - whole) * unit).rounded()))
      if back == Int(unit) { (front, back) = (front + 1, 0) }
    } else {
      return "\(value)"
    }
    var digits = String(back)
    digits = String(repeating: "0", count: fractionDigits - min(digits.count, fractionDigits)) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    let sign = value < 0 && (front > 0 || back > 0) ? "-" : ""
    return sign + String(front) + (back == 0 ? "" : "." + digits)
  }

  /// The number that `text` represents; nil for any other text. It is not rounded.
  ///
  /// A point or a comma separates the decimals, and digits and signs may be those of any script. With both, or with several of
  /// one, the others separate thousands: `1,234.5`, `1.234,5`, `1 234 567`. `1,234` is refused: for one half of the world it is
  /// a thousand times what it is for the other.
  public func value(_ text: String) -> Double? {
    var plain = Self.plain(text)
    guard let first = plain.unicodeScalars.first, "0123456789.,-+".unicodeScalars.contains(first), !plain.contains("x"),
      !Self.isAmbiguous(plain)
    else { return nil }
    guard let decimal = Self.withoutThousands(&plain) else { return nil }
    guard let value = Double(plain.map { $0 == decimal ? "." : String($0) }.joined()), value.isFinite else {
      return nil
    }
    return fractionDigits == 0 && value != value.rounded() ? nil : value
  }

  /// `text` with ASCII digits and signs, without blanks and invisible marks.
  private static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      if properties.numericType == .decimal, let digit = properties.numericValue {
        plain += String(Int(digit))
        continue
      }
      switch scalar {
      case ",", "\u{ff0c}": plain += ","
      case "٬", "'", "’": plain += "'"
      case ".", "\u{3002}", "\u{ff0e}", "\u{ff61}", "٫": plain += "."
      case "-", "−", "\u{ff0d}", "\u{fe63}": plain += "-"
      case "+", "\u{ff0b}": plain += "+"
      default:
        let isInvisible = properties.isWhitespace || properties.generalCategory == .format
        if !isInvisible { plain.unicodeScalars.append(scalar) }
      }
    }
    return plain
  }

  /// True for `1,234`: one to three digits, not 0, then a comma and three digits.
  private static func isAmbiguous(_ plain: String) -> Bool {
    let parts = plain.drop { $0 == "-" || $0 == "+" }.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }) else { return false }
    return (1...3).contains(parts[0].count) && parts[0] != "0" && parts[1].count == 3
  }

  /// Removes what separates thousands, and returns what separates decimals; nil if groups are not of three digits.
  private static func withoutThousands(_ plain: inout String) -> Character? {
    let separators = plain.filter { $0 == "," || $0 == "." || $0 == "'" }
    guard separators.count > 1 || separators == "'", let last = separators.last else { return separators.first ?? "." }
    let isSingle = last != "'" && separators.filter { $0 == last }.count == 1
    let decimal: Character = isSingle ? last : " "
    let whole = plain.prefix { $0 != decimal }.drop { $0 == "-" || $0 == "+" }
    let groups = whole.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." || $0 == "'" }
    let thousands = Set(separators.dropLast(isSingle ? 1 : 0))
    guard thousands.count == 1, !thousands.contains(decimal), (1...3).contains(groups[0].count),
      groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return nil }
    plain.removeAll { thousands.contains($0) }
    return decimal
  }

  private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { value, _ in value * 10 } }
}
