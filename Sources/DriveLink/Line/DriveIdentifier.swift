/// Whose lines they are: a number that each start of the cockpit draws anew, and so does each suspend of its machine.
public struct DriveIdentifier: Hashable, Sendable {
  let number: UInt32

  /// A number that the system draws (getrandom).
  public init() { number = .random(in: 0...(.max)) }

  /// The identifier of eight lower-case hexadecimal digits; nil for any other text.
  public init?(_ text: String) {
    guard text.utf8.count == 8, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      let number = UInt32(text, radix: 16)
    else { return nil }
    self.number = number
  }
}

extension DriveIdentifier: CustomStringConvertible {
  /// Eight lower-case hexadecimal digits.
  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}
