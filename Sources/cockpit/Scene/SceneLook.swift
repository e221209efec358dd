import Controls
import Desktop

/// Light or dark, contrast and motion.
nonisolated struct SceneLook: Hashable, Sendable {
  var isLight = false
  var hasHighContrast = false
  var reducesMotion = false

  /// As nobody asked for anything: dark.
  init() {}

  init(isLight: Bool, hasHighContrast: Bool, reducesMotion: Bool) {
    (self.isLight, self.hasHighContrast, self.reducesMotion) = (isLight, hasHighContrast, reducesMotion)
  }

  /// As `preferences` say, as far as `choice` leaves it to them.
  init(_ preferences: DesktopPreferences, choice: ThemeChoice) {
    isLight = choice == .light || (choice == .auto && preferences.colorScheme == .light)
    hasHighContrast = preferences.prefersHighContrast
    reducesMotion = preferences.prefersReducedMotion
  }

  /// The colours.
  var theme: Theme {
    let plain: Theme = isLight ? .light : .dark
    return hasHighContrast ? plain.withHighContrast : plain
  }
}
