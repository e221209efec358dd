import CWaylandServer

/// Owns a server's wl_display.
@MainActor public final class ServerDisplay {
  /// libwayland's own structure.
  public let raw: OpaquePointer

  /// Makes a display without sockets; nil only without memory.
  public init?() {
    guard let made = wl_display_create() else { return nil }
    raw = made
  }

  isolated deinit {
    wl_display_destroy_clients(raw)
    wl_display_destroy(raw)
  }

  /// Listens on the socket `name` in XDG_RUNTIME_DIR; false when it can't.
  public func addSocket(name: String) -> Bool { wl_display_add_socket(raw, name) == 0 }

  /// Connects a client over its end of a socket pair, which the display owns from then on.
  public func connect(descriptor: Int32) -> OpaquePointer? { wl_client_create(raw, descriptor) }

  /// The descriptor that is readable when clients have sent something.
  public var descriptor: Int32 { wl_event_loop_get_fd(wl_display_get_event_loop(raw)) }

  /// Handles the clients' messages, waiting at most `milliseconds` (-1: for ever) for one.
  public func dispatch(milliseconds: Int32 = 0) {
    wl_event_loop_dispatch(wl_display_get_event_loop(raw), milliseconds)
  }

  /// Sends all posted events.
  public func flush() { wl_display_flush_clients(raw) }

  /// A new event serial.
  public func nextSerial() -> UInt32 { wl_display_next_serial(raw) }
}
