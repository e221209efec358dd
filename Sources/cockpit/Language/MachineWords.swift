nonisolated extension MachineNotice {
  /// What a driver reads while nothing is wrong: how full the battery is, and how strong the signal.
  func line(in language: Language) -> String {
    [batteryLine(in: language), level.map { "Wi-Fi \($0) dBm" }].compactMap(\.self).joined(separator: " · ")
  }

  /// The same of the battery alone; nil if it is unknown.
  func batteryLine(in language: Language) -> String? {
    battery.map { "\(language.code == .chinese ? "本机" : "DEVICE") \($0) %" }
  }

  /// The warnings of at least this urgency, the more urgent one first.
  func warnings(from least: MachineWarning, in language: Language) -> [String] {
    let texts = [(batteryWarning, batteryText(language)), (wirelessWarning, wirelessText(language))]
    let urgent = texts.filter { $0.0 > .none && $0.0 >= least }
    return (urgent.filter { $0.0 == .severe } + urgent.filter { $0.0 == .low }).map(\.1)
  }

  private func batteryText(_ language: Language) -> String {
    let isChinese = language.code == .chinese
    // What must be done fits in the narrowest row.
    if batteryWarning == .severe { return isChinese ? "本机 \(battery ?? 0) %：请充电" : "DEVICE \(battery ?? 0) %: CHARGE" }
    return "\(isChinese ? "本机电量" : "DEVICE BATTERY") \(battery ?? 0) %"
  }

  private func wirelessText(_ language: Language) -> String {
    let isChinese = language.code == .chinese
    if isWirelessGone { return isChinese ? "Wi-Fi 已断开" : "WI-FI LOST" }
    if wirelessWarning == .severe { return isChinese ? "Wi-Fi 将断：请靠近" : "WI-FI WEAK: GO NEARER" }
    return "\(isChinese ? "Wi-Fi 信号弱" : "WI-FI WEAK") \(level ?? 0) dBm"
  }

  /// Every word of a language, for the letters that it needs.
  static func words(in language: Language) -> String {
    var all = MachineNotice(battery: 5, batteryWarning: .severe, level: -90, wirelessWarning: .severe)
    let texts = all.line(in: language) + all.warnings(from: .low, in: language).joined()
    (all.batteryWarning, all.wirelessWarning) = (.low, .low)
    let low = all.warnings(from: .low, in: language).joined()
    all.isWirelessGone = true
    return texts + low + all.warnings(from: .low, in: language).joined()
  }
}
