import CWaylandServer

/// Observes one client's connection, which libwayland owns.
@MainActor public final class ServerClient {
  /// A live object on the connection.
  public struct LiveObject: Hashable, Sendable {
    /// The interface's name.
    public let interface: String
    /// The object's number on the wire.
    public let id: UInt32
    /// The version with which it was created.
    public let version: Int32
  }

  /// libwayland's wl_client; dangling once the connection ended.
  public let raw: OpaquePointer
  /// False once the connection ended.
  public private(set) var isAlive = true
  /// Called once when the connection ends, while its objects are still alive and `isAlive` is true.
  public var onEnd: (() -> Void)?

  private let listener: UnsafeMutablePointer<EndListener>

  /// Starts observing the connection `raw`.
  public init(_ raw: OpaquePointer) {
    self.raw = raw
    listener = .allocate(capacity: 1)
    listener.initialize(to: EndListener())
    listener.pointee.listener.notify = clientEnded
    listener.pointee.owner = Unmanaged.passUnretained(self)
    UnsafeMutableRawPointer(listener).withMemoryRebound(to: wl_listener.self, capacity: 1) {
      wl_client_add_destroy_listener(raw, $0)
    }
  }

  isolated deinit {
    if isAlive { wl_list_remove(&listener.pointee.listener.link) }
    listener.deallocate()
  }

  /// The server's end of the socket; -1 once the connection ended.
  public var descriptor: Int32 { isAlive ? wl_client_get_fd(raw) : -1 }

  /// The live objects, in the order of their numbers.
  public var objects: [LiveObject] {
    guard isAlive else { return [] }
    var list: [LiveObject] = []
    withUnsafeMutablePointer(to: &list) { wl_client_for_each_resource(raw, collectObject, $0) }
    return list
  }

  /// Sends the events that are queued for this client.
  public func flush() {
    if isAlive { wl_client_flush(raw) }
  }

  /// Closes the connection and destroys its objects.
  public func disconnect() {
    if isAlive { wl_client_destroy(raw) }
  }

  fileprivate func ended() {
    wl_list_remove(&listener.pointee.listener.link)
    onEnd?()
    onEnd = nil
    isAlive = false
  }
}

/// libwayland's listener, followed by the object that it reports to. It needs memory that does not move.
private struct EndListener {
  var listener = wl_listener()
  var owner: Unmanaged<ServerClient>?
}

nonisolated private func clientEnded(listener: UnsafeMutablePointer<wl_listener>?, client: UnsafeMutableRawPointer?) {
  nonisolated(unsafe) let listener = listener
  MainActor.assumeIsolated {
    guard let listener else { return }
    let owner = UnsafeMutableRawPointer(listener).assumingMemoryBound(to: EndListener.self).pointee.owner
    owner?.takeUnretainedValue().ended()
  }
}

nonisolated private func collectObject(resource: OpaquePointer?, list: UnsafeMutableRawPointer?) -> wl_iterator_result {
  nonisolated(unsafe) let resource = resource
  nonisolated(unsafe) let list = list
  MainActor.assumeIsolated {
    guard let resource, let list, let name = wl_resource_get_class(resource) else { return }
    list.assumingMemoryBound(to: [ServerClient.LiveObject].self).pointee.append(
      .init(
        interface: String(cString: name), id: wl_resource_get_id(resource), version: wl_resource_get_version(resource)))
  }
  return WL_ITERATOR_CONTINUE
}
