import Glibc
import Shell

// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// Asks the desktop's portal (org.freedesktop.portal.Settings) for the person's preferences, and hears of changes.
///
/// Everything is optional: without a session bus, its library or a portal there are no preferences. Nothing waits:
/// `start` connects, answers come through the loop.
@MainActor public final class DesktopSettings {
  /// The preferences as far as the portal has told them.
  public private(set) var preferences = DesktopPreferences()
  /// Called when a preference changed.
  public var onChange: ((DesktopPreferences) -> Void)?
  /// True while the bus is listened to.
  package var isConnected: Bool { bus != nil }

  private let loop: EventLoop
  private var library: BusLibrary?
  private var bus: OpaquePointer?
  private var descriptor: Int32 = -1
  private var isProcessing = false

  private static let service = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let interface = "org.freedesktop.portal.Settings"

  /// Settings that `loop` will hear of once they are started.
  public init(loop: EventLoop) {
    self.loop = loop
  }

  isolated deinit { stop() }

  /// Connects and asks; loads the library, which takes some milliseconds: call it when the first frame is shown.
  public func start() {
    guard bus == nil, DesktopSettings.hasBus else { return }
    guard let library = BusLibrary() else { return Log.write(.app, .info, "no libsystemd: no desktop settings") }
    self.library = library
    var opened: OpaquePointer?
    guard library.openUser(&opened) >= 0, let bus = opened else {
      return Log.write(.app, .info, "no session bus: no desktop settings")
    }
    self.bus = bus
    descriptor = library.descriptor(bus)
    let this = Unmanaged.passUnretained(self).toOpaque()
    _ = library.matchSignal(
      bus, nil, Self.service, Self.path, Self.interface, "SettingChanged", messageCame, nil, this)
    ask(library, bus, this)
    loop.watch(
      .init(
        descriptor: descriptor, prepare: { [unowned self] in interest },
        handle: { [unowned self] in if !$0.isEmpty { process() } }))
    process()
  }

  /// Stops listening; the known preferences stay.
  public func stop() {
    guard let bus else { return }
    self.bus = nil
    loop.unwatch(descriptor)
    _ = library?.close(bus)
  }

  /// True where a bus is named or has its usual socket; without one the library is not loaded.
  private static var hasBus: Bool {
    if Environment.sessionBus.value != nil { return true }
    return Environment.runtimeFolder.value.map { access($0 + "/bus", F_OK) == 0 } ?? false
  }

  private func ask(_ library: BusLibrary, _ bus: OpaquePointer, _ this: UnsafeMutableRawPointer) {
    var made: OpaquePointer?
    guard library.newCall(bus, &made, Self.service, Self.path, Self.interface, "ReadAll") >= 0, let call = made else {
      return
    }
    _ = library.openContainer(call, CChar(UInt8(ascii: "a")), "s")
    for namespace in DesktopPreferences.namespaces {
      _ = namespace.withCString { library.append(call, CChar(UInt8(ascii: "s")), $0) }
    }
    _ = library.closeContainer(call)
    _ = library.call(bus, nil, call, messageCame, this, 0)
    _ = library.unref(call)
  }

  private var interest: EventLoop.Interest {
    guard let bus, let library else { return [] }
    let events = library.events(bus)
    return events > 0 ? EventLoop.Interest(rawValue: Int16(truncatingIfNeeded: events)) : .readable
  }

  /// Handles the messages that have arrived.
  private func process() {
    guard !isProcessing, let library else { return }
    isProcessing = true
    defer { isProcessing = false }
    while let bus {
      let result = library.process(bus, nil)
      if result == 0 { return }
      if result < 0 {
        Log.write(.app, .info, "the session bus hung up: no more news of desktop settings")
        return stop()
      }
    }
  }

  /// All settings, as the answer, or one that has changed.
  fileprivate func received(_ message: OpaquePointer) {
    guard let library else { return }
    guard library.isError(message, nil) == 0 else { return Log.write(.app, .info, "the desktop tells no settings") }
    var next = preferences
    BusReader(library: library, message: message).settings { next.note($0, $1, $2) }
    guard next != preferences else { return }
    preferences = next
    Log.write(.app, .info, "desktop: \(next.summary)")
    onChange?(next)
  }
}

extension DesktopPreferences {
  /// In a few words.
  fileprivate var summary: String {
    let words: [String?] = [
      colorScheme?.rawValue, prefersHighContrast ? "high contrast" : nil, prefersReducedMotion ? "reduced motion" : nil,
    ]
    let known = words.compactMap { $0 }
    return known.isEmpty ? "no preferences" : known.joined(separator: ", ")
  }
}

/// The answer to the question, or the signal of a change.
nonisolated private func messageCame(
  message: OpaquePointer?, data: UnsafeMutableRawPointer?, error: UnsafeMutableRawPointer?
) -> Int32 {
  nonisolated(unsafe) let (message, data) = (message, data)
  MainActor.assumeIsolated {
    guard let message, let data else { return }
    Unmanaged<DesktopSettings>.fromOpaque(data).takeUnretainedValue().received(message)
  }
  return 0
}
