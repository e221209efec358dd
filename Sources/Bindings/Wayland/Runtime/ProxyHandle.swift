import CWayland
import WaylandWire

/// libwayland's wl_proxy, which `Proxy` destroys.
@safe public struct ProxyHandle {
  let pointer: OpaquePointer

  /// Wraps a wl_proxy; nil for NULL.
  init?(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
  }

  var version: UInt32 { unsafe wl_proxy_get_version(pointer) }
  var id: UInt32 { unsafe wl_proxy_get_id(pointer) }
  /// The interface and the number: `wl_surface@12`.
  var name: String { "\(unsafe String(cString: wl_proxy_get_class(pointer)))@\(id)" }

  /// The object that receives the events; nil for one that libwayland made for itself.
  var proxy: Proxy? {
    unsafe wl_proxy_get_user_data(pointer).map { unsafe Unmanaged<Proxy>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Passes the events to `proxy`, which must live as long.
  func listen(_ proxy: Proxy) {
    let this = unsafe Unmanaged.passUnretained(proxy).toOpaque()
    unsafe wl_proxy_add_dispatcher(pointer, dispatchMessage, this, this)
  }

  /// Sends the request `opcode`. Returns the object that it creates, of `interface` and `version`; nil if it creates none.
  @discardableResult func send(
    _ opcode: UInt32, _ arguments: WireArguments, creating interface: WireInterface? = nil, version: UInt32,
    destroys: Bool = false
  ) -> ProxyHandle? {
    unsafe ProxyHandle(
      wl_proxy_marshal_array_flags(
        pointer, opcode, interface?.pointer, version, destroys ? UInt32(WL_MARSHAL_FLAG_DESTROY) : 0,
        arguments.pointer))
  }

  func destroy() { unsafe wl_proxy_destroy(pointer) }
}

extension WireArguments {
  /// The object of an argument; nil for NULL.
  func handle(_ index: Int) -> ProxyHandle? { unsafe ProxyHandle(pointer[index].o) }

  /// Sets an object; NULL for nil. `Proxy.maySend` has excluded ended objects before.
  public func set(_ index: Int, _ proxy: Proxy?) { unsafe pointer[index].o = proxy?.handle?.pointer }
}

/// The callback by which libwayland delivers all events of all objects.
nonisolated private func dispatchMessage(
  implementation: UnsafeRawPointer?, target: UnsafeMutableRawPointer?, opcode: UInt32,
  message: UnsafePointer<wl_message>?, arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
  MainActor.preconditionIsolated("events are read on the main thread")
  guard let implementation = unsafe implementation, let message = unsafe message, let arguments = unsafe arguments
  else {
    return 0
  }
  // Keep a reference during the call, because a handler may drop the last one.
  let proxy = unsafe Unmanaged<Proxy>.fromOpaque(implementation).takeUnretainedValue()
  unsafe deliverIsolated(proxy, opcode, message, WireArguments(arguments))
  return 0
}

private func deliver(
  to proxy: Proxy, _ opcode: UInt32, _ message: UnsafePointer<wl_message>, _ arguments: WireArguments
) { unsafe proxy.deliver(opcode, message, arguments) }

/// `deliver` for callers on the main actor. The standard library's `MainActor.assumeIsolated` makes the same cast for a
/// closure, whose captures allocate memory for each event.
nonisolated private let deliverIsolated = unsafe unsafeBitCast(
  deliver as @MainActor @Sendable (Proxy, UInt32, UnsafePointer<wl_message>, WireArguments) -> Void,
  to: (@Sendable (Proxy, UInt32, UnsafePointer<wl_message>, WireArguments) -> Void).self)
