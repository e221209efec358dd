import CLaboratory

/// A pointer, a keyboard and a touchscreen for mutter, through its remote-desktop interface. Touches and absolute positions refer
/// to a stream of the monitor, so this also starts a screen cast without a viewer.
public final class MutterHands {
  private static let desktop = "org.gnome.Mutter.RemoteDesktop"
  private static let cast = "org.gnome.Mutter.ScreenCast"

  private let bus: SessionBus
  private let session: String
  private let stream: String

  init(on bus: SessionBus) throws(LabError) {
    self.bus = bus
    // Mutter accepts clients before it owns its names on the bus.
    for name in [Self.desktop, Self.cast] { try bus.waitForOwner(of: name) }
    session = try bus.objectPath(
      bus.call(Self.desktop, "/org/gnome/Mutter/RemoteDesktop", Self.desktop, "CreateSession", "()"))
    let id = try bus.call(
      Self.desktop, session, "org.freedesktop.DBus.Properties", "Get", "('\(Self.desktop).Session', 'SessionId')")
    let castSession = try bus.objectPath(
      bus.call(
        Self.cast, "/org/gnome/Mutter/ScreenCast", Self.cast, "CreateSession",
        "({'remote-desktop-session-id': \(id.child(0).text)},)"))
    // The empty name means the primary monitor.
    stream = try bus.objectPath(
      bus.call(Self.cast, castSession, "\(Self.cast).Session", "RecordMonitor", "('', @a{sv} {})"))
    try perform("Start", "()")
    // Mutter creates each device at its first event, and no client gets that event. So each device gets one here.
    try give("pointer motion 0 0", "touch down 0 0 0", "touch up 0", "key press 194", "key release 194")
  }

  /// Sends input, written as commands of `CompositorInput`, and returns when mutter has accepted it.
  public func give(_ commands: String...) throws(LabError) {
    for command in commands { try give(command) }
  }

  private func give(_ command: String) throws(LabError) {
    let words = command.split(separator: " ").map(String.init)
    let place = words.suffix(2).map { "double \($0)" }.joined(separator: ", ")
    switch (words.prefix(2).joined(separator: " "), words.count) {
    case ("touch down", 5): try perform("NotifyTouchDown", "('\(stream)', uint32 \(words[2]), \(place))")
    case ("touch motion", 5): try perform("NotifyTouchMotion", "('\(stream)', uint32 \(words[2]), \(place))")
    case ("touch up", 3): try perform("NotifyTouchUp", "(uint32 \(words[2]),)")
    // Mutter ends each touch frame itself.
    case ("touch frame", 2): break
    case ("pointer motion", 4): try perform("NotifyPointerMotionAbsolute", "('\(stream)', \(place))")
    case ("pointer press", 2): try perform("NotifyPointerButton", "(272, true)")
    case ("pointer release", 2): try perform("NotifyPointerButton", "(272, false)")
    case ("key press", 3): try perform("NotifyKeyboardKeycode", "(uint32 \(words[2]), true)")
    case ("key release", 3): try perform("NotifyKeyboardKeycode", "(uint32 \(words[2]), false)")
    default: throw .refused("mutter can't be given \"\(command)\"")
    }
  }

  private func perform(_ method: String, _ arguments: String) throws(LabError) {
    _ = try bus.call(Self.desktop, session, "\(Self.desktop).Session", method, arguments)
  }
}
