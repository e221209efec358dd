import CWayland
import WaylandWire

/// The client's side of a protocol object. The generated classes add the messages.
///
/// It owns its wl_proxy, which is destroyed by the destructor request, by `discard()`, or with the last reference to this object.
@MainActor open class Proxy {
  /// The interface's description; each class has its own.
  open class var interface: WireInterface { preconditionFailure("Proxy itself describes no interface") }

  /// libwayland's object; nil once the object ended.
  private(set) var handle: ProxyHandle?
  /// The connection of the object; nil once the object ended, so that an ended object does not keep its connection alive.
  public private(set) var display: Display?
  /// False once the object has ended. From then on every request on it is dropped (`DroppedRequests`).
  public final var isAlive: Bool { handle != nil }
  /// False for an object whose memory a different object owns, such as the display's.
  private let ownsMemory: Bool

  /// Takes ownership of a new wl_proxy, and receives its events.
  public required init(adopting handle: ProxyHandle, on display: Display) {
    ownsMemory = true
    listen(to: handle, on: display)
  }

  /// An inert object: the result of a dropped request.
  public required init(ended: Void) {
    ownsMemory = true
  }

  /// An object that libwayland owns and that receives no events.
  init(borrowing handle: ProxyHandle, on display: Display) {
    self.handle = handle
    self.display = display
    ownsMemory = false
  }

  isolated deinit {
    if isAlive, ownsMemory { end() }
  }

  private func listen(to handle: ProxyHandle, on display: Display) {
    self.handle = handle
    self.display = display
    display.liveProxyCount += 1
    handle.listen(self)
  }

  /// The version with which the object was bound or created; 0 once it ended.
  public final var version: UInt32 { handle?.version ?? 0 }

  /// The object's number on the wire; 0 once it ended.
  public final var id: UInt32 { handle?.id ?? 0 }

  /// Ends the object by the protocol's destructor request, or by `discard()` if it has none.
  open func end() { discard() }

  /// Ends the object without notifying the compositor, for objects that an event ends.
  public final func discard() {
    guard let handle, ownsMemory else { return }
    handle.destroy()
    forget()
  }

  /// Marks the object as ended, after libwayland has destroyed its wl_proxy.
  private func forget() {
    handle = nil
    display?.liveProxyCount -= 1
    display = nil
  }

  /// Passes an event to the handler. Generated classes override this.
  open func dispatch(opcode: UInt32, arguments: WireArguments) {}

  func deliver(_ opcode: UInt32, _ message: UnsafePointer<wl_message>, _ arguments: WireArguments) {
    guard let handle else { return }
    if MessageTrace.sink != nil { unsafe MessageTrace.event(on: handle, WireMessage(message.pointee), arguments) }
    dispatch(opcode: opcode, arguments: arguments)
  }

  // MARK: For the generated classes

  /// Whether `argument` may be sent with the request `opcode`: nil may, an ended object may not. False is reported.
  public final func maySend(_ opcode: UInt32, with argument: Proxy?) -> Bool {
    guard let argument, !argument.isAlive else { return true }
    DroppedRequests.note(Self.interface, opcode, "an argument")
    return false
  }

  /// The wl_proxy that sends the request `opcode`; nil, with a report, if the object has ended.
  private func sender(_ opcode: UInt32) -> ProxyHandle? {
    if handle == nil { DroppedRequests.note(Self.interface, opcode, "the object") }
    return handle
  }

  /// Sends the request `opcode`, which ends the object if `destroys`.
  public final func marshal(_ opcode: UInt32, _ arguments: WireArguments, destroys: Bool = false) {
    guard let handle = sender(opcode) else { return }
    if MessageTrace.sink != nil { MessageTrace.request(on: handle, of: Self.interface, opcode, arguments) }
    handle.send(opcode, arguments, version: handle.version, destroys: destroys)
    if destroys { forget() }
  }

  /// Sends a request that creates an object, and returns it; if this object has ended, an ended one.
  public final func construct<T: Proxy>(
    _ type: T.Type, _ opcode: UInt32, version: UInt32, _ arguments: WireArguments
  ) -> T {
    guard let handle = sender(opcode), let display else { return T(ended: ()) }
    return T(adopting: make(T.interface, opcode, on: handle, version: version, arguments), on: display)
  }

  /// Sends a request that creates an object of this object's version, like `construct`, and puts it into `slot`. The object that is
  /// there is used again, with its memory and its handler, if it has ended and nothing else refers to it. Returns true for another
  /// object, which has no handler.
  public final func construct<T: Proxy>(into slot: inout T?, _ opcode: UInt32, _ arguments: WireArguments) -> Bool {
    guard isKnownUniquelyReferenced(&slot), let again = slot, !again.isAlive, again.ownsMemory else {
      slot = construct(T.self, opcode, version: version, arguments)
      return true
    }
    guard let handle = sender(opcode), let display else { return false }
    again.listen(to: make(T.interface, opcode, on: handle, version: version, arguments), on: display)
    return false
  }

  private func make(
    _ interface: WireInterface, _ opcode: UInt32, on handle: ProxyHandle, version: UInt32, _ arguments: WireArguments
  ) -> ProxyHandle {
    guard let made = handle.send(opcode, arguments, creating: interface, version: version) else {
      preconditionFailure("libwayland has no memory left for an object")
    }
    if MessageTrace.sink != nil { MessageTrace.request(on: handle, of: Self.interface, opcode, arguments, made: made) }
    return made
  }

  /// The object of an incoming argument; nil for NULL, for an object that has ended, and for one of a different class.
  public final func object<T: Proxy>(_ arguments: WireArguments, _ index: Int) -> T? {
    arguments.handle(index)?.proxy as? T
  }

  /// The object that an event created.
  public final func created<T: Proxy>(_ arguments: WireArguments, _ index: Int) -> T {
    guard let handle = arguments.handle(index), let display else {
      preconditionFailure("libwayland made no object for an event's new_id")
    }
    return T(adopting: handle, on: display)
  }
}
