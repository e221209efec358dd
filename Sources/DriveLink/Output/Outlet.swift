// Owns the way to one consumer: opening it, writing whole lines, and noticing that it is gone.
// Must not know which lines there are; belongs to one thread and never makes it wait, unless it writes to a file.

import CLinux
import Glibc
import Interface

/// Writes lines to an endpoint.
///
/// The kernel's buffers are kept short, so that a consumer that wakes up reads a few old lines, not a minute of them.
final class Outlet {
  /// What became of a line.
  enum Outcome {
    case sent
    /// The network did not take it, and may take the next.
    case dropped
    /// The consumer does not read.
    case full
    /// The consumer is gone.
    case lost
  }

  /// Bytes that a pipe may hold unread before another line is written; lines have about 150.
  static let backlog: Int32 = 1024

  let endpoint: DriveEndpoint
  private(set) var status = DriveSender.Status.waiting
  /// When to try opening again; nil while open, or when there is no sense in it.
  private(set) var retryTime: MonotonicTime?
  /// The reason of the last failure; 0 after a success.
  private(set) var lastErrno: Int32 = 0
  private(set) var descriptor: Int32 = -1
  private var ownsDescriptor = true
  private var isSocket = false
  private var isPipe = false
  private var openedAt = MonotonicTime.zero
  private var failingSince: MonotonicTime?
  private var backOff = BackOff(least: .milliseconds(50), most: .seconds(2))
  /// What is left of a line that went only in part.
  private let rest = UnsafeMutablePointer<UInt8>.allocate(capacity: DriveLineWriter.capacity)
  private var restCount = 0

  init(_ endpoint: DriveEndpoint) {
    self.endpoint = endpoint
  }

  deinit {
    closeDescriptor()
    rest.deallocate()
  }

  /// True while a line that was begun is not finished.
  var isUnfinished: Bool { restCount > 0 }

  /// True where a lost datagram leaves no trace.
  var isLossy: Bool { if case .udp = endpoint { true } else { false } }

  // MARK: Opening

  /// Opens the way, or says when to try again. True when it is open.
  func open(now: MonotonicTime) -> Bool {
    guard status == .waiting, retryTime.map({ $0 <= now }) ?? true else { return status == .open }
    let failure =
      switch endpoint {
      case .standard: openStandard()
      case .unix(let path): openUnix(path)
      case .udp(let host, let port): openUDP(host, port)
      }
    lastErrno = failure
    guard failure == 0 else {
      // Standard output was closed before the program began.
      if endpoint == .standard { status = .ended }
      retryTime = now + backOff.wait()
      return false
    }
    retryTime = nil
    openedAt = now
    status = .open
    return true
  }

  /// Standard output. Its flags are shared with other processes, so that a pipe is opened anew to make it non-blocking; a file
  /// is written to as it is, since files never are.
  private func openStandard() -> Int32 {
    var information = stat()
    guard fstat(STDOUT_FILENO, &information) == 0 else { return errno }
    let kind = information.st_mode & S_IFMT
    isSocket = kind == S_IFSOCK
    isPipe = kind == S_IFIFO
    ownsDescriptor = false
    descriptor = STDOUT_FILENO
    guard isPipe || kind == S_IFCHR else { return 0 }
    let reopened = Glibc.open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    if reopened >= 0 {
      ownsDescriptor = true
      descriptor = reopened
    }
    if isPipe { _ = cockpit_set_pipe_size(descriptor, 4096) }
    return 0
  }

  private func openUnix(_ path: String) -> Int32 {
    var failure: Int32 = 0
    for type in [SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM] {
      failure = connectUnix(path, type)
      if failure != EPROTOTYPE { break }
    }
    return failure
  }

  private func connectUnix(_ path: String, _ type: __socket_type) -> Int32 {
    let made = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard made >= 0 else { return errno }
    // The kernel rounds it up to its least: about six lines.
    var size: Int32 = 1
    setsockopt(made, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    return adopt(made, connected: withUnixAddress(path) { connect(made, $0, $1) })
  }

  /// Looking a name up may take seconds; meanwhile there is nobody to send to anyway.
  private func openUDP(_ host: String, _ port: UInt16) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else { return EHOSTUNREACH }
    defer { freeaddrinfo(found) }
    let made = socket(
      found.pointee.ai_family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard made >= 0 else { return errno }
    return adopt(made, connected: connect(made, found.pointee.ai_addr, found.pointee.ai_addrlen))
  }

  private func adopt(_ made: Int32, connected: Int32) -> Int32 {
    guard connected == 0 else {
      let reason = errno
      Glibc.close(made)
      return reason
    }
    descriptor = made
    ownsDescriptor = true
    isSocket = true
    return 0
  }

  // MARK: Writing

  /// Writes a whole line, or nothing of it: what the consumer takes only in part is finished before anything else.
  func send(_ line: UnsafeRawBufferPointer) -> Outcome {
    let before = finishLine()
    guard before == .sent else { return before }
    if isPipe, unread > Outlet.backlog { return .full }
    let written = write(line)
    guard written > 0, let start = line.baseAddress else { return failed() }
    failingSince = nil
    restCount = line.count - written
    if restCount > 0 { memcpy(rest, start + written, restCount) }
    return .sent
  }

  /// Goes on with a line that was begun.
  func finishLine() -> Outcome {
    guard restCount > 0 else { return .sent }
    let written = write(UnsafeRawBufferPointer(start: rest, count: restCount))
    guard written > 0 else { return failed() }
    restCount -= written
    if restCount > 0 { memmove(rest, rest + written, restCount) }
    return restCount == 0 ? .sent : .full
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard isSocket else { return Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    let written = Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
    // A refusal is about the datagram before: this one has not been sent yet.
    guard written < 0, isLossy, errno == ECONNREFUSED else { return written }
    return Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
  }

  private func failed() -> Outcome {
    let reason = errno
    switch reason {
    case EAGAIN, EINTR, ENOBUFS: return .full
    // Nobody is there for this datagram; there may be for the next.
    case _ where isLossy:
      lastErrno = reason
      let since = failingSince ?? .system
      failingSince = since
      // The name may mean another number by now.
      guard MonotonicTime.system - since < .seconds(2) else { break }
      return .dropped
    default: break
    }
    lose(reason)
    return .lost
  }

  /// The bytes that a pipe's reader has not read.
  private var unread: Int32 {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
  }

  // MARK: Waiting and losing

  /// True where the poll tells that a line has room. A pipe tells only when it is empty.
  var tellsRoom: Bool { !isPipe }

  /// The poll said what happened: a consumer that hung up is lost. True when so.
  func hungUp(_ events: Int16) -> Bool {
    guard status == .open, !isLossy, events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 else { return false }
    lose(EPIPE)
    return true
  }

  private func lose(_ reason: Int32) {
    closeDescriptor()
    restCount = 0
    failingSince = nil
    lastErrno = reason
    // A pipe whose reader has gone never has another one.
    guard endpoint != .standard else {
      status = .ended
      return
    }
    status = .waiting
    let now = MonotonicTime.system
    if now - openedAt >= .seconds(1) { backOff.reset() }
    retryTime = now + backOff.wait()
  }

  private func closeDescriptor() {
    if descriptor >= 0, ownsDescriptor { Glibc.close(descriptor) }
    descriptor = -1
  }
}
