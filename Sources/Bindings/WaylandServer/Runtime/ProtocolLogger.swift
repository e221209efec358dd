import CWaylandServer
import WaylandWire

/// Reports every message to and from all clients, for tests: it slows the server.
@safe @MainActor public final class ProtocolLogger {
  /// A received or sent message.
  @safe nonisolated public struct Message {
    /// True for a request of the client, false for an event.
    public let isRequest: Bool
    /// The interface and the number of the object that the message belongs to.
    public let interface: String, object: UInt32
    /// The message's name.
    public let name: String
    /// The client's connection (wl_client).
    public let client: OpaquePointer
    /// The arguments. Their pointers are valid only during the call of `onMessage`.
    public let arguments: [wl_argument]

    /// The interface of the object in the argument `index`, which must be of the type `object`; empty for NULL.
    public func interface(ofArgument index: Int) -> String {
      guard let raw = unsafe arguments[index].o, let name = unsafe wl_resource_get_class(raw) else { return "" }
      return unsafe String(cString: name)
    }
  }

  private let onMessage: (Message) -> Void
  private var raw: OpaquePointer?

  /// Calls `onMessage` for each message on `display`, until `end()` or the last reference is gone.
  public init(_ display: ServerDisplay, onMessage: @escaping (Message) -> Void) {
    self.onMessage = onMessage
    unsafe raw = wl_display_add_protocol_logger(
      display.raw, logMessage, Unmanaged.passUnretained(self).toOpaque())
  }

  isolated deinit { end() }

  /// Stops reporting. Call it before `display` is destroyed.
  public func end() {
    guard let raw = unsafe raw else { return }
    unsafe self.raw = nil
    unsafe wl_protocol_logger_destroy(raw)
  }

  fileprivate func take(_ message: Message) { onMessage(message) }
}

nonisolated private func logMessage(
  data: UnsafeMutableRawPointer?, direction: wl_protocol_logger_type,
  message: UnsafePointer<wl_protocol_logger_message>?
) {
  guard let data = unsafe data, let message = unsafe message?.pointee, let resource = unsafe message.resource,
    let interface = unsafe wl_resource_get_class(resource), let client = unsafe wl_resource_get_client(resource),
    let name = unsafe message.message?.pointee.name
  else { return }
  let logger = unsafe Unmanaged<ProtocolLogger>.fromOpaque(data).takeUnretainedValue()
  let arguments = unsafe UnsafeBufferPointer(start: message.arguments, count: Int(message.arguments_count))
  nonisolated(unsafe) let report = unsafe ProtocolLogger.Message(
    isRequest: direction == WL_PROTOCOL_LOGGER_REQUEST, interface: String(cString: interface),
    object: wl_resource_get_id(resource), name: String(cString: name), client: client, arguments: Array(arguments))
  MainActor.assumeIsolated { unsafe logger.take(report) }
}
