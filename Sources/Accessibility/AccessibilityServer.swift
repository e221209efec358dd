import Controls
import Desktop
import Glibc
import Shell
import UICore

// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// Serves a view tree to assistive technology such as a screen reader, by AT-SPI.
///
/// It costs nothing until it is needed. It queries the session only if an accessibility bus has a socket, connects to that bus
/// only while the session reports that assistive technology runs, and sends and answers through the loop: nothing waits, and
/// nothing happens on any other thread.
@MainActor public final class AccessibilityServer {
  /// Carries out a request by assistive technology; by default like the view itself. A program may record it, for instance.
  public var carryOut: (AccessibilityCommand, View) throws(AccessibilityRefusal) -> Void = {
    (command, view) throws(AccessibilityRefusal) in try view.carryOut(command)
  }
  private let root: RootView
  private let title: String
  private let desktop: DesktopSettings
  private let loop: EventLoop
  /// Waits for an accessibility bus; nil once there is one.
  private var watcher: FileWatcher?
  private var status: BusConnection?
  private var tree: AccessibleTree?
  private var visit = BusVisit() { didSet { timer.time = visit.nextTime } }
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in
    if visit.advance(to: loop.clock.now) { findBus() }
  }

  private static let service = "org.a11y.Bus"
  private static let path = "/org/a11y/bus"
  private static let statusInterface = "org.a11y.Status"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// A server for `root`, which a window called `title` shows. `desktop` gives the connection to the session's bus.
  public init(root: RootView, title: String, desktop: DesktopSettings, loop: EventLoop) {
    (self.root, self.title, self.desktop, self.loop) = (root, title, desktop, loop)
  }

  /// Serves as soon and as long as assistive technology runs. Call it when `desktop` was started, after the first frame.
  public func start() {
    guard status == nil, let bus = desktop.bus else { return }
    if Environment.accessibilityBus.value != nil || Self.busFolder.map(isFolder) ?? false { return ask(bus) }
    guard let folder = Self.busFolder else { return }
    // Without a runtime directory there is no session either.
    watcher = try? FileWatcher(loop: loop, path: folder) { [unowned self] in
      guard isFolder(folder) else { return }
      watcher = nil
      ask(bus)
    }
  }

  /// Leaves the accessibility bus, and asks no more.
  public func stop() {
    (watcher, status) = (nil, nil)
    leave()
  }

  private func leave() {
    visit.end()
    tree?.close()
    tree = nil
  }

  /// The directory in which an accessibility bus has its socket. It is created with the first bus; before that no query is
  /// sent.
  private static var busFolder: String? { Environment.runtimeFolder.value.map { $0 + "/at-spi" } }

  private func ask(_ bus: BusConnection) {
    status = bus
    bus.onSignal(Self.service, Self.path, Self.properties, "PropertiesChanged") { [weak self] message in
      guard message.text() == Self.statusInterface else { return }
      self?.take(message)
    }
    bus.call(
      Self.service, Self.path, Self.properties, "GetAll", startsService: false, { $0.text(Self.statusInterface) },
      answer: { [weak self] in if let message = $0 { self?.take(message) } })
  }

  private var known: [String: Bool] = [:]

  /// The session's word on assistive technology (a{sv}): all of it, or the changes alone.
  private func take(_ message: BusReader) {
    message.inside("a", "{sv}") {
      while message.inside(
        "e", "sv", { if let name = message.text(), case .bool(let flag) = message.variant() { known[name] = flag } })
      {}
    }
    let isWanted = known["IsEnabled"] == true || known["ScreenReaderEnabled"] == true
    guard isWanted != visit.isWanted else { return }
    if isWanted {
      visit.begin(at: loop.clock.now)
      findBus()
    } else {
      Log.write(.app, .info, "assistive technology is gone")
      leave()
    }
  }

  /// Asks for the address of the accessibility bus, and connects to it.
  private func findBus() {
    status?.call(
      Self.service, Self.path, Self.service, "GetAddress", startsService: false,
      answer: { [weak self] in if let address = $0?.text() { self?.join(address) } })
  }

  private func join(_ address: String) {
    guard visit.isWanted, tree == nil, let bus = BusConnection(to: address, loop: loop) else { return }
    Log.write(.app, .info, "assistive technology is served")
    let tree = AccessibleTree(root: root, title: title, bus: bus, loop: loop)
    tree.carryOut = { [unowned self] (command, view) throws(AccessibilityRefusal) in try carryOut(command, view) }
    bus.onEnd = { [weak self] in self?.busEnded() }
    self.tree = tree
    visit.noteJoined(at: loop.clock.now)
    tree.open()
  }

  private func busEnded() {
    tree?.close()
    tree = nil
    visit.noteLost(at: loop.clock.now)
  }
}

/// Decides when to look for the accessibility bus: as soon as it is wanted, and repeatedly while it is wanted and missing,
/// since a restarting bus does not notify the session.
nonisolated struct BusVisit: Sendable {
  /// A bus connection that lasted this long resets the back-off.
  private static let goodLife = Duration.seconds(2)

  /// True while assistive technology runs.
  private(set) var isWanted = false
  /// The time of the next call of `advance(to:)`; nil if none is due.
  private(set) var nextTime: MonotonicTime?
  private var joined = MonotonicTime.zero
  private var backOff = BackOff(least: .milliseconds(500), most: .seconds(30))

  /// Assistive technology runs from now on: the bus is looked for at once.
  mutating func begin(at now: MonotonicTime) {
    isWanted = true
    backOff.reset()
    nextTime = now + backOff.wait()
  }

  /// True when the bus is to be looked for now.
  mutating func advance(to now: MonotonicTime) -> Bool {
    guard let time = nextTime, time <= now else { return false }
    nextTime = now + backOff.wait()
    return true
  }

  /// Records that the bus accepts messages.
  mutating func noteJoined(at now: MonotonicTime) {
    joined = now
    nextTime = nil
  }

  /// Records that the bus is gone.
  mutating func noteLost(at now: MonotonicTime) {
    guard isWanted else { return }
    if now - joined >= Self.goodLife { backOff.reset() }
    nextTime = now + backOff.wait()
  }

  /// The bus is no longer wanted.
  mutating func end() { (isWanted, nextTime) = (false, nil) }
}

/// True for a directory that can be read.
private func isFolder(_ path: String) -> Bool { access(path, R_OK | X_OK) == 0 }
