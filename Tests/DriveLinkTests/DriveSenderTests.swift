import CAllocations
import CLinux
import Glibc
import Linux
import Synchronization
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// Tests of sending: consumers that stall, close, come late or never, and a loop that hangs.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DriveSenderTests {
  private let folder: TemporaryFolder
  private var stream = DriveStream(rate: 100, at: .system)
  private var steering = 0.0

  init() throws { folder = try TemporaryFolder() }

  private var path: String { "\(folder.path)/car" }

  /// A sender that never takes the test for a loop that hangs: on a busy machine it does, for a moment.
  private func makeSender(to endpoint: DriveEndpoint) throws -> DriveSender {
    try DriveSender(to: endpoint, stream: stream, hangLimit: .seconds(60))
  }

  /// A change, published; how long that took.
  @discardableResult private mutating func change(_ sender: DriveSender, gear: Int = 3) -> Duration {
    steering = steering > 0.9 ? -0.9 : steering + 0.0001
    let command = DriveCommand(gear: gear, throttle: Double(gear) / 10, steering: steering, isHeld: true)
    let start = MonotonicTime.system
    _ = stream.update(command, holdCount: stream.line.sequence, at: start)
    // Without a consumer nothing is commanded: the lines are then safe ones.
    if !sender.publish(stream), let other = sender.reclaim() { stream = other }
    return .system - start
  }

  /// Waits until the report is as wanted.
  private func wait(_ sender: DriveSender, until isWanted: (DriveSender.Report) -> Bool) throws {
    let deadline = MonotonicTime.system + .seconds(5)
    while !isWanted(sender.report) {
      try #require(MonotonicTime.system < deadline, "\(sender.report)")
      usleep(1000)
    }
  }

  @Test(arguments: [SOCK_STREAM, SOCK_SEQPACKET])
  mutating func `every line arrives at a consumer that reads`(type: __socket_type) throws {
    let listener = try Listener(path, type: type)
    let sender = try makeSender(to: .unix(path: path))
    let consumer = try listener.accept()
    try wait(sender) { $0.status == .open }
    #expect(try consumer.fields()["reason"] == .text("start"))
    for sequence in 2...300 {
      change(sender)
      #expect(try consumer.fields()["seq"] == .number(Double(sequence)))
    }
    #expect(sender.report.dropped == 0 && sender.report.connections == 1)
  }

  @Test mutating func `datagrams, each a line, by a socket's name`() throws {
    let listener = try Listener(path, type: SOCK_DGRAM)
    let sender = try makeSender(to: .unix(path: path))
    #expect(try listener.datagrams.fields()["seq"] == .number(1))
    change(sender)
    #expect(try listener.datagrams.fields()["seq"] == .number(2))
  }

  @Test(arguments: ["127.0.0.1", "vehicle"])
  mutating func `datagrams by network, also before anybody listens`(host: String) throws {
    // At first there is no receiver: the kernel reports it for each datagram, without effect.
    let socket = try UDPSocket()
    close(socket.descriptor)
    // The name has one address: a name with others, as localhost often has, would change to the next one while each refuses.
    let mailbox = try Mailbox(stream: stream, hangLimit: .seconds(60), now: .system)
    let lookup = NameLookup(
      resolve: { _, port in NameLookup.number("127.0.0.1", port) ?? .failed(EHOSTUNREACH) },
      whenDone: { mailbox.work.wake() })
    let sender = try DriveSender(mailbox, to: .udp(host: host, port: socket.port), lookup: lookup)
    try wait(sender) { $0.sent + $0.dropped >= 1 }
    for _ in 0..<20 {
      change(sender)
      // Each line is a datagram of its own before the next one comes.
      let sequence = stream.line.sequence
      try wait(sender) { $0.sent + $0.dropped == sequence }
    }
    let consumer = Consumer(try UDPSocket(port: socket.port).descriptor)
    change(sender, gear: 5)
    #expect(try consumer.fields()["gear"] == .text("5"))
    #expect(sender.report.status == .open)
    // The last line comes more than once.
    _ = stream.enterSafeState(.terminated, at: .system)
    _ = sender.publish(stream)
    sender.finish()
    for _ in 0..<3 { #expect(try consumer.fields()["reason"] == .text("terminated")) }
  }

  @Test mutating func `a consumer that stalls makes nobody wait, and reads the newest line soon after`() throws {
    let listener = try Listener(path)
    let sender = try makeSender(to: .unix(path: path))
    let consumer = try listener.accept()
    try wait(sender) { $0.status == .open }
    var longest = Duration.zero
    for _ in 0..<5000 { longest = max(longest, change(sender)) }
    // Not a bound on this machine's scheduling, only that no thread waited for the consumer, which never reads.
    #expect(longest < .milliseconds(500))
    change(sender, gear: 9)
    let last = Int(stream.line.sequence)
    let numbers = try consumer.numbers(upTo: last)
    #expect(numbers.count < 30 && numbers == numbers.sorted(), "\(numbers.count) lines")
    try wait(sender) { $0.sent == UInt64(numbers.count) }
    #expect(sender.report.sent + sender.report.dropped == UInt64(last))
  }

  @Test mutating func `a consumer that comes back is told the newest line, though another one was told it before`()
    throws
  {
    var listener: Listener? = try Listener(path)
    let sender = try makeSender(to: .unix(path: path))
    var consumer: Consumer? = try listener?.accept()
    #expect(try consumer?.fields()["seq"] == .number(1))
    (consumer, listener) = (nil, nil)
    try wait(sender) { $0.status == .waiting }
    listener = try Listener(path)
    consumer = try listener?.accept()
    let fields = try #require(consumer).fields()
    #expect(fields["reason"] == .text("start") && fields["seq"] == .number(1))
  }

  @Test mutating func `a consumer that closes is tried again, and told the newest line at once`() throws {
    var listener: Listener? = try Listener(path)
    let sender = try makeSender(to: .unix(path: path))
    var consumer: Consumer? = try listener?.accept()
    #expect(try consumer?.fields()["seq"] == .number(1))
    for round in 1...3 {
      consumer = nil
      listener = nil
      try wait(sender) { $0.status == .waiting }
      for _ in 0..<10 { change(sender, gear: round) }
      listener = try Listener(path)
      consumer = try listener?.accept()
      let fields = try #require(consumer).fields()
      #expect(fields["reason"] == .text("link-lost") && fields["seq"]?.number == Double(stream.line.sequence))
    }
    #expect(sender.report.connections == 4)
  }

  @Test mutating func `a consumer that is not there is waited for, and everything goes on`() throws {
    let sender = try makeSender(to: .unix(path: path))
    try wait(sender) { $0.errno == ENOENT }
    for _ in 0..<1000 { change(sender) }
    let listener = try Listener(path)
    let consumer = try listener.accept()
    #expect(try consumer.fields()["seq"]?.number == Double(stream.line.sequence))
    // The line is with the consumer before the sender's thread has counted it.
    try wait(sender) { $0.sent == 1 }
    #expect(sender.report.dropped == stream.line.sequence - 1)
  }

  @Test mutating func `the last line is out before finish returns, and nobody waits for ever`() throws {
    let listener = try Listener(path)
    let sender = try makeSender(to: .unix(path: path))
    let consumer = try listener.accept()
    try wait(sender) { $0.status == .open }
    change(sender)
    _ = stream.enterSafeState(.terminated, at: .system)
    _ = sender.publish(stream)
    sender.finish()
    var last = try consumer.fields(within: .zero)
    while let line = consumer.line(within: .zero) { last = try JSON(line) }
    #expect(last["reason"] == .text("terminated"))

    // A consumer that never reads, and whose socket is full before the first line.
    let silent = try Listener("\(folder.path)/silent", type: SOCK_DGRAM)
    try silent.fill()
    let stalled = try makeSender(to: .unix(path: silent.path))
    try wait(stalled) { $0.status == .open }
    let start = MonotonicTime.system
    stalled.finish(within: .milliseconds(100))
    let elapsed = MonotonicTime.system - start
    #expect(elapsed >= .milliseconds(100) && elapsed < .seconds(5), "\(elapsed)")
    #expect(stalled.report.sent == 0)
  }

  // MARK: The loop hangs

  @Test mutating func `a loop that hangs while driving is noticed, the vehicle stopped and kept stopped`() throws {
    let listener = try Listener(path)
    let sender = try DriveSender(to: .unix(path: path), stream: stream)
    let consumer = try listener.accept()
    try wait(sender) { $0.status == .open }
    change(sender)
    let published = MonotonicTime.system
    var fields = try consumer.fields()
    while fields["state"] != .text("safe") { fields = try consumer.fields() }
    let elapsed = MonotonicTime.system - published
    #expect(elapsed > .milliseconds(190) && elapsed < .milliseconds(400), "\(elapsed)")
    #expect(fields["reason"] == .text("loop-hung") && fields["gear"] == .text("N") && fields["steering"] == .number(0))
    // The loop still hangs: the loss is repeated again and again.
    for _ in 0..<5 { #expect(try consumer.fields()["reason"] == .text("loop-hung")) }
    // The loop comes back: its lines are refused until it has taken the stream back.
    #expect(!sender.publish(stream) && !sender.beat())
    let other = try #require(sender.reclaim())
    #expect(other.line.state == .safe && other.line.sequence > stream.line.sequence)
    #expect(sender.reclaim() == nil && sender.report.hangs == 1)
    stream = other
    let holdCount = stream.line.sequence
    let line = stream.update(
      DriveCommand(gear: 2, throttle: 0.2, steering: 0, isHeld: true), holdCount: holdCount, at: .system)
    #expect(line?.state == .driving && sender.publish(stream))
    while fields["gear"] != .text("2") { fields = try consumer.fields() }
  }

  @Test mutating func `a loop that lives is left alone, and one that has nothing to command`() throws {
    var now = MonotonicTime.system
    let mailbox = try Mailbox(stream: stream, hangLimit: DriveSender.hangLimit, now: now)
    mailbox.note(.open, errno: 0, now: now)
    // Nothing is commanded: the sender's thread sets itself no time, and no silence is a fault.
    now = now + .seconds(5)
    #expect(mailbox.job(now: now).wakeTime == nil && mailbox.beat(now: now))
    _ = stream.update(DriveCommand(gear: 3, throttle: 0.3, steering: 0, isHeld: true), holdCount: 1, at: now)
    #expect(mailbox.publish(stream, now: now))
    for _ in 0..<15 {
      let limit = now + DriveSender.hangLimit
      #expect(mailbox.job(now: now).wakeTime == limit)
      // The thread looks just before the loop beats, as late as it may.
      now = limit - .nanoseconds(1)
      #expect(mailbox.job(now: now).wakeTime == limit && mailbox.beat(now: now))
    }
    #expect(mailbox.report().hangs == 0 && mailbox.reclaim(now: now) == nil)
  }

  @Test mutating func `the lines of a loss go on while the loop hangs, and say the same`() throws {
    var now = MonotonicTime.system
    let mailbox = try Mailbox(stream: stream, hangLimit: DriveSender.hangLimit, now: now)
    mailbox.note(.open, errno: 0, now: now)
    _ = stream.update(DriveCommand(gear: 3, throttle: 0.3, steering: 0, isHeld: true), holdCount: 1, at: now)
    _ = stream.enterSafeState(.lift, at: now)
    #expect(mailbox.publish(stream, now: now))
    let first = try #require(mailbox.job(now: now).line)
    mailbox.noteDone(first.sequence, isSent: true, now: now)
    let due = try #require(stream.nextSteadyTime)
    #expect(mailbox.job(now: due).line == nil && mailbox.job(now: due).wakeTime == due + DriveSender.hangLimit)
    now = due + DriveSender.hangLimit
    for _ in 0..<20 {
      let job = mailbox.job(now: now)
      let line = try #require(job.line)
      #expect(line.state == .safe && line.reason == .lift && line.time > now - stream.period)
      mailbox.noteDone(line.sequence, isSent: true, now: now)
      now = try #require(job.wakeTime)
    }
    #expect(try #require(mailbox.reclaim(now: now)).line.reason == .lift && mailbox.report().hangs == 0)
  }

  @Test mutating func `a horn ends when the loop hangs`() throws {
    let now = MonotonicTime.system
    let mailbox = try Mailbox(stream: stream, hangLimit: DriveSender.hangLimit, now: now)
    mailbox.note(.open, errno: 0, now: now)
    _ = stream.update(DriveCommand(gear: 0, throttle: 0, steering: 0, horn: true), holdCount: 0, at: now)
    #expect(stream.line.command.horn && mailbox.publish(stream, now: now))
    let line = try #require(mailbox.job(now: now + .seconds(1)).line)
    #expect(!line.command.horn && line.reason == .loopHung)
  }

  @Test mutating func `a name that takes long to look up stops neither the drive's end nor the thread's`() throws {
    let resolver = BlockingResolver()
    let mailbox = try Mailbox(stream: stream, hangLimit: DriveSender.hangLimit, now: .system)
    let lookup = NameLookup(resolve: { _, _ in resolver.resolve() }, whenDone: { mailbox.work.wake() })
    let sender = try DriveSender(mailbox, to: .udp(host: "car.local", port: 5005), lookup: lookup)
    resolver.waitForCall()
    change(sender)
    #expect(stream.line.reason == .linkLost && sender.report.status == .waiting && sender.report.errno == 0)
    // It ends without waiting for the resolver either, and the answer that comes later does no harm.
    let end = MonotonicTime.system
    sender.finish(within: .seconds(60))
    #expect(MonotonicTime.system - end < .seconds(5))
    resolver.answer(.failed(EHOSTUNREACH))
  }

  @Test mutating func `a name is looked up once at a time, and lines go where it says`() throws {
    let socket = try UDPSocket()
    let consumer = Consumer(socket.descriptor)
    let resolver = BlockingResolver()
    let mailbox = try Mailbox(stream: stream, hangLimit: .seconds(60), now: .system)
    let lookup = NameLookup(resolve: { _, _ in resolver.resolve() }, whenDone: { mailbox.work.wake() })
    let sender = try DriveSender(mailbox, to: .udp(host: "car.local", port: 5005), lookup: lookup)
    resolver.waitForCall()
    // Each line is a turn of the thread, which asks again.
    for _ in 0..<100 { change(sender) }
    resolver.answer(.failed(EHOSTUNREACH))
    try wait(sender) { $0.errno == EHOSTUNREACH }
    resolver.waitForCall()
    #expect(resolver.calls == 2)
    change(sender, gear: 7)
    resolver.answer(.found([socket.address]))
    #expect(try consumer.fields()["reason"] == .text("link-lost"))
    change(sender, gear: 7)
    #expect(try consumer.fields()["gear"] == .text("7"))
    #expect(sender.report.status == .open && resolver.calls == 2)
  }

  @Test
  mutating func `a process that was stopped as a whole says so before anything else, whichever thread wakes first`()
    throws
  {
    let start = MonotonicTime.system
    let mailbox = try Mailbox(stream: stream, hangLimit: .milliseconds(200), now: start)
    mailbox.note(.open, errno: 0, now: start)
    _ = stream.update(DriveCommand(gear: 3, throttle: 0.3, steering: 0, isHeld: true), holdCount: 1, at: start)
    #expect(mailbox.publish(stream, now: start))
    #expect(mailbox.beat(now: start + .milliseconds(199)))
    // Five seconds of SIGSTOP: the loop is the first to go on, with the lines that it holds due.
    let later = start + .seconds(5)
    while stream.nextSteady(until: later) != nil {}
    #expect(!mailbox.publish(stream, now: later), "lines of before must not go out")
    let taken = try #require(mailbox.reclaim(now: later))
    #expect(taken.line.state == .safe && taken.line.reason == .loopHung && taken.line.command == .neutral)
    #expect(mailbox.job(now: later).line == taken.line && mailbox.report().hangs == 1)
  }

  @Test(arguments: [Duration.milliseconds(200), .seconds(5)])
  mutating func `a loop that asks for its stream first does not hide that the process was stopped`(pause: Duration)
    throws
  {
    let start = MonotonicTime.system
    let mailbox = try Mailbox(stream: stream, hangLimit: .milliseconds(200), now: start)
    mailbox.note(.open, errno: 0, now: start)
    _ = stream.update(DriveCommand(gear: 3, throttle: 0.3, steering: 0, isHeld: true), holdCount: 1, at: start)
    #expect(mailbox.publish(stream, now: start))
    let later = start + pause
    // The order of a loop that wakes up: reclaim, publish what is due, beat.
    let taken = try #require(mailbox.reclaim(now: later))
    #expect(taken.line.state == .safe && taken.line.reason == .loopHung && taken.line.command == .neutral)
    #expect(mailbox.job(now: later).line == taken.line && mailbox.report().hangs == 1)
    // It owns the stream again, and the same hand commands nothing.
    stream = taken
    _ = stream.update(DriveCommand(gear: 3, throttle: 0.3, steering: 0, isHeld: true), holdCount: 1, at: later)
    #expect(!stream.isCommanding && mailbox.beat(now: later) && mailbox.reclaim(now: later) == nil)
  }

  // MARK: Costs

  @Test mutating func `no line allocates anything, neither where it is said nor where it is sent`() throws {
    let listener = try Listener(path)
    let mailbox = try Mailbox(stream: stream, hangLimit: .seconds(10), now: .system)
    let time = SenderTime(wait: { entries, _ in poll(&entries, UInt(entries.count), 0) })
    let loop = SenderLoop(mailbox, to: Outlet(.unix(path: path)), time: time)
    // The first turn connects.
    #expect(loop.turn())
    let consumer = try listener.accept()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var bytes = 0
    allocations_begin()
    for round in 0..<1000 {
      let now = MonotonicTime.system
      let command = DriveCommand(gear: 3, throttle: 0.3, steering: Double(round) / 1000, isHeld: true)
      _ = stream.update(command, holdCount: 1, at: now)
      while stream.nextSteady(until: now) != nil {}
      _ = mailbox.publish(stream, now: now)
      _ = mailbox.beat(now: now)
      _ = loop.turn()
      bytes += consumer.drain(&buffer)
    }
    let allocations = allocations_end()
    #expect(allocations == 0)
    #expect(mailbox.report().sent > 990 && bytes > 990 * 140)
    // The counter counts.
    allocations_begin()
    buffer.append(contentsOf: 0..<100)
    #expect(allocations_end() > 0)
  }
}

/// A resolver that answers at the test's command.
final class BlockingResolver: Sendable {
  private let asked = Mutex(0)
  private let calling: Signal
  private let answering: Signal
  private let given = Mutex(NameLookup.Answer.failed(0))

  init() {
    (calling, answering) = (Signal(), Signal())
  }

  var calls: Int { asked.withLock { $0 } }

  /// The look-up, on its own thread.
  func resolve() -> NameLookup.Answer {
    asked.withLock { $0 += 1 }
    calling.give()
    answering.take()
    return given.withLock { $0 }
  }

  /// Waits until a look-up has begun that was not waited for.
  func waitForCall() { calling.take() }

  /// Ends the look-up.
  func answer(_ answer: NameLookup.Answer) {
    given.withLock { $0 = answer }
    answering.give()
  }
}

/// A semaphore between two threads.
private final class Signal: Sendable {
  private let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_SEMAPHORE))

  deinit { close(descriptor) }

  func give() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  func take() {
    var one: UInt64 = 0
    _ = read(descriptor, &one, 8)
  }
}
