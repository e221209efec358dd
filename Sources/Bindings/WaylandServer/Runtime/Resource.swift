import CWaylandServer
import WaylandWire

/// The compositor's side of a client's object. The generated classes add the messages.
///
/// libwayland's wl_resource keeps it alive until the client or the compositor destroys the object, or the client disconnects.
@safe open class Resource {
  /// The interface's description; each class has its own.
  open class var interface: WireInterface { preconditionFailure("Resource itself describes no interface") }

  /// libwayland's wl_resource; dangling once the object ended.
  public let raw: OpaquePointer
  /// False once the object has ended. From then on events on it are not sent, without a report.
  public private(set) var isAlive = true
  private var lastSteps: [() -> Void] = []

  /// Wraps a new wl_resource, which keeps this object alive, and receives its requests.
  public required init(adopting raw: OpaquePointer) {
    unsafe self.raw = raw
    let this = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe wl_resource_set_dispatcher(raw, dispatchRequest, this, this, resourceDestroyed)
  }

  /// The version with which the client bound or created the object; 0 once it ended.
  public final var version: UInt32 { isAlive ? UInt32(unsafe wl_resource_get_version(raw)) : 0 }

  /// The object's number on the wire; 0 once it ended.
  public final var id: UInt32 { isAlive ? unsafe wl_resource_get_id(raw) : 0 }

  /// The connection (wl_client) that the object belongs to; nil once it ended.
  public final var client: OpaquePointer? { isAlive ? unsafe wl_resource_get_client(raw) : nil }

  /// Calls `step` when the object ends, whatever the cause, after the steps that were added earlier. If it has already ended,
  /// `step` is never called.
  public final func whenDestroyed(_ step: @escaping () -> Void) { lastSteps.append(step) }

  /// Destroys the object; does nothing if it has ended.
  public final func destroy() {
    if isAlive { unsafe wl_resource_destroy(raw) }
  }

  /// Disconnects the client with a protocol error on this object; does nothing if the object has ended.
  public final func postError(_ code: UInt32, _ message: String) {
    if isAlive { unsafe wl_resource_post_error_plain(raw, code, message) }
  }

  /// Passes a request to the handler. Generated classes override this.
  open func dispatch(opcode: UInt32, arguments: WireArguments) {}

  /// Queues the event `opcode` for the client; does nothing if the object has ended.
  public final func post(_ opcode: UInt32, _ arguments: WireArguments) {
    if isAlive { unsafe wl_resource_post_event_array(raw, opcode, arguments.pointer) }
  }

  /// The resource of an incoming argument; nil for NULL, and for one of a different class.
  public final func object<T: Resource>(_ arguments: WireArguments, _ index: Int) -> T? {
    // libwayland makes and keeps the registries itself.
    guard T.self != WlRegistryResource.self else { return nil }
    guard let raw = unsafe arguments.pointer[index].o, let data = unsafe wl_resource_get_user_data(raw) else {
      return nil
    }
    return unsafe Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue() as? T
  }

  /// Makes the resource that a request of `maker` creates, at the version of `maker`.
  public final func created<T: Resource>(_ arguments: WireArguments, _ index: Int, by maker: Resource) -> T {
    guard let made = maker.make(T.self, id: arguments.uint(index)) else {
      preconditionFailure("libwayland has no memory left for an object")
    }
    return made
  }

  /// Makes a resource that an event will announce to the client, at this resource's version; or, with its number `id`, one that a
  /// request created. nil if this resource has ended, or without memory.
  public final func make<T: Resource>(_ type: T.Type, id: UInt32 = 0) -> T? {
    guard let client = unsafe client,
      let made = unsafe wl_resource_create(client, T.interface.pointer, Int32(version), id)
    else { return nil }
    return unsafe T(adopting: made)
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

extension WireArguments {
  /// Sets an object; NULL if it is nil or has ended.
  func set(_ index: Int, _ resource: Resource?) {
    guard let resource, resource.isAlive else { return }
    unsafe pointer[index].o = resource.raw
  }
}

nonisolated private func dispatchRequest(
  implementation: UnsafeRawPointer?, target: UnsafeMutableRawPointer?, opcode: UInt32,
  message: UnsafePointer<wl_message>?, arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
  guard let implementation = unsafe implementation, let arguments = unsafe arguments else { return 0 }
  let resource = unsafe Unmanaged<Resource>.fromOpaque(implementation).takeUnretainedValue()
  nonisolated(unsafe) let received = unsafe WireArguments(arguments)
  MainActor.assumeIsolated {
    if resource.isAlive { unsafe resource.dispatch(opcode: opcode, arguments: received) }
  }
  return 0
}

nonisolated private func resourceDestroyed(raw: OpaquePointer?) {
  guard let data = unsafe wl_resource_get_user_data(raw) else { return }
  let resource = unsafe Unmanaged<Resource>.fromOpaque(data).takeRetainedValue()
  MainActor.assumeIsolated { resource.ended() }
}
