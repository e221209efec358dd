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

  /// Light or dark; nil for no preference.
  public internal(set) var colorScheme: ColorScheme?
  /// True for more contrast with the background.
  public internal(set) var prefersHighContrast = false
  /// True for fades or steps in place of motion.
  public var prefersReducedMotion: Bool { asksForReducedMotion ?? !(hasAnimations ?? true) }

  /// The portal's own setting for motion, in newer versions.
  private var asksForReducedMotion: Bool?
  /// GNOME's word on animations, which older portals pass on.
  private var hasAnimations: Bool?

  /// No preferences.
  public init() {}

  /// The namespaces that are requested.
  static let namespaces = ["org.freedesktop.appearance", "org.gnome.desktop.interface"]

  /// Applies the value of a setting; unknown settings and values are ignored.
  mutating func note(_ namespace: String, _ key: String, _ value: BusValue) {
    switch (namespace, key, value) {
    case ("org.freedesktop.appearance", "color-scheme", .unsigned(let number)):
      colorScheme = number == 1 ? .dark : number == 2 ? .light : nil
    case ("org.freedesktop.appearance", "contrast", .unsigned(let number)): prefersHighContrast = number == 1
    case ("org.freedesktop.appearance", "reduced-motion", .unsigned(let number)): asksForReducedMotion = number == 1
    case ("org.gnome.desktop.interface", "enable-animations", .bool(let isOn)): hasAnimations = isOn
    default: break
    }
  }
}
