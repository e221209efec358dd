import Glibc

/// A compositor that Debian packages.
public enum CompositorKind: String, CaseIterable, Sendable {
  /// weston, with its desktop shell; it has no seat.
  case weston
  /// sway, whose seat gets what virtual pointers and keyboards bring.
  case sway
  /// KWin, with pointer, keys and touch through its fake input.
  case kwin
  /// phoc, the compositor of phones; it has a seat as a window of a KWin only (`Compositor.Settings.hasTouchscreen`).
  case phoc
  /// mutter, GNOME's compositor, with the hands of its interface for remote desktops (`MutterHands`); no picture can be taken of it.
  case mutter

  /// The programs that running it and taking its picture need.
  public var programs: [String] {
    switch self {
    case .weston: ["weston", "weston-screenshooter"]
    case .sway: ["sway", "swaymsg", "grim"]
    case .kwin: ["kwin_wayland", "dbus-daemon"]
    case .phoc: ["phoc", "grim"]
    case .mutter: ["mutter", "dbus-daemon", "pipewire"]
    }
  }

  /// Those of the programs that aren't installed.
  public var missingPrograms: [String] {
    programs.filter { find(program: $0) == nil }
  }

  /// Whether tests of it run: always in CI and under `./dev test`, which install everything; elsewhere if it is installed.
  /// COCKPIT_COMPOSITOR names the only one wanted.
  public var isTested: Bool {
    isWanted && (missingPrograms.isEmpty || getenv("CI") != nil || getenv("COCKPIT_STRICT") != nil)
  }

  private var isWanted: Bool { getenv("COCKPIT_COMPOSITOR").map { String(cString: $0) == rawValue } ?? true }

  /// What a skipped test says.
  public var reasonToSkip: String {
    guard isWanted else { return "\(rawValue) is not what COCKPIT_COMPOSITOR asks for" }
    return "\(rawValue) needs \(missingPrograms.joined(separator: ", ")); ./dev test installs what is missing"
  }
}

/// Where a program is on the PATH.
func find(program: String) -> String? {
  let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
}
