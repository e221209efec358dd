import CLinux
import Glibc
import WaylandServer

/// A client's connection: how it ended, and what it has not read.
public final class StageClient {
  /// How a connection ended.
  public enum End: Hashable, Sendable {
    /// The client closed it.
    case closed
    /// The script did.
    case hungUp
    /// A protocol error did.
    case protocolError(interface: String, code: UInt32, message: String)
    /// libwayland did, as the client's socket was full.
    case unread
  }

  /// How the connection ended; nil while it lives.
  public private(set) var end: End?
  /// The most bytes seen that were sent and not read.
  public private(set) var mostUnreadBytes = 0

  /// The last step whose messages the client had read before it sent what is read now.
  private(set) var readEpoch = -1
  private var comingReadEpoch = -1

  let connection: ServerClient
  private let near: NearEnd?
  private var isHangingUp = false
  private var error: End?

  init(_ raw: OpaquePointer, clientDescriptor: Int32?, onEnd: @escaping (StageClient) -> Void) {
    connection = ServerClient(raw)
    near = clientDescriptor.map { NearEnd($0) }
    connection.onEnd = { [weak self] in
      guard let self else { return }
      self.end = self.error ?? (self.isHangingUp ? .hungUp : self.peerClosed ? .closed : .unread)
      self.near?.letGo()
      onEnd(self)
    }
  }

  /// The objects alive on the connection.
  public var objects: [ServerClient.LiveObject] { connection.objects }

  /// The bytes that were sent and that the client has not read; 0 for clients of other processes.
  public var unreadBytes: Int { near?.unreadBytes ?? 0 }

  /// Puts bytes of the script's own between the messages: no compositor does.
  public func inject(_ bytes: [UInt8]) {
    connection.flush()
    guard !bytes.isEmpty else { return }
    _ = bytes.withUnsafeBytes {
      send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
  }

  /// Ends the connection without a word, as a compositor that crashes.
  public func hangUp() {
    isHangingUp = true
    connection.disconnect()
  }

  /// An error event is on its way to the client.
  func errorSent(interface: String, code: UInt32, message: String) {
    error = .protocolError(interface: interface, code: code, message: message)
  }

  /// The step `epoch` begins: if nothing is unread, then all of the steps before is known to the client from its next
  /// messages on; those that are read now may be older.
  func begin(_ epoch: Int) {
    readEpoch = comingReadEpoch
    if unreadBytes == 0 { comingReadEpoch = epoch - 1 }
  }

  /// Measures what is unread.
  func measure() { mostUnreadBytes = max(mostUnreadBytes, unreadBytes) }

  /// Lets libwayland see that the client has closed its end, now that all its messages were handled; true when it has.
  func noticeClosing() -> Bool {
    guard let near, near.isHeld, near.isClosedByClient else { return false }
    near.letGo()
    return true
  }

  private var peerClosed: Bool {
    var poll = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP) != 0
  }
}

/// The client's end of the socket, held open by the stage too: libwayland throws a client's last messages away when it
/// sees the socket closed, and a test is about those.
@MainActor private final class NearEnd {
  private let client: (descriptor: Int32, inode: UInt)
  private var copy: Int32

  init(_ descriptor: Int32) {
    client = (descriptor, NearEnd.inode(descriptor))
    copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
  }

  isolated deinit { letGo() }

  var isHeld: Bool { copy >= 0 }

  /// True once the client's own descriptor is something else, or nothing.
  var isClosedByClient: Bool { NearEnd.inode(client.descriptor) != client.inode }

  var unreadBytes: Int {
    var count: Int32 = 0
    return copy >= 0 && ioctl(copy, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  func letGo() {
    if copy >= 0 { close(copy) }
    copy = -1
  }

  private static func inode(_ descriptor: Int32) -> UInt {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt(status.st_ino) : 0
  }
}
