import UICore

/// A compositor as the shell sees it, for people who wonder why something is as it is.
nonisolated public struct CompositorReport: Hashable, Sendable {
  /// Something that the compositor offers.
  public struct Global: Hashable, Sendable {
    /// The protocol interface.
    public var interface: String
    /// The version that is offered.
    public var offered: UInt32
    /// The version that is used; nil for what the shell does not use.
    public var used: UInt32?
  }

  /// One of several ways to do something, and why this one.
  public struct Choice: Hashable, Sendable {
    /// What is done.
    public var subject: String
    /// The way that is taken.
    public var way: String
    /// Why not the better one; nil where this is the best.
    public var reason: String?
  }

  /// What is offered, by name.
  public private(set) var globals: [Global]
  /// What was chosen.
  public private(set) var choices: [Choice]
  /// The seats, each in a few words.
  public internal(set) var seats: [String] = []
  /// The outputs, each in a few words.
  public internal(set) var outputs: [String] = []

  /// What follows from these offers.
  @MainActor init(offers: [GlobalOffer]) {
    globals = offers.map { offer in
      let row = GlobalRequirement.of(offer.interface)
      return Global(
        interface: offer.interface, offered: offer.version, used: row.map { min(offer.version, $0.preferred) })
    }.sorted { ($0.interface, $0.offered) < ($1.interface, $1.offered) }
    choices = []
    choose("scale", scale)
    choose(
      "hidden window",
      older("xdg_wm_base", 6).map { ("no frame callback for a second", $0) } ?? ("told by xdg-shell's suspended", nil))
    choose(
      "decoration",
      missing("zxdg_decoration_manager_v1").map { ("drawn by the program", $0) } ?? (
        "the compositor's, where it wants to", nil
      ))
    choose(
      "pointer",
      missing("wp_cursor_shape_manager_v1").map { ("pictures of the cursor theme", $0) } ?? (
        "shapes drawn by the compositor", nil
      ))
    choose(
      "frame times",
      missing("wp_presentation").map { ("guessed from frame callbacks", $0) } ?? ("told by presentation-time", nil))
    choose(
      "focus at start",
      missing("xdg_activation_v1").map { ("as the compositor likes", $0) } ?? ("asked for by the starter's token", nil))
    choose(
      "screen kept awake",
      missing("zwp_idle_inhibit_manager_v1").map { ("not at all", $0) } ?? ("while a control is held", nil))
    choose("pens", missing("zwp_tablet_manager_v2").map { ("as pointers", $0) } ?? ("as fingers with pressure", nil))
    choose(
      "key repeat",
      older("wl_seat", 10).map { ("by the program, at the compositor's rate", $0) } ?? (
        "by either, as the compositor says", nil
      ))
    choose("wheel", older("wl_seat", 8).map { ("whole detents", $0) } ?? ("parts of detents", nil))
    choose("window's room", older("xdg_wm_base", 4).map { ("unknown", $0) } ?? ("told by configure_bounds", nil))
    choose(
      "window's buttons",
      older("xdg_wm_base", 5).map { ("all, whatever the compositor can", $0) } ?? (
        "those that wm_capabilities names", nil
      ))
  }

  private mutating func choose(_ subject: String, _ way: (String, String?)) {
    choices.append(Choice(subject: subject, way: way.0, reason: way.1))
  }

  private func version(_ interface: String) -> UInt32? {
    globals.filter { $0.interface == interface }.compactMap(\.used).max()
  }

  /// Why `interface` can't be used; nil when it can.
  private func missing(_ interface: String) -> String? {
    version(interface) == nil ? "no \(interface)" : nil
  }

  /// Why `interface` can't do what came with `needed`; nil when it can.
  private func older(_ interface: String, _ needed: UInt32) -> String? {
    guard let version = version(interface) else { return "no \(interface)" }
    return version < needed ? "\(interface) has version \(version), not \(needed)" : nil
  }

  private var scale: (String, String?) {
    guard let lack = missing("wp_viewporter") ?? missing("wp_fractional_scale_manager_v1") else {
      return ("any, by fractional-scale and viewporter", nil)
    }
    if let old = older("wl_compositor", 6) { return ("the largest of the window's outputs, whole", "\(lack); \(old)") }
    return ("whole, by wl_surface's preferred_buffer_scale", lack)
  }
}

extension CompositorReport: CustomStringConvertible {
  /// Several lines for people, each with its end.
  public var description: String {
    let width = (globals.map(\.interface.count).max() ?? 0) + 2
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    func right(_ text: String) -> String { String(repeating: " ", count: max(0, 7 - text.count)) + text }
    var lines = [padded("  globals", width + 2) + right("offered") + right("used")]
    for global in globals {
      lines.append(
        "  " + padded(global.interface, width) + right("\(global.offered)") + right(global.used.map { "\($0)" } ?? "-"))
    }
    lines += ["", "  seats"] + (seats.isEmpty ? ["  none"] : seats.map { "  \($0)" })
    lines += ["", "  outputs"] + (outputs.isEmpty ? ["  none"] : outputs.map { "  \($0)" })
    lines += ["", "  choices"]
    for choice in choices {
      lines.append("  " + padded(choice.subject, 19) + choice.way + (choice.reason.map { " (\($0))" } ?? ""))
    }
    return lines.map {
      $0.hasPrefix("  globals") || ["  seats", "  outputs", "  choices"].contains($0) ? String($0.dropFirst(2)) : $0
    }
    .joined(separator: "\n") + "\n"
  }
}
