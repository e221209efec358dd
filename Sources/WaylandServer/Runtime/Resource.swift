import CWaylandServer
import WaylandWire

/// The compositor's side of a client's object. The generated classes add the messages.
///
/// libwayland's wl_resource keeps it alive until the client or the compositor destroys the object, or the client disconnects.
open class Resource {
  /// The interface's description; each class has its own.
  open class var interface: UnsafePointer<wl_interface> {
    preconditionFailure("Resource itself describes no interface")
  }

  /// libwayland's wl_resource; dangling once the object ended.
  public let raw: OpaquePointer
  /// False once the object has ended. From then on events on it are not sent, without a report.
  public private(set) var isAlive = true
  /// The closures to call when the object ends, in order.
  private var lastSteps: [() -> Void] = []

  /// Wraps a new wl_resource, which keeps this object alive, and receives its requests.
  public required init(adopting raw: OpaquePointer) {
    self.raw = raw
    let this = Unmanaged.passRetained(self).toOpaque()
    wl_resource_set_dispatcher(raw, dispatchRequest, this, this, resourceDestroyed)
  }

  /// The version with which the client bound or created the object; 0 once it ended.
  public final var version: UInt32 { isAlive ? UInt32(wl_resource_get_version(raw)) : 0 }

  /// The object's number on the wire; 0 once it ended.
  public final var id: UInt32 { isAlive ? wl_resource_get_id(raw) : 0 }

  /// The connection (wl_client) that the object belongs to; nil once it ended.
  public final var client: OpaquePointer? { isAlive ? wl_resource_get_client(raw) : nil }

  /// Calls `step` when the object ends, whatever the cause, after the steps that were added earlier. If it has already ended,
  /// `step` is never called.
  public final func whenDestroyed(_ step: @escaping () -> Void) { lastSteps.append(step) }

  /// Destroys the object; does nothing if it has ended.
  public final func destroy() {
    guard isAlive else { return }
    wl_resource_destroy(raw)
  }

  /// Disconnects the client with a protocol error on this object; does nothing if the object has ended.
  public final func postError(_ code: UInt32, _ message: String) {
    guard isAlive else { return }
    message.withCString { wl_resource_post_error_plain(raw, code, $0) }
  }

  /// Passes a request to the handler. Generated classes override this.
  open func dispatch(opcode: UInt32, arguments: UnsafeMutablePointer<wl_argument>) {}

  /// Queues the event `opcode` for the client; does nothing if the object has ended.
  public final func post(_ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>) {
    guard isAlive else { return }
    wl_resource_post_event_array(raw, opcode, arguments)
  }

  /// The resource of an incoming argument; nil for NULL, and for one of a different class.
  public final func object<T: Resource>(_ argument: wl_argument) -> T? {
    guard let raw = argument.o, let data = wl_resource_get_user_data(raw) else {
      return nil
    }
    return Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue() as? T
  }

  /// Makes the resource that a request of `maker` creates, at the version of `maker`.
  public final func created<T: Resource>(_ argument: wl_argument, by maker: Resource) -> T {
    guard let client = maker.client,
      let made = wl_resource_create(client, T.interface, Int32(maker.version), argument.n)
    else { preconditionFailure("libwayland has no memory left for an object") }
    return T(adopting: made)
  }

  /// Makes a resource that an event will announce to the client, at this resource's version. nil if this resource has ended, or
  /// without memory.
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

/// A resource whose interface has requests.
public protocol TakesRequests: Resource {
  /// The interface's requests.
  associatedtype Request
  /// Called for each request, in order.
  var onRequest: ((Request) -> Void)? { get set }
}

/// A resource as an outgoing argument; NULL if it is nil or has ended.
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
