import Glibc

/// A compositor that Debian packages.
public enum CompositorKind: String, CaseIterable, Sendable {
  /// weston, by default with its desktop shell. It has a seat only as a window of a KWin (`Compositor.Settings.hasTouchscreen`).
  case weston
  /// sway, whose seat takes virtual pointers and keyboards.
  case sway
  /// KWin, with pointer, keys and touch through its fake input protocol.
  case kwin
  /// phoc, the compositor of phones. It has a seat only as a window of a KWin (`Compositor.Settings.hasTouchscreen`).
  case phoc
  /// mutter, GNOME's compositor, with input through its remote-desktop interface (`MutterHands`). No screenshot can be taken of
  /// it.
  case mutter
  /// cage, which shows one program and nothing else. It has a seat only as a window of a KWin (`Compositor.Settings.hasTouchscreen`).
  case cage

  /// The programs needed to run it and to take its screenshots.
  public var programs: [String] {
    switch self {
    case .weston: ["weston", "weston-screenshooter"]
    case .sway: ["sway", "swaymsg", "grim"]
    case .kwin: ["kwin_wayland", "dbus-daemon"]
    case .phoc: ["phoc", "grim"]
    case .mutter: ["mutter", "dbus-daemon", "pipewire"]
    case .cage: ["cage", "Xwayland", "grim"]
    }
  }

  /// The needed programs that are not installed.
  public var missingPrograms: [String] {
    programs.filter { find(program: $0) == nil }
  }

  /// Whether its tests run: always in CI and under `./dev test`, which install everything; elsewhere if it is installed.
  /// COCKPIT_COMPOSITOR names a compositor to test no other.
  public var isTested: Bool {
    isWanted && (missingPrograms.isEmpty || getenv("CI") != nil || getenv("COCKPIT_STRICT") != nil)
  }

  private var isWanted: Bool { getenv("COCKPIT_COMPOSITOR").map { String(cString: $0) == rawValue } ?? true }

  /// The message of a skipped test.
  public var reasonToSkip: String {
    guard isWanted else { return "\(rawValue) is not what COCKPIT_COMPOSITOR asks for" }
    return "\(rawValue) needs \(missingPrograms.joined(separator: ", ")); ./dev test installs what is missing"
  }
}

/// The path of a program on the PATH; nil if it is not there.
func find(program: String) -> String? {
  let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
}
