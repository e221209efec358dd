package import DBus
import Glibc
public import MainLoop

// The actor is written out, because without it the compiler refuses the `isolated deinit` in an optimised build of another
// module.

/// Requests the user's preferences from the desktop's portal (org.freedesktop.portal.Settings), and follows changes.
///
/// Without a session bus, its library or a portal, all preferences keep their defaults. Requests do not block: their answers
/// arrive through the event loop.
@MainActor public final class DesktopSettings {
  /// The preferences as far as the portal has reported them.
  public private(set) var preferences = DesktopPreferences()
  /// Called when a preference changed.
  public var onChange: ((DesktopPreferences) -> Void)?
  /// The session bus while it is connected, for other services of the session.
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

  /// Connects to the session bus and requests the preferences. Call this after the first frame is shown, because loading the
  /// bus library takes some milliseconds.
  public func start() {
    guard bus == nil, DesktopSettings.hasBus else { return }
    guard let bus = BusConnection(loop: loop) else {
      return Log.write(.app, .info, "no session bus, or no libsystemd: no desktop settings")
    }
    self.bus = bus
    bus.onDisconnect = { [unowned self] in
      Log.write(.app, .info, "the session bus closed the connection: desktop settings no longer change")
      stop()
    }
    bus.onSignal(Self.service, Self.path, Self.interface, "SettingChanged") { [unowned self] signal in
      guard let namespace: String = signal.read(), let key: String = signal.read(),
        let setting: BusVariant = signal.read()
      else { return }
      update { $0.set(namespace, key, setting.value) }
    }
    bus.call(Self.service, Self.path, Self.interface, "ReadAll", DesktopPreferences.namespaces) {
      [unowned self] answer in
      guard let settings = try? answer.get().read(BusDictionary<String, BusDictionary<String, BusVariant>>.self) else {
        return Log.write(.app, .info, "the desktop portal has no settings")
      }
      update { preferences in
        for (namespace, settings) in settings.entries {
          for (key, setting) in settings.entries { preferences.set(namespace, key, setting.value) }
        }
      }
    }
    bus.process()
  }

  /// Disconnects; the known preferences stay.
  public func stop() {
    bus?.close()
    bus = nil
  }

  /// Whether the environment names a session bus, or its usual socket exists. If not, the bus library is not loaded.
  private static var hasBus: Bool {
    if Environment.sessionBus.value != nil { return true }
    return Environment.runtimeFolder.value.map { access($0 + "/bus", F_OK) == 0 } ?? false
  }

  private func update(_ change: (inout DesktopPreferences) -> Void) {
    var next = preferences
    change(&next)
    guard next != preferences else { return }
    preferences = next
    Log.write(.app, .info, "desktop: \(next.summary)")
    onChange?(next)
  }
}

extension DesktopPreferences {
  fileprivate var summary: String {
    let words: [String?] = [
      colorScheme?.rawValue, prefersHighContrast ? "high contrast" : nil, prefersReducedMotion ? "reduced motion" : nil,
    ]
    let known = words.compactMap { $0 }
    return known.isEmpty ? "no preferences" : known.joined(separator: ", ")
  }
}
