import DriveLink
import JSON
import Linux

/// A file that describes one vehicle: its receiver, its limits, its channels. cockpit-bridge reads the same file; docs/vehicles.md says who
/// applies what.
nonisolated struct VehicleFile: Equatable, Sendable {
  /// The path, or the name of the text in errors.
  let path: String
  /// The file's text, for records and the bridge.
  let source: String
  let name: String
  /// The texts of the options that the file sets beneath the command line: `--drive` and those of fine control.
  let settings: [Setting]
  let channels: [VehicleChannel]
  let arm: Arm?
  let mode: Mode?
  let battery: Battery?
  let unit: SpeedUnit

  /// An option and the text of its value.
  struct Setting: Equatable, Sendable {
    let option: OptionName
    let text: String
  }

  /// The options that the file sets, as a list.
  var options: OptionList {
    var list = OptionList()
    // The texts were found good when the file was read.
    for setting in settings { try? list.add(setting.option, setting.text) }
    return list
  }

  /// How the driver arms the vehicle.
  struct Arm: Equatable, Sendable {
    /// How long the button must be held.
    var hold = Duration.seconds(1)
    /// True if every loss disarms, not only those that always do.
    var disarmsAtLoss = false
  }

  /// The modes of an autopilot, in the file's order.
  struct Mode: Equatable, Sendable {
    var names: [String]
    var start: Int
  }

  /// When the battery is low.
  struct Battery: Equatable, Sendable {
    /// The part of the charge, 0 to 1, at and below which it is.
    var alarm: Double
    var sounds = true
  }

  /// The largest file that is read, in bytes.
  static let largestFile = 64 << 10

  /// Reads the file at `path`.
  ///
  /// - Throws: `ConfigurationError` for the first error.
  init(contentsOf path: String) throws(ConfigurationError) {
    let text: [UInt8]
    do throws(FileReader.Failure) {
      text = try FileReader.bytes(of: path, atMost: Self.largestFile)
    } catch {
      let reason = error == .tooLarge ? "has more than \(Self.largestFile >> 10) KiB" : "can't be read: \(error)"
      throw ConfigurationError(file: path, reason)
    }
    try self.init(text, path: path)
  }

  /// Reads `text`; errors use `path` as the file's name.
  ///
  /// - Throws: `ConfigurationError` for the first error: invalid JSON, then the properties in the order of their names.
  init(_ text: [UInt8], path: String) throws(ConfigurationError) {
    var reader = VehicleFileReader(text: text, file: path)
    let root = try reader.root()
    self.path = path
    source = String(decoding: text, as: UTF8.self)
    name = try reader.name(root)
    settings = try reader.settings(root)
    channels = try reader.channels(root)
    arm = try reader.arm(root)
    mode = try reader.mode(root)
    battery = try reader.battery(root)
    unit = try reader.unit(root)
    try reader.checkHardware(root)
  }

  /// The path from the root of the file system, for a program that is started in another folder.
  var absolutePath: String {
    let name = path.lastIndex(of: "/").map { String(path[$0...].dropFirst()) } ?? path
    return "\(FileReader.folder(of: path))/\(name)"
  }

  /// The state of channels, arming and mode at the start; nil if the file declares none of them.
  var model: ChannelModel? {
    guard !channels.isEmpty || arm != nil || mode != nil else { return nil }
    return ChannelModel(
      channels.map(\.modelled), modes: mode?.names ?? [], mode: mode?.start ?? 0, canArm: arm != nil,
      disarmsAtLoss: arm?.disarmsAtLoss ?? false)
  }

  /// True for the text of a vehicle's file, false for that of a scene: which of both it is meant to be.
  static func describes(_ text: [UInt8]) -> Bool {
    guard let root = try? JSONValue(text, .file) else { return false }
    return root["type"] == nil && root["version"] != nil
  }
}

/// A channel of a vehicle: what its values are, and which part of a gamepad sets it.
nonisolated struct VehicleChannel: Equatable, Sendable {
  /// What a hand can do with the channel.
  enum Kind: Equatable, Sendable {
    case `switch`(off: Double, on: Double)
    case axis(ClosedRange<Double>)
    /// The values by their names, in the file's order.
    case choice([(name: String, value: Double)])
    case momentary(off: Double, on: Double)

    static func == (one: Kind, other: Kind) -> Bool {
      switch (one, other) {
      case (.switch(let off, let on), .switch(let off2, let on2)): (off, on) == (off2, on2)
      case (.axis(let range), .axis(let range2)): range == range2
      case (.choice(let values), .choice(let values2)):
        values.map(\.name) == values2.map(\.name) && values.map(\.value) == values2.map(\.value)
      case (.momentary(let off, let on), .momentary(let off2, let on2)): (off, on) == (off2, on2)
      default: false
      }
    }
  }

  let name: String
  let kind: Kind
  /// The value at the start; nil means off, of a momentary channel.
  let start: Double
  /// The value after a loss; nil keeps what it has.
  let safe: Double?
  let gamepad: GamepadPlace?

  fileprivate var modelled: ChannelModel.Channel {
    if case .momentary(let off, let on) = kind { return ChannelModel.Channel(momentary: name, off: off, on: on) }
    return ChannelModel.Channel(name, start: start, safe: safe)
  }
}

/// A part of a gamepad that drives nothing else, by its name in files.
nonisolated enum GamepadPlace: String, CaseIterable, Sendable {
  case west, select, start
  case leftStick = "left-stick"
  case rightStick = "right-stick"
  case padUp = "pad-up"
  case padDown = "pad-down"
  case padLeft = "pad-left"
  case padRight = "pad-right"
  case rightX = "right-x"
  case rightY = "right-y"

  /// True for a stick's axis, false for a button.
  var isAxis: Bool { self == .rightX || self == .rightY }
}
