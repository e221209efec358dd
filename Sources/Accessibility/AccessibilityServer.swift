import Controls
internal import DBus
public import Desktop
import Glibc
import Shell
import UICore

// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// Serves a view tree to assistive technology such as a screen reader, by AT-SPI.
///
/// It costs nothing until it is needed. It queries the session only if an accessibility bus has a socket, connects to that bus
/// only while the session reports that assistive technology runs, and sends and answers through the event loop: nothing blocks,
/// and nothing happens on any other thread.
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
  private var sessionBus: BusConnection?
  private var tree: AccessibleTree?
  /// The session's latest address of an accessibility bus, if it names no socket of this machine.
  private var refusedAddress: String?
  private var search = BusSearch() { didSet { timer.time = search.nextTime } }
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in
    if search.advance(to: loop.clock.now) { requestAddress() }
  }

  private static let service = "org.a11y.Bus"
  private static let path = "/org/a11y/bus"
  private static let statusInterface = "org.a11y.Status"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// A server for `root`, which a window called `title` shows. `desktop` gives the connection to the session's bus.
  public init(root: RootView, title: String, desktop: DesktopSettings, loop: EventLoop) {
    (self.root, self.title, self.desktop, self.loop) = (root, title, desktop, loop)
  }

  /// Starts `desktop` and the server after the first frame of `window`, which must not wait for their answers.
  public func start(after window: Window) {
    window.onFrame = { [weak self, weak window] _ in
      window?.onFrame = nil
      self?.desktop.start()
      self?.start()
    }
  }

  /// Serves as soon and as long as assistive technology runs. Call it when `desktop` was started, after the first frame.
  public func start() {
    guard sessionBus == nil, let bus = desktop.bus else { return }
    if Environment.accessibilityBus.value != nil || Self.busDirectory.map(isDirectory) ?? false { return observe(bus) }
    guard let directory = Self.busDirectory else { return }
    // Without a runtime directory there is no session either.
    watcher = try? FileWatcher(loop: loop, path: directory) { [unowned self] in
      guard isDirectory(directory) else { return }
      watcher = nil
      observe(bus)
    }
  }

  /// Disconnects from the accessibility bus and ignores the session from now on.
  public func stop() {
    (watcher, sessionBus) = (nil, nil)
    disconnect()
  }

  private func disconnect() {
    search.stop()
    tree?.close()
    tree = nil
  }

  /// The directory in which an accessibility bus has its socket. It is created with the first bus; before that no query is
  /// sent.
  private static var busDirectory: String? { Environment.runtimeFolder.value.map { $0 + "/at-spi" } }

  /// Requests whether assistive technology runs, and observes changes.
  private func observe(_ bus: BusConnection) {
    sessionBus = bus
    bus.onSignal(Self.service, Self.path, Self.properties, "PropertiesChanged") { [weak self] signal in
      guard signal.read() == Self.statusInterface else { return }
      self?.update(signal.read())
    }
    bus.call(Self.service, Self.path, Self.properties, "GetAll", Self.statusInterface, startsService: false) {
      [weak self] in self?.update(try? $0.get().read())
    }
  }

  private var status: [String: Bool] = [:]

  /// Applies properties of the session's status: all of them, or only the changed ones.
  private func update(_ properties: BusDictionary<String, BusVariant>?) {
    guard let properties else { return }
    for (name, property) in properties.entries { if let flag = property.value as? Bool { status[name] = flag } }
    let isWanted = status["IsEnabled"] == true || status["ScreenReaderEnabled"] == true
    guard isWanted != search.isWanted else { return }
    if isWanted {
      search.start(at: loop.clock.now)
      requestAddress()
    } else {
      Log.write(.app, .info, "assistive technology is gone")
      disconnect()
    }
  }

  private func requestAddress() {
    sessionBus?.call(Self.service, Self.path, Self.service, "GetAddress", startsService: false) {
      [weak self] in if let address: String = try? $0.get().read() { self?.connect(to: address) }
    }
  }

  private func connect(to address: String) {
    // The search goes on, because another service may come; an address that is refused again is reported once.
    guard search.isWanted, tree == nil, address != refusedAddress else { return }
    refusedAddress = BusConnection.isLocal(address) ? nil : address
    guard let bus = BusConnection(to: address, loop: loop) else { return }
    Log.write(.app, .info, "assistive technology is served")
    let tree = AccessibleTree(root: root, title: title, bus: bus, loop: loop)
    tree.carryOut = { [unowned self] (command, view) throws(AccessibilityRefusal) in try carryOut(command, view) }
    bus.onDisconnect = { [weak self] in self?.handleDisconnect() }
    self.tree = tree
    search.noteConnected(at: loop.clock.now)
    tree.open()
  }

  private func handleDisconnect() {
    tree?.close()
    tree = nil
    search.noteDisconnected(at: loop.clock.now)
  }
}

/// Decides when to request the address of the accessibility bus: as soon as the bus is wanted, and repeatedly while it is
/// wanted and missing, since a restarting bus does not notify the session.
nonisolated struct BusSearch: Sendable {
  /// A connection that lasted this long resets the back-off.
  private static let stableTime = Duration.seconds(2)

  /// Whether assistive technology runs.
  private(set) var isWanted = false
  /// The time of the next call of `advance(to:)`; nil if none is due.
  private(set) var nextTime: MonotonicTime?
  private var connectTime = MonotonicTime.zero
  private var backOff = BackOff(least: .milliseconds(500), most: .seconds(30))

  mutating func start(at now: MonotonicTime) {
    isWanted = true
    backOff.reset()
    nextTime = now + backOff.wait()
  }

  /// Returns whether to request the address now.
  mutating func advance(to now: MonotonicTime) -> Bool {
    guard let time = nextTime, time <= now else { return false }
    nextTime = now + backOff.wait()
    return true
  }

  mutating func noteConnected(at now: MonotonicTime) {
    connectTime = now
    nextTime = nil
  }

  mutating func noteDisconnected(at now: MonotonicTime) {
    guard isWanted else { return }
    if now - connectTime >= Self.stableTime { backOff.reset() }
    nextTime = now + backOff.wait()
  }

  mutating func stop() { (isWanted, nextTime) = (false, nil) }
}

private func isDirectory(_ path: String) -> Bool { access(path, R_OK | X_OK) == 0 }
