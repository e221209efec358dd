import CLinux
import Glibc
import Linux
public import WaylandServer
import WaylandWire

/// A client's connection: why it ended, and how far the client has read its events.
public final class StageClient {
  /// The reason why a connection ended.
  public enum End: Hashable, Sendable {
    /// The client closed it.
    case closed
    /// The script closed it.
    case hungUp
    /// A protocol error closed it.
    case protocolError(interface: String, code: UInt32, message: String)
    /// libwayland closed it because the client did not read its events and its socket was full.
    case unread
    /// libwayland closed it because the client sent malformed bytes, or a message that is too long.
    case unreadable
  }

  /// An object of a client: its interface, its number on the wire, and the version with which it was created.
  public typealias Object = ServerClient.LiveObject

  /// Why the connection ended; nil while it is open.
  public private(set) var end: End?
  /// The greatest `unreadBytes` after any step.
  public private(set) var mostUnreadBytes = 0

  /// The last step whose events the client had read before it sent the requests that the stage reads now; -1 before the first.
  private(set) var readEpoch = -1
  private var comingReadEpoch = -1

  /// libwayland's record of the connection.
  package let connection: ServerClient
  /// The client's own descriptor and the inode of its socket, which changes once the client closes it; nil for clients in other
  /// processes.
  private let peer: (descriptor: Int32, inode: UInt)?
  /// A duplicate of the client's end of the socket: libwayland discards a client's last requests once it sees the socket closed,
  /// but tests check those.
  private var near: Descriptor?
  /// The numbers of the objects that the client's last requests destroyed, as far as libwayland did not read those: it discards them
  /// once it sees the socket closed. Only clients in other processes can leave such requests.
  private(set) var destroyedUnread: Set<UInt32> = []
  private var isHangingUp = false
  /// The number of requests that the client has sent; 0 if the stage checks nothing.
  var requestCount = 0
  /// The names of globals that went while the client could not know it yet, or has not acknowledged it (wl_fixes version 2), with the step.
  private var removals: [UInt32: Int] = [:]
  /// True from the step that left the socket full until the client has read everything. libwayland gives a client up only with the
  /// client's next message or read, and then the socket may have space again.
  private var wasFull = false
  private var error: End?

  init(_ raw: OpaquePointer, clientDescriptor: Int32?, onEnd: @escaping (StageClient) -> Void) {
    connection = unsafe ServerClient(raw)
    peer = clientDescriptor.map { ($0, StageClient.inode($0)) }
    near = clientDescriptor.flatMap { Descriptor(fcntl($0, F_DUPFD_CLOEXEC, 0)) }
    connection.onEnd = { [weak self] in
      guard let self else { return }
      self.end =
        self.error
        ?? (self.isHangingUp
          ? .hungUp : self.peerClosed ? .closed : self.isFull || self.wasFull ? .unread : .unreadable)
      self.destroyedUnread = self.readLastDestructions()
      self.near = nil
      onEnd(self)
    }
  }

  /// The number of objects alive on the connection, by which leaks show.
  public var objectCount: Int { connection.objects.count }

  /// The objects alive on the connection, in the order of their numbers.
  public var objects: [Object] { connection.objects }

  /// The number of bytes sent that the client has not read; 0 for clients in other processes.
  public var unreadBytes: Int {
    var count: Int32 = 0
    return unsafe ioctl(near?.number ?? -1, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Sends the client arbitrary bytes, after the events that wait, as no correct compositor does.
  public func inject(_ bytes: [UInt8]) {
    connection.flush()
    guard !bytes.isEmpty else { return }
    _ = unsafe bytes.withUnsafeBytes {
      unsafe send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
  }

  /// Closes the connection without an error event, like a compositor that crashes.
  public func hangUp() {
    isHangingUp = true
    connection.disconnect()
  }

  /// Records a protocol error as the reason for the coming end.
  func errorSent(interface: String, code: UInt32, message: String) {
    error = .protocolError(interface: interface, code: code, message: message)
  }

  /// Updates `readEpoch` at the start of the step `epoch`. If nothing is unread, the client knows all previous steps, but the
  /// requests to be read now may be older than that. So the value takes effect with the next step.
  func begin(_ epoch: Int) {
    readEpoch = comingReadEpoch
    if hasReadEverything { comingReadEpoch = epoch - 1 }
  }

  /// Records, at the end of a step, how much is unread.
  func measure() {
    mostUnreadBytes = max(mostUnreadBytes, unreadBytes)
    wasFull = isFull || wasFull && unreadMemory > 0
  }

  /// Closes the stage's duplicate of a socket that the client has closed, so that libwayland notices; call it when all requests
  /// are handled. Returns true the first time that the client's socket is found closed.
  func noticeClosing() -> Bool {
    guard let peer, near != nil, StageClient.inode(peer.descriptor) != peer.inode else { return false }
    near = nil
    return true
  }

  /// Records that a global goes in a step, which the client must acknowledge.
  func owesRemoval(_ name: UInt32, epoch: Int) { removals[name] = epoch }

  func acknowledgeRemoval(_ name: UInt32) { removals[name] = nil }

  /// Reports the removals of globals before the step `epoch` that a client still connected has not acknowledged.
  func checkRemovals(before epoch: Int, on stage: Stage) {
    let left = removals.filter { $0.value + 1 < epoch }.keys.sorted()
    guard end == nil, !left.isEmpty else { return }
    stage.report(.removalUnacknowledged, "of \(left.map(String.init).joined(separator: ", "))")
  }

  private static func inode(_ descriptor: Int32) -> UInt {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? UInt(status.st_ino) : 0
  }

  private var hasReadEverything: Bool { near == nil ? unreadMemory == 0 : unreadBytes == 0 }

  /// The kernel's memory for events that the client has not read, which is more than their bytes.
  private var unreadMemory: Int32 {
    var memory: Int32 = 0
    return unsafe ioctl(connection.descriptor, UInt(TIOCOUTQ), &memory) == 0 ? memory : 0
  }

  /// True if unread events take at least half of the socket.
  private var isFull: Bool {
    var (room, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
    guard unsafe getsockopt(connection.descriptor, SOL_SOCKET, SO_SNDBUF, &room, &size) == 0 else { return false }
    return unreadMemory >= room / 2
  }

  /// Reads the requests that libwayland will discard; returns the numbers of the objects that they destroy.
  private func readLastDestructions() -> Set<UInt32> {
    let interfaces = Dictionary(uniqueKeysWithValues: objects.map { ($0.number, $0.interface) })
    var (unread, part) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      let count = unsafe recv(connection.descriptor, &part, part.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { break }
      unread += part.prefix(count)
    }
    var (rest, destroyed) = (unread[...], Set<UInt32>())
    while let header = MessageHeader(rest) {
      let request = interfaces[header.object].flatMap { WireInterface.named($0)?.request(header.opcode) }
      if request?.isDestructor == true { destroyed.insert(header.object) }
      rest = rest.dropFirst(header.size)
    }
    return destroyed
  }

  private var peerClosed: Bool {
    var poll = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP) != 0
  }
}

extension Resource {
  /// Whether the object belongs to the client of `other`.
  func hasClient(of other: Resource?) -> Bool { unsafe client == other?.client }
}

/// The contents of a wl_array of numbers.
func wireArray(_ numbers: [UInt32]) -> [UInt8] { unsafe numbers.withUnsafeBytes { unsafe Array($0) } }

extension StageClient.Object {
  /// Whether the client can destroy the object by a request; the others live until the connection closes or an event ends them.
  var canBeDestroyed: Bool {
    WireInterface.named(interface)?.requests.contains { $0.isDestructor && $0.since <= version } ?? true
  }
}

extension WireMessage {
  /// Whether the request destroys its object, as its name says in every protocol.
  fileprivate var isDestructor: Bool { ["destroy", "release"].contains(name) }
}
