import JSON

/// The values of a line of telemetry; docs/drive.md specifies the format. A value that a line omits is unknown.
public struct Telemetry: Hashable, Sendable {
  /// The speed in km/h, negative backwards.
  public var speed: Double?
  /// The battery's charge, 0 (empty) to 1 (full).
  public var battery: Double?
  /// The age of the newest command that has arrived at the vehicle, in seconds.
  public var linkAge: Double?
  /// The warnings for the driver, the most severe first; at most four.
  public var warnings: [String] = []
  /// The properties that the line contains, including those that it declares unknown (`null`).
  public var fields: Fields = []

  /// Some of the properties.
  public struct Fields: OptionSet, Hashable, Sendable {
    /// One bit per property.
    public let rawValue: Int

    /// The properties of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `speed`.
    public static let speed = Fields(rawValue: 1)
    /// `battery`.
    public static let battery = Fields(rawValue: 2)
    /// `linkAge`.
    public static let linkAge = Fields(rawValue: 4)
    /// `warnings`.
    public static let warnings = Fields(rawValue: 8)
    /// All properties.
    public static let all: Fields = [.speed, .battery, .linkAge, .warnings]
    /// Each property as a separate set.
    public static let each = [speed, battery, linkAge, warnings]

    /// The age after which these values count as unknown. Slowly changing values may be sent less often.
    public var timeout: Duration { isDisjoint(with: [.speed, .linkAge]) ? .seconds(2) : Telemetry.timeout }
  }

  /// The time after the newest line at which all values become unknown; also the timeout of speed and link age.
  public static let timeout = Duration.milliseconds(500)
  /// The maximum number of warnings, and of characters of each warning; the rest is cut off.
  public static let mostWarnings = 4
  static let longestWarning = 40

  /// All values unknown.
  public init() {}

  /// Replaces `fields` by those of `other`.
  public mutating func take(_ fields: Fields, of other: Telemetry) {
    if fields.contains(.speed) { speed = other.speed }
    if fields.contains(.battery) { battery = other.battery }
    if fields.contains(.linkAge) { linkAge = other.linkAge }
    if fields.contains(.warnings) { warnings = other.warnings }
  }

  /// Reads a line; nil if it is not a JSON object, or has a known property of a wrong type or out of its range.
  public init?(line: some Collection<UInt8>) {
    guard line.count <= TelemetryLines.longest, let value = JSONValue(line: line), case .object = value,
      let speed = Telemetry.number(value["speed"], in: -9999...9999),
      let battery = Telemetry.number(value["battery"], in: 0...1),
      let linkAge = Telemetry.number(value["linkAge"], in: 0...86_400)
    else { return nil }
    (self.speed, self.battery, self.linkAge) = (speed, battery, linkAge)
    for (name, field) in [
      ("speed", Fields.speed), ("battery", .battery), ("linkAge", .linkAge), ("warnings", .warnings),
    ]
    where value[name] != nil { fields.insert(field) }
    switch value["warnings"] {
    case nil, .null: break
    case .array(let items):
      for item in items {
        guard let text = item.text else { return nil }
        warnings.append(Telemetry.shown(text))
      }
      warnings = Array(warnings.filter { !$0.isEmpty }.prefix(Telemetry.mostWarnings))
    default: return nil
    }
  }

  /// Reads a number that may be missing: the inner nil if it is missing or `null`, the outer nil if it is not a number within
  /// `range`.
  private static func number(_ value: JSONValue?, in range: ClosedRange<Double>) -> Double?? {
    switch value {
    case nil, .null: .some(nil)
    case .number(let number) where range.contains(number): .some(number)
    default: nil
    }
  }

  /// The text on one line of bounded length, with control characters replaced.
  private static func shown(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longestWarning) {
      let isPlain = scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
      shown.append(isPlain ? scalar : " ")
    }
    return String(shown)
  }
}

/// Splits received bytes into lines of telemetry.
public struct TelemetryLines: Sendable {
  /// The maximum length of a line, in bytes; longer ones are skipped.
  public static let longest = 4096

  /// The number of valid lines.
  public private(set) var count: UInt64 = 0
  /// The number of invalid lines.
  public private(set) var malformed: UInt64 = 0
  /// The first complete line that was invalid; nil if all were valid. An overlong line is kept as empty text.
  public private(set) var firstMalformed: String?
  private var rest: [UInt8] = []
  /// True while the rest of an overlong line is skipped.
  private var isSkipping = false

  /// A reader without any bytes yet.
  public init() {}

  /// Adds `bytes`. Returns the newest valid line that ends within them, as text and as values; nil if there is no such line.
  public mutating func take(_ bytes: some Sequence<UInt8>) -> (line: String, telemetry: Telemetry)? {
    var newest: (line: String, telemetry: Telemetry)?
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if let telemetry = finish() { newest = (String(decoding: rest, as: UTF8.self), telemetry) }
        rest.removeAll(keepingCapacity: true)
        isSkipping = false
      } else if !isSkipping {
        isSkipping = rest.count >= TelemetryLines.longest
        if isSkipping { rest.removeAll(keepingCapacity: true) } else { rest.append(byte) }
      }
    }
    return newest
  }

  /// Adds a datagram, whose end also ends a line. Returns its newest valid line; nil if there is no such line.
  public mutating func take(datagram bytes: some Sequence<UInt8>) -> (line: String, telemetry: Telemetry)? {
    let newest = take(bytes)
    return take(CollectionOfOne(UInt8(ascii: "\n"))) ?? newest
  }

  /// Discards an unfinished line, because the stream ended or was cut.
  public mutating func cut() {
    if isSkipping || !rest.isEmpty { malformed += 1 }
    rest.removeAll(keepingCapacity: true)
    isSkipping = false
  }

  private mutating func finish() -> Telemetry? {
    if !isSkipping, rest.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) { return nil }
    guard !isSkipping, let telemetry = Telemetry(line: rest) else {
      malformed += 1
      firstMalformed = firstMalformed ?? String(decoding: rest, as: UTF8.self)
      return nil
    }
    count += 1
    return telemetry
  }
}
