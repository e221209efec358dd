import Glibc
import Shell

// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// Requests the user's preferences from the desktop's portal (org.freedesktop.portal.Settings), and follows changes.
///
/// Everything is optional: without a session bus, its library or a portal there are no preferences. Nothing waits: `start`
/// connects, answers arrive through the loop.
@MainActor public final class DesktopSettings {
  /// The preferences as far as the portal has reported them.
  public private(set) var preferences = DesktopPreferences()
  /// Called when a preference changed.
  public var onChange: ((DesktopPreferences) -> Void)?
  /// True while the bus is listened to.
  package var isConnected: Bool { bus?.isOpen ?? false }
  /// The session bus, while it is listened to: for whatever else a program asks of the session.
  package private(set) var bus: BusConnection?

  private let loop: EventLoop

  private static let service = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let interface = "org.freedesktop.portal.Settings"

  /// Settings that use `loop` once they are started.
  public init(loop: EventLoop) {
    self.loop = loop
  }

  isolated deinit { stop() }

  /// Connects and sends the request. It loads the library, which takes some milliseconds: call it when the first frame is
  /// shown.
  public func start() {
    guard bus == nil, DesktopSettings.hasBus else { return }
    guard let bus = BusConnection(loop: loop) else {
      return Log.write(.app, .info, "no session bus, or no libsystemd: no desktop settings")
    }
    self.bus = bus
    bus.onEnd = { [unowned self] in
      Log.write(.app, .info, "the session bus hung up: no more news of desktop settings")
      stop()
    }
    bus.onSignal(Self.service, Self.path, Self.interface, "SettingChanged") { [unowned self] in take($0) }
    bus.call(
      Self.service, Self.path, Self.interface, "ReadAll",
      { arguments in
        arguments.inside("a", "s") { DesktopPreferences.namespaces.forEach { arguments.text($0) } }
      },
      answer: { [unowned self] in
        guard let answer = $0 else { return Log.write(.app, .info, "the desktop tells no settings") }
        take(answer)
      })
    bus.process()
  }

  /// Stops listening; the known preferences stay.
  public func stop() {
    bus?.close()
    bus = nil
  }

  /// True if a bus is named or has its usual socket; without one the library is not loaded.
  private static var hasBus: Bool {
    if Environment.sessionBus.value != nil { return true }
    return Environment.runtimeFolder.value.map { access($0 + "/bus", F_OK) == 0 } ?? false
  }

  /// Reads all settings, as the answer, or a changed one.
  private func take(_ message: BusReader) {
    var next = preferences
    message.settings { next.note($0, $1, $2) }
    guard next != preferences else { return }
    preferences = next
    Log.write(.app, .info, "desktop: \(next.summary)")
    onChange?(next)
  }
}

extension BusReader {
  /// The settings in the answer of ReadAll, by namespace (a{sa{sv}}), or the one in the signal SettingChanged (ssv).
  fileprivate func settings(_ each: (String, String, BusValue) -> Void) {
    let isAnswer = inside("a", "{sa{sv}}") {
      while inside("e", "sa{sv}", { namespace(each) }) {}
    }
    guard !isAnswer, let namespace = text(), let key = text(), let value = variant() else { return }
    each(namespace, key, value)
  }

  private func namespace(_ each: (String, String, BusValue) -> Void) {
    guard let name = text() else { return }
    inside("a", "{sv}") {
      while inside("e", "sv", { if let key = text(), let value = variant() { each(name, key, value) } }) {}
    }
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
