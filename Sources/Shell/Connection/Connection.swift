import Glibc
import Linux
import Wayland

/// Reads and writes a display's socket within the event loop, without ever blocking on it.
///
/// `onIdle` is called before each wait, after all received messages have been handled. There, batches are closed and frames are
/// drawn.
final class Connection {
  let display: Display
  let root: WlDisplay
  private let loop: EventLoop
  private let descriptor: Int32
  private var isReading = false
  private var isOver = false
  /// True while requests wait because the socket is full. Few more requests may be sent then: libwayland 1.21 buffers 4 KiB and
  /// ends the connection when that is full too.
  private(set) var isBlocked = false
  /// Delivery is held during dispatch and runs right after.
  var outbox: Outbox?

  /// Called when every message that has arrived is handled, before requests are sent.
  var onIdle: (() -> Void)?
  /// Called once when the connection is lost; nothing can be sent any more.
  var onEnd: ((ShellError) -> Void)?

  /// Connects once more to the compositor that the environment names. Fails if too many clients are already waiting for it,
  /// because a stopped compositor would block the loop.
  static func again(loop: EventLoop) throws(ShellError) -> Connection { try named(loop: loop, mayWait: false) }

  /// Connects to the compositor that WAYLAND_DISPLAY names. libwayland would take an empty name for a socket's.
  private static func named(loop: EventLoop, mayWait: Bool) throws(ShellError) -> Connection {
    let path = environmentName
    guard let socket = Descriptor.socket(connectedTo: path, mayWait: mayWait) else {
      throw .noCompositor(display: path, errno: errno)
    }
    return try Connection(loop: loop, descriptor: socket.take())
  }

  /// Connects for the first time to the compositor of the environment: over the socket that WAYLAND_SOCKET hands over, or else
  /// to the one that WAYLAND_DISPLAY names. `isHandedOver` says which.
  static func first(
    loop: EventLoop, handedOver: String? = Environment.takeSocket()
  ) throws(ShellError) -> (connection: Connection, isHandedOver: Bool) {
    guard let value = handedOver else { return (try named(loop: loop, mayWait: true), false) }
    guard let descriptor = Int32(value) else { throw .badSocket(value: value, errno: EINVAL) }
    // A file that is no connected socket would look like a compositor that does not answer.
    var (address, length) = (sockaddr_un(), socklen_t(MemoryLayout<sockaddr_un>.size))
    let isConnected = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getpeername(descriptor, $0, &length) } == 0
    }
    guard isConnected else { throw .badSocket(value: value, errno: errno) }
    guard address.sun_family == sa_family_t(AF_UNIX) else { throw .badSocket(value: value, errno: EAFNOSUPPORT) }
    // Programs that this one starts must not keep the connection open.
    _ = fcntl(descriptor, F_SETFD, fcntl(descriptor, F_GETFD) | FD_CLOEXEC)
    return (try Connection(loop: loop, descriptor: descriptor), true)
  }

  /// Connects to a compositor over the socket `descriptor`, which the connection takes over.
  init(loop: EventLoop, descriptor: Int32) throws(ShellError) {
    self.loop = loop
    Connection.logMessages()
    guard let opened = Display(descriptor: descriptor) else {
      throw .system(operation: "wl_display_connect_to_fd", errno: errno)
    }
    display = opened
    root = opened.makeRoot()
    self.descriptor = opened.descriptor
    loop.watch(
      .init(
        descriptor: descriptor, prepare: { [unowned self] in prepareWait() },
        handle: { [unowned self] in finishWait($0) }))
  }

  static func logMessages() {
    LibraryMessages.sink = { Log.write(.connection, .info, "libwayland: \($0)") }
    DroppedRequests.report = { Log.write(.connection, .error, $0) }
    if Log.isOn(.wayland, .info) { MessageTrace.sink = { Log.write(.wayland, .info, $0) } }
  }

  /// Stops using the socket. It closes with the last object on it.
  func close() {
    if !isOver { display.flush() }
    stop()
  }

  private func stop() {
    loop.unwatch(descriptor)
    if isReading { display.cancelRead() }
    isReading = false
    isOver = true
  }

  private static var environmentName: String {
    let display = Environment.display.value ?? "wayland-0"
    guard !display.hasPrefix("/") else { return display }
    let folder = Environment.runtimeFolder.value ?? "(XDG_RUNTIME_DIR is not set)"
    return folder + "/" + display
  }

  private func prepareWait() -> EventLoop.Interest {
    guard !isOver else { return [] }
    while !display.prepareRead() {
      guard dispatch(), !isOver else {
        fail()
        return []
      }
    }
    isReading = true
    if isBlocked { send() }
    onIdle?()
    guard !isOver else { return [] }
    send()
    return isBlocked ? [.readable, .writable] : .readable
  }

  /// Sends the waiting requests. If the compositor is slow to read, `isBlocked` makes the loop wait until it does, and keep
  /// reading meanwhile. Any other failure appears when the socket is read, with the protocol error that caused it.
  func send() { isBlocked = !display.flush() && errno == EAGAIN }

  /// Dispatches the events that were read; contents receive them afterwards.
  private func dispatch() -> Bool {
    outbox?.hold()
    defer { outbox?.release() }
    return display.dispatchPending()
  }

  private func finishWait(_ happened: EventLoop.Interest) {
    guard isReading, !isOver else { return }
    isReading = false
    if happened.contains(.readable) {
      if !display.readEvents() { return fail() }
    } else {
      display.cancelRead()
    }
    if dispatch() { outbox?.deliver() } else { fail() }
  }

  private func fail() {
    guard !isOver else { return }
    let reason = display.error
    stop()
    if reason == EPROTO, let (interface, id, code, message) = display.protocolError {
      onEnd?(.protocolError(interface: interface, id: id, code: code, message: message))
    } else {
      onEnd?(.connectionLost(errno: reason == 0 ? EPIPE : reason))
    }
  }
}
