import Wayland

/// A global of the compositor: what the shell needs, and the newest that it knows what to do with.
struct GlobalRequirement {
  let interface: String
  /// The oldest version that works; nil where the shell works without the global.
  let required: UInt32?
  /// The newest version that the shell speaks.
  let preferred: UInt32

  /// One row per interface. Singletons first; seats and outputs come and go.
  static let table: [GlobalRequirement] = [
    // Version 4: damage in buffer pixels (wl_surface.damage_buffer).
    .init(interface: "wl_compositor", required: 4, preferred: 6),
    .init(interface: "wl_shm", required: 1, preferred: 1),
    .init(interface: "xdg_wm_base", required: 1, preferred: 6),
    .init(interface: "wp_viewporter", required: nil, preferred: 1),
    .init(interface: "wp_fractional_scale_manager_v1", required: nil, preferred: 1),
    .init(interface: "wp_presentation", required: nil, preferred: 1),
    .init(interface: "zxdg_decoration_manager_v1", required: nil, preferred: 1),
    .init(interface: "wp_cursor_shape_manager_v1", required: nil, preferred: 1),
    .init(interface: "zwp_tablet_manager_v2", required: nil, preferred: 1),
    .init(interface: "xdg_activation_v1", required: nil, preferred: 1),
    .init(interface: "zwp_idle_inhibit_manager_v1", required: nil, preferred: 1),
    // Version 2: data devices that can be let go of.
    .init(interface: "wl_data_device_manager", required: nil, preferred: 3),
    // Version 5: pointer frames and release requests; older seats are used as they are. Version 8: parts of a wheel's
    // detent. Version 9: turned scrolling is told. Version 10: a compositor that repeats keys itself.
    .init(interface: "wl_seat", required: nil, preferred: 10),
    .init(interface: "wl_output", required: nil, preferred: 4),
  ]

  /// The row of `interface`.
  static func of(_ interface: String) -> GlobalRequirement? {
    table.first { $0.interface == interface }
  }

  /// The version to bind of an offered one, or the reason why it can't be used.
  func version(offered: UInt32) throws(ShellError) -> UInt32 {
    if let required, offered < required {
      throw .oldGlobal(interface: interface, offered: offered, needed: required)
    }
    return min(offered, preferred)
  }
}
