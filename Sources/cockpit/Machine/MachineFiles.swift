import Linux

/// What this machine, which the driver holds, says of itself: its battery and its Wi-Fi.
nonisolated struct MachineState: Hashable, Sendable {
  /// Nil for a machine without a battery, or one that says nothing useful of it.
  var battery: MachineBattery?
  /// Nil for a machine without Wi-Fi.
  var wireless: MachineWireless?

  /// True for a machine of which there is nothing to show.
  var isEmpty: Bool { battery == nil && wireless == nil }
}

/// Where the kernel says what a machine has and how it is: files below `/sys` and `/proc`.
///
/// Their contents are not trusted: each is read up to a limit, and a text that is no number in its range counts as missing. A read may
/// hang, because some drivers ask a chip for each value, so only `MachineReader` reads, on a thread of its own.
nonisolated struct MachineFiles: Sendable {
  /// The most entries of a directory that are looked at, and the most bytes of a short file.
  private static let (mostEntries, mostBytes) = (32, 64)

  /// The directory that stands for `/`.
  var root = ""

  /// Reads everything; it may take long.
  func read() -> MachineState {
    var links = names("sys/class/net").compactMap(link)
    let levels = MachineWireless.levels(in: text("proc/net/wireless", atMost: 4096))
    for index in links.indices { links[index].level = levels[links[index].name] }
    return MachineState(
      battery: MachineBattery(of: names("sys/class/power_supply").map(supply)), wireless: MachineWireless(of: links))
  }

  private func supply(_ name: String) -> PowerSupply {
    let folder = "sys/class/power_supply/\(name)"
    func number(_ name: String) -> Int? { Int(text("\(folder)/\(name)")) }
    func charge(_ unit: String) -> PowerSupply.Charge? {
      guard let now = number("\(unit)_now"), let full = number("\(unit)_full") else { return nil }
      return PowerSupply.Charge(now: now, full: full)
    }
    return PowerSupply(
      type: text("\(folder)/type"), scope: text("\(folder)/scope"), status: text("\(folder)/status"),
      isPresent: number("present") != 0, isOnline: number("online").map { $0 != 0 } ?? false,
      capacity: number("capacity"), energy: charge("energy"), charge: charge("charge"))
  }

  private func link(_ name: String) -> NetworkLink? {
    let folder = "sys/class/net/\(name)"
    let isWireless =
      text("\(folder)/uevent", atMost: 512).split(separator: "\n").contains("DEVTYPE=wlan")
      || !names("\(folder)/phy80211").isEmpty || !names("\(folder)/wireless").isEmpty
    // Of those with a cable only what is a real device, not a bridge or a tunnel.
    guard isWireless || text("\(folder)/type") == "1" && !names("\(folder)/device").isEmpty else { return nil }
    // Some drivers never say more than "unknown".
    return NetworkLink(
      name: name, isWireless: isWireless, isUp: ["up", "unknown"].contains(text("\(folder)/operstate")))
  }

  /// A file's text without white space around it; empty if it cannot be read, or is longer than what anybody expects there.
  private func text(_ path: String, atMost limit: Int = mostBytes) -> String {
    guard let bytes = try? FileReader.beginning(of: "\(root)/\(path)", count: limit), bytes.count < limit else {
      return ""
    }
    let text = String(decoding: bytes, as: UTF8.self).drop(while: \.isWhitespace)
    return String(text.prefix(text.count - text.reversed().prefix(while: \.isWhitespace).count))
  }

  private func names(_ path: String) -> [String] {
    Array(FileReader.names(in: "\(root)/\(path)").filter { !$0.hasPrefix(".") }.prefix(Self.mostEntries))
  }
}
