import Controls
import DriveLink
import JSON

/// Reads the properties of a vehicle's file, with the position of each error.
nonisolated struct VehicleFileReader {
  let text: [UInt8]
  let file: String

  private typealias Members = [String: JSONValue]

  // MARK: Errors

  private func mistake(_ path: JSONPath, ofName: Bool = false, _ reason: String) -> ConfigurationError {
    ConfigurationError(file: file, place: TextPlace(of: path, in: text, ofName: ofName), key: path.text, reason)
  }

  private func needs(_ wanted: String, _ path: JSONPath, _ value: JSONValue?) -> ConfigurationError {
    guard let value else { return mistake(path, "is missing: needs \(wanted)") }
    let found =
      switch value {
      case .array, .object: value.article
      default: shown(value.jsonText)
      }
    return mistake(path, "needs \(wanted), not \(found)")
  }

  // MARK: Values

  /// The members of an object, which may have no others than `names`.
  private func object(_ value: JSONValue?, _ path: JSONPath, names: [String]? = nil) throws(ConfigurationError)
    -> Members
  {
    guard case .object(let members)? = value else { throw needs("an object", path, value) }
    if let names {
      for key in members.keys.sorted() where !names.contains(key) {
        let nearest = EditDistance.nearest(to: key, in: names)
        let hint = nearest.map { "did you mean \"\($0)\"?" } ?? "there are \(names.joined(separator: ", "))"
        throw mistake(.key(path, key), ofName: true, "unknown property; \(hint)")
      }
    }
    return members
  }

  /// The number of a member; `other` if it is missing, which without one is an error.
  private func number(
    _ members: Members, _ key: String, _ path: JSONPath, in range: ClosedRange<Double>, or other: Double? = nil
  ) throws(ConfigurationError) -> Double {
    let (value, here) = (members[key], JSONPath.key(path, key))
    if value == nil, let other { return other }
    guard let number = value?.finiteNumber, range.contains(number) else {
      throw needs("a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))", here, value)
    }
    return number
  }

  private func plain(_ number: Double) -> String { JSONValue.number(number).jsonText }

  /// The number in `words` of a member's text; `other` if it is missing, which without one is an error.
  private func choice(
    _ members: Members, _ key: String, _ path: JSONPath, of words: [String], or other: Int? = nil
  ) throws(ConfigurationError) -> Int {
    let (value, here) = (members[key], JSONPath.key(path, key))
    if value == nil, let other { return other }
    guard let index = value?.text.flatMap(words.firstIndex) else {
      let all = words.map { "\"\($0)\"" }
      throw needs(
        all.count > 1 ? "\(all.dropLast().joined(separator: ", ")) or \(all.last ?? "")" : all[0], here, value)
    }
    return index
  }

  private func bool(_ members: Members, _ key: String, _ path: JSONPath, or other: Bool) throws(ConfigurationError)
    -> Bool
  {
    guard let value = members[key] else { return other }
    guard let bool = value.bool else { throw needs("true or false", .key(path, key), value) }
    return bool
  }

  // MARK: The file

  private static let names = [
    "version", "name", "receiver", "steering", "throttle", "limits", "channels", "arm", "mode", "battery", "units",
    "keepNeutral",
  ]

  mutating func root() throws(ConfigurationError) -> JSONValue {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONValue(text, .file)
    } catch {
      throw ConfigurationError(file: file, place: error.place, key: error.path.text, error.message)
    }
    let members = try object(root, .root, names: Self.names)
    guard members["version"] == .number(1) else { throw needs("1", .key(.root, "version"), members["version"]) }
    return root
  }

  func name(_ root: JSONValue) throws(ConfigurationError) -> String {
    guard let name = root["name"]?.text, (1...64).contains(name.unicodeScalars.count), shown(name, limit: 64) == name
    else {
      throw needs("a text of 1 to 64 characters", .key(.root, "name"), root["name"])
    }
    return name
  }

  /// The limits' names in the file, and the options that take them.
  static let limits: [(name: String, option: OptionName)] = [
    ("forward", .limit), ("reverse", .reverseLimit), ("ramp", .ramp), ("expo", .expo), ("trim", .trim),
  ]

  /// The options that the file sets.
  func settings(_ root: JSONValue) throws(ConfigurationError) -> [VehicleFile.Setting] {
    var list: [VehicleFile.Setting] = []
    var unused = Options()
    func add(_ option: OptionName, _ text: String?, _ path: JSONPath, _ value: JSONValue) throws(ConfigurationError) {
      guard let text, option.row.store(text, &unused) else { throw needs(option.wanted, path, value) }
      list.append(VehicleFile.Setting(option: option, text: text))
    }
    if let receiver = root["receiver"] { try add(.drive, receiver.text, .key(.root, "receiver"), receiver) }
    guard let value = root["limits"] else { return list }
    let here = JSONPath.key(.root, "limits")
    let limits = try object(value, here, names: Self.limits.map(\.name))
    for (name, option) in Self.limits {
      guard let value = limits[name] else { continue }
      try add(option, value.finiteNumber.map(OptionValue.decimal), .key(here, name), value)
    }
    return list
  }

  /// Checks what the bridge alone applies.
  func checkHardware(_ root: JSONValue) throws(ConfigurationError) {
    if case .object(let members) = root { _ = try bool(members, "keepNeutral", .root, or: false) }
    for (name, ends) in [("steering", ["left", "right"]), ("throttle", ["forward", "reverse"])] {
      guard let value = root[name] else { continue }
      let here = JSONPath.key(.root, name)
      let members = try object(value, here, names: ["invert"] + ends + ["centre"])
      _ = try bool(members, "invert", here, or: false)
      var reach: [Double] = []
      for end in ends { reach.append(try number(members, end, here, in: 0...1, or: 1)) }
      if name == "throttle" { reach.reverse() }
      // Beyond its ends the centre would turn one direction around.
      _ = try number(members, "centre", here, in: -reach[0]...reach[1], or: 0)
    }
  }

  func battery(_ root: JSONValue) throws(ConfigurationError) -> VehicleFile.Battery? {
    guard let value = root["battery"] else { return nil }
    let here = JSONPath.key(.root, "battery")
    let members = try object(value, here, names: ["alarm", "sound"])
    return VehicleFile.Battery(
      alarm: try number(members, "alarm", here, in: 0...1), sounds: try bool(members, "sound", here, or: true))
  }

  func unit(_ root: JSONValue) throws(ConfigurationError) -> SpeedUnit {
    guard case .object(let members) = root else { return .kilometresPerHour }
    return SpeedUnit.allCases[try choice(members, "units", .root, of: SpeedUnit.allCases.map(\.rawValue), or: 0)]
  }

  // MARK: Channels

  private static func isName(_ name: String) -> Bool {
    (1...16).contains(name.utf8.count)
      && name.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
  }

  /// The members of an object in the file's order: JSON itself has none.
  private func ordered(_ members: Members, _ path: JSONPath) -> [(key: String, value: JSONValue)] {
    let places = members.mapValues { _ in 0 }.keys.map { ($0, TextPlace(of: .key(path, $0), in: text, ofName: true)) }
    return places.sorted { ($0.1.line, $0.1.column) < ($1.1.line, $1.1.column) }.compactMap { key, _ in
      members[key].map { (key, $0) }
    }
  }

  private func checkName(_ name: String, _ path: JSONPath) throws(ConfigurationError) {
    guard Self.isName(name) else {
      throw mistake(path, ofName: true, "a name has 1 to 16 of a-z, 0-9 and -")
    }
  }

  /// An output is the bridge's to judge: a number, or a name such as a topic's.
  private func checkOutput(_ members: Members, _ path: JSONPath) throws(ConfigurationError) {
    guard let value = members["output"] else { return }
    let isNumber = value.whole.map { (0...65_535).contains($0) } ?? false
    let isName = value.text.map { (1...64).contains($0.unicodeScalars.count) && shown($0, limit: 64) == $0 } ?? false
    guard isNumber || isName else {
      throw needs("a whole number from 0 to 65535, or a text of 1 to 64 characters", .key(path, "output"), value)
    }
  }

  func channels(_ root: JSONValue) throws(ConfigurationError) -> [VehicleChannel] {
    guard let value = root["channels"] else { return [] }
    let here = JSONPath.key(.root, "channels")
    let members = try object(value, here)
    guard members.count <= ChannelModel.mostChannels else {
      throw mistake(here, "there are \(members.count) channels; at most \(ChannelModel.mostChannels) fit into a line")
    }
    var channels: [VehicleChannel] = []
    for (name, value) in ordered(members, here) {
      try checkName(name, .key(here, name))
      let channel = try channel(name, value, .key(here, name))
      if let place = channel.gamepad, let other = channels.first(where: { $0.gamepad == place }) {
        throw mistake(.key(.key(here, name), "gamepad"), "\"\(place.rawValue)\" sets \"\(other.name)\" already")
      }
      channels.append(channel)
    }
    return channels
  }

  private static let kinds: [(name: String, properties: [String])] = [
    ("switch", ["off", "on", "start"]), ("axis", ["minimum", "maximum", "start"]), ("choice", ["values", "start"]),
    ("momentary", ["off", "on"]),
  ]

  private func channel(_ name: String, _ value: JSONValue, _ path: JSONPath) throws(ConfigurationError)
    -> VehicleChannel
  {
    let all = try object(value, path)
    let (kind, own) = Self.kinds[try choice(all, "kind", path, of: Self.kinds.map(\.name))]
    let members = try object(value, path, names: ["kind"] + own + ["safe", "output", "gamepad"])
    try checkOutput(members, path)
    let gamepad = try gamepad(members, path, isAxis: kind == "axis")
    func made(_ kind: VehicleChannel.Kind, _ start: Double, _ safe: Double?) -> VehicleChannel {
      VehicleChannel(name: name, kind: kind, start: start, safe: safe, gamepad: gamepad)
    }
    switch kind {
    case "switch":
      let values = [try number(members, "off", path, in: -1...1), try number(members, "on", path, in: -1...1)]
      try differ(values, .key(path, "on"))
      let start = try choice(members, "start", path, of: ["off", "on"], or: 0)
      let safe = try choice(members, "safe", path, of: ["off", "on", "keep"], or: 2)
      return made(.switch(off: values[0], on: values[1]), values[start], safe == 2 ? nil : values[safe])
    case "axis":
      let least = try number(members, "minimum", path, in: -1...1, or: -1)
      let most = try number(members, "maximum", path, in: -1...1, or: 1)
      guard least < most else { throw mistake(.key(path, "maximum"), "must be more than the minimum, \(plain(least))") }
      let start = try number(members, "start", path, in: least...most, or: min(max(0, least), most))
      if members["safe"] == .string("keep") { return made(.axis(least...most), start, nil) }
      if let safe = members["safe"], safe.finiteNumber.map({ least...most ~= $0 }) != true {
        throw needs("\"keep\" or a number from \(plain(least)) to \(plain(most))", .key(path, "safe"), safe)
      }
      return made(.axis(least...most), start, members["safe"]?.finiteNumber ?? start)
    case "choice":
      let values = try values(members, path, in: -1...1, most: 8)
      let names = values.map(\.name)
      let start = try choice(members, "start", path, of: names)
      // A value may be called keep too; then it is that.
      let safe = try choice(members, "safe", path, of: names + ["keep"], or: names.count)
      return made(.choice(values), values[start].value, safe < names.count ? values[safe].value : nil)
    default:
      let values = [try number(members, "off", path, in: -1...1), try number(members, "on", path, in: -1...1)]
      try differ(values, .key(path, "on"))
      if let safe = members["safe"], safe.finiteNumber != values[0] {
        throw needs(
          "\(plain(values[0])), its value when it is off: it always ends with its hand", .key(path, "safe"), safe)
      }
      return made(.momentary(off: values[0], on: values[1]), values[0], values[0])
    }
  }

  private func differ(_ values: [Double], _ path: JSONPath) throws(ConfigurationError) {
    // As lines have them, in thousandths.
    guard (values[0] * 1000).rounded() != (values[1] * 1000).rounded() else {
      throw mistake(path, "must differ from \"off\"")
    }
  }

  /// The named numbers of the member `values`, in the file's order.
  private func values(
    _ members: Members, _ path: JSONPath, in range: ClosedRange<Double>, most: Int
  ) throws(ConfigurationError) -> [(name: String, value: Double)] {
    let here = JSONPath.key(path, "values")
    let values = try object(members["values"], here)
    guard (2...most).contains(values.count) else {
      throw mistake(here, "needs 2 to \(most) values by their names, not \(values.count)")
    }
    var made: [(name: String, value: Double)] = []
    for (name, _) in ordered(values, here) {
      try checkName(name, .key(here, name))
      made.append((name, try number(values, name, here, in: range)))
    }
    return made
  }

  private func gamepad(_ members: Members, _ path: JSONPath, isAxis: Bool) throws(ConfigurationError) -> GamepadPlace? {
    guard members["gamepad"] != nil else { return nil }
    let places = GamepadPlace.allCases.filter { $0.isAxis == isAxis }
    return places[try choice(members, "gamepad", path, of: places.map(\.rawValue))]
  }

  func arm(_ root: JSONValue) throws(ConfigurationError) -> VehicleFile.Arm? {
    guard let value = root["arm"] else { return nil }
    let here = JSONPath.key(.root, "arm")
    let members = try object(value, here, names: ["output", "hold", "safe"])
    try checkOutput(members, here)
    let hold = try number(members, "hold", here, in: 0.5...10, or: 1)
    let safe = try choice(members, "safe", here, of: ["keep", "disarm"], or: 0)
    return VehicleFile.Arm(hold: .milliseconds(Int64((hold * 1000).rounded())), disarmsAtLoss: safe == 1)
  }

  func mode(_ root: JSONValue) throws(ConfigurationError) -> VehicleFile.Mode? {
    guard let value = root["mode"] else { return nil }
    let here = JSONPath.key(.root, "mode")
    let members = try object(value, here, names: ["output", "values", "start"])
    try checkOutput(members, here)
    let values = try values(members, here, in: -1...255, most: 16)
    let names = values.map(\.name)
    return VehicleFile.Mode(names: names, start: try choice(members, "start", here, of: names))
  }
}
