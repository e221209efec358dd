import CompositorLab
import Glibc
import Shell
import Testing

@testable import DBus

/// Connections to a private message bus.
@MainActor @Suite(.serialized, .enabled(if: FakePortal.missingPrograms.isEmpty, "dbus-daemon is not installed"))
struct BusConnectionTests {
  private let bus: PrivateBus
  private var loop: EventLoop { bus.loop }

  init() throws { bus = try PrivateBus() }

  @Test func `messages that arrive at once are spread over iterations, and a pace delays them`() throws {
    let connection = try bus.connect()
    var answers = 0
    func call(_ count: Int) {
      answers = 0
      for _ in 0..<count {
        connection.askBus { if case .success = $0 { answers += 1 } }
      }
    }
    func unread() -> Int32 {
      var count: Int32 = 0
      return ioctl(connection.descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
    }
    /// Calls, and returns when all answers have arrived.
    func callAndWait(_ count: Int32, length: Int32) {
      call(Int(count))
      let deadline = ContinuousClock.now + .seconds(10)
      while unread() < count * length, ContinuousClock.now < deadline { bus.portal.step() }
    }
    call(1)
    #expect(bus.wait { answers == 1 })
    callAndWait(1, length: 1)
    let length = unread()
    #expect(bus.wait { answers == 1 })
    callAndWait(100, length: length)
    var iterations = 0
    while answers < 100, iterations < 1000 {
      let before = answers
      loop.turn(waits: true)
      // A bus may process messages twice in an iteration: for its descriptor and for its timer.
      #expect(answers - before <= 2 * BusConnection.maxMessagesPerIteration)
      iterations += 1
    }
    #expect(answers == 100 && iterations >= 4)
    connection.pace = { BusConnection.Pace(awake: .milliseconds(20), waking: .milliseconds(100)) }
    connection.isFrameDue = { true }
    callAndWait(15, length: length)
    // A second's allowance at once, then one by one.
    let first = ContinuousClock().measure { #expect(bus.wait { answers >= 9 }) }
    let rest = ContinuousClock().measure { #expect(bus.wait { answers == 15 }) }
    #expect(first < .milliseconds(300) && rest >= .milliseconds(350), "\(first), \(rest)")
    // More between frames, in iterations that run for something else.
    connection.isFrameDue = { false }
    call(15)
    let between = ContinuousClock().measure { #expect(bus.wait { answers == 15 }) }
    #expect(between >= .milliseconds(200) && between < .milliseconds(1200), "\(between)")
    // A closed connection is noticed while messages are delayed.
    var isLost = false
    connection.onDisconnect = { isLost = true }
    bus.portal.stop()
    #expect(bus.wait { isLost })
    #expect(!connection.isOpen)
  }

  @Test(arguments: [
    ("unix:path=/run/user/1000/at-spi/bus", true), ("unix:abstract=/tmp/a,guid=1;unix:path=/b", true),
    ("unixexec:path=/bin/true", false), ("unix:path=/a;unixexec:path=/bin/true", false),
    ("tcp:host=example.org,port=1", false),
    ("nonce-tcp:host=localhost,port=1,noncefile=/a", false), ("launchd:env=DBUS_LAUNCHD_SESSION_BUS_SOCKET", false),
    ("autolaunch:", false), ("unix", false), ("UNIX:path=/a", false), ("unix:path=/a; unixexec:path=/b", false),
    ("x-machine-unix:pid=1", false), ("unix:path=/a;tcp:host=localhost,port=1", false), ("", false), (";", false),
    (" unix:path=/a", false),
  ])
  func `only sockets of this machine are connected to, since another program may name the address`(
    address: String, isLocal: Bool
  ) {
    #expect(BusConnection.isLocal(address) == isLocal)
  }

  @Test(arguments: [
    ("/run/user/1000/bus", "/run/user/1000/bus"), ("/a b;c,d=%é/bus", "/a%20b%3bc%2cd%3d%25%c3%a9/bus"),
  ])
  func `the session's usual socket is an address whatever its folder is called`(path: String, address: String) {
    #expect(BusConnection.address(ofSocket: path) == "unix:path=" + address)
    #expect(BusConnection.isLocal(BusConnection.address(ofSocket: path)))
  }

  @Test func `an address that would start a program starts none`() {
    let mark = "/tmp/cockpit-bus-mark-\(getpid())"
    let bus = BusConnection(to: "unixexec:path=/usr/bin/touch,argv0=touch,argv1=\(mark)", loop: loop)
    #expect(bus == nil)
    for _ in 0..<10 { loop.turn(waits: false) }
    #expect(access(mark, F_OK) != 0)
    unlink(mark)
  }

  @Test func `after a listener has closed its connection no other one is called`() throws {
    let connection = try bus.connect()
    var calls = 0
    for _ in 0..<20 {
      connection.onSignal("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged") {
        _ in
        calls += 1
        connection.close()
      }
    }
    var isReady = false
    connection.askBus { _ in isReady = true }
    #expect(bus.wait { isReady })
    // The bus sends a signal about a new connection.
    let other = BusConnection(to: bus.portal.address, loop: loop)
    #expect(bus.wait { !connection.isOpen })
    for _ in 0..<20 { loop.turn(waits: false) }
    #expect(calls == 1 && other != nil)
  }
}
