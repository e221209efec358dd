import CWayland

/// Owns a wl_display. Every proxy holds it, so that none outlives its connection.
@MainActor public final class Display {
  /// libwayland's own structure.
  public let raw: OpaquePointer

  /// The proxies alive on this connection, to find leaks.
  public internal(set) var liveProxyCount = 0

  /// Connects to the socket `name`, or to the environment's (WAYLAND_SOCKET, WAYLAND_DISPLAY) when nil. Nil when no
  /// compositor listens; errno then says why.
  public init?(name: String?) {
    let opened = name.map { wl_display_connect($0) } ?? wl_display_connect(nil)
    guard let opened else { return nil }
    raw = opened
  }

  /// Connects over an open socket, which the display owns from then on, also when it fails.
  public init?(descriptor: Int32) {
    guard let opened = wl_display_connect_to_fd(descriptor) else { return nil }
    raw = opened
  }

  isolated deinit {
    wl_display_disconnect(raw)
  }

  /// The display object, to ask for the registry and for syncs.
  public func makeRoot() -> WlDisplay { WlDisplay(borrowing: raw, on: self) }
}
