import Glibc
import Linux
import Synchronization
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// A sender's loop on a clock of its own, and the loop of a user interface that drives by it.
final class LinkRig {
  let folder: TemporaryFolder
  let mailbox: Mailbox
  var stream: DriveStream
  var now = MonotonicTime.zero + .seconds(1000)
  /// Added to the time once the work was given out, as a stopped process sees it.
  var jump = Duration.zero
  private var loop: SenderLoop?
  private var holdCount: UInt64 = 0
  private var looks = 0
  private(set) var wakeTime: MonotonicTime?

  init(
    _ endpoint: (String) -> DriveEndpoint, standard: Int32 = -1, rate: Int = 30,
    resolve: @escaping @Sendable () -> NameLookup.Answer = { .failed(EHOSTUNREACH) },
    start: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Int32 = { startThread("lookup", $0) }
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    folder = try TemporaryFolder()
    stream = DriveStream(rate: rate, identifier: DriveIdentifier(), at: now)
    weak var rig: LinkRig?
    let clock = sleep
    mailbox = try Mailbox(
      stream: stream, hangLimit: DriveSender.hangLimit, now: now, asleep: { clock.value.withLock { $0 } })
    let time = SenderTime(
      now: {
        guard let rig else { return .zero }
        rig.looks += 1
        if rig.looks == 2, rig.jump > .zero {
          rig.now = rig.now + rig.jump
          rig.jump = .zero
        }
        return rig.now
      },
      wait: { entries, time in
        rig?.wakeTime = time
        // A name is looked up on another thread.
        _ = poll(&entries, UInt(entries.count), entries[1].fd < 0 ? (time == nil ? 5000 : 20) : 0)
      })
    let lookup = NameLookup(
      resolve: { _, _ in resolve() }, whenDone: { [mailbox] in mailbox.work.wake() }, start: start)
    loop = SenderLoop(
      mailbox, to: Outlet(endpoint("\(folder.path)/car"), lookup: lookup, standard: standard), time: time)
    rig = self
  }

  /// The machine's sleep so far.
  final class Sleep: Sendable {
    let value = Mutex(Duration.seconds(7))
  }

  let sleep = Sleep()

  var path: String { "\(folder.path)/car" }
  var status: DriveSender.Status { mailbox.report().status }

  /// A turn of the sender's thread.
  func turn(_ count: Int = 1) {
    for _ in 0..<count {
      looks = 0
      _ = loop?.turn()
    }
  }

  /// A new touch drives in `gear`; false when that was refused.
  @discardableResult func touch(gear: Int = 5) -> Bool {
    holdCount += 1
    let command = DriveCommand(gear: gear, throttle: Double(gear) / 10, steering: 0, isHeld: true)
    guard stream.update(command, holdCount: holdCount, at: now) != nil else { return true }
    return publish()
  }

  /// The loop's newest line; what was taken over meanwhile is taken back.
  @discardableResult func publish() -> Bool {
    let isAccepted = mailbox.publish(stream, now: now)
    if !isAccepted { adopt() }
    return isAccepted
  }

  /// The loop takes back what was taken over.
  func adopt() {
    if let other = mailbox.reclaim(now: now) { stream = other }
  }

  /// Some time, with the steady lines and the beats of a loop that lives.
  func pass(_ duration: Duration) {
    let end = now + duration
    while now < end {
      now = min(end, now + .milliseconds(20))
      var isNew = false
      while stream.nextSteady(until: now) != nil { isNew = true }
      if isNew { publish() } else if !mailbox.beat(now: now) { adopt() }
      turn()
    }
  }
}

/// The rule: a command goes only to a consumer that takes lines, and one that comes back gets none without a new touch.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LinkLossTests {
  private func unix() throws -> LinkRig { try LinkRig { .unix(path: $0) } }

  /// Touches while a new consumer listens.
  private func drive(_ rig: LinkRig) throws -> (Listener?, Consumer?) {
    let listener = try Listener(rig.path)
    rig.turn()
    let consumer = try listener.accept()
    #expect(rig.touch())
    rig.turn()
    return (listener, consumer)
  }

  /// The lines that wait at a consumer.
  private func lines(_ consumer: Consumer) throws -> [JSON] {
    var lines: [JSON] = []
    while let line = consumer.line(within: .zero) { lines.append(try JSON(line)) }
    return lines
  }

  @Test func `a consumer that was restarted gets no command before a touch that began after it`() throws {
    let rig = try unix()
    var (listener, consumer) = try drive(rig)
    #expect(try consumer.map(lines)?.last?["state"] == .text("driving"))
    consumer = nil
    listener = nil
    rig.turn(2)
    #expect(rig.status == .waiting)
    rig.adopt()
    #expect(rig.stream.line.state == .safe && rig.stream.line.reason == .linkLost)
    #expect(rig.stream.line.command == .neutral)
    // Touches without a listener drive nothing, now or later.
    #expect(!rig.touch(gear: 9) && rig.stream.line.state == .safe)
    listener = try Listener(rig.path)
    rig.pass(.seconds(3))
    let next = try #require(try listener?.accept())
    rig.pass(.milliseconds(200))
    let heard = try lines(next)
    // A consumer that has not read for a moment takes lines again.
    rig.pass(.milliseconds(100))
    _ = try lines(next)
    #expect(heard.count > 3 && rig.status == .open)
    #expect(heard.allSatisfy { $0["state"] == .text("safe") && $0["reason"] == .text("link-lost") })
    #expect(rig.touch(gear: 2))
    rig.turn()
    #expect(try lines(next).last?["gear"] == .text("2"))
  }

  @Test func `a thread that finds the consumer gone says so itself, while the loop still commands`() throws {
    let rig = try unix()
    var (listener, consumer) = try drive(rig)
    consumer = nil
    rig.turn()
    // The same path has a listener still: the next attempt finds it before the loop has answered.
    rig.now = rig.now + .milliseconds(50)
    rig.turn(2)
    consumer = try listener?.accept()
    rig.turn()
    let heard = try consumer.map(lines) ?? []
    #expect(!heard.isEmpty && heard.allSatisfy { $0["state"] == .text("safe") })
    listener = nil
  }

  @Test func `nothing is commanded before the first consumer`() throws {
    let rig = try unix()
    rig.turn()
    #expect(!rig.touch() && rig.stream.line.reason == .linkLost)
    let listener = try Listener(rig.path)
    rig.pass(.seconds(1))
    let consumer = try listener.accept()
    #expect(try lines(consumer).allSatisfy { $0["state"] == .text("safe") })
  }

  @Test func `a consumer that takes nothing for 300 ms has lost the link, one that is slow has not`() throws {
    let rig = try unix()
    let listener = try Listener(rig.path)
    rig.turn()
    let consumer = try listener.accept()
    #expect(rig.touch())
    // The socket holds some lines; then nothing goes out any more.
    var full: MonotonicTime?
    for step in 1...200 where full == nil {
      rig.now = rig.now + .milliseconds(5)
      #expect(rig.touch(gear: step % 9 + 1))
      let sent = rig.mailbox.report().sent
      rig.turn()
      if rig.mailbox.report().sent == sent { full = rig.now }
    }
    let start = try #require(full)
    rig.turn()
    #expect(rig.wakeTime.map { $0 <= start + .milliseconds(300) } ?? false, "the thread wakes by itself")
    while rig.now < start + .milliseconds(290) {
      rig.now = rig.now + .milliseconds(10)
      #expect(rig.mailbox.beat(now: rig.now))
      rig.turn()
    }
    #expect(rig.status == .open)
    rig.now = start + .milliseconds(300)
    rig.turn()
    #expect(rig.status == .stalled)
    rig.adopt()
    #expect(rig.stream.line.reason == .linkLost)
    // It reads again: the lines that the socket held, and then no command.
    _ = try lines(consumer)
    rig.pass(.milliseconds(200))
    let heard = try lines(consumer)
    #expect(rig.status == .open && !heard.isEmpty && heard.allSatisfy { $0["state"] == .text("safe") })
    #expect(rig.touch())
  }

  @Test func `datagrams that are refused for 500 ms have lost the link`() throws {
    let gone = try UDPSocket()
    close(gone.descriptor)
    let rig = try LinkRig { _ in .udp(host: "127.0.0.1", port: gone.port) }
    rig.turn(2)
    #expect(rig.touch())
    let start = rig.now
    while rig.stream.line.state == .driving, rig.now < start + .seconds(2) { rig.pass(.milliseconds(20)) }
    #expect(rig.stream.line.reason == .linkLost && rig.status == .stalled)
    #expect((.milliseconds(500)...(.milliseconds(600))).contains(rig.now - start), "\(rig.now - start)")
    // The receiver is back: after a while without a refusal the link counts as open, and a touch drives.
    let consumer = Consumer(try UDPSocket(port: gone.port).descriptor)
    rig.pass(.seconds(2))
    #expect(rig.status == .open)
    #expect(try lines(consumer).allSatisfy { $0["state"] == .text("safe") })
    #expect(rig.touch())
  }

  @Test func `a host's other addresses are tried when the first refuses`() throws {
    let (gone, here) = (try UDPSocket(), try UDPSocket())
    close(gone.descriptor)
    let consumer = Consumer(here.descriptor)
    let addresses = [gone.address, here.address]
    let rig = try LinkRig({ _ in .udp(host: "car.local", port: 1) }, resolve: { .found(addresses) })
    rig.turn(5)
    #expect(try consumer.fields()["seq"] == .number(1))
    #expect(rig.touch())
    rig.turn()
    #expect(try consumer.fields()["state"] == .text("driving"))
  }

  @Test func `a name whose address refuses is looked up again`() throws {
    let (gone, here) = (try UDPSocket(), try UDPSocket())
    close(gone.descriptor)
    let consumer = Consumer(here.descriptor)
    let answers = Mutex([[gone.address], [here.address]])
    let rig = try LinkRig(
      { _ in .udp(host: "car.local", port: 1) },
      resolve: { .found(answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }) },
      // On the test's own thread: its clock is moved by hand.
      start: { body in
        body()
        return 0
      })
    rig.turn(3)
    #expect(rig.touch())
    rig.pass(.seconds(2))
    #expect(rig.status == .open && rig.stream.line.reason == .linkLost)
    #expect(try lines(consumer).last?["state"] == .text("safe"))
  }

  @Test func `a thread that the system refuses for the look-up is an error that is told, and asked for again`() throws {
    let receiver = try UDPSocket()
    defer { close(receiver.descriptor) }
    let refusals = Mutex(2)
    let lookup = NameLookup(
      resolve: { _, _ in .found([receiver.address]) },
      start: { body in
        let isRefused = refusals.withLock { left in
          left -= 1
          return left >= 0
        }
        if !isRefused { body() }
        return isRefused ? EAGAIN : 0
      })
    let outlet = Outlet(.udp(host: "car.local", port: 1), lookup: lookup)
    var now = MonotonicTime.zero + .seconds(1000)
    for _ in 0..<2 {
      #expect(!outlet.open(now: now) && outlet.status == .waiting && outlet.lastErrno == EAGAIN)
      now = try #require(outlet.wakeTime)
    }
    // The thread's answer wakes the loop, which opens once more.
    _ = outlet.open(now: now)
    #expect(outlet.open(now: now) && outlet.status == .open && outlet.lastErrno == 0)
  }

  @Test func `a network's broadcast address is one to send to`() throws {
    let rig = try LinkRig { _ in .udp(host: "127.255.255.255", port: 5005) }
    rig.turn(2)
    #expect(rig.status == .open && rig.mailbox.report().sent == 1 && rig.mailbox.report().errno == 0)
  }

  // MARK: The machine

  @Test(arguments: [true, false])
  func `a machine that slept says so before anything else, however short that was`(loopIsFirst: Bool) throws {
    let rig = try unix()
    let listener = try Listener(rig.path)
    rig.turn()
    let consumer = try listener.accept()
    #expect(rig.touch())
    rig.turn()
    _ = try lines(consumer)
    // The clock of all watchdogs stood still meanwhile.
    rig.sleep.value.withLock { $0 += .milliseconds(90) }
    #expect(rig.publish())
    rig.sleep.value.withLock { $0 += .milliseconds(101) }
    if loopIsFirst {
      #expect(!rig.publish())
    } else {
      rig.turn()
      rig.adopt()
    }
    #expect(rig.stream.line.state == .safe && rig.stream.line.reason == .suspended)
    rig.turn()
    #expect(try lines(consumer).last?["reason"] == .text("suspended"))
    // Once is enough.
    #expect(rig.touch())
  }

  @Test(arguments: [true, false])
  func `a machine that slept at rest is another sender, and says so before it drives`(loopIsFirst: Bool) throws {
    let rig = try unix()
    let listener = try Listener(rig.path)
    rig.turn()
    let consumer = try listener.accept()
    let first = try #require(lines(consumer).last?["id"]?.text)
    rig.sleep.value.withLock { $0 += .seconds(3600) }
    if loopIsFirst {
      #expect(!rig.touch(), "a consumer obeys nothing of a sender that it meets in mid-drive")
    } else {
      rig.turn()
      rig.adopt()
    }
    rig.turn()
    let line = try #require(lines(consumer).last)
    #expect(line["reason"] == .text("suspended") && line["state"] == .text("safe"))
    let second = try #require(line["id"]?.text)
    #expect(second != first && rig.touch())
    rig.turn()
    #expect(try lines(consumer).last?["id"] == .text(second))
  }

  @Test func `a process that was stopped while it held a line sends another one`() throws {
    let rig = try unix()
    let listener = try Listener(rig.path)
    rig.turn()
    let consumer = try listener.accept()
    _ = try lines(consumer)
    #expect(rig.touch())
    rig.jump = .seconds(5)
    rig.turn(2)
    let heard = try lines(consumer)
    #expect(heard.map { $0["reason"] } == [.text("loop-hung")], "\(heard)")
  }
}
