/// The preferences that the desktop tells (org.freedesktop.portal.Settings); those that it does not tell keep their defaults.
nonisolated public struct DesktopPreferences: Hashable, Sendable {
  /// The desktop's preference for light or dark programs.
  public enum ColorScheme: String, Hashable, Sendable {
    /// Dark marks on light ground.
    case light
    /// Light marks on dark ground.
    case dark
  }

  /// Light or dark; nil for no preference.
  public internal(set) var colorScheme: ColorScheme?
  /// True for more contrast between things and their background.
  public internal(set) var prefersHighContrast = false
  /// True for fades or steps in place of motion.
  public var prefersReducedMotion: Bool { asksForReducedMotion ?? !(hasAnimations ?? true) }

  /// The portal's own word on motion, in newer versions.
  private var asksForReducedMotion: Bool?
  /// GNOME's word on animations, which older portals pass on.
  private var hasAnimations: Bool?

  /// No preferences.
  public init() {}

  /// The namespaces that are asked for.
  static let namespaces = ["org.freedesktop.appearance", "org.gnome.desktop.interface"]

  /// Takes over the value of a setting; settings and values not known are ignored.
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
