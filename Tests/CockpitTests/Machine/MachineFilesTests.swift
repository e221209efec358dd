import Glibc
import TestSupport
import Testing

@testable import cockpit

/// What the kernel's files say of a machine, in a folder that stands for its root.
@Suite struct MachineFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ path: String) {
    var whole = folder.path
    for part in path.split(separator: "/") {
      whole += "/\(part)"
      mkdir(whole, 0o755)
    }
  }

  private func supply(_ name: String, _ files: [String: String]) throws {
    make("sys/class/power_supply/\(name)")
    for (file, text) in files { try folder.write(text + "\n", to: "sys/class/power_supply/\(name)/\(file)") }
  }

  private func link(_ name: String, _ files: [String: String], isWireless: Bool = false, isDevice: Bool = true) throws {
    make("sys/class/net/\(name)")
    if isDevice { make("sys/class/net/\(name)/device/driver") }
    var files = files
    files["uevent"] = (isWireless ? "DEVTYPE=wlan\n" : "") + "INTERFACE=\(name)\nIFINDEX=3"
    for (file, text) in files { try folder.write(text + "\n", to: "sys/class/net/\(name)/\(file)") }
  }

  private var state: MachineState { MachineFiles(root: folder.path).read() }

  // MARK: Batteries

  @Test func `a machine without files has neither battery nor Wi-Fi`() {
    #expect(state == MachineState() && state.isEmpty)
  }

  @Test func `a battery has the driver's per cent, and discharges as it says`() throws {
    try supply("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "62", "present": "1"])
    #expect(state.battery == MachineBattery(percent: 62, isDischarging: true))
    for status in ["Charging", "Full", "Not charging"] {
      try supply("BAT0", ["status": status])
      #expect(state.battery?.isDischarging == false)
    }
  }

  @Test(arguments: ["energy", "charge"]) func `without a capacity the level is what is left of the whole`(unit: String)
    throws
  {
    try supply(
      "BAT1", ["type": "Battery", "status": "Discharging", "\(unit)_now": "9990000", "\(unit)_full": "50000000"])
    #expect(state.battery?.percent == 19)
  }

  @Test func `several batteries count by their sizes, and one that discharges is enough`() throws {
    try supply(
      "BAT0", ["type": "Battery", "status": "Not charging", "capacity": "90", "energy_now": "9", "energy_full": "10"])
    try supply(
      "BAT1", ["type": "Battery", "status": "Discharging", "capacity": "10", "energy_now": "9", "energy_full": "90"])
    #expect(state.battery == MachineBattery(percent: 18, isDischarging: true))
    // Energy and charge cannot be added.
    try supply("BAT2", ["type": "Battery", "status": "Full", "charge_now": "50", "charge_full": "100"])
    #expect(state.battery?.percent == 50)
  }

  @Test func `mice, gamepads, chargers and absent batteries are none of the machine`() throws {
    try supply("hidpp_battery_0", ["type": "Battery", "scope": "Device", "status": "Discharging", "capacity": "3"])
    try supply("AC", ["type": "Mains", "online": "0"])
    try supply("BAT1", ["type": "Battery", "present": "0", "capacity": "0", "status": "Unknown"])
    #expect(state.battery == nil)
  }

  @Test func `a battery that does not know its state discharges unless a charger has power`() throws {
    try supply("axp20x-battery", ["type": "Battery", "status": "Unknown", "capacity": "40"])
    #expect(state.battery?.isDischarging == true)
    try supply("axp20x-usb", ["type": "USB", "online": "1"])
    #expect(state.battery?.isDischarging == false)
  }

  @Test(arguments: [
    "", "-1", "101", "fifty", "5 0", "0x10", String(repeating: "9", count: 4096), String(repeating: "0", count: 64),
  ])
  func `a level that cannot be is none`(text: String) throws {
    try supply("BAT0", ["type": "Battery", "status": "Discharging", "capacity": text])
    #expect(state.battery == nil)
    try supply("BAT0", ["energy_now": "30", "energy_full": "100"])
    #expect(state.battery?.percent == 30)
    try supply("BAT0", ["energy_now": text == "101" ? "-1" : text])
    #expect(state.battery == nil)
  }

  @Test func `what is no file, or has another's bytes, is read as missing and hangs nobody`() throws {
    try supply("BAT0", ["type": "Battery", "status": "Discharging"])
    let path = "\(folder.path)/sys/class/power_supply/BAT0/capacity"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(state.battery == nil)
    unlink(path)
    make("sys/class/power_supply/BAT0/capacity")
    #expect(state.battery == nil)
    rmdir(path)
    try supply("BAT0", ["capacity": "7", "energy_full": "0", "energy_now": "0"])
    #expect(state.battery?.percent == 7)
  }

  @Test func `a battery that is over full is full`() throws {
    try supply("BAT0", ["type": "Battery", "status": "Full", "energy_now": "52", "energy_full": "50"])
    #expect(state.battery == MachineBattery(percent: 100, isDischarging: false))
  }

  // MARK: Wi-Fi

  private static let table = """
    Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
     face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
    wlp2s0: 0000   58.  -52.  -256        0      0      0      0     11        0
     wlan1: 0000    0     0      0        0      0      0      0      0        0

    """

  @Test func `the level is that of the table, for an interface that is connected`() throws {
    try link("wlp2s0", ["operstate": "up"], isWireless: true)
    #expect(state.wireless == MachineWireless(isUp: true), "newer kernels have no table")
    make("proc/net")
    try folder.write(Self.table, to: "proc/net/wireless")
    #expect(state.wireless == MachineWireless(isUp: true, level: -52))
    try link("wlp2s0", ["operstate": "down"], isWireless: true)
    #expect(state.wireless == MachineWireless(isUp: false))
    try link("wlan1", ["operstate": "up"], isWireless: true)
    #expect(state.wireless == MachineWireless(isUp: true), "no level was measured")
  }

  @Test func `a cable counts if it is a device's and connected`() throws {
    try link("wlan0", ["operstate": "up"], isWireless: true)
    try link("lo", ["type": "772", "operstate": "unknown"], isDevice: false)
    try link("docker0", ["type": "1", "operstate": "up"], isDevice: false)
    try link("eth0", ["type": "1", "operstate": "down"])
    #expect(state.wireless?.hasCable == false)
    try link("eth0", ["type": "1", "operstate": "up"])
    #expect(state.wireless?.hasCable == true)
  }

  @Test(arguments: [
    "", "\n\n", ":", "wlan0:", "wlan0: 0000", "wlan0: 0000 1. -5", "wlan0: 0000 58. 204. 0", "wlan0: 0000 58. -300. 0",
    "wlan0: 0000 58. \(String(repeating: "9", count: 3000))",
  ]) func `a table that cannot be has no levels`(text: String) {
    #expect(MachineWireless.levels(in: text).isEmpty)
  }
}
