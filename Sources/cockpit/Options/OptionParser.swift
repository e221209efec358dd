import CockpitControls
import Controls
import DriveLink
import Shell
import Tilt
import UICore

/// Reads a command line.
nonisolated enum OptionParser {
  /// The options in `arguments` (without the program's name). Values follow as `--opt value` or `--opt=value`; of an option
  /// given twice the last counts. Words after `--help` or `--version` are ignored.
  static func parse(_ arguments: [String]) throws(OptionError) -> Options {
    let list = try read(arguments)
    try list.check()
    return list.options
  }

  /// The same as a list, not yet checked for options that do not go together: a file may add to it.
  static func read(_ arguments: [String]) throws(OptionError) -> OptionList {
    var list = OptionList()
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-", word != "--" else { throw .unexpectedArgument(word) }
      let (name, inline) = split(word)
      guard let option = named(name) else { throw .unknownOption(name, nearest: nearest(to: name)) }
      if option.value == nil {
        guard inline == nil || (option.isSwitch && isOn(inline) != nil) else {
          throw .unexpectedValue(option, inline ?? "")
        }
        try list.add(option, inline ?? "on")
      } else if let inline {
        try list.add(option, inline)
      } else if let next = rest.first, !next.hasPrefix("--") {
        rest.removeFirst()
        try list.add(option, next)
      } else {
        throw .missingValue(option)
      }
      switch list.options.action {
      case .run, .saveConfiguration, .check, .showInfo: continue
      case .showHelp, .showVersion: return list
      }
    }
    return list
  }

  /// "--name=value" as its two parts.
  private static func split(_ word: String) -> (name: String, value: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  private static func named(_ name: String) -> OptionName? {
    if name == "-h" { return .help }
    return name.hasPrefix("--") ? OptionName(rawValue: String(name.dropFirst(2))) : nil
  }

  /// Applies an option; `value` is "on" or "off" for one that takes none.
  fileprivate static func set(_ option: OptionName, _ value: String, in options: inout Options) throws(OptionError) {
    func need<Value>(_ parsed: Value?) throws(OptionError) -> Value {
      guard let parsed else { throw .badValue(option, value) }
      return parsed
    }
    switch option {
    case .size: options.size = try need(size(value))
    case .scale: options.scale = Scale(try need(number(value, in: Options.scales)))
    case .iviID: options.role = .ivi(id: UInt32(try need(whole(value, in: 1...Int(UInt32.max) - 1))))
    case .strip: options.role = .strip(try need(WindowRole.Side(rawValue: value)))
    case .gear: options.gear = try need(gear(value))
    case .steer:
      options.steeringDegrees = try need(number(value, in: -Options.greatestSteering...Options.greatestSteering))
    case .tilt: options.tilt = try need(tilt(value))
    case .beacon: options.showsBeacon = try need(isOn(value))
    case .theme: options.theme = try need(ThemeChoice(rawValue: value))
    case .scene, .watch:
      options.scene = try need(value.isEmpty ? nil : value)
      options.watchesScene = option == .watch
    case .check: options.action = .check(try need(value.isEmpty ? nil : value))
    case .viewer: options.viewerDistance = try need(millimetres(value, in: Options.viewerDistances))
    case .display: options.display = try need(extent(value))
    case .screenshot: options.screenshot = try need(value.hasSuffix(".png") && value.count > 4 ? value : nil)
    case .frames: options.frames = try need(whole(value, in: 1...Int(Int32.max)))
    case .drive: options.drive = try need(DriveEndpoint(value))
    case .driveRate: options.driveRate = try need(whole(value, in: DriveStream.rates))
    case .priority: options.priority = try need(DrivePriority(rawValue: value))
    case .limit: options.limit = try need(number(value, in: DriveShaping.limits))
    case .reverseLimit: options.reverseLimit = try need(number(value, in: DriveShaping.limits))
    case .ramp: options.ramp = try need(number(value, in: DriveShaping.ramps))
    case .trim: options.trim = try need(number(value, in: DriveShaping.trims))
    case .expo: options.expo = try need(number(value, in: DriveShaping.expos))
    case .throttle: options.throttle = try need(Options.Throttle(rawValue: value))
    case .vigilance: options.vigilance = .seconds(try need(number(value, in: Options.vigilances)))
    case .deadMan: options.deadMan = try need(isOn(value))
    case .answerLimit: options.answerLimit = .milliseconds(try need(whole(value, in: Options.answerLimits)))
    case .telemetry: options.telemetry = try need(DriveEndpoint(source: value))
    case .record: options.record = try need(value.isEmpty ? nil : value)
    case .replay: options.replay = try need(value.isEmpty ? nil : value)
    case .replaySpeed: options.replaysFast = try need(["fast": true, "real": false][value])
    case .reconnectFor: options.reconnectSeconds = try need(number(value, in: 0...Options.longestWait))
    case .log: options.log = try need(isLogSpec(value) ? value : nil)
    case .fullscreen: options.isFullscreen = try need(isOn(value))
    case .dumpTree: options.dumpsTree = true
    case .latency: options.measuresLatency = try need(isOn(value))
    case .noWindow: options.hidesWindow = true
    case .demo: options.playsDemo = try need(isOn(value))
    case .keepRunning: options.keepsRunning = try need(isOn(value))
    case .config:
      options.configuration = try need(
        value.isEmpty ? nil : value == "none" ? Options.ConfigurationChoice.none : .file(value))
    case .saveConfig: options.action = .saveConfiguration
    case .info: options.action = .showInfo
    case .version: options.action = .showVersion
    case .help: options.action = .showHelp
    }
  }

  // MARK: Values

  private static func isOn(_ text: String?) -> Bool? {
    switch text {
    case "on": true
    case "off": false
    default: nil
    }
  }

  private static func size(_ text: String) -> Size? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = whole(parts[0], in: 1...Options.greatestSide),
      let height = whole(parts[1], in: 1...Options.greatestSide)
    else { return nil }
    return Size(width: Double(width), height: Double(height))
  }

  /// A length with its unit, in millimetres.
  private static func millimetres(_ text: some StringProtocol, in range: ClosedRange<Double>) -> Double? {
    for (unit, factor) in [("mm", 1.0), ("cm", 10), ("m", 1000)] where text.hasSuffix(unit) {
      return number(String(text.dropLast(unit.count)), in: range.lowerBound / factor...range.upperBound / factor)
        .map { $0 * factor }
    }
    return nil
  }

  /// A width and a height in one unit, in millimetres.
  private static func extent(_ text: String) -> Size? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let unit = ["mm", "cm", "m"].first(where: parts[1].hasSuffix),
      let width = millimetres(parts[0] + unit, in: Options.displaySides),
      let height = millimetres(parts[1], in: Options.displaySides)
    else { return nil }
    return Size(width: width, height: height)
  }

  private static func gear(_ text: String) -> Gear? {
    guard let gear = Gear(text), gear == gear.clamped(toGears: Options.gearCount) else { return nil }
    return gear
  }

  private static func tilt(_ text: String) -> Options.Tilt? {
    switch text {
    case "on": .on
    case "off": .off
    case "": nil
    // A bare device name is one of the system's devices.
    case let name where !name.contains("/"):
      name.hasPrefix("iio:device") ? .device("\(Accelerometer.systemFolder)/\(name)") : nil
    default: .device(text)
    }
  }

  /// A number in decimal digits, without sign.
  private static func whole(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
    return range.contains(number) ? number : nil
  }

  /// The value of a decimal number; nil for "nan", "inf" and hexadecimal forms.
  private static func number(_ text: String, in range: ClosedRange<Double>) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e].contains($0) }),
      let number = Double(text)
    else { return nil }
    return range.contains(number) ? number : nil
  }

  /// Comma-separated scopes of lowercase letters, digits and hyphens, each with an optional level.
  private static func isLogSpec(_ text: String) -> Bool {
    text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { entry in
      let words = entry.split(separator: ":", omittingEmptySubsequences: false)
      return words.count <= 2
        && words.allSatisfy { word in
          !word.isEmpty
            && word.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
        }
    }
  }

  /// Checks values that go with another option only as some of them.
  fileprivate static func checkValues(_ options: Options) throws(OptionError) {
    if options.drive != nil {
      if let gear = options.gear, gear != .neutral { throw .conflict(.gear, .drive) }
      if let degrees = options.steeringDegrees, degrees != 0 { throw .conflict(.steer, .drive) }
    }
    if options.playsDemo {
      if options.drive != nil { throw .conflict(.demo, .drive) }
      if options.hasDeadMan { throw .conflict(.demo, .deadMan) }
      if options.action == .saveConfiguration { throw .conflict(.demo, .saveConfig) }
    }
    if options.replay != nil, let drive = options.drive, drive != .standard { throw .conflict(.drive, .replay) }
  }

  fileprivate static func checkPixels(_ options: Options) throws(OptionError) {
    guard let scale = options.scale else { return }
    let pixels = scale.pixelSize(options.size)
    guard max(pixels.width, pixels.height) <= Options.greatestSide else {
      throw .tooManyPixels(width: pixels.width, height: pixels.height)
    }
  }

  // MARK: The nearest name

  /// The option whose name is nearest to the typed word, or nil when none is near.
  private static func nearest(to typed: String) -> OptionName? {
    let word = String(typed.drop { $0 == "-" })
    return EditDistance.nearest(to: word, in: OptionName.allCases.map(\.rawValue)).flatMap(OptionName.init)
  }
}

/// Options with their values as they were written: of a command line, of a file, or of both.
nonisolated struct OptionList: Sendable {
  /// The resulting options.
  private(set) var options = Options()
  /// Each of them, in order; a switch has "on" or "off".
  private(set) var texts: [(option: OptionName, text: String)] = []

  /// Adds an option, replacing an earlier value of it.
  ///
  /// - Throws: `OptionError.badValue`.
  mutating func add(_ option: OptionName, _ text: String) throws(OptionError) {
    try OptionParser.set(option, text, in: &options)
    texts.removeAll { $0.option == option }
    texts.append((option, text))
    if case .strip(let side) = options.role, !texts.contains(where: { $0.option == .size }) {
      let isLying = side == .top || side == .bottom
      options.size = isLying ? Size(width: 1280, height: 240) : Size(width: 320, height: 720)
    }
  }

  /// Removes an option from the list; the others stay unchanged.
  mutating func remove(_ option: OptionName) {
    let rest = texts.filter { $0.option != option }
    self = OptionList()
    for (option, text) in rest { try? add(option, text) }
  }

  /// The options of the list; a switch that is off does not count.
  var names: Set<OptionName> {
    Set(texts.filter { !($0.option.isSwitch && $0.text == "off") }.map(\.option))
  }

  /// Checks that the options go together.
  ///
  /// - Throws: `OptionError.conflict`, `.needs` or `.tooManyPixels`.
  func check() throws(OptionError) {
    guard options.action != .showHelp, options.action != .showVersion else { return }
    try OptionParser.checkPixels(options)
    try names.check(showsCatalogue: options.showsCatalogue)
    try OptionParser.checkValues(options)
    // A window has one role.
    let places = [OptionName.fullscreen, .iviID, .strip].filter(names.contains)
    if places.count > 1 { throw .conflict(places[0], places[1]) }
  }

  /// Merges this list over one of a file. An option in both applies as in this list. Options of the file that clash with those
  /// here, or have no effect with them, are ignored. But options that would move a vehicle without a hand are not ignored
  /// silently.
  ///
  /// - Throws: `OptionError` for those of this list alone, and for a gear, an angle or a scripted drive beside `--drive` of
  ///   either.
  func over(_ file: OptionList) throws(OptionError) -> OptionList {
    var given = Set(texts.map(\.option))
    // Two names of one option.
    if !given.isDisjoint(with: [.scene, .watch]) { given.formUnion([.scene, .watch]) }
    var added = file.texts.filter { !given.contains($0.option) }
    while true {
      var all = OptionList()
      for (option, text) in added + texts { try all.add(option, text) }
      do throws(OptionError) {
        try all.check()
        return all
      } catch {
        guard !error.isAboutHands,
          let index = error.options.compactMap({ name in added.firstIndex { $0.option == name } }).first
        else {
          throw error
        }
        added.remove(at: index)
      }
    }
  }
}
