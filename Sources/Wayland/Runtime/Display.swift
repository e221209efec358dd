import CWayland

/// Owns a wl_display. Every proxy holds it, so that none outlives its connection.
@MainActor public final class Display {
  /// libwayland's own structure.
  public let raw: OpaquePointer

  /// The proxies alive on this connection, to find leaks.
  public internal(set) var liveProxyCount = 0

  /// Connects over an open socket, which the display owns from then on, even if it fails; without one to the environment's
  /// socket (WAYLAND_SOCKET, WAYLAND_DISPLAY). Nil if no compositor listens; errno then holds the reason.
  public init?(descriptor: Int32? = nil) {
    let opened = if let descriptor { wl_display_connect_to_fd(descriptor) } else { wl_display_connect(nil) }
    guard let opened else { return nil }
    raw = opened
  }

  isolated deinit {
    wl_display_disconnect(raw)
  }

  /// The display object, to ask for the registry and for syncs.
  public func makeRoot() -> WlDisplay { WlDisplay(borrowing: raw, on: self) }
}
