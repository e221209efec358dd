import CLinux
import Glibc
import Linux
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// A consumer, and its behaviour while the sender does not wait for it.
enum Situation: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case pipeReads, pipeStalls, longPipeStalls, pipeReaderGone, pipeReaderGoes, stalledPipeReaderGoes
  case file, fileThatCannotGrow, fullDevice, closedOutput, outputForReading, outputClosedByOthers
  case terminalStalls, terminalHangsUp
  case unixReads, unixAbsent, unixRefuses, unixNeverAccepts, unixStalls, unixStopsReading, unixCloses,
    unixClosesEachTime
  case packetsStall, packetsClose, datagramsStall, datagramsClose
  case udpReads, udpNobodyListens, udpOutputNobodyListens, udpUnknownHost, udpLookupBlocks

  var testDescription: String { rawValue }

  /// Turns in ten seconds beyond one for each line.
  func limit(lines: Int) -> Int {
    switch self {
    // A refused datagram is an answer of poll's of its own.
    case .udpNobodyListens, .udpOutputNobodyListens: lines + 4
    // An attempt every 64 ms.
    case .longPipeStalls: 170
    // Waits of 50 ms, doubling to 2 s, and a turn for each loss or look-up.
    default: 24
    }
  }

  /// The status at the end.
  var status: DriveSender.Status {
    switch self {
    case .pipeReaderGone, .pipeReaderGoes, .stalledPipeReaderGoes, .fileThatCannotGrow, .fullDevice, .closedOutput,
      .outputForReading, .outputClosedByOthers, .terminalHangsUp:
      .ended
    case .pipeStalls, .longPipeStalls, .terminalStalls, .unixNeverAccepts, .unixStalls, .unixStopsReading,
      .packetsStall,
      .datagramsStall,
      .udpNobodyListens, .udpOutputNobodyListens:
      .stalled
    case .unixAbsent, .unixRefuses, .unixCloses, .unixClosesEachTime, .packetsClose, .datagramsClose, .udpUnknownHost,
      .udpLookupBlocks:
      .waiting
    default: .open
    }
  }
}

/// A sender's loop on a clock of its own, and the other end.
final class TurnCounter {
  let situation: Situation
  private let folder: TemporaryFolder
  private let mailbox: Mailbox
  private var loop: SenderLoop?
  private var stream: DriveStream
  private var holdCount: UInt64 = 0
  private var now = MonotonicTime.zero + .seconds(1000)
  private var wakeTime: MonotonicTime?
  private var wasWoken = false
  /// Descriptors to close at the end; the consumer's own ends among them.
  private var descriptors: [Int32] = []
  private var reader: Int32 = -1
  private var listener: Int32 = -1

  init(_ situation: Situation) throws {
    self.situation = situation
    // The sender's own thread takes no signals; here SIGPIPE of a closed reader would end the tests.
    signal(SIGPIPE, SIG_IGN)
    folder = try TemporaryFolder()
    stream = DriveStream(rate: 30, at: now)
    mailbox = try Mailbox(stream: stream, hangLimit: .seconds(600), now: now)
    let (endpoint, standard) = try prepare()
    let time = SenderTime(now: { [unowned self] in now }, wait: { [unowned self] in wait(&$0, $1) })
    // Its other end stays open until the test is over.
    var gate: [Int32] = [-1, -1]
    if situation == .udpLookupBlocks {
      try #require(cockpit_pipe(&gate) == 0)
      descriptors.append(gate[1])
    }
    let lookup = NameLookup(
      resolve: { [silence = gate[0]] _, _ in
        var byte: UInt8 = 0
        if silence >= 0, read(silence, &byte, 1) <= 0 { close(silence) }
        return .failed(EHOSTUNREACH)
      }, whenDone: { [mailbox] in mailbox.work.wake() })
    loop = SenderLoop(mailbox, to: Outlet(endpoint, lookup: lookup, standard: standard), time: time)
  }

  deinit {
    loop = nil
    for descriptor in descriptors + [reader, listener] where descriptor >= 0 { close(descriptor) }
  }

  var report: DriveSender.Report { mailbox.report() }

  /// Ten seconds; the loop's turns in them, and the lines said.
  func pass(isHeld: Bool) throws -> (turns: Int, lines: Int) {
    let loop = try #require(loop)
    let end = now + .seconds(10)
    var (turns, lines) = (0, 0)
    let command = isHeld ? DriveCommand(gear: 3, throttle: 0.3, steering: 0, isHeld: true) : .neutral
    // A touch that ends at rest ends the safe lines of a lost link too.
    holdCount += 1
    if stream.update(command, holdCount: holdCount, at: now) != nil { lines += publish() }
    while now < end, turns < 5000 {
      _ = loop.turn()
      turns += 1
      consume()
      if wasWoken { continue }
      now = [wakeTime, stream.nextSteadyTime, end].compactMap { $0 }.reduce(end, min)
      while stream.nextSteady(until: now) != nil { lines += publish() }
    }
    return (turns, lines)
  }

  /// The situation's event, which comes in the middle, while nothing is being sent.
  func happen() {
    switch situation {
    case .pipeReaderGoes, .stalledPipeReaderGoes, .terminalHangsUp, .unixCloses, .packetsClose, .datagramsClose:
      close(reader)
      close(listener)
      unlink(path)
      (reader, listener) = (-1, -1)
    case .outputClosedByOthers: close(descriptors.removeLast())
    case .unixStopsReading: shutdown(reader, Int32(SHUT_RD))
    default: break
    }
  }

  /// The number of bytes that the reader has not read.
  var unread: Int {
    var count: Int32 = 0
    return ioctl(reader, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
  }

  /// The newest line's number.
  var newest: UInt64 { stream.line.sequence }

  /// The reader reads all there is; then the loop has one turn. The lines' numbers.
  func readAll() throws -> [Int] {
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(reader, &bytes, unread)
    _ = try #require(loop).turn()
    return try String(decoding: bytes[..<max(count, 0)], as: UTF8.self).split(separator: "\n").map {
      Int(try JSON(String($0))["seq"]?.number ?? 0)
    }
  }

  private func publish() -> Int {
    // Without a consumer that takes lines the stream is taken over: its safe lines come as often as those of a drive.
    if !mailbox.publish(stream, now: now), let other = mailbox.reclaim(now: now) { stream = other }
    return 1
  }

  private func wait(_ entries: inout [pollfd], _ time: MonotonicTime?) {
    wakeTime = time
    // A name that is looked up on another thread is waited for in earnest; nothing else is.
    let looks = situation == .udpUnknownHost && time.map { $0 > now + .seconds(60) } ?? true
    wasWoken = poll(&entries, UInt(entries.count), looks ? 5000 : 0) > 0
  }

  // MARK: The other end

  private var path: String { "\(folder.path)/car" }

  private func prepare() throws -> (DriveEndpoint, standard: Int32) {
    switch situation {
    case .pipeReads, .pipeStalls, .longPipeStalls, .pipeReaderGone, .pipeReaderGoes, .stalledPipeReaderGoes:
      return (.standard, try makePipe())
    case .file: return (.standard, try keep(open("\(folder.path)/lines", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)))
    case .fileThatCannotGrow:
      let file = try keep(cockpit_memfd("full"))
      try #require(cockpit_seal_size(file) == 0)
      return (.standard, file)
    case .fullDevice: return (.standard, try keep(open("/dev/full", O_WRONLY | O_CLOEXEC)))
    case .closedOutput: return (.standard, -1)
    case .outputForReading: return (.standard, try keep(open("/dev/null", O_RDONLY | O_CLOEXEC)))
    case .outputClosedByOthers:
      let ends = try pair(SOCK_STREAM)
      // A number that no other test's descriptor takes meanwhile.
      descriptors.append(fcntl(ends[0], F_DUPFD_CLOEXEC, 900))
      close(ends[0])
      reader = ends[1]
      return (.standard, descriptors[0])
    case .terminalStalls, .terminalHangsUp: return (.standard, try makeTerminal())
    case .unixAbsent: break
    case .unixRefuses: try bindListener(SOCK_STREAM)
    case .unixReads, .unixNeverAccepts, .unixStalls, .unixStopsReading, .unixCloses, .unixClosesEachTime:
      try bindListener(SOCK_STREAM)
      try #require(listen(listener, 4) == 0)
    case .packetsStall, .packetsClose:
      try bindListener(SOCK_SEQPACKET)
      try #require(listen(listener, 4) == 0)
    case .datagramsStall, .datagramsClose: try bindListener(SOCK_DGRAM)
    case .udpReads, .udpNobodyListens, .udpOutputNobodyListens: return try makeUDP()
    case .udpUnknownHost, .udpLookupBlocks: return (.udp(host: "car.invalid", port: 5005), -1)
    }
    return (.unix(path: path), -1)
  }

  private func keep(_ descriptor: Int32) throws -> Int32 {
    try #require(descriptor >= 0)
    descriptors.append(descriptor)
    return descriptor
  }

  private func pair(_ type: __socket_type) throws -> [Int32] {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    return ends
  }

  private func makePipe() throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    try #require(cockpit_pipe(&ends) == 0)
    reader = ends[0]
    descriptors.append(ends[1])
    if situation == .longPipeStalls {
      // The bytes in the pipe keep it from being made shorter.
      let filler = [UInt8](repeating: 10, count: 20_000)
      try #require(write(ends[1], filler, filler.count) == filler.count)
    }
    if situation == .pipeReaderGone {
      close(reader)
      reader = -1
    }
    return ends[1]
  }

  private func makeTerminal() throws -> Int32 {
    reader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    // TIOCSPTLCK, TIOCGPTPEER
    try #require(reader >= 0 && ioctl(reader, 0x4004_5431, &isLocked) == 0)
    return try keep(ioctl(reader, 0x5441, O_WRONLY | O_NOCTTY | O_CLOEXEC))
  }

  private func bindListener(_ type: __socket_type) throws {
    listener = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    try #require(withUnixAddress(path) { bind(listener, $0, $1) } == 0)
  }

  private func makeUDP() throws -> (DriveEndpoint, standard: Int32) {
    let receiver = try UDPSocket()
    if situation == .udpReads { reader = receiver.descriptor } else { close(receiver.descriptor) }
    guard situation == .udpOutputNobodyListens else { return (.udp(host: "127.0.0.1", port: receiver.port), -1) }
    let output = try keep(socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    try #require(receiver.address.withPointer { connect(output, $0, $1) } == 0)
    return (.standard, output)
  }

  /// The consumer's part, after each turn.
  private func consume() {
    switch situation {
    case .unixReads, .unixStalls, .unixStopsReading, .unixCloses, .packetsStall, .packetsClose:
      guard reader < 0, listener >= 0 else { break }
      reader = cockpit_accept(listener)
    case .unixClosesEachTime:
      let next = cockpit_accept(listener)
      if next >= 0 { close(next) }
    default: break
    }
    guard [.pipeReads, .unixReads, .udpReads, .pipeReaderGoes, .unixCloses, .outputClosedByOthers].contains(situation),
      reader >= 0
    else {
      return
    }
    var bytes = [UInt8](repeating: 0, count: 8192)
    var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0, read(reader, &bytes, bytes.count) > 0 {}
  }
}

@Suite(.timeLimit(.minutes(1))) struct SenderTurnsTests {
  @Test(arguments: Situation.allCases)
  func `no consumer costs more than its lines and its retries`(situation: Situation) throws {
    let counter = try TurnCounter(situation)
    for (isHeld, happens) in [(false, false), (true, false), (false, false), (false, true), (true, false)] {
      // The consumer goes while nothing is sent, or while it takes nothing.
      if happens { counter.happen() }
      let (turns, lines) = try counter.pass(isHeld: isHeld)
      #expect(isHeld ? lines > 290 : lines <= 1)
      #expect(turns <= lines + situation.limit(lines: lines), "\(turns) turns for \(lines) lines, held: \(isHeld)")
    }
    #expect(counter.report.status == situation.status)
  }

  @Test func `a pipe's reader that wakes up has eight old lines at most before the newest`() throws {
    let counter = try TurnCounter(.pipeStalls)
    _ = try counter.pass(isHeld: false)
    _ = try counter.pass(isHeld: true)
    #expect(counter.unread > 900 && counter.unread <= Int(Outlet.backlog) + 160, "\(counter.unread) bytes")
    let old = try counter.readAll()
    #expect(old == Array(1...old.count) && (6...8).contains(old.count))
    #expect(try counter.readAll() == [Int(counter.newest)])
    let report = counter.report
    #expect(report.sent + report.dropped == counter.newest)
    #expect(report.sent == UInt64(old.count + 1))
  }

  @Test func `a consumer that stayed for a second is tried again at once, one that did not ever later`() throws {
    let folder = try TemporaryFolder()
    let listener = try Listener("\(folder.path)/car")
    let outlet = Outlet(.unix(path: listener.path))
    var now = MonotonicTime.zero + .seconds(1000)
    var waits: [Duration] = []
    for life in [0, 10, 999, 999, 1000, 0, 5000, 20] {
      #expect(outlet.open(now: now))
      try listener.accept().close()
      now = now + .milliseconds(life)
      #expect(outlet.take(Int16(POLLHUP), now: now) && outlet.status == .waiting)
      let wakeTime = try #require(outlet.wakeTime)
      waits.append(wakeTime - now)
      #expect(!outlet.open(now: wakeTime - .nanoseconds(1)))
      now = wakeTime
    }
    #expect(waits == [50, 100, 200, 400, 50, 100, 50, 100].map { .milliseconds($0) })
  }

  @Test func `no descriptor left costs no more than retries`() async throws {
    await #expect(processExitsWith: .success) {
      let counter = try TurnCounter(.unixReads)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 3
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let turns = try counter.pass(isHeld: false).turns
      exit(turns <= 24 && counter.report.errno == EMFILE ? 0 : 1)
    }
  }
}
