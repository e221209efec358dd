import UICore

/// What the kernel says of one supply of power: a battery, a charger, or the battery of a mouse.
nonisolated struct PowerSupply: Hashable, Sendable {
  /// How full a battery is, in a unit of the driver's: energy or charge.
  struct Charge: Hashable, Sendable {
    var now: Int
    var full: Int
  }

  var type = "Battery"
  var scope = ""
  var status = ""
  var isPresent = true
  var isOnline = false
  /// In per cent, by the driver.
  var capacity: Int?
  var energy: Charge?
  var charge: Charge?

  /// True for a battery of the machine itself: those of mice and gamepads have the scope of a device.
  var isOwnBattery: Bool { type == "Battery" && scope != "Device" && isPresent }

  /// How full it is in per cent; nil if nothing that it says can be true.
  var percent: Double? {
    if let capacity, 0...100 ~= capacity { return Double(capacity) }
    return (energy ?? charge).flatMap {
      $0.full > 0 && $0.now >= 0 ? min(Double($0.now) / Double($0.full), 1) * 100 : nil
    }
  }
}

/// The battery of a machine; several count as one.
nonisolated struct MachineBattery: Hashable, Sendable {
  /// How full it is, in whole per cent.
  var percent: Int
  /// True while it gets emptier.
  var isDischarging: Bool

  init(percent: Int, isDischarging: Bool) { (self.percent, self.isDischarging) = (percent, isDischarging) }

  /// The battery of a machine with these supplies; nil if none of them is a battery whose level is known.
  init?(of supplies: [PowerSupply]) {
    let batteries = supplies.filter { $0.isOwnBattery && $0.percent != nil }
    guard let level = MachineBattery.level(batteries) else { return nil }
    percent = Int(level.rounded(.down)).clamped(to: 0...100)
    if batteries.contains(where: { $0.status == "Discharging" }) {
      isDischarging = true
    } else if batteries.contains(where: { ["Charging", "Full", "Not charging"].contains($0.status) }) {
      isDischarging = false
    } else {
      // A battery that says nothing is charged if a charger says that it has power.
      isDischarging = !supplies.contains { $0.type != "Battery" && $0.isOnline }
    }
  }

  /// The level of all batteries together: by their energy or charge if all tell it in one unit, otherwise as if all had the same size.
  private static func level(_ batteries: [PowerSupply]) -> Double? {
    guard !batteries.isEmpty else { return nil }
    if batteries.count > 1 {
      for unit in [\PowerSupply.energy, \.charge] {
        let parts = batteries.compactMap { $0[keyPath: unit] }.filter { $0.full > 0 && $0.now >= 0 }
        guard parts.count == batteries.count else { continue }
        let (now, full) = (parts.reduce(0) { $0 + Double($1.now) }, parts.reduce(0) { $0 + Double($1.full) })
        return now / full * 100
      }
    }
    return batteries.reduce(0) { $0 + ($1.percent ?? 0) } / Double(batteries.count)
  }
}
