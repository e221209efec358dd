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
  static func again(loop: EventLoop) throws(ShellError) -> Connection {
    let path = environmentName
    guard let socket = Descriptor.socket(connectedTo: path) else { throw .noCompositor(display: path, errno: errno) }
    return try Connection(loop: loop, descriptor: socket.take())
  }

  /// Connects to a compositor: over `descriptor` when given, else to the socket that the environment names.
  init(loop: EventLoop, descriptor given: Int32? = nil) throws(ShellError) {
    self.loop = loop
    Connection.logMessages()
    guard let opened = Display(descriptor: given) else {
      let reason = errno
      throw .noCompositor(display: Connection.environmentName, errno: reason)
    }
    display = opened
    root = opened.makeRoot()
    descriptor = opened.descriptor
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
    if reason == EPROTO, let (interface, id, code) = display.protocolError {
      onEnd?(.protocolError(interface: interface, id: id, code: code))
    } else {
      onEnd?(.connectionLost(errno: reason == 0 ? EPIPE : reason))
    }
  }
}
