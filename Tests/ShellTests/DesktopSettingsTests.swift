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
    portal.wait(turn: { loop.turn(waits: false) }, until: condition)
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

  @Test func `the cursor's size and theme are passed on`() throws {
    let portal = try FakePortal(
      settings: "({'org.gnome.desktop.interface': {'cursor-size': <48>, 'cursor-theme': <'Big'>}},)")
    play(portal) {
      settings.start()
      #expect(wait(portal) { settings.preferences.cursorSize == 48 && settings.preferences.cursorTheme == "Big" })
      portal.change("org.gnome.desktop.interface", "cursor-size", to: "0")
      portal.change("org.gnome.desktop.interface", "cursor-theme", to: "''")
      #expect(wait(portal) { settings.preferences.cursorSize == nil && settings.preferences.cursorTheme == nil })
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
        #expect(subject.preferences == DesktopPreferences() && subject.bus != nil)
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
      #expect(wait(portal) { settings.bus == nil })
      #expect(settings.preferences.colorScheme == .light, "what is known stays")
    }
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    setenv("XDG_RUNTIME_DIR", "/nowhere", 1)
    defer { if let runtime { setenv("XDG_RUNTIME_DIR", runtime, 1) } else { unsetenv("XDG_RUNTIME_DIR") } }
    play(nil) {
      settings.start()
      #expect(settings.bus == nil)
    }
    setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus", 1)
    settings.start()
    loop.turn(waits: false)
    #expect(settings.bus == nil)
    unsetenv("DBUS_SESSION_BUS_ADDRESS")
  }

  @Test func `an address of the session that would start a program starts none`() throws {
    let old = getenv("DBUS_SESSION_BUS_ADDRESS").map { String(cString: $0) }
    defer { if let old { setenv("DBUS_SESSION_BUS_ADDRESS", old, 1) } else { unsetenv("DBUS_SESSION_BUS_ADDRESS") } }
    let mark = "/tmp/cockpit-session-mark-\(getpid())"
    setenv("DBUS_SESSION_BUS_ADDRESS", "unixexec:path=/usr/bin/touch,argv0=touch,argv1=\(mark)", 1)
    settings.start()
    let end = ContinuousClock.now + .milliseconds(300)
    while ContinuousClock.now < end, access(mark, F_OK) != 0 { loop.turn(waits: false) }
    #expect(settings.bus == nil)
    #expect(access(mark, F_OK) != 0)
    unlink(mark)
  }

  @Test func `a session's bus whose folder has odd letters is found by its usual socket`() throws {
    let portal = try FakePortal(settings: all)
    let (folder, old) = ("/tmp/cockpit bus, \(getpid())%é", getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
    let socket = portal.address.dropFirst("unix:path=".count).prefix { $0 != "," }
    try #require(portal.address.hasPrefix("unix:path=") && mkdir(folder, 0o700) == 0)
    defer {
      unlink(folder + "/bus")
      rmdir(folder)
      if let old { setenv("XDG_RUNTIME_DIR", old, 1) } else { unsetenv("XDG_RUNTIME_DIR") }
    }
    try #require(symlink(String(socket), folder + "/bus") == 0)
    setenv("XDG_RUNTIME_DIR", folder, 1)
    play(nil) {
      settings.start()
      #expect(wait(portal) { settings.preferences.colorScheme == .light })
    }
  }

  @Test func `starting never waits, whatever the bus does`() throws {
    // A socket that accepts and says nothing.
    let folder = "/tmp/cockpit-bus-\(getpid())"
    unlink(folder)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
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
