import CWayland

/// A client's connection to a compositor: owns a wl_display. Every live proxy holds it, so that no proxy outlives its connection.
@MainActor public final class Display {
  /// libwayland's own structure.
  public let raw: OpaquePointer

  /// The number of live proxies on this connection without the display's own, to find leaks.
  public internal(set) var liveProxyCount = 0

  /// Connects over an open socket, or, if `descriptor` is nil, to the environment's socket (WAYLAND_SOCKET, WAYLAND_DISPLAY). The
  /// display takes ownership of `descriptor`, even if connecting fails. Returns nil if it fails; `errno` holds the reason.
  public init?(descriptor: Int32? = nil) {
    let opened = if let descriptor { wl_display_connect_to_fd(descriptor) } else { wl_display_connect(nil) }
    guard let opened else { return nil }
    raw = opened
  }

  isolated deinit {
    wl_display_disconnect(raw)
  }

  /// Makes a proxy of the wl_display object, which creates registries and syncs.
  public func makeRoot() -> WlDisplay { WlDisplay(borrowing: raw, on: self) }
}
