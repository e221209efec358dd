import CWaylandServer

/// Observes one client's connection, which libwayland owns.
@safe @MainActor public final class ServerClient {
  /// A live object on the connection.
  nonisolated public struct LiveObject: Hashable, Sendable, CustomStringConvertible {
    /// The interface's name.
    public let interface: String
    /// The object's number on the wire.
    public let number: UInt32
    /// The version of the interface with which it was created.
    public let version: Int

    /// The interface and the number, such as "wl_surface@7".
    public var description: String { "\(interface)@\(number)" }
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
    unsafe self.raw = raw
    unsafe listener = .allocate(capacity: 1)
    unsafe listener.initialize(to: EndListener())
    unsafe listener.pointee.listener.notify = clientEnded
    unsafe listener.pointee.owner = Unmanaged.passUnretained(self)
    unsafe wl_client_add_destroy_listener(
      raw, UnsafeMutableRawPointer(listener).assumingMemoryBound(to: wl_listener.self))
  }

  isolated deinit {
    if isAlive { unsafe wl_list_remove(&listener.pointee.listener.link) }
    unsafe listener.deallocate()
  }

  /// The server's end of the socket; -1 once the connection ended.
  public var descriptor: Int32 { isAlive ? unsafe wl_client_get_fd(raw) : -1 }

  /// The live objects, in the order of their numbers.
  public var objects: [LiveObject] {
    guard isAlive else { return [] }
    var list: [LiveObject] = []
    unsafe withUnsafeMutablePointer(to: &list) { unsafe wl_client_for_each_resource(raw, collectObject, $0) }
    return list
  }

  /// Sends the events that are queued for this client.
  public func flush() {
    if isAlive { unsafe wl_client_flush(raw) }
  }

  /// Closes the connection and destroys its objects.
  public func disconnect() {
    if isAlive { unsafe wl_client_destroy(raw) }
  }

  fileprivate func ended() {
    unsafe wl_list_remove(&listener.pointee.listener.link)
    onEnd?()
    onEnd = nil
    isAlive = false
  }
}

/// libwayland's listener, followed by the object that it reports to. It needs memory that does not move.
@unsafe nonisolated private struct EndListener {
  var listener = unsafe wl_listener()
  var owner: Unmanaged<ServerClient>?
}

nonisolated private func clientEnded(listener: UnsafeMutablePointer<wl_listener>?, client: UnsafeMutableRawPointer?) {
  guard let start = UnsafeMutableRawPointer(listener) else { return }
  let owner = unsafe start.assumingMemoryBound(to: EndListener.self).pointee.owner?.takeUnretainedValue()
  MainActor.assumeIsolated { owner?.ended() }
}

nonisolated private func collectObject(resource: OpaquePointer?, list: UnsafeMutableRawPointer?) -> wl_iterator_result {
  guard let list = unsafe list?.assumingMemoryBound(to: [ServerClient.LiveObject].self),
    let name = unsafe wl_resource_get_class(resource)
  else { return WL_ITERATOR_CONTINUE }
  unsafe list.pointee.append(
    .init(
      interface: String(cString: name), number: wl_resource_get_id(resource),
      version: Int(wl_resource_get_version(resource))))
  return WL_ITERATOR_CONTINUE
}
