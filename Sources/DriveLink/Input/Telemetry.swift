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
  /// True if a value was not what the format allows; it is unknown.
  public private(set) var hasBadValues = false
  /// The answer to a drive line; nil if it is no answer to one.
  public private(set) var answer: DriveAnswer?

  /// Some of the properties.
  public struct Fields: OptionSet, Hashable, Sendable {
    /// One bit per property.
    public let rawValue: Int

    /// The properties of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The vehicle's speed.
    public static let speed = Fields(rawValue: 1)
    /// The battery's charge.
    public static let battery = Fields(rawValue: 2)
    /// The age of the newest command that arrived.
    public static let linkAge = Fields(rawValue: 4)
    /// The warnings for the driver.
    public static let warnings = Fields(rawValue: 8)
    /// All properties.
    public static let all: Fields = [.speed, .battery, .linkAge, .warnings]
    /// The answer to a drive line. Not among `all`, which are the values.
    public static let answer = Fields(rawValue: 16)
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

  /// Reads a line; nil if it is not a JSON object. A known property of a wrong type or out of its range is unknown: one odd sensor
  /// must not hide the others and the warnings.
  public init?(line: some Collection<UInt8>) {
    guard line.count <= TelemetryLines.longest,
      let value = JSONValue(line: line) ?? JSONValue(line: Telemetry.withoutNaN(line)), case .object = value
    else { return nil }
    speed = number(value["speed"], in: -9999...9999)
    battery = number(value["battery"], in: 0...1)
    linkAge = number(value["linkAge"], in: 0...86_400)
    for (name, field) in [
      ("speed", Fields.speed), ("battery", .battery), ("linkAge", .linkAge), ("warnings", .warnings),
    ]
    where value[name] != nil { fields.insert(field) }
    answer = DriveAnswer(value)
    switch value["warnings"] {
    case nil, .null: break
    case .array(let items):
      let texts = items.compactMap(\.text)
      hasBadValues = hasBadValues || texts.count < items.count
      warnings = Array(texts.map(Telemetry.shown).filter { !$0.isEmpty }.prefix(Telemetry.mostWarnings))
    default: hasBadValues = true
    }
  }

  /// Reads a number that may be missing or `null`; nil also if it is not a number within `range`.
  private mutating func number(_ value: JSONValue?, in range: ClosedRange<Double>) -> Double? {
    switch value {
    case nil, .null: return nil
    case .number(let number) where range.contains(number): return number
    default:
      hasBadValues = true
      return nil
    }
  }

  /// The line with `false`, which is no number either, for the words that many programs write for what is no number.
  private static func withoutNaN(_ line: some Collection<UInt8>) -> [UInt8] {
    let text = String(decoding: line, as: UTF8.self)
    guard text.contains("NaN") || text.contains("Infinity") else { return [] }
    // Outside of texts only: every second part between quotation marks that no backslash precedes.
    var (made, isText, isEscaped) = ("", false, false)
    var rest = text[...]
    while let next = rest.first {
      if !isText, let word = ["NaN", "-Infinity", "Infinity"].first(where: rest.hasPrefix) {
        made += "false"
        rest = rest.dropFirst(word.count)
        continue
      }
      if next == "\"", !isEscaped { isText.toggle() }
      isEscaped = next == "\\" && !isEscaped
      made.append(next)
      rest = rest.dropFirst()
    }
    return Array(made.utf8)
  }

  /// False for a line that only answers a drive line.
  public var hasValues: Bool { !fields.isEmpty || answer == nil }

  /// Keeps what the line says of a drive line only.
  public mutating func forgetValues() {
    take(.all, of: Telemetry())
    fields = []
  }

  /// Adds a later line of the same batch.
  public mutating func merge(_ later: Telemetry) {
    take(later.fields, of: later)
    fields.formUnion(later.fields)
    answer = later.answer ?? answer
    hasBadValues = hasBadValues || later.hasBadValues
  }

  /// The values as a line of the format, without a newline.
  public var line: String {
    func text(_ number: Double?) -> String { number.map { "\($0)" } ?? "null" }
    var parts = answer?.properties ?? []
    if fields.contains(.speed) { parts.append("\"speed\":\(text(speed))") }
    if fields.contains(.battery) { parts.append("\"battery\":\(text(battery))") }
    if fields.contains(.linkAge) { parts.append("\"linkAge\":\(text(linkAge))") }
    if fields.contains(.warnings) {
      parts.append("\"warnings\":[\(warnings.map { JSONValue.string($0).jsonText }.joined(separator: ","))]")
    }
    return "{\(parts.joined(separator: ","))}"
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
  /// True if `isSkipping` because there was no time, which is no fault of the line.
  private var isHurried = false

  /// A reader without any bytes yet.
  public init() {}

  /// Adds `bytes`. Returns the valid lines that end within them as one, the newest values last; nil if there is no such line. Once
  /// `isOver`, which is asked after each line, the rest is skipped: a flood must not hold up its reader.
  public mutating func take(_ bytes: some BidirectionalCollection<UInt8>, until isOver: () -> Bool = { false })
    -> Telemetry?
  {
    var merged: Telemetry?
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if let telemetry = finish() {
          if merged == nil { merged = telemetry } else { merged?.merge(telemetry) }
        }
        rest.removeAll(keepingCapacity: true)
        (isSkipping, isHurried) = (false, false)
        guard isOver() else { continue }
        // Of the last line, its rest comes with the next bytes.
        if bytes.last != UInt8(ascii: "\n") { (isSkipping, isHurried) = (true, true) }
        break
      } else if !isSkipping {
        isSkipping = rest.count >= TelemetryLines.longest
        if isSkipping { rest.removeAll(keepingCapacity: true) } else { rest.append(byte) }
      }
    }
    return merged
  }

  /// Adds a datagram, whose end also ends a line. Returns its valid lines as one; nil if there is no such line.
  public mutating func take(datagram bytes: some BidirectionalCollection<UInt8>, until isOver: () -> Bool = { false })
    -> Telemetry?
  {
    let merged = take(bytes, until: isOver)
    guard let last = take(CollectionOfOne(UInt8(ascii: "\n"))) else { return merged }
    guard var all = merged else { return last }
    all.merge(last)
    return all
  }

  /// Discards an unfinished line, because the stream ended or was cut.
  public mutating func cut() {
    if isSkipping && !isHurried || !rest.isEmpty { malformed += 1 }
    rest.removeAll(keepingCapacity: true)
    // What comes next is another stream: its first line is whole.
    (isSkipping, isHurried) = (false, false)
  }

  private mutating func finish() -> Telemetry? {
    if isHurried { return nil }
    if !isSkipping, rest.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) { return nil }
    guard !isSkipping, let telemetry = Telemetry(line: rest) else {
      malformed += 1
      firstMalformed = firstMalformed ?? String(decoding: rest, as: UTF8.self)
      return nil
    }
    count += 1
    if telemetry.hasBadValues { firstMalformed = firstMalformed ?? String(decoding: rest, as: UTF8.self) }
    return telemetry
  }
}
