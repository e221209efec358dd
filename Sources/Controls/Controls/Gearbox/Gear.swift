/// A position of the lever: one control is throttle and gearbox at once (G1, G4).
///
/// Gears are ordered by the speed that they ask for: reverse, neutral, then forward upwards.
nonisolated public enum Gear: Hashable, Sendable, Comparable {
  /// R: backwards.
  case reverse
  /// N: stop, the brake holds (G4).
  case neutral
  /// A forward gear, 1 the slowest. People read this number; it counts against the rows, which begin at the top (G22).
  case forward(Int)

  /// The gear by the name that `description` gives it: "R", "N" (in either case) or a number from 1; nil for anything else.
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

  /// What the gear asks of the engine, from -1 (reverse) through 0 (neutral) to 1 (the highest of `count` gears).
  ///
  /// A forward gear outside 1...`count` counts as the nearest one inside.
  public func throttle(ofGears count: Int) -> Double {
    switch self {
    case .reverse: -1
    case .neutral: 0
    case .forward(let number): Double(min(max(number, 1), max(count, 1))) / Double(max(count, 1))
    }
  }

  /// The gear that a box with `count` forward gears has: too high a number becomes the highest, a number below 1 neutral,
  /// because a mistake must never become speed.
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
  /// "R", "N" or the forward gear's number: text that says the same as the colour (G-D12).
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
  /// From the gear's name, or a forward gear's number.
  public init(json: JSONValue) throws(InspectableError) {
    let name = json.text ?? json.finiteNumber.flatMap { Int(exactly: $0) }.map(String.init) ?? ""
    guard let gear = Gear(name) else { throw .badValue(json, expected: "a gear: \"R\", \"N\" or a number from 1") }
    self = gear
  }
}
