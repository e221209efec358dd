import JSON

/// How much a driver should mind.
nonisolated enum MachineWarning: Int, Hashable, Sendable, Comparable {
  /// Nothing that a driver must know.
  case none
  /// It will matter soon.
  case low
  /// It ends the drive if nobody acts.
  case severe

  static func < (a: MachineWarning, b: MachineWarning) -> Bool { a.rawValue < b.rawValue }
}

/// What the driver is told of this machine. It only informs: no drive ends by it.
nonisolated struct MachineNotice: Hashable, Sendable {
  /// In per cent; nil if unknown.
  var battery: Int?
  var batteryWarning = MachineWarning.none
  /// In dBm; nil if unknown.
  var level: Int?
  var wirelessWarning = MachineWarning.none
  /// True if the Wi-Fi was connected, and is no longer.
  var isWirelessGone = false

  var warning: MachineWarning { max(batteryWarning, wirelessWarning) }
}

/// Decides what the driver is told, from one state of the machine to the next: a value.
nonisolated struct MachineWatch: Hashable, Sendable {
  /// From these levels on, in per cent and dBm, a driver is warned, and warned severely.
  static let battery = (low: 20, severe: 10)
  static let wireless = (low: -75, severe: -82)
  /// By how many dB a signal must be better before a warning ends: it changes by that much from moment to moment.
  static let slack = 3

  /// True if messages go to a receiver over the network; then the Wi-Fi matters.
  let usesNetwork: Bool
  /// What is told now; nil if there is nothing to tell.
  private(set) var notice: MachineNotice?
  private var hadWireless = false

  init(usesNetwork: Bool) { self.usesNetwork = usesNetwork }

  /// The machine says how it is.
  mutating func note(_ state: MachineState) {
    let old = notice?.wirelessWarning ?? .none
    guard !state.isEmpty else { return notice = nil }
    var new = MachineNotice()
    if let battery = state.battery {
      new.battery = battery.percent
      if battery.isDischarging {
        new.batteryWarning =
          battery.percent <= Self.battery.severe ? .severe : battery.percent <= Self.battery.low ? .low : .none
      }
    }
    if let wireless = state.wireless, usesNetwork {
      new.level = wireless.isUp ? wireless.level : nil
      new.isWirelessGone = hadWireless && !wireless.isUp
      hadWireless = hadWireless || wireless.isUp
      // With a cable nobody knows which way the messages go.
      if wireless.hasCable {
        new.isWirelessGone = false
      } else if new.isWirelessGone {
        new.wirelessWarning = .severe
      } else if let level = new.level {
        func isBelow(_ limit: Int, _ warning: MachineWarning) -> Bool {
          level <= limit + (old >= warning ? Self.slack : 0)
        }
        new.wirelessWarning =
          isBelow(Self.wireless.severe, .severe) ? .severe : isBelow(Self.wireless.low, .low) ? .low : .none
      }
    }
    notice = new == MachineNotice() ? nil : new
  }

  /// The machine has not said for too long how it is: what was told is true no longer.
  mutating func noteSilence() { notice = nil }
}

nonisolated extension MachineNotice {
  /// What a record keeps: battery, its warning, the signal's level, its warning, and whether it is gone.
  var field: String {
    let numbers = [battery, level].map { $0.map { "\($0)" } ?? "null" }
    return "[\(numbers[0]),\(batteryWarning.rawValue),\(numbers[1]),\(wirelessWarning.rawValue),\(isWirelessGone)]"
  }

  /// The value that `field` wrote; nil for anything else.
  init?(_ parts: [JSONValue]) {
    func number(_ value: JSONValue, _ range: ClosedRange<Int>) -> Int?? {
      if value == .null { return .some(nil) }
      return value.whole.flatMap { range.contains(Int($0)) ? .some(Int($0)) : nil }
    }
    guard parts.count == 5, let battery = number(parts[0], 0...100), let level = number(parts[2], -120...(-10)),
      let batteryWarning = parts[1].whole.flatMap({ MachineWarning(rawValue: Int($0)) }),
      let wirelessWarning = parts[3].whole.flatMap({ MachineWarning(rawValue: Int($0)) }),
      let isWirelessGone = parts[4].bool
    else { return nil }
    self.init(
      battery: battery, batteryWarning: batteryWarning, level: level, wirelessWarning: wirelessWarning,
      isWirelessGone: isWirelessGone)
  }
}
