import DriveLink

/// The driven destination and its settings, shown at the start: on the screen for three seconds or until a hand drives, and in
/// one line on standard error.
nonisolated struct DriveSummary: Hashable, Sendable {
  static let duration = Duration.seconds(3)

  let place: String
  let hasDeadMan: Bool
  /// The vehicle's name; nil without a file of its own.
  let vehicle: String?
  /// The configuration file, if it set the receiver, and if it set the dead-man's switch.
  var fileOfPlace: String?
  var fileOfDeadMan: String?

  /// The summary of `options`; nil if nothing real is driven.
  init?(_ options: Options) {
    guard let drive = options.receiver else { return nil }
    place = "\(drive)"
    hasDeadMan = options.hasDeadMan
    vehicle = options.vehicleFile?.name
    for file in [options.settingsFile, options.vehicleSettings].compactMap(\.self) {
      if file.options.contains(.drive) { fileOfPlace = file.path }
      if file.options.contains(.deadMan) { fileOfDeadMan = file.path }
    }
  }

  /// The vehicle and the receiver in one short line; without a vehicle's name, the receiver with the name of the file if a file set it.
  var receiver: String { vehicle.map { "\($0): \(place)" } ?? place + name(of: fileOfPlace) }

  /// The setting of the dead-man's switch in one short line, with the name of the file if a file set it.
  func setting(in language: Language) -> String {
    let isChinese = language.code == .chinese
    let rule =
      hasDeadMan ? (isChinese ? "松手即停：开" : "Dead-man on") : (isChinese ? "松手即停：关" : "Dead-man OFF")
    return rule + name(of: fileOfDeadMan)
  }

  private func name(of file: String?) -> String { file?.split(separator: "/").last.map { " (\($0))" } ?? "" }

  /// One line for standard error.
  var line: String {
    func source(_ file: String?) -> String { file.map { " (set by \($0))" } ?? "" }
    let called = vehicle.map { "\($0) by " } ?? ""
    return
      "drives \(called)\(place)\(source(fileOfPlace)), dead-man \(hasDeadMan ? "on" : "OFF")\(source(fileOfDeadMan))"
  }
}

nonisolated struct SettingsFile: Equatable, Sendable {
  let path: String
  /// The options that take effect as they are in the file.
  var options: Set<OptionName>
}
