// One client-side protocol object: its life, and messages in and out of libwayland.

import CWayland
import WaylandWire

/// A protocol object as the client holds it; the generated classes add its messages.
///
/// It owns its wl_proxy: the object ends by its destructor request, by `discard()`, or with the last reference.
@MainActor open class Proxy {
  /// The interface's description; each class has its own.
  open class var interface: UnsafePointer<wl_interface> { preconditionFailure("Proxy itself describes no interface") }

  /// libwayland's own structure; dangling once the object ended.
  public private(set) var raw: OpaquePointer
  /// The connection that the object lives on.
  public let display: Display
  /// False once the object ended: from then on every request is ignored.
  public private(set) var isAlive = true
  /// False for the display itself, whose memory is the connection's.
  private let ownsMemory: Bool

  /// Takes over a new wl_proxy.
  public required init(adopting raw: OpaquePointer, on display: Display) {
    self.raw = raw
    self.display = display
    ownsMemory = true
    listen()
  }

  private func listen() {
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
    guard isAlive else { return }
    if ownsMemory { end() }
  }

  /// The version that the object was bound or made with.
  public final var version: UInt32 { isAlive ? wl_proxy_get_version(raw) : 0 }

  /// The object's number on the wire; 0 once it ended.
  public final var id: UInt32 { isAlive ? wl_proxy_get_id(raw) : 0 }

  /// Ends the object as its protocol says: by its destructor request, where it has one.
  open func end() { discard() }

  /// Forgets the object without telling the compositor; for objects that end by an event.
  public final func discard() {
    guard isAlive, ownsMemory else { return }
    isAlive = false
    display.liveProxyCount -= 1
    wl_proxy_destroy(raw)
  }

  /// Hands an incoming message to the class's handler.
  open func dispatch(opcode: UInt32, arguments: UnsafeMutablePointer<wl_argument>) {}

  // MARK: For the generated classes

  /// Sends a request.
  public final func marshal(_ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>) {
    guard isAlive else { return }
    if MessageTrace.sink != nil { MessageTrace.request(on: raw, of: Self.interface, opcode, arguments) }
    wl_proxy_marshal_array_flags(raw, opcode, nil, wl_proxy_get_version(raw), 0, arguments)
  }

  /// Sends the request that ends the object.
  public final func destruct(_ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>) {
    guard isAlive else { return }
    if MessageTrace.sink != nil { MessageTrace.request(on: raw, of: Self.interface, opcode, arguments) }
    isAlive = false
    display.liveProxyCount -= 1
    wl_proxy_marshal_array_flags(
      raw, opcode, nil, wl_proxy_get_version(raw), UInt32(WL_MARSHAL_FLAG_DESTROY), arguments)
  }

  /// Sends a request that makes an object.
  public final func construct<T: Proxy>(
    _ type: T.Type, _ opcode: UInt32, version: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>
  ) -> T {
    precondition(isAlive, "a request on an object that has ended")
    return T(adopting: make(T.interface, opcode, version: version, arguments), on: display)
  }

  /// Sends a request that makes an object of the version of this one, as `construct` does, in place of `ended`: an object of the
  /// same kind and connection that has ended and that nobody else holds, so that its memory and its handler serve again. Where it is
  /// none of that the object is a new one.
  public final func construct<T: Proxy>(
    inPlaceOf ended: inout T?, _ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>
  ) -> T {
    guard isKnownUniquelyReferenced(&ended), let again = ended, !again.isAlive, again.ownsMemory,
      again.display === display
    else { return construct(T.self, opcode, version: version, arguments) }
    precondition(isAlive, "a request on an object that has ended")
    again.raw = make(T.interface, opcode, version: version, arguments)
    again.isAlive = true
    again.listen()
    return again
  }

  private func make(
    _ interface: UnsafePointer<wl_interface>, _ opcode: UInt32, version: UInt32,
    _ arguments: UnsafeMutablePointer<wl_argument>
  ) -> OpaquePointer {
    guard let made = wl_proxy_marshal_array_flags(raw, opcode, interface, version, 0, arguments) else {
      preconditionFailure("libwayland has no memory left for an object")
    }
    if MessageTrace.sink != nil { MessageTrace.request(on: raw, of: Self.interface, opcode, arguments, made: made) }
    return made
  }

  /// The object of an incoming argument, or nil for NULL and for objects that ended meanwhile.
  public final func object<T: Proxy>(_ argument: wl_argument) -> T? {
    guard let raw = argument.o, let data = wl_proxy_get_user_data(raw) else { return nil }
    return Unmanaged<Proxy>.fromOpaque(data).takeUnretainedValue() as? T
  }

  /// The object that an event made.
  public final func created<T: Proxy>(_ argument: wl_argument) -> T {
    guard let raw = argument.o else { preconditionFailure("libwayland made no object for an event's new_id") }
    return T(adopting: raw, on: display)
  }
}

/// An object as an outgoing argument; one that has ended, or nil, is NULL.
public func wireObject(_ proxy: Proxy?) -> OpaquePointer? {
  guard let proxy, proxy.isAlive else { return nil }
  return proxy.raw
}

/// The one C entry of every event of every object.
nonisolated private func dispatchMessage(
  implementation: UnsafeRawPointer?, target: UnsafeMutableRawPointer?, opcode: UInt32,
  message: UnsafePointer<wl_message>?, arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
  MainActor.preconditionIsolated("events are read on the main thread")
  dispatchIsolated(
    ReceivedMessage(implementation: implementation, opcode: opcode, description: message, arguments: arguments))
  return 0
}

/// `deliver` as those may call it who know that they are on the main actor. What the standard library has for that,
/// `MainActor.assumeIsolated`, makes the same cast for a closure, whose captures take memory for each event.
nonisolated private let dispatchIsolated = unsafeBitCast(
  deliver as @MainActor @Sendable (ReceivedMessage) -> Void, to: (@Sendable (ReceivedMessage) -> Void).self)

/// What libwayland hands over with an event.
nonisolated private struct ReceivedMessage {
  let implementation: UnsafeRawPointer?
  let opcode: UInt32
  let description: UnsafePointer<wl_message>?
  let arguments: UnsafeMutablePointer<wl_argument>?
}

/// Hands an event to its object.
private func deliver(_ message: ReceivedMessage) {
  guard let implementation = message.implementation, let arguments = message.arguments else { return }
  // Held for the call: a handler may drop the last reference.
  let proxy = Unmanaged<Proxy>.fromOpaque(implementation).takeUnretainedValue()
  guard proxy.isAlive else { return }
  if MessageTrace.sink != nil, let description = message.description {
    MessageTrace.event(on: proxy.raw, description.pointee, arguments)
  }
  proxy.dispatch(opcode: message.opcode, arguments: arguments)
}
