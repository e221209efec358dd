/// A position of the lever, which is throttle and gearbox at once.
///
/// Gears are ordered by the speed that they command: reverse, neutral, then the forward gears upwards.
nonisolated public enum Gear: Hashable, Sendable, Comparable {
  /// R: backwards.
  case reverse
  /// N: stop; the brake holds.
  case neutral
  /// A forward gear; 1 is the slowest. This is the displayed number; it runs opposite to the rows, which begin at the top.
  case forward(Int)

  /// The gear named by `description`: "R", "N" (in either case) or a number from 1; nil for anything else.
  public init?(_ name: some StringProtocol) {
    switch name {
    case "R", "r": self = .reverse
    case "N", "n": self = .neutral
    default:
      guard name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(name), number >= 1 else {
        return nil
      }
      self = .forward(number)
    }
  }

  /// The throttle that the gear commands, from -1 (reverse) through 0 (neutral) to 1 (the highest of `count` gears).
  ///
  /// A forward gear outside 1...`count` is clamped to that range.
  public func throttle(ofGears count: Int) -> Double {
    switch self {
    case .reverse: -1
    case .neutral: 0
    case .forward(let number): Double(number.clamped(to: 1...max(count, 1))) / Double(max(count, 1))
    }
  }

  /// The gear clamped to a gearbox with `count` forward gears: too high a number becomes the highest, and a number below 1
  /// becomes neutral, because an error must never become speed.
  public func clamped(toGears count: Int) -> Gear {
    guard case .forward(let number) = self else { return self }
    return number < 1 ? .neutral : .forward(min(number, max(count, 1)))
  }

  /// True in any forward gear.
  public var isForward: Bool {
    if case .forward = self { true } else { false }
  }
}

nonisolated extension Gear: CustomStringConvertible {
  /// "R", "N" or the forward gear's number, as text beside the colour.
  public var description: String {
    switch self {
    case .reverse: "R"
    case .neutral: "N"
    case .forward(let number): String(number)
    }
  }
}

nonisolated extension Gear: InspectableValue {
  /// A line of text.
  public static var inspectableKind: InspectableKind { .text }
  /// The gear's name.
  public var json: JSONValue { .string(description) }
  /// Creates a gear from its name, or from a forward gear's number.
  public init(json: JSONValue) throws(InspectableError) {
    let name = json.text ?? json.finiteNumber.flatMap { Int(exactly: $0) }.map(String.init) ?? ""
    guard let gear = Gear(name) else { throw .badValue(json, expected: "a gear: \"R\", \"N\" or a number from 1") }
    self = gear
  }
}
