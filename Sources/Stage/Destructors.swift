import WaylandServer

/// The interfaces whose objects live until the connection ends, or end by an event.
enum Destructors {
  /// The version since which each interface has a destructor; nil: none has.
  private static let since: [String: Int32?] = [
    "wl_display": nil, "wl_registry": nil, "wl_callback": nil, "wl_compositor": nil, "wl_shm": 2,
    "wl_subcompositor": 1, "wl_seat": 5, "wl_pointer": 3, "wl_keyboard": 3, "wl_touch": 3, "wl_output": 3,
    "wl_data_device_manager": nil, "wp_presentation_feedback": nil,
  ]

  /// True when a request of the client ends `object`.
  static func canEnd(_ object: ServerClient.LiveObject) -> Bool {
    guard let known = since[object.interface] else { return true }
    guard let version = known else { return false }
    return object.version >= version
  }
}
