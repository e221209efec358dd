import CWayland

/// A client's connection to a compositor: owns a wl_display. Every live proxy holds it, so that no proxy outlives its connection.
@safe @MainActor public final class Display {
  /// libwayland's own structure.
  public let raw: OpaquePointer

  /// The number of live proxies on this connection without the display's own, to find leaks.
  public internal(set) var liveProxyCount = 0

  /// Connects over an open socket, or, if `descriptor` is nil, to the environment's socket as libwayland understands it. The
  /// display takes ownership of `descriptor`, even if connecting fails. Returns nil if it fails; `errno` holds the reason.
  public init?(descriptor: Int32? = nil) {
    let opened =
      if let descriptor { unsafe wl_display_connect_to_fd(descriptor) } else { unsafe wl_display_connect(nil) }
    guard let opened = unsafe opened else { return nil }
    unsafe raw = opened
  }

  isolated deinit {
    unsafe wl_display_disconnect(raw)
  }

  /// Makes a proxy of the wl_display object, which creates registries and syncs.
  public func makeRoot() -> WlDisplay {
    guard let handle = unsafe ProxyHandle(raw) else { preconditionFailure("a connection has its display") }
    return WlDisplay(borrowing: handle, on: self)
  }

  /// The socket.
  public var descriptor: Int32 { unsafe wl_display_get_fd(raw) }

  /// Sends the queued requests. Returns false if that fails; `errno` is EAGAIN if the socket is full.
  @discardableResult public func flush() -> Bool { unsafe wl_display_flush(raw) >= 0 }

  /// Announces that this thread will read events. Returns false if events wait to be dispatched; otherwise `readEvents()` or
  /// `cancelRead()` must follow.
  public func prepareRead() -> Bool { unsafe wl_display_prepare_read(raw) == 0 }

  /// Reads the events that have arrived. Returns false if the connection is lost.
  public func readEvents() -> Bool { unsafe wl_display_read_events(raw) >= 0 }

  /// Takes `prepareRead()` back.
  public func cancelRead() { unsafe wl_display_cancel_read(raw) }

  /// Passes the events that were read to their objects. Returns false if the connection is lost.
  public func dispatchPending() -> Bool { unsafe wl_display_dispatch_pending(raw) >= 0 }

  /// The errno of the error that ended the connection; 0 while it works.
  public var error: Int32 { unsafe wl_display_get_error(raw) }

  /// The error that the compositor ended the connection with, if `error` is EPROTO; nil if its object is unknown. The message
  /// is the compositor's own text, empty if it is not known.
  public var protocolError: (interface: String, id: UInt32, code: UInt32, message: String)? {
    var interface: UnsafePointer<wl_interface>?
    var id: UInt32 = 0
    let code = unsafe wl_display_get_protocol_error(raw, &interface, &id)
    // The interface is unknown for an object that the client has destroyed.
    let name = unsafe interface.map { unsafe String(cString: $0.pointee.name) }
    let message = LibraryMessages.reason(ofError: code)
    if name == nil, message.isEmpty { return nil }
    return (name ?? "a destroyed object", id, code, message)
  }
}
