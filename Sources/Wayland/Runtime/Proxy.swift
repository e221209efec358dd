import CWayland
import WaylandWire

/// The client's side of a protocol object. The generated classes add the messages.
///
/// It owns its wl_proxy, which is destroyed by the destructor request, by `discard()`, or with the last reference to this object.
@MainActor open class Proxy {
  /// The interface's description; each class has its own.
  open class var interface: UnsafePointer<wl_interface> { preconditionFailure("Proxy itself describes no interface") }

  /// libwayland's wl_proxy; nil once the object ended.
  public private(set) var raw: OpaquePointer?
  /// The connection of the object; nil once the object ended, so that an ended object does not keep its connection alive.
  public private(set) var display: Display?
  /// False once the object has ended. From then on every request on it is dropped (`DroppedRequests`).
  public final var isAlive: Bool { raw != nil }
  /// False for the display itself, whose memory belongs to the connection.
  private let ownsMemory: Bool

  /// Takes ownership of a new wl_proxy, and receives its events.
  public required init(adopting raw: OpaquePointer, on display: Display) {
    ownsMemory = true
    listen(to: raw, on: display)
  }

  /// An inert object: the result of a dropped request.
  public required init(ended: Void) {
    ownsMemory = true
  }

  private func listen(to raw: OpaquePointer, on display: Display) {
    self.raw = raw
    self.display = display
    display.liveProxyCount += 1
    let this = Unmanaged.passUnretained(self).toOpaque()
    wl_proxy_add_dispatcher(raw, dispatchMessage, this, this)
  }

  init(borrowing raw: OpaquePointer, on display: Display) {
    self.raw = raw
    self.display = display
    ownsMemory = false
  }

  isolated deinit {
    if isAlive, ownsMemory { end() }
  }

  /// The version with which the object was bound or created; 0 once it ended.
  public final var version: UInt32 { raw.map { wl_proxy_get_version($0) } ?? 0 }

  /// The object's number on the wire; 0 once it ended.
  public final var id: UInt32 { raw.map { wl_proxy_get_id($0) } ?? 0 }

  /// Ends the object by the protocol's destructor request, or by `discard()` if it has none.
  open func end() { discard() }

  /// Ends the object without notifying the compositor, for objects that an event ends.
  public final func discard() {
    guard let raw, ownsMemory else { return }
    wl_proxy_destroy(raw)
    forget()
  }

  /// Marks the object as ended, after libwayland has destroyed its wl_proxy.
  private func forget() {
    raw = nil
    display?.liveProxyCount -= 1
    display = nil
  }

  /// Passes an event to the handler. Generated classes override this.
  open func dispatch(opcode: UInt32, arguments: UnsafeMutablePointer<wl_argument>) {}

  // MARK: For the generated classes

  /// Whether `argument` may be sent with the request `opcode`: nil may, an ended object may not. False is reported.
  public final func maySend(_ opcode: UInt32, with argument: Proxy?) -> Bool {
    guard let argument, !argument.isAlive else { return true }
    DroppedRequests.note(Self.interface, opcode, "an argument")
    return false
  }

  /// The wl_proxy that sends the request `opcode`; nil, with a report, if the object has ended.
  private func sender(_ opcode: UInt32) -> OpaquePointer? {
    if raw == nil { DroppedRequests.note(Self.interface, opcode, "the object") }
    return raw
  }

  /// Sends the request `opcode`.
  public final func marshal(_ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>) {
    guard let raw = sender(opcode) else { return }
    if MessageTrace.sink != nil { MessageTrace.request(on: raw, of: Self.interface, opcode, arguments) }
    wl_proxy_marshal_array_flags(raw, opcode, nil, wl_proxy_get_version(raw), 0, arguments)
  }

  /// Sends the request `opcode`, which ends the object.
  public final func destruct(_ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>) {
    guard let raw = sender(opcode) else { return }
    if MessageTrace.sink != nil { MessageTrace.request(on: raw, of: Self.interface, opcode, arguments) }
    wl_proxy_marshal_array_flags(
      raw, opcode, nil, wl_proxy_get_version(raw), UInt32(WL_MARSHAL_FLAG_DESTROY), arguments)
    forget()
  }

  /// Sends a request that creates an object, and returns it; if this object has ended, an ended one.
  public final func construct<T: Proxy>(
    _ type: T.Type, _ opcode: UInt32, version: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>
  ) -> T {
    guard let raw = sender(opcode), let display else { return T(ended: ()) }
    return T(adopting: make(T.interface, opcode, on: raw, version: version, arguments), on: display)
  }

  /// Sends a request that creates an object of this object's version, like `construct`, but reuses `ended`, its memory and its
  /// handler. `ended` must have ended, and nothing else may refer to it. Otherwise a new object is made.
  public final func construct<T: Proxy>(
    inPlaceOf ended: inout T?, _ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>
  ) -> T {
    guard isKnownUniquelyReferenced(&ended), let again = ended, !again.isAlive, again.ownsMemory
    else { return construct(T.self, opcode, version: version, arguments) }
    guard let raw = sender(opcode), let display else { return again }
    again.listen(to: make(T.interface, opcode, on: raw, version: version, arguments), on: display)
    return again
  }

  private func make(
    _ interface: UnsafePointer<wl_interface>, _ opcode: UInt32, on raw: OpaquePointer, version: UInt32,
    _ arguments: UnsafeMutablePointer<wl_argument>
  ) -> OpaquePointer {
    guard let made = wl_proxy_marshal_array_flags(raw, opcode, interface, version, 0, arguments) else {
      preconditionFailure("libwayland has no memory left for an object")
    }
    if MessageTrace.sink != nil { MessageTrace.request(on: raw, of: Self.interface, opcode, arguments, made: made) }
    return made
  }

  /// The object of an incoming argument; nil for NULL, for an object that has ended, and for one of a different class.
  public final func object<T: Proxy>(_ argument: wl_argument) -> T? {
    guard let raw = argument.o, let data = wl_proxy_get_user_data(raw) else { return nil }
    return Unmanaged<Proxy>.fromOpaque(data).takeUnretainedValue() as? T
  }

  /// The object that an event created.
  public final func created<T: Proxy>(_ argument: wl_argument) -> T {
    guard let raw = argument.o, let display else {
      preconditionFailure("libwayland made no object for an event's new_id")
    }
    return T(adopting: raw, on: display)
  }
}

/// An object as an outgoing argument; NULL for nil. `Proxy.maySend` has excluded ended objects before.
public func wireObject(_ proxy: Proxy?) -> OpaquePointer? { proxy?.raw }

/// The callback by which libwayland delivers all events of all objects.
nonisolated private func dispatchMessage(
  implementation: UnsafeRawPointer?, target: UnsafeMutableRawPointer?, opcode: UInt32,
  message: UnsafePointer<wl_message>?, arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
  MainActor.preconditionIsolated("events are read on the main thread")
  dispatchIsolated(
    ReceivedMessage(implementation: implementation, opcode: opcode, description: message, arguments: arguments))
  return 0
}

/// `deliver` for callers on the main actor. The standard library's `MainActor.assumeIsolated` makes the same cast for a
/// closure, whose captures allocate memory for each event.
nonisolated private let dispatchIsolated = unsafeBitCast(
  deliver as @MainActor @Sendable (ReceivedMessage) -> Void, to: (@Sendable (ReceivedMessage) -> Void).self)

/// The arguments that libwayland passes with an event.
nonisolated private struct ReceivedMessage {
  let implementation: UnsafeRawPointer?
  let opcode: UInt32
  let description: UnsafePointer<wl_message>?
  let arguments: UnsafeMutablePointer<wl_argument>?
}

/// Passes an event to its object.
private func deliver(_ message: ReceivedMessage) {
  guard let implementation = message.implementation, let arguments = message.arguments else { return }
  // Keep a reference during the call, because a handler may drop the last one.
  let proxy = Unmanaged<Proxy>.fromOpaque(implementation).takeUnretainedValue()
  guard let raw = proxy.raw else { return }
  if MessageTrace.sink != nil, let description = message.description {
    MessageTrace.event(on: raw, description.pointee, arguments)
  }
  proxy.dispatch(opcode: message.opcode, arguments: arguments)
}
