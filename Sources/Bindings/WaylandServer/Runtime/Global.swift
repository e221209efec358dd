import CWaylandServer

/// Announces an interface to clients, and makes a resource for each client that binds it. It is removed by `remove()`, or with
/// the last reference.
@safe @MainActor public final class Global {
  /// The interface's name.
  public let interface: String
  private var raw: OpaquePointer?
  /// Whether clients have been notified that the global is gone.
  public private(set) var isWithdrawn = false
  fileprivate let bind: (_ client: OpaquePointer, _ version: UInt32, _ id: UInt32) -> Void

  /// Announces the interface of `type` at `version`, from 1 to the version in its XML. `onBind` receives the new resource of each
  /// bind.
  public init<T: Resource>(_ display: ServerDisplay, _ type: T.Type, version: Int32, onBind: @escaping (T) -> Void) {
    interface = T.interface.name
    unsafe bind = { client, version, id in
      guard let made = unsafe wl_resource_create(client, T.interface.pointer, Int32(version), id) else {
        return unsafe wl_client_post_no_memory(client)
      }
      onBind(unsafe T(adopting: made))
    }
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe raw = wl_global_create(display.raw, T.interface.pointer, version, this, bindGlobal)
  }

  isolated deinit { remove() }

  /// Notifies clients that the global is gone, but still serves binds that a client sent before it read that. Call `remove()`
  /// once clients have had time to read it.
  public func withdraw() {
    guard let raw = unsafe raw, !isWithdrawn else { return }
    isWithdrawn = true
    unsafe wl_global_remove(raw)
  }

  /// Removes the global at once. A client that binds it later is disconnected with a protocol error. Bound objects stay.
  public func remove() {
    guard let raw = unsafe raw else { return }
    unsafe self.raw = nil
    unsafe wl_global_destroy(raw)
  }
}

nonisolated private func bindGlobal(
  client: OpaquePointer?, data: UnsafeMutableRawPointer?, version: UInt32, id: UInt32
) {
  guard let client = unsafe client, let data = unsafe data else { return }
  let global = unsafe Unmanaged<Global>.fromOpaque(data).takeUnretainedValue()
  nonisolated(unsafe) let owner = unsafe client
  MainActor.assumeIsolated { unsafe global.bind(owner, version, id) }
}
