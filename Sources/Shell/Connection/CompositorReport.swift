/// A compositor as the shell sees it, to find out why a feature works as it does there.
nonisolated public struct CompositorReport: Hashable, Sendable {
  /// A global that the compositor offers.
  public struct Global: Hashable, Sendable {
    /// The protocol interface.
    public var interface: String
    /// The version that is offered.
    public var offered: UInt32
    /// The version in use; nil if the shell does not use the protocol.
    public var used: UInt32?
  }

  /// The extent of an output.
  package struct Display: Hashable, Sendable {
    /// The connector's name, or a number.
    package let name: String
    /// The extent in logical points, by the whole-number scale.
    package let size: Size
    /// The width and height in millimetres.
    package let millimetres: Size
  }

  /// The globals that are offered, by name.
  public private(set) var globals: [Global]
  /// The seats, each in a few words.
  public internal(set) var seats: [String] = []
  /// The outputs, each in a few words.
  public internal(set) var outputs: [String] = []
  /// The extents of those outputs whose size in millimetres is known.
  package internal(set) var displays: [Display] = []

  @MainActor init(offers: [GlobalOffer]) {
    globals = offers.map { offer in
      let row = GlobalRequirement.of(offer.interface)
      return Global(
        interface: offer.interface, offered: offer.version, used: row.map { min(offer.version, $0.preferred) })
    }.sorted { ($0.interface, $0.offered) < ($1.interface, $1.offered) }
  }

  /// The version in use of `interface`; nil if the compositor lacks it, or the shell does not use it.
  package func version(_ interface: String) -> UInt32? {
    globals.filter { $0.interface == interface }.compactMap(\.used).max()
  }
}

extension CompositorReport: CustomStringConvertible {
  /// Several lines of text for the user, each with a line end.
  public var description: String {
    let width = (globals.map(\.interface.count).max() ?? 0) + 2
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    func right(_ text: String) -> String { String(repeating: " ", count: max(0, 7 - text.count)) + text }
    var lines = [padded("globals", width + 2) + right("offered") + right("used")]
    for global in globals {
      lines.append(
        "  " + padded(global.interface, width) + right("\(global.offered)") + right(global.used.map { "\($0)" } ?? "-"))
    }
    lines += ["", "seats"] + (seats.isEmpty ? ["  none"] : seats.map { "  \($0)" })
    lines += ["", "outputs"] + (outputs.isEmpty ? ["  none"] : outputs.map { "  \($0)" })
    return lines.joined(separator: "\n") + "\n"
  }
}
