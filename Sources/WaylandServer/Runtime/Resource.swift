import CWaylandServer
import WaylandWire

/// A client's object as the compositor holds it; the generated classes add its messages.
///
/// libwayland's resource keeps it alive until the client destroys the object or goes away.
open class Resource {
  /// The interface's description; each class has its own.
  open class var interface: UnsafePointer<wl_interface> {
    preconditionFailure("Resource itself describes no interface")
  }

  /// libwayland's own structure; dangling once the object ended.
  public let raw: OpaquePointer
  /// False once the object ended: from then on every event is ignored.
  public private(set) var isAlive = true
  /// The steps for the object's end, by whatever way it ends.
  private var lastSteps: [() -> Void] = []

  /// Takes over a new wl_resource.
  public required init(adopting raw: OpaquePointer) {
    self.raw = raw
    let this = Unmanaged.passRetained(self).toOpaque()
    wl_resource_set_dispatcher(raw, dispatchRequest, this, this, resourceDestroyed)
  }

  /// The version that the client bound or made it with.
  public final var version: UInt32 { isAlive ? UInt32(wl_resource_get_version(raw)) : 0 }

  /// The object's number on the wire; 0 once it ended.
  public final var id: UInt32 { isAlive ? wl_resource_get_id(raw) : 0 }

  /// The client that the object belongs to; nil once it ended.
  public final var client: OpaquePointer? { isAlive ? wl_resource_get_client(raw) : nil }

  /// Does `step` when the object ends, by whatever way, after the steps that were added before.
  public final func whenDestroyed(_ step: @escaping () -> Void) { lastSteps.append(step) }

  /// Ends the object.
  public final func destroy() {
    guard isAlive else { return }
    wl_resource_destroy(raw)
  }

  /// Ends the client with a protocol error on this object.
  public final func postError(_ code: UInt32, _ message: String) {
    guard isAlive else { return }
    message.withCString { wl_resource_post_error_plain(raw, code, $0) }
  }

  /// Hands an incoming message to the class's handler.
  open func dispatch(opcode: UInt32, arguments: UnsafeMutablePointer<wl_argument>) {}

  /// Sends an event.
  public final func post(_ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>) {
    guard isAlive else { return }
    wl_resource_post_event_array(raw, opcode, arguments)
  }

  /// The resource of an incoming argument, or nil for NULL.
  public final func object<T: Resource>(_ argument: wl_argument) -> T? {
    guard let raw = argument.o, let data = wl_resource_get_user_data(raw) else {
      return nil
    }
    return Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue() as? T
  }

  /// Makes the resource that a request asks for, at the version of its maker.
  public final func created<T: Resource>(_ argument: wl_argument, by maker: Resource) -> T {
    guard let client = maker.client,
      let made = wl_resource_create(client, T.interface, Int32(maker.version), argument.n)
    else { preconditionFailure("libwayland has no memory left for an object") }
    return T(adopting: made)
  }

  /// Makes a resource that an event will announce to the client, at this resource's version; nil once this resource is destroyed.
  public final func make<T: Resource>(_ type: T.Type) -> T? {
    guard let client, let made = wl_resource_create(client, T.interface, Int32(version), 0) else { return nil }
    return T(adopting: made)
  }

  fileprivate func ended() {
    isAlive = false
    for step in lastSteps { step() }
    lastSteps.removeAll()
  }
}

/// An object of a kind that clients send requests to.
public protocol TakesRequests: Resource {
  /// The kind's requests.
  associatedtype Request
  /// Called for each request, in order.
  var onRequest: ((Request) -> Void)? { get set }
}

/// A resource as an outgoing argument; one that has ended, or nil, is NULL.
func wireObject(_ resource: Resource?) -> OpaquePointer? {
  guard let resource, resource.isAlive else { return nil }
  return resource.raw
}

nonisolated private func dispatchRequest(
  implementation: UnsafeRawPointer?, target: UnsafeMutableRawPointer?, opcode: UInt32,
  message: UnsafePointer<wl_message>?, arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
  nonisolated(unsafe) let implementation = implementation
  nonisolated(unsafe) let arguments = arguments
  MainActor.assumeIsolated {
    guard let implementation, let arguments else { return }
    let resource = Unmanaged<Resource>.fromOpaque(implementation).takeUnretainedValue()
    guard resource.isAlive else { return }
    resource.dispatch(opcode: opcode, arguments: arguments)
  }
  return 0
}

nonisolated private func resourceDestroyed(raw: OpaquePointer?) {
  nonisolated(unsafe) let raw = raw
  MainActor.assumeIsolated {
    guard let raw, let data = wl_resource_get_user_data(raw) else { return }
    Unmanaged<Resource>.fromOpaque(data).takeRetainedValue().ended()
  }
}
