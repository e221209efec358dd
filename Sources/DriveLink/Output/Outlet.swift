import CLinux
import Glibc
import Linux
import UICore

/// Writes lines to an endpoint.
///
/// The kernel's buffers are kept short, so that a consumer that wakes up reads a few old lines, not a minute of them.
///
/// poll() must never spin, so each event is consumed or closes the descriptor: poll waits for writability only until it is
/// reported once (`pollEntry`), and each of its other events is either cleared or ends with the descriptor closed (`take`).
final class Outlet {
  enum Outcome {
    case sent
    /// The network did not accept the line, but may accept the next one.
    case dropped
    /// The consumer does not read.
    case full
    case lost
  }

  /// The number of bytes that may be unread in a pipe before another line is written; lines have about 200.
  static let backlog: Int32 = 1024
  /// The time without a byte being read after which a consumer counts as stalled.
  static let stallLimit = Duration.milliseconds(300)
  /// The time between two look-ups of a name that has an address: a host that comes back with a new one is found within five
  /// seconds.
  static let lookupPeriod = Duration.seconds(3)
  /// The most errors that are read at once, and the most reports in a row of an error that cannot be read.
  static let mostErrors = 64
  static let mostEmptyErrors = 3

  /// The longest answer in bytes, and the number of answers that are read at once: a flood must not hold up the lines.
  static let longestAnswer = 8192
  static let mostAnswers = 16

  /// The bridge's name in PATH.
  static let bridgeProgram = "cockpit-bridge"

  let endpoint: DriveEndpoint
  private(set) var status = DriveSender.Status.waiting
  /// The errno of the last failure; 0 after a success.
  private(set) var lastErrno: Int32 = 0
  private let lookup: NameLookup
  private let standard: Int32
  private let program: String
  private let bridgeArguments: [String]
  private var bridge: BridgeProcess?
  /// True while the consumer's answers are read: it may answer, and has not closed its side.
  private var hasAnswers = false
  /// True if each answer is a message; in a stream they are lines.
  private var isOfMessages = false
  private var answers = TelemetryLines()
  private lazy var answer = [UInt8](repeating: 0, count: Outlet.longestAnswer)
  private var descriptor: Int32 = -1
  /// Owns `descriptor`, unless that is the process's standard output.
  private var owned: Descriptor?
  private var isSocket = false
  private var isPipe = false
  /// True if lines are datagrams over a network: an error then concerns one datagram, not the consumer.
  private(set) var isLossy = false
  private var retryTime: MonotonicTime?
  private var openedAt = MonotonicTime.zero
  private var failingSince: MonotonicTime?
  /// The time since which the consumer has read none of the waiting bytes; nil while nothing waits.
  private var stalledSince: MonotonicTime?
  private var refusals = Refusals()
  private var emptyErrors = 0
  private var unreadLines = UnreadLines()
  /// True if the consumer had left a line unread for `stallLimit` when the newest one was to be sent.
  private var isSlow = false
  /// The host's address that is connected; nil if the endpoint has none.
  private var address: SocketAddress?
  /// The addresses of the host that are still to be tried.
  private var untried: ArraySlice<SocketAddress> = []
  /// True if the host is given by name: its address may change.
  private var isNamed = false
  /// The time of the next look-up of a name that has an address; nil if none is due, or one is running.
  private var lookupTime: MonotonicTime?
  private var backOff = BackOff(least: .milliseconds(50), most: .seconds(2))
  private var refusal = Refusal.none
  /// The time between attempts if poll reports space in which no line fits. With 64 ms, 16 attempts a second cost nothing, and
  /// a consumer that wakes up receives a line within its watchdog's 250 ms.
  private var pause = BackOff(least: .milliseconds(2), most: .milliseconds(64))
  /// The rest of a line that was written only in part.
  private var rest: [UInt8] = []

  /// The event to wait for after a line that did not fit.
  private enum Refusal {
    case none
    /// Poll must report writability first.
    case awaitingSpace
    /// Poll has reported writability: the next attempt should succeed.
    case hasSpace
    /// Poll reported space in which no line fits, as it does for a long pipe.
    case retry(at: MonotonicTime)
  }

  /// An outlet that is not open yet. `standard` is the descriptor of the process's standard output.
  ///
  /// `program` is started for a receiver with its own protocol, with `bridgeArguments` before the receiver's name.
  init(
    _ endpoint: DriveEndpoint, lookup: NameLookup = NameLookup(), standard: Int32 = STDOUT_FILENO,
    program: String = Outlet.bridgeProgram, bridgeArguments: [String] = []
  ) {
    self.endpoint = endpoint
    self.lookup = lookup
    self.standard = standard
    (self.program, self.bridgeArguments) = (program, bridgeArguments)
    rest.reserveCapacity(DriveLineWriter.capacity)
  }

  /// True while a line was written only in part.
  var isUnfinished: Bool { !rest.isEmpty }

  /// The status at `now`, which distinguishes a consumer that reads nothing from one that reads lines.
  func linkStatus(now: MonotonicTime) -> DriveSender.Status {
    guard status == .open else { return status }
    return refusals.isGone || isSlow || stalledSince.map { now - $0 >= Outlet.stallLimit } ?? false ? .stalled : .open
  }

  /// The time at which a consumer that reads nothing will count as stalled; nil if nothing waits for it.
  var stallTime: MonotonicTime? { status == .open ? stalledSince.map { $0 + Outlet.stallLimit } : nil }

  // MARK: Opening

  /// Connects if an attempt is due. Returns true if the connection is open.
  func open(now: MonotonicTime) -> Bool {
    guard status == .waiting, retryTime.map({ $0 <= now }) ?? true else { return status == .open }
    retryTime = nil
    refusal = .none
    (isSocket, isPipe, isLossy, hasAnswers) = (false, false, false, false)
    let failure =
      switch endpoint {
      case .standard: openStandard()
      case .unix(let path): openUnix(path)
      case .udp(let host, let port): openUDP(host, port)
      case .bridge(let receiver): openBridge(receiver)
      }
    // The end of the name lookup wakes the thread.
    if failure == EINPROGRESS { return false }
    lastErrno = failure
    guard failure == 0 else {
      // EBADF is final: standard output is closed or cannot be written to, or the bridge cannot be used. After any other
      // failure a later attempt may succeed.
      if failure == EBADF { status = .ended } else { retry(now: now) }
      return false
    }
    openedAt = now
    status = .open
    lookupTime = isNamed ? now + Outlet.lookupPeriod : nil
    return true
  }

  /// Opens standard output. Its flags are shared with other processes, so a pipe is reopened to make it non-blocking; a file is
  /// written to as it is, since files never are non-blocking.
  private func openStandard() -> Int32 {
    var information = stat()
    guard unsafe fstat(standard, &information) == 0 else { return errno }
    // Refuse a read-only descriptor: reopening it would make it writable.
    guard fcntl(standard, F_GETFL) & O_ACCMODE != O_RDONLY else { return EBADF }
    let kind = information.st_mode & S_IFMT
    isSocket = kind == S_IFSOCK
    isPipe = kind == S_IFIFO
    isLossy =
      isSocket && option(SO_TYPE, of: standard) == Int32(SOCK_DGRAM.rawValue)
      && option(SO_DOMAIN, of: standard) != AF_UNIX
    descriptor = standard
    guard isPipe || kind == S_IFCHR else { return 0 }
    if let reopened = unsafe Descriptor(
      Glibc.open("/proc/self/fd/\(standard)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY))
    {
      descriptor = reopened.number
      owned = consume reopened
    } else if [EMFILE, ENFILE, ENOMEM].contains(errno) {
      return errno
    }
    // For a pipe of one page, poll reports space when it is empty, so that the next line read is the newest.
    if isPipe { _ = cockpit_set_pipe_size(descriptor, Int32(getpagesize())) }
    return 0
  }

  private func openUnix(_ path: String) -> Int32 {
    var failure: Int32 = 0
    for type in [SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM] {
      if let made = Descriptor.socket(connectedTo: path, type) {
        shorten(made.number)
        return adopt(made)
      }
      failure = errno
      if failure != EPROTOTYPE { break }
    }
    return failure
  }

  /// Starts the first bridge, or a new one after the last one has exited. Fails if the last one could not be used at all.
  private func openBridge(_ receiver: String) -> Int32 {
    if let last = bridge {
      guard let code = last.exitCode else { return EBUSY }
      bridge = nil
      if BridgeProcess.finalCodes.contains(code) { return EBADF }
    }
    var socket: Descriptor?
    bridge = BridgeProcess(program, bridgeArguments, receiver: receiver, socket: &socket)
    guard let made = socket.take() else { return errno }
    shorten(made.number)
    return adopt(made)
  }

  /// Makes the send buffer so small that few lines wait in the kernel, which rounds the size up to its minimum, about six
  /// lines.
  private func shorten(_ socket: Int32) {
    var size: Int32 = 1
    unsafe setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Connects to the next address of the host. A numeric address is used at once; a name is looked up on a separate thread.
  /// Returns 0, EINPROGRESS during a lookup, or the errno of the failure.
  private func openUDP(_ host: String, _ port: UInt16) -> Int32 {
    if untried.isEmpty {
      let number = NameLookup.number(host, port)
      isNamed = number == nil
      switch number ?? lookup.answer(host, port) {
      case nil: return EINPROGRESS
      case .failed(let errno): return errno
      case .found(let addresses): untried = addresses[...]
      }
    }
    guard let address = untried.popFirst() else { return EHOSTUNREACH }
    let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard let made = Descriptor(socket(Int32(address.family), kind, 0)) else { return errno }
    isLossy = true
    // Allow broadcast, because the address may be that of all hosts of a network.
    var isAllowed: Int32 = 1
    unsafe setsockopt(made.number, SOL_SOCKET, SO_BROADCAST, &isAllowed, socklen_t(MemoryLayout<Int32>.size))
    keepErrors(of: made.number, family: Int32(address.family))
    guard unsafe address.withPointer({ unsafe connect(made.number, $0, $1) }) == 0 else { return errno }
    self.address = address
    return adopt(made)
  }

  /// Looks the host's name up again when that is due, and leaves the present address if the name no longer has it; if the address
  /// refuses, also for a second one of the name. Returns true if it did. A look-up that fails changes nothing: the resolver may
  /// be out of reach while the vehicle is not.
  func followName(now: MonotonicTime) -> Bool {
    guard status == .open, isNamed, case .udp(let host, let port) = endpoint, lookupTime.map({ $0 <= now }) ?? true
    else {
      return false
    }
    lookupTime = nil
    guard let answer = lookup.answer(host, port) else { return false }
    lookupTime = now + Outlet.lookupPeriod
    guard case .found(let addresses) = answer else { return false }
    let place = addresses.firstIndex { $0 == address }
    if place != nil, addresses.count == 1 || !refusals.isGone { return false }
    untried = addresses[((place ?? -1) + 1)...] + addresses[..<(place ?? 0)]
    close(place == nil ? EREMCHG : lastErrno, now: now)
    return true
  }

  /// Sets the time of the next attempt: now if there are other addresses to try, otherwise after a wait that grows with each
  /// attempt.
  private func retry(now: MonotonicTime) { retryTime = untried.isEmpty ? now + backOff.wait() : now }

  private func adopt(_ made: consuming Descriptor) -> Int32 {
    descriptor = made.number
    owned = consume made
    isSocket = true
    hasAnswers = true
    isOfMessages = option(SO_TYPE, of: descriptor) != Int32(SOCK_STREAM.rawValue)
    answers = TelemetryLines()
    return 0
  }

  // MARK: Writing

  /// Writes a whole line or nothing; a partially written line is finished before any other.
  func send(_ line: [UInt8], now: MonotonicTime) -> Outcome {
    let before = finishLine(now: now)
    guard before == .sent else { return before }
    let waiting = unread
    // Another line would only wait behind the others.
    isSlow = unreadLines.oldest(unread: waiting).map { now - $0 >= Outlet.stallLimit } ?? false
    if isSlow || (isPipe && waiting > Outlet.backlog) { return refused(now: now) }
    let written = write(line, now: now)
    guard written > 0 else { return failed(now: now) }
    failingSince = nil
    refusals.forgetOld(at: now)
    if !isLossy { unreadLines.noteSent(size: isPipe ? Int32(written) : unread - waiting, at: now) }
    rest.append(contentsOf: line[written...])
    advanced(now: now)
    return .sent
  }

  func finishLine(now: MonotonicTime) -> Outcome {
    guard isUnfinished else { return .sent }
    let written = write(rest, now: now)
    guard written > 0 else { return failed(now: now) }
    rest.removeFirst(written)
    advanced(now: now)
    return isUnfinished ? .full : .sent
  }

  private func write(_ bytes: [UInt8], now: MonotonicTime) -> Int {
    guard isSocket else { return unsafe Glibc.write(descriptor, bytes, bytes.count) }
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    let written = unsafe Glibc.send(descriptor, bytes, bytes.count, flags)
    // The error may belong to an earlier datagram: this one has not been sent yet.
    guard written < 0, isLossy, ![EAGAIN, EINTR, ENOBUFS].contains(errno) else { return written }
    noteRefusal(errno, now: now)
    return unsafe Glibc.send(descriptor, bytes, bytes.count, flags)
  }

  private func failed(now: MonotonicTime) -> Outcome {
    let reason = errno
    switch reason {
    case EAGAIN, EINTR, ENOBUFS: return refused(now: now)
    // This datagram has no receiver; the next one may have one.
    case _ where isLossy:
      noteRefusal(reason, now: now)
      let since = failingSince ?? now
      failingSince = since
      // The name may have a different address by now.
      guard now - since < .seconds(2) else { break }
      return .dropped
    default: break
    }
    close(reason, now: now)
    return .lost
  }

  /// The number of bytes that the consumer has not read: of a pipe those of the lines, of a local socket the memory that they take, of a
  /// TCP socket those that its host has not acknowledged. 0 where it is unknown.
  private var unread: Int32 {
    guard !isLossy, isPipe || isSocket else { return 0 }
    var count: Int32 = 0
    return unsafe ioctl(descriptor, UInt(isPipe ? FIONREAD : TIOCOUTQ), &count) == 0 ? count : 0
  }

  // MARK: Reading

  /// Reads the consumer's answers that have arrived, and calls `body` with each that can be read: each names a line of its own.
  func receive(now: MonotonicTime, _ body: (Telemetry) -> Void) {
    guard status == .open, hasAnswers else { return }
    for _ in 0..<Outlet.mostAnswers {
      let count = unsafe recv(descriptor, &answer, answer.count, Int32(MSG_DONTWAIT))
      if count < 0 {
        // Reading has taken the error away from poll.
        if isLossy, errno != EAGAIN, errno != EINTR { noteRefusal(errno, now: now) }
        break
      }
      // Who answers is in reach, whatever was refused before.
      refusals.reset()
      guard count > 0 || isLossy else {
        // The consumer says nothing more; poll would report that again and again.
        hasAnswers = false
        break
      }
      if let said = isOfMessages ? answers.take(datagram: answer[..<count]) : answers.take(answer[..<count]) {
        body(said)
      }
    }
  }

  // MARK: Waiting and losing

  /// Records that a datagram failed. If the receiver is gone by that, its name may have another address by now.
  private func noteRefusal(_ reason: Int32, now: MonotonicTime) {
    lastErrno = reason
    if refusals.note(reason, at: now), lookupTime != nil { lookupTime = now }
  }

  /// Records that the consumer read bytes. The rest of a line waits for space like a refused line.
  private func advanced(now: MonotonicTime) {
    refusal = .none
    stalledSince = nil
    pause.reset()
    if isUnfinished { _ = refused(now: now) }
  }

  private func refused(now: MonotonicTime) -> Outcome {
    stalledSince = stalledSince ?? now
    refusal =
      switch refusal {
      case .none, .awaitingSpace: .awaitingSpace
      case .hasSpace, .retry: .retry(at: now + pause.wait())
      }
    return .full
  }

  /// The entry of this outlet for poll; its descriptor is -1 if the outlet is closed.
  var pollEntry: pollfd {
    var entry = pollfd(fd: status == .open ? descriptor : -1, events: 0, revents: 0)
    if case .awaitingSpace = refusal { entry.events = Int16(POLLOUT) }
    if hasAnswers { entry.events |= Int16(POLLIN) }
    return entry
  }

  /// The time of the next attempt if no event comes earlier; nil if no attempt is scheduled.
  var wakeTime: MonotonicTime? {
    switch (status, refusal) {
    case (.waiting, _): retryTime
    case (.open, .retry(let time)): lookupTime.map { min($0, time) } ?? time
    case (.open, _): lookupTime
    case (.stalled, _), (.ended, _): nil
    }
  }

  /// Handles poll's answer, for every kind of descriptor. Returns true if the consumer was lost.
  ///
  /// - `POLLNVAL`: the descriptor was closed elsewhere. `POLLHUP`: the consumer hung up. Lost.
  /// - `POLLERR`, if datagrams may get lost: an earlier one was refused. Reading the errors clears them; a call in between may have
  ///   read them. If the report stays without an error to read, poll would return at once for ever: lost. Also lost if a different
  ///   address of the host can be tried.
  /// - `POLLERR` otherwise: a pipe's reader is gone, or a socket failed. Lost.
  /// - `POLLOUT`: there is space for the next attempt. Poll does not wait for space again before that attempt.
  func take(_ answer: Int16, now: MonotonicTime) -> Bool {
    guard status == .open, answer != 0 else { return false }
    let ends = Int16(POLLHUP | POLLNVAL)
    if isLossy, answer & ends == 0 {
      if answer & Int16(POLLERR) != 0, takeErrors(now: now) { return true }
    } else if answer & (ends | Int16(POLLERR)) != 0 {
      let reason = answer & Int16(POLLNVAL) != 0 ? EBADF : option(SO_ERROR, of: descriptor) ?? 0
      close(reason == 0 ? EPIPE : reason, now: now)
      return true
    }
    if answer & Int16(POLLOUT) != 0 { refusal = .hasSpace }
    return false
  }

  /// Reads the errors of datagrams. Returns true if the receiver was left for another address, or the report of errors cannot be
  /// ended otherwise.
  private func takeErrors(now: MonotonicTime) -> Bool {
    var count = 0
    while count < Outlet.mostErrors, let reason = takeError(of: descriptor) {
      count += 1
      if reason > 0 { noteRefusal(reason, now: now) }
    }
    // The newest one, which a queue that is full does not keep.
    if let reason = option(SO_ERROR, of: descriptor), reason != 0 {
      count += 1
      noteRefusal(reason, now: now)
    }
    emptyErrors = count == 0 ? emptyErrors + 1 : 0
    guard emptyErrors >= Outlet.mostEmptyErrors || (count > 0 && !untried.isEmpty) else { return false }
    close(count == 0 ? EPIPE : lastErrno, now: now)
    return true
  }

  /// A socket's option; nil if the descriptor is not a socket. Reading SO_ERROR clears it.
  private func option(_ name: Int32, of socket: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }

  private func close(_ reason: Int32, now: MonotonicTime) {
    descriptor = -1
    owned = nil
    rest.removeAll(keepingCapacity: true)
    (failingSince, stalledSince, lookupTime) = (nil, nil, nil)
    (isSlow, emptyErrors) = (false, 0)
    refusals.reset()
    unreadLines.reset()
    lastErrno = reason
    // A pipe whose reader is gone never gets a new reader.
    guard endpoint != .standard else {
      status = .ended
      return
    }
    status = .waiting
    if now - openedAt >= .seconds(1) { backOff.reset() }
    retry(now: now)
  }
}
