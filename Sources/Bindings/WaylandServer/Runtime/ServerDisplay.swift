import CWaylandServer

/// A Wayland server: owns its wl_display.
@safe @MainActor public final class ServerDisplay {
  /// libwayland's own structure.
  public let raw: OpaquePointer

  /// Makes a display without sockets; nil if the system has no memory or descriptor for it.
  public init?() {
    guard let made = unsafe wl_display_create() else { return nil }
    unsafe raw = made
  }

  isolated deinit {
    unsafe wl_display_destroy_clients(raw)
    unsafe wl_display_destroy(raw)
  }

  /// Listens on the socket `name` in XDG_RUNTIME_DIR. Returns false if it cannot; `errno` holds the reason.
  public func addSocket(name: String) -> Bool { unsafe wl_display_add_socket(raw, name) == 0 }

  /// Connects a client over `descriptor`, the server's end of a socket pair, and returns the wl_client, which then owns the
  /// descriptor. If this returns nil, the caller still owns it.
  public func connect(descriptor: Int32) -> OpaquePointer? { unsafe wl_client_create(raw, descriptor) }

  /// The descriptor to watch: it is readable when clients have sent messages or want to connect.
  public var descriptor: Int32 { unsafe wl_event_loop_get_fd(wl_display_get_event_loop(raw)) }

  /// Handles pending messages.
  public func dispatch() { unsafe wl_event_loop_dispatch(wl_display_get_event_loop(raw), 0) }

  /// Sends the events that are queued for all clients.
  public func flush() { unsafe wl_display_flush_clients(raw) }

  /// Returns a new serial for an event.
  public func nextSerial() -> UInt32 { unsafe wl_display_next_serial(raw) }
}
