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

  /// The chosen way among several to do something, and the reason for it.
  public struct Choice: Hashable, Sendable {
    /// The feature.
    public var subject: String
    /// The protocol or fallback in use.
    public var way: String
    /// The reason why the better one is not used; nil if this is the best.
    public var reason: String?

    /// The best choice, or the fallback if something is missing.
    fileprivate init(_ subject: String, _ best: String, or fallback: String, _ lack: String?) {
      (self.subject, way, reason) = (subject, lack == nil ? best : fallback, lack)
    }
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
  /// The choices that follow from them.
  public private(set) var choices: [Choice]
  /// The seats, each in a few words.
  public internal(set) var seats: [String] = []
  /// The outputs, each in a few words.
  public internal(set) var outputs: [String] = []
  /// The extents of those outputs whose size in millimetres is known.
  package internal(set) var displays: [Display] = []

  /// The report on a compositor with these offers.
  @MainActor init(offers: [GlobalOffer]) {
    globals = offers.map { offer in
      let row = GlobalRequirement.of(offer.interface)
      return Global(
        interface: offer.interface, offered: offer.version, used: row.map { min(offer.version, $0.preferred) })
    }.sorted { ($0.interface, $0.offered) < ($1.interface, $1.offered) }
    choices = []
    choices = [
      scale,
      Choice(
        "hidden window", "by suspended, or a missing frame callback", or: "by a missing frame callback",
        older("xdg_wm_base", 6)),
      Choice(
        "decoration", "the compositor's, where it wants to", or: "drawn by the program",
        missing("zxdg_decoration_manager_v1")),
      Choice(
        "pointer", "shapes drawn by the compositor", or: "images of the cursor theme",
        missing("wp_cursor_shape_manager_v1")),
      Choice(
        "frame times", "reported by presentation-time", or: "guessed from frame callbacks", missing("wp_presentation")),
      Choice(
        "focus at start", "asked for by the starter's token", or: "as the compositor likes",
        missing("xdg_activation_v1")),
      Choice("screen kept awake", "while a control is held", or: "not at all", missing("zwp_idle_inhibit_manager_v1")),
      Choice("input methods", "compose in text fields", or: "not at all", missing("zwp_text_input_manager_v3")),
      Choice(
        "input times", "to the nanosecond", or: "in milliseconds", missing("zwp_input_timestamps_manager_v1")),
      Choice("pens", "as fingers with pressure", or: "as pointers", missing("zwp_tablet_manager_v2")),
      Choice(
        "key repeat", "by either, as the compositor says", or: "by the program, at the compositor's rate",
        older("wl_seat", 10)),
      Choice("wheel", "parts of detents", or: "whole detents", older("wl_seat", 8)),
      Choice("window's room", "reported by configure_bounds", or: "unknown", older("xdg_wm_base", 4)),
      Choice(
        "window's buttons", "those that wm_capabilities names", or: "all, whatever the compositor can",
        older("xdg_wm_base", 5)),
    ]
  }

  private func version(_ interface: String) -> UInt32? {
    globals.filter { $0.interface == interface }.compactMap(\.used).max()
  }

  /// The reason why `interface` cannot be used; nil if it can.
  private func missing(_ interface: String) -> String? {
    version(interface) == nil ? "no \(interface)" : nil
  }

  /// The reason why `interface` lacks a feature of version `needed`; nil if it has it.
  private func older(_ interface: String, _ needed: UInt32) -> String? {
    guard let version = version(interface) else { return "no \(interface)" }
    return version < needed ? "\(interface) has version \(version), not \(needed)" : nil
  }

  private var scale: Choice {
    let lack = missing("wp_viewporter") ?? missing("wp_fractional_scale_manager_v1")
    if let lack, let old = older("wl_compositor", 6) {
      return Choice("scale", "", or: "the largest of the window's outputs, whole", "\(lack); \(old)")
    }
    return Choice(
      "scale", "any, by fractional-scale and viewporter", or: "whole, by wl_surface's preferred_buffer_scale", lack)
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
    lines += ["", "choices"]
    for choice in choices {
      lines.append("  " + padded(choice.subject, 19) + choice.way + (choice.reason.map { " (\($0))" } ?? ""))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
