import Glibc
import Linux
import Synchronization
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// Whether a receiver of datagrams is in reach and has the address that lines go to, and whether a program reads what its kernel
/// has taken.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ReachTests {
  private let start = MonotonicTime.zero + .seconds(1000)
  private func at(_ milliseconds: Int) -> MonotonicTime { start + .milliseconds(milliseconds) }

  /// The host of a vehicle's name: its addresses, as they are at present.
  private final class Host: Sendable {
    let answer: Mutex<NameLookup.Answer>
    let calls = Mutex(0)

    init(_ sockets: [UDPSocket]) { answer = Mutex(.found(sockets.map(\.address))) }

    /// A sender to it, which looks its name up on the test's own thread, so that a clock that is moved by hand suffices.
    func rig() throws -> LinkRig {
      try LinkRig(
        { _ in .udp(host: "car.local", port: 1) },
        resolve: { [self] in
          calls.withLock { $0 += 1 }
          return answer.withLock { $0 }
        },
        start: { body in
          body()
          return 0
        })
    }
  }

  // MARK: Names

  @Test
  func `a vehicle that has another address is found within five seconds, and gets no command without a new touch`()
    throws
  {
    // The old address refuses nothing: the robot is gone, unnoticed.
    let (old, new) = (try UDPSocket(host: 2), try UDPSocket(host: 3))
    defer { for socket in [old, new] { close(socket.descriptor) } }
    let host = Host([old])
    let rig = try host.rig()
    rig.turn(3)
    #expect(rig.touch(gear: 4))
    rig.pass(.seconds(10))
    #expect(rig.stream.line.state == .driving && rig.mailbox.report().connections == 1 && old.takeAll() != nil)
    #expect(host.calls.withLock { $0 } == 4, "the first, and one each three seconds")
    host.answer.withLock { $0 = .found([new.address]) }
    let moved = rig.now
    while rig.stream.line.state == .driving, rig.now < moved + .seconds(10) { rig.pass(.milliseconds(20)) }
    #expect(rig.now - moved <= .seconds(5) && rig.stream.line.reason == .linkLost, "\(rig.now - moved)")
    rig.pass(.milliseconds(200))
    _ = old.takeAll()
    let consumer = Consumer(fcntl(new.descriptor, F_DUPFD_CLOEXEC, 0))
    let first = try consumer.fields()
    #expect(first["state"] == .text("safe") && first["reason"] == .text("link-lost"))
    #expect(rig.status == .open && rig.mailbox.report().connections == 2)
    #expect(rig.touch(gear: 3))
    rig.pass(.milliseconds(200))
    #expect(rig.stream.line.state == .driving && old.takeAll() == nil && new.takeAll() != nil)
  }

  @Test func `a resolver that fails, or names more addresses, leaves the present one alone`() throws {
    let (here, other) = (try UDPSocket(host: 2), try UDPSocket(host: 3))
    defer { for socket in [here, other] { close(socket.descriptor) } }
    let host = Host([here])
    let rig = try host.rig()
    rig.turn(3)
    #expect(rig.touch())
    host.answer.withLock { $0 = .failed(EHOSTUNREACH) }
    rig.pass(.seconds(8))
    host.answer.withLock { $0 = .found([other.address, here.address]) }
    rig.pass(.seconds(8))
    #expect(rig.stream.line.state == .driving && rig.mailbox.report().connections == 1 && other.takeAll() == nil)
  }

  @Test func `a name whose address refuses is left for another one of the name`() throws {
    let (gone, here) = (try UDPSocket(host: 2), try UDPSocket(host: 3))
    close(gone.descriptor)
    defer { close(here.descriptor) }
    let host = Host([gone])
    let rig = try host.rig()
    rig.turn(3)
    #expect(rig.touch())
    host.answer.withLock { $0 = .found([gone.address, here.address]) }
    rig.pass(.seconds(5))
    #expect(rig.stream.line.reason == .linkLost && rig.status == .open && here.takeAll() != nil)
  }

  // MARK: Errors

  @Test(.enabled(if: geteuid() == 0, "only root can play a router"))
  func `a host that cannot be reached is a lost link at once, and the output stays`() throws {
    let receiver = try UDPSocket(host: 2)
    defer { close(receiver.descriptor) }
    let rig = try LinkRig { _ in .udp(host: "127.0.0.2", port: receiver.port) }
    rig.turn(2)
    #expect(rig.touch())
    rig.pass(.milliseconds(200))
    let sender = try #require(receiver.takeAll())
    #expect(rig.status == .open && rig.stream.line.state == .driving)
    try receiver.denyReach(to: sender)
    rig.pass(.milliseconds(40))
    #expect(rig.status == .stalled && rig.stream.line.reason == .linkLost)
    #expect(rig.mailbox.report().errno == EHOSTUNREACH)
    // The same socket goes on: it is how the cockpit notices that the host is back. The kernel repeats its message each three seconds.
    for _ in 0..<3 {
      rig.pass(.seconds(3))
      #expect(rig.status == .stalled)
      try receiver.denyReach(to: sender)
    }
    rig.pass(.seconds(5))
    let again = try #require(receiver.takeAll())
    #expect(again.sin_port == sender.sin_port && rig.mailbox.report().connections == 1)
    #expect(rig.status == .open && rig.stream.line.state == .safe && rig.touch())
  }

  @Test func `a report of an error that another call has read closes nothing, unless it stays`() throws {
    let receiver = try UDPSocket(host: 2)
    defer { close(receiver.descriptor) }
    let outlet = Outlet(.udp(host: "127.0.0.2", port: receiver.port))
    #expect(outlet.open(now: start))
    for _ in 1..<Outlet.mostEmptyErrors { #expect(!outlet.take(Int16(POLLERR), now: start) && outlet.status == .open) }
    #expect(outlet.take(Int16(POLLERR), now: start) && outlet.status == .waiting)
  }

  @Test(.enabled(if: NameLookup.number("::1", 1) != nil && ReachTests.hasIPv6, "IPv6 is off"))
  func `over IPv6 lines arrive, and refusals are heard`() throws {
    let endpoint = try #require(DriveEndpoint("udp:[::1]:45679"))
    guard case .udp(let host, let port) = endpoint else { return }
    var receiver = bindSocket(to: host, port)
    let own = receiver?.number ?? -1
    try #require(own >= 0)
    let rig = try LinkRig { _ in endpoint }
    rig.turn(2)
    var bytes = [UInt8](repeating: 0, count: 1024)
    #expect(recv(own, &bytes, bytes.count, 0) > 0)
    #expect(rig.touch())
    receiver = nil
    rig.pass(.seconds(1))
    #expect(rig.status == .stalled && rig.stream.line.reason == .linkLost && rig.mailbox.report().errno == ECONNREFUSED)
  }

  private static var hasIPv6: Bool { access("/proc/net/if_inet6", F_OK) == 0 }

  @Test func `refusals count after half a second, and a host without a way to it at once`() {
    var refusals = Refusals()
    /// Whether the receiver is gone by a failure, and was not before.
    func note(_ errno: Int32, _ milliseconds: Int) -> Bool { refusals.note(errno, at: at(milliseconds)) }
    let first = [note(ECONNREFUSED, 0), note(ECONNREFUSED, 499), note(ECONNREFUSED, 500), note(ECONNREFUSED, 600)]
    #expect(first == [false, false, true, false] && refusals.isGone, "said once")
    refusals.forgetOld(at: at(600 + 1499))
    #expect(refusals.isGone)
    refusals.forgetOld(at: at(600 + 1500))
    #expect(!refusals.isGone)
    // Refusals that are far apart do not belong together.
    let far = (10..<20).map { note(ECONNREFUSED, $0 * 1500) }
    #expect(!far.contains(true))
    refusals.reset()
    let isGone = note(EHOSTUNREACH, 40_000)
    #expect(isGone && refusals.isGone)
    refusals.forgetOld(at: at(43_999))
    #expect(refusals.isGone)
    refusals.forgetOld(at: at(44_000))
    #expect(!refusals.isGone)
  }

  // MARK: Lines that are not read

  @Test func `the oldest unread line is known by the memory that the kernel holds`() {
    var lines = UnreadLines()
    func oldest(_ unread: Int32) -> MonotonicTime? { lines.oldest(unread: unread) }
    for line in 0..<5 { lines.noteSent(size: 700, at: at(line * 33)) }
    let before = [oldest(3500), oldest(0)]
    #expect(before == [nil, nil], "a program that starts has read nothing yet")
    for line in 10..<15 { lines.noteSent(size: 700, at: at(line * 33)) }
    // All, two of them, a part of one, and more than is known.
    let found = [3500, 1400, 100, 9000].map(oldest)
    #expect(found == [at(330), at(13 * 33), at(14 * 33), at(14 * 33)])
    lines.reset()
    lines.noteSent(size: 700, at: at(0))
    let new = oldest(700)
    #expect(new == nil)
  }

  @Test func `a consumer that reads each line, but late, has lost the link, and is told no more than it can read`()
    throws
  {
    let rig = try LinkRig({ .unix(path: $0) }, rate: 5)
    let listener = try Listener(rig.path)
    rig.turn()
    let consumer = try listener.acceptDescriptor()
    defer { close(consumer) }
    /// The next line of the stream, which is read byte by byte: the others stay in the kernel.
    func readLine() throws -> JSON? {
      var (line, byte) = ([UInt8](), UInt8(0))
      while recv(consumer, &byte, 1, Int32(MSG_DONTWAIT)) == 1, byte != 10 { line.append(byte) }
      return line.isEmpty ? nil : try JSON(String(decoding: line, as: UTF8.self))
    }
    while try readLine() != nil {}
    #expect(rig.touch())
    // As many lines are read as are sent, but each 800 ms late: the socket is never full, and the kernel has taken all of them.
    let begin = rig.now
    var lost: Duration?
    for step in 0..<40 where lost == nil {
      rig.pass(.milliseconds(200))
      if step >= 4 { _ = try readLine() }
      if rig.stream.line.state == .safe { lost = rig.now - begin }
    }
    #expect(
      lost.map { $0 <= .milliseconds(600) } == true && rig.stream.line.reason == .linkLost, "\(lost as Duration?)")
    #expect(rig.status == .stalled)
    // Nothing was added behind the lines that waited.
    rig.pass(.seconds(2))
    var old: [JSON] = []
    while let line = try readLine() { old.append(line) }
    #expect(old.count <= 4 && old.allSatisfy { $0["state"] == .text("driving") }, "\(old)")
    var newest: JSON?
    for _ in 0..<4 {
      rig.pass(.milliseconds(200))
      while let line = try readLine() { newest = line }
    }
    #expect(newest?["state"] == .text("safe") && newest?["reason"] == .text("link-lost"))
    #expect(rig.status == .open)
  }
}
