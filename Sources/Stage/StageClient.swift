import CLinux
import Glibc
import Linux

/// A client's connection, with the reason for its end and the number of unread bytes.
package final class StageClient {
  /// The reason why a connection ended.
  package enum End: Hashable, Sendable {
    /// The client closed it.
    case closed
    /// The script closed it.
    case hungUp
    /// A protocol error closed it.
    case protocolError(interface: String, code: UInt32, message: String)
    /// libwayland closed it because the client's socket was full.
    case unread
  }

  /// The end of the connection; nil while it is open.
  package private(set) var end: End?
  /// The maximum number of sent and unread bytes.
  package private(set) var mostUnreadBytes = 0

  /// The last step whose messages the client had read before it sent those that are read now.
  private(set) var readEpoch = -1
  private var comingReadEpoch = -1

  package let connection: ServerClient
  /// The client's own descriptor, with the file that it refers to; nil for clients of other processes.
  private let peer: (descriptor: Int32, inode: UInt)?
  /// The client's end of the socket, held open by the stage too: libwayland discards a client's last messages when it sees the
  /// socket closed, and a test checks those.
  private var near: Descriptor?
  private var isHangingUp = false
  private var error: End?

  init(_ raw: OpaquePointer, clientDescriptor: Int32?, onEnd: @escaping (StageClient) -> Void) {
    connection = ServerClient(raw)
    peer = clientDescriptor.map { ($0, StageClient.inode($0)) }
    near = clientDescriptor.flatMap { Descriptor(fcntl($0, F_DUPFD_CLOEXEC, 0)) }
    connection.onEnd = { [weak self] in
      guard let self else { return }
      self.end = self.error ?? (self.isHangingUp ? .hungUp : self.peerClosed ? .closed : .unread)
      self.near = nil
      onEnd(self)
    }
  }

  /// The objects alive on the connection.
  package var objects: [ServerClient.LiveObject] { connection.objects }

  /// The number of bytes that were sent and that the client has not read; 0 for clients of other processes.
  package var unreadBytes: Int {
    var count: Int32 = 0
    return ioctl(near?.number ?? -1, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Inserts arbitrary bytes between the messages, which no compositor does.
  package func inject(_ bytes: [UInt8]) {
    connection.flush()
    guard !bytes.isEmpty else { return }
    _ = bytes.withUnsafeBytes {
      send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
  }

  /// Closes the connection without an error event, like a compositor that crashes.
  package func hangUp() {
    isHangingUp = true
    connection.disconnect()
  }

  /// Records an error event that is in flight to the client.
  func errorSent(interface: String, code: UInt32, message: String) {
    error = .protocolError(interface: interface, code: code, message: message)
  }

  /// Begins the step `epoch`. If nothing is unread, the client knows all previous steps from its next messages on; messages
  /// that are read now may be older.
  func begin(_ epoch: Int) {
    readEpoch = comingReadEpoch
    if unreadBytes == 0 { comingReadEpoch = epoch - 1 }
  }

  /// Records the number of unread bytes if it is the greatest so far.
  func measure() { mostUnreadBytes = max(mostUnreadBytes, unreadBytes) }

  /// Lets libwayland see that the client has closed its end, after all its messages were handled. Returns true if it has.
  func noticeClosing() -> Bool {
    guard let peer, near != nil, StageClient.inode(peer.descriptor) != peer.inode else { return false }
    near = nil
    return true
  }

  private static func inode(_ descriptor: Int32) -> UInt {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt(status.st_ino) : 0
  }

  private var peerClosed: Bool {
    var poll = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP) != 0
  }
}

/// The interfaces without a destructor in some versions: their objects live until the connection closes or an event ends them.
enum Destructors {
  /// The first version of each interface that has a destructor; nil if no version has one.
  private static let since: [String: Int32?] = [
    "wl_display": nil, "wl_registry": nil, "wl_callback": nil, "wl_compositor": nil, "wl_shm": 2,
    "wl_subcompositor": 1, "wl_seat": 5, "wl_pointer": 3, "wl_keyboard": 3, "wl_touch": 3, "wl_output": 3,
    "wl_data_device_manager": nil, "wp_presentation_feedback": nil, "ivi_application": nil,
    "zwlr_layer_shell_v1": 3,
  ]

  /// True if the client can destroy `object` by a request.
  static func canEnd(_ object: ServerClient.LiveObject) -> Bool {
    guard let known = since[object.interface] else { return true }
    guard let version = known else { return false }
    return object.version >= version
  }
}
