import UICore

/// What the kernel says of one interface to a network.
nonisolated struct NetworkLink: Hashable, Sendable {
  var name: String
  var isWireless: Bool
  /// True while it is connected.
  var isUp: Bool
  /// The level of the signal in dBm; nil if the kernel does not say.
  var level: Int?
}

/// The Wi-Fi of a machine.
nonisolated struct MachineWireless: Hashable, Sendable {
  /// False if no interface is connected.
  var isUp: Bool
  /// The level of the signal in dBm, the strongest of several; nil if unknown.
  var level: Int?
  /// True if a cable is connected too: messages may go through it.
  var hasCable: Bool

  init(isUp: Bool, level: Int? = nil, hasCable: Bool = false) {
    (self.isUp, self.level, self.hasCable) = (isUp, level, hasCable)
  }

  /// The Wi-Fi of a machine with these interfaces; nil if it has none.
  init?(of links: [NetworkLink]) {
    let wireless = links.filter(\.isWireless)
    guard !wireless.isEmpty else { return nil }
    self.init(
      isUp: wireless.contains(where: \.isUp), level: wireless.filter(\.isUp).compactMap(\.level).max(),
      hasCable: links.contains { !$0.isWireless && $0.isUp })
  }

  /// The levels in dBm by the names of interfaces, from the text of `/proc/net/wireless`, which newer kernels may lack. A level in other
  /// units, or that of an interface without a connection, is left out.
  static func levels(in text: String) -> [String: Int] {
    var levels: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { continue }
      // The state, the quality, and the level, which has a point behind it if it was measured.
      let fields = halves[1].split(separator: " ")
      guard fields.count > 2, let level = Int(fields[2].prefix { $0 != "." }), -120...(-10) ~= level else { continue }
      levels[String(halves[0].drop { $0 == " " })] = level
    }
    return levels
  }
}
