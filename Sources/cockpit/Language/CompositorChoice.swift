import Shell

/// The way in which the cockpit does something with a compositor: the best one, or a fallback and the reason for it.
struct CompositorChoice {
  let subject: String
  /// The protocol or fallback in use.
  let way: String
  /// The reason why the better one is not used; nil if this is the best.
  let reason: String?

  private init(_ subject: String, _ best: String, or fallback: String, _ lack: String?) {
    (self.subject, way, reason) = (subject, lack == nil ? best : fallback, lack)
  }

  static func all(with compositor: CompositorReport) -> [CompositorChoice] {
    /// The reason why `interface` lacks a feature of version `needed`; nil if it has it.
    func lack(_ interface: String, _ needed: UInt32 = 1) -> String? {
      guard let version = compositor.version(interface) else { return "no \(interface)" }
      return version < needed ? "\(interface) has version \(version), not \(needed)" : nil
    }
    let scaleLack = lack("wp_viewporter") ?? lack("wp_fractional_scale_manager_v1")
    let oldCompositor = scaleLack == nil ? nil : lack("wl_compositor", 6)
    return [
      .init(
        "scale", "any, by fractional-scale and viewporter",
        or: oldCompositor == nil
          ? "whole, by wl_surface's preferred_buffer_scale" : "the largest of the window's outputs, whole",
        scaleLack.map { lack in oldCompositor.map { "\(lack); \($0)" } ?? lack }),
      .init(
        "hidden window", "by suspended, or a missing frame callback", or: "by a missing frame callback",
        lack("xdg_wm_base", 6)),
      .init(
        "decoration", "the compositor's, where it wants to", or: "drawn by the program",
        lack("zxdg_decoration_manager_v1")),
      .init(
        "pointer", "shapes drawn by the compositor", or: "images of the cursor theme",
        lack("wp_cursor_shape_manager_v1")),
      .init(
        "frame times", "reported by presentation-time", or: "guessed from frame callbacks", lack("wp_presentation")),
      .init(
        "focus at start", "asked for by the starter's token", or: "as the compositor likes",
        lack("xdg_activation_v1")),
      .init("screen kept awake", "while a control is held", or: "not at all", lack("zwp_idle_inhibit_manager_v1")),
      .init("input methods", "compose in text fields", or: "not at all", lack("zwp_text_input_manager_v3")),
      .init(
        "input times", "to the nanosecond", or: "in milliseconds", lack("zwp_input_timestamps_manager_v1")),
      .init("pens", "as fingers with pressure", or: "as pointers", lack("zwp_tablet_manager_v2")),
      .init(
        "key repeat", "by either, as the compositor says", or: "by the program, at the compositor's rate",
        lack("wl_seat", 10)),
      .init("wheel", "parts of detents", or: "whole detents", lack("wl_seat", 8)),
      .init("window's room", "reported by configure_bounds", or: "unknown", lack("xdg_wm_base", 4)),
      .init(
        "window's buttons", "those that wm_capabilities names", or: "all, whatever the compositor can",
        lack("xdg_wm_base", 5)),
    ]
  }

  /// The choices as lines of text for the user, each with a line end.
  static func table(with compositor: CompositorReport) -> String {
    all(with: compositor).reduce("choices\n") { text, choice in
      let gap = String(repeating: " ", count: max(1, 19 - choice.subject.count))
      return text + "  \(choice.subject)\(gap)\(choice.way)\(choice.reason.map { " (\($0))" } ?? "")\n"
    }
  }
}
