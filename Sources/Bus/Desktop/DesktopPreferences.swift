internal import DBus

/// The preferences that the desktop reports (org.freedesktop.portal.Settings); those that it does not report keep their
/// defaults.
nonisolated public struct DesktopPreferences: Hashable, Sendable {
  /// The desktop's preference for light or dark programs.
  public enum ColorScheme: String, Hashable, Sendable {
    /// Dark marks on a light background.
    case light
    /// Light marks on a dark background.
    case dark
  }

  /// Light or dark; nil if the user has no preference.
  public internal(set) var colorScheme: ColorScheme?
  /// Whether the user prefers more contrast with the background.
  public internal(set) var prefersHighContrast = false
  /// Whether the user prefers fades or steps to motion.
  public var prefersReducedMotion: Bool { reducedMotion ?? !(hasAnimations ?? true) }

  /// The size of the cursor's image, in points; nil if not reported.
  public internal(set) var cursorSize: Int?
  /// The name of the theme of cursor images; nil if not reported.
  public internal(set) var cursorTheme: String?

  /// The portal's own setting for motion, which newer portals have; nil if not reported.
  private var reducedMotion: Bool?
  /// GNOME's setting for animations, which older portals forward; nil if not reported.
  private var hasAnimations: Bool?

  /// No preferences.
  public init() {}

  static let namespaces = ["org.freedesktop.appearance", "org.gnome.desktop.interface"]

  /// Applies the value of a setting; unknown settings and values are ignored.
  mutating func set(_ namespace: String, _ key: String, _ value: (any BusType)?) {
    switch (namespace, key, value) {
    case ("org.freedesktop.appearance", "color-scheme", let number as UInt32):
      colorScheme = number == 1 ? .dark : number == 2 ? .light : nil
    case ("org.freedesktop.appearance", "contrast", let number as UInt32): prefersHighContrast = number == 1
    case ("org.freedesktop.appearance", "reduced-motion", let number as UInt32): reducedMotion = number == 1
    case ("org.gnome.desktop.interface", "enable-animations", let isOn as Bool): hasAnimations = isOn
    case ("org.gnome.desktop.interface", "cursor-size", let size as Int): cursorSize = size > 0 ? size : nil
    case ("org.gnome.desktop.interface", "cursor-theme", let name as String): cursorTheme = name.isEmpty ? nil : name
    default: break
    }
  }
}
