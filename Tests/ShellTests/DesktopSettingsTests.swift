import CompositorLab
import Glibc
import Shell
import Testing

@testable import Desktop

/// The desktop's preferences: from a portal on a private bus, or from nowhere.
@MainActor @Suite(.serialized, .enabled(if: FakePortal.missingPrograms.isEmpty, "dbus-daemon is not installed"))
struct DesktopSettingsTests {
  private let loop = EventLoop()
  private let settings: DesktopSettings

  init() {
    settings = DesktopSettings(loop: loop)
  }

  /// Settings on a bus; the environment is as before afterwards.
  private func play(_ portal: FakePortal?, _ script: () throws -> Void) rethrows {
    let old = getenv("DBUS_SESSION_BUS_ADDRESS").map { String(cString: $0) }
    setenv("DBUS_SESSION_BUS_ADDRESS", portal?.address ?? "", 1)
    defer {
      settings.stop()
      if let old { setenv("DBUS_SESSION_BUS_ADDRESS", old, 1) } else { unsetenv("DBUS_SESSION_BUS_ADDRESS") }
    }
    try script()
  }

  /// Turns until `condition` holds; false after ten seconds.
  private func wait(_ portal: FakePortal, until condition: () -> Bool) -> Bool {
    let start = ContinuousClock.now
    while !condition() {
      guard ContinuousClock.now - start < .seconds(10) else { return false }
      loop.turn(waits: false)
      portal.step()
    }
    return true
  }

  private let all = """
    ({'org.freedesktop.appearance': {'accent-color': <(0.1, 0.2, 0.3)>, 'color-scheme': <uint32 2>, 'contrast': <uint32 1>,
    'reduced-motion': <uint32 1>}, 'org.gnome.desktop.interface': {'font-name': <'Sans'>, 'enable-animations': <true>}},)
    """

  @Test func `preferences are asked for, and changes are heard of, each once`() throws {
    let portal = try FakePortal(settings: all)
    var heard: [DesktopPreferences] = []
    settings.onChange = { heard.append($0) }
    play(portal) {
      settings.start()
      settings.start()
      #expect(wait(portal) { !heard.isEmpty })
      #expect(settings.preferences.colorScheme == .light)
      #expect(settings.preferences.prefersHighContrast && settings.preferences.prefersReducedMotion)
      portal.change("org.freedesktop.appearance", "color-scheme", to: "uint32 1")
      #expect(wait(portal) { settings.preferences.colorScheme == .dark })
      portal.change("org.freedesktop.appearance", "color-scheme", to: "uint32 1")
      portal.change("org.example", "color-scheme", to: "uint32 2")
      portal.change("org.freedesktop.appearance", "contrast", to: "'much'")
      portal.change("org.freedesktop.appearance", "contrast", to: "<uint32 0>")
      #expect(wait(portal) { !settings.preferences.prefersHighContrast })
      portal.change("org.freedesktop.appearance", "color-scheme", to: "uint32 77")
      #expect(wait(portal) { settings.preferences.colorScheme == nil })
      #expect(heard.count == 4 && portal.questions == 1)
    }
  }

  @Test func `older portals pass on whether there are animations`() throws {
    let portal = try FakePortal(settings: "({'org.gnome.desktop.interface': {'enable-animations': <false>}},)")
    play(portal) {
      settings.start()
      #expect(wait(portal) { settings.preferences.prefersReducedMotion })
      portal.change("org.gnome.desktop.interface", "enable-animations", to: "true")
      #expect(wait(portal) { !settings.preferences.prefersReducedMotion })
    }
  }

  @Test func `an answer that is an error, empty or never comes leaves everything as it is`() throws {
    for settings in [nil, "(@a{sa{sv}} {},)"] {
      let portal = try FakePortal(settings: settings)
      let subject = self.settings
      play(portal) {
        subject.start()
        #expect(wait(portal) { portal.questions == 1 })
        for _ in 0..<20 { loop.turn(waits: false) }
        #expect(subject.preferences == DesktopPreferences() && subject.isConnected)
      }
    }
    let silent = try FakePortal()
    silent.isSilent = true
    play(silent) {
      settings.start()
      #expect(wait(silent) { silent.questions == 1 })
      silent.change("org.freedesktop.appearance", "color-scheme", to: "uint32 2")
      #expect(wait(silent) { settings.preferences.colorScheme == .light }, "news are heard all the same")
    }
  }

  @Test func `a bus that goes ends the listening and nothing else, and without one nothing is loaded`() throws {
    let portal = try FakePortal(settings: all)
    play(portal) {
      settings.start()
      #expect(wait(portal) { settings.preferences.colorScheme == .light })
      portal.stop()
      #expect(wait(portal) { !settings.isConnected })
      #expect(settings.preferences.colorScheme == .light, "what is known stays")
    }
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    setenv("XDG_RUNTIME_DIR", "/nowhere", 1)
    defer { if let runtime { setenv("XDG_RUNTIME_DIR", runtime, 1) } else { unsetenv("XDG_RUNTIME_DIR") } }
    play(nil) {
      settings.start()
      #expect(!settings.isConnected)
    }
    setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus", 1)
    settings.start()
    loop.turn(waits: false)
    #expect(!settings.isConnected)
    unsetenv("DBUS_SESSION_BUS_ADDRESS")
  }

  @Test func `messages that come at once are shared out over turns, and wait where a pace is set`() throws {
    let portal = try FakePortal(hasPortal: false)
    let bus = try #require(BusConnection(to: portal.address, loop: loop))
    var answers = 0
    func ask(_ count: Int) {
      answers = 0
      for _ in 0..<count {
        bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId") { _ in
        } answer: {
          if $0 != nil { answers += 1 }
        }
      }
    }
    func unread() -> Int32 {
      var count: Int32 = 0
      return ioctl(bus.descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
    }
    /// Asks, and returns when all answers are there.
    func askAndWait(_ count: Int32, length: Int32) {
      ask(Int(count))
      let deadline = ContinuousClock.now + .seconds(10)
      while unread() < count * length, ContinuousClock.now < deadline { portal.step() }
    }
    ask(1)
    #expect(wait(portal) { answers == 1 })
    askAndWait(1, length: 1)
    let length = unread()
    #expect(wait(portal) { answers == 1 })
    askAndWait(100, length: length)
    var turns = 0
    while answers < 100, turns < 1000 {
      let before = answers
      loop.turn(waits: true)
      // By its descriptor and by its timer a bus may have two shares in a turn.
      #expect(answers - before <= 2 * BusConnection.mostMessages)
      turns += 1
    }
    #expect(answers == 100 && turns >= 4)
    bus.pace = { BusConnection.Pace(amongTurns: .milliseconds(20), waking: .milliseconds(100)) }
    bus.isFrameDue = { true }
    askAndWait(15, length: length)
    // A second's share at once, then one after the other.
    let first = ContinuousClock().measure { #expect(wait(portal) { answers >= 9 }) }
    let rest = ContinuousClock().measure { #expect(wait(portal) { answers == 15 }) }
    #expect(first < .milliseconds(300) && rest >= .milliseconds(350), "\(first), \(rest)")
    // Between frames, in turns that come anyway, more of them.
    bus.isFrameDue = { false }
    ask(15)
    let between = ContinuousClock().measure { #expect(wait(portal) { answers == 15 }) }
    #expect(between >= .milliseconds(200) && between < .milliseconds(1200), "\(between)")
    // The bus that goes is noticed although nothing is read for the moment.
    var isOver = false
    bus.onEnd = { isOver = true }
    portal.stop()
    #expect(wait(portal) { isOver })
    #expect(!bus.isOpen)
  }

  @Test(arguments: [
    ("unix:path=/run/user/1000/at-spi/bus", true), ("unix:abstract=/tmp/a,guid=1;unix:path=/b", true),
    ("unixexec:path=/bin/true", false), ("unix:path=/a;unixexec:path=/bin/true", false),
    ("tcp:host=example.org,port=1", false),
    ("x-machine-unix:pid=1", false), ("unix:path=/a;tcp:host=localhost,port=1", false), ("", false), (";", false),
    (" unix:path=/a", false),
  ])
  func `a bus is only gone to by sockets of this machine, since the session tells its address`(
    address: String, isLocal: Bool
  ) {
    #expect(BusConnection.isLocal(address) == isLocal)
  }

  @Test func `an address that would start a program starts none`() {
    let mark = "/tmp/cockpit-bus-mark-\(getpid())"
    let bus = BusConnection(to: "unixexec:path=/usr/bin/touch,argv0=touch,argv1=\(mark)", loop: loop)
    #expect(bus == nil)
    for _ in 0..<10 { loop.turn(waits: false) }
    #expect(access(mark, F_OK) != 0)
    unlink(mark)
  }

  @Test func `an answer that can't be written is an error to who asks, not silence`() throws {
    let portal = try FakePortal(hasPortal: false)
    let server = try #require(BusConnection(to: portal.address, loop: loop))
    let client = try #require(BusConnection(to: portal.address, loop: loop))
    var name: String?
    server.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId") { _ in
    } answer: {
      name = $0?.ownName
    }
    #expect(wait(portal) { name != nil })
    server.serve("/test") { request in
      request.answer { body in body.inside("r", "so") { body.text("no path", "o") } }
      return true
    }
    var answers: [Bool] = []
    client.call(try #require(name), "/test", "org.example.Test", "Ask", { _ in }, answer: { answers.append($0 != nil) })
    let begun = ContinuousClock.now
    #expect(wait(portal) { !answers.isEmpty })
    #expect(answers == [false] && ContinuousClock.now - begun < .seconds(5))
  }

  @Test func `a listener that closes its connection is the last one to hear of a message`() throws {
    let portal = try FakePortal(hasPortal: false)
    let bus = try #require(BusConnection(to: portal.address, loop: loop))
    var heard = 0
    for _ in 0..<20 {
      bus.onSignal("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged") { _ in
        heard += 1
        bus.close()
      }
    }
    var isReady = false
    bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId") { _ in
    } answer: { _ in
      isReady = true
    }
    #expect(wait(portal) { isReady })
    // A program that comes to the bus is told to all.
    let other = BusConnection(to: portal.address, loop: loop)
    #expect(wait(portal) { !bus.isOpen })
    for _ in 0..<20 { loop.turn(waits: false) }
    #expect(heard == 1 && other != nil)
  }

  @Test func `starting never waits, whatever the bus does`() throws {
    // A socket that accepts and says nothing.
    let folder = "/tmp/cockpit-bus-\(getpid())"
    unlink(folder)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(listener)
      unlink(folder)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 1) == 0)
    setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(folder)", 1)
    defer { unsetenv("DBUS_SESSION_BUS_ADDRESS") }
    let time = ContinuousClock().measure {
      settings.start()
      for _ in 0..<10 { loop.turn(waits: false) }
    }
    #expect(time < .seconds(1), "\(time)")
    settings.stop()
  }
}
