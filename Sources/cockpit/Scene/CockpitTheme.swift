import Controls
import Desktop

/// Light or dark, contrast and motion.
nonisolated struct SceneLook: Hashable, Sendable {
  var isLight = false
  var hasHighContrast = false
  var reducesMotion = false

  /// The colours.
  var theme: Theme {
    let plain: Theme = isLight ? .light : .dark
    return hasHighContrast ? plain.withHighContrast : plain
  }
}

nonisolated extension SceneLook {
  /// The look of `preferences`, as far as `choice` leaves it to them.
  init(_ preferences: DesktopPreferences, choice: ThemeChoice) {
    self.init(
      isLight: choice == .light || (choice == .auto && preferences.colorScheme == .light),
      hasHighContrast: preferences.prefersHighContrast, reducesMotion: preferences.prefersReducedMotion)
  }
}

/// Colours of the scene, by their meaning.
nonisolated struct CockpitTheme: Hashable, Sendable {
  /// The backdrop from its top to the dashboard.
  var sky = [Color(hex: 0x0a0e14).mixed(with: .black, 0.25), Color(hex: 0x0a0e14)]
  /// The dashboard: at its edge, shortly below, at the bottom.
  var dashboard = [
    Color(hex: 0x1b222c).mixed(with: .white, 0.05), Color(hex: 0x1b222c),
    Color(hex: 0x0a0e14).mixed(with: Color(hex: 0x1b222c), 0.35),
  ]
  /// The light on the dashboard's edge: at its ends, in its middle.
  var edge = [Color.white.withAlpha(0.02), Color.white.withAlpha(0.32)]
  /// The shade at the sides.
  var shade = Color.black.withAlpha(0.34)
  /// The plate that the gate is cut into, and the line around it. Dark by day too: the gate's colours are made for that.
  var plate = Color(hex: 0x141a22).mixed(with: .white, 0.02)
  var plateLine = Color.white.withAlpha(0.12)
  /// The dial, and its middle.
  var dial = Color(hex: 0x0a0e14).mixed(with: Color(hex: 0x141a22), 0.6)
  var dialMiddle = Color(hex: 0x141a22)
  /// Rows of figures on the backdrop.
  var panel = Color(hex: 0x141a22)
  /// Outlines and faint areas: the grounds of lamps, tracks.
  var hairline = Color.white.withAlpha(0.12)
  var ink = Color.white
  /// The values that are read first.
  var text = Color(hex: 0xf2f5f8)
  /// Labels and scales.
  var quietText = Color(hex: 0x93a1b3)
  /// Text on a lamp that is lit.
  var onLamp = Color(hex: 0x0a0e14)
  /// Attention; also where the wheel's top is.
  var amber = Color(hex: 0xffb020)
  /// Stop.
  var red = Color(hex: 0xff3b30)
  /// Reverse, as on the gearbox.
  var green = Color(hex: 0x34d058)
  /// Selected, focused, ready.
  var teal = Color(hex: 0x2dd4bf)

  /// The cockpit at night.
  static let dark = CockpitTheme()

  /// The cockpit by day: the same things, on light ground.
  static let light: CockpitTheme = {
    var theme = CockpitTheme()
    theme.sky = [Color(hex: 0xb9c7d6), Color(hex: 0xe6edf3)]
    theme.dashboard = [Color(hex: 0xe4e8ed), Color(hex: 0xd5dae1), Color(hex: 0xb7bec8)]
    theme.edge = [Color.white.withAlpha(0.2), Color.white.withAlpha(0.95)]
    theme.shade = Color.black.withAlpha(0.1)
    theme.plate = Color(hex: 0x1d242d)
    theme.dial = Color(hex: 0xf4f6f8)
    theme.dialMiddle = .white
    theme.panel = Color(hex: 0xf4f6f8)
    theme.hairline = Color.black.withAlpha(0.2)
    theme.ink = .black
    theme.text = Color(hex: 0x10161d)
    theme.quietText = Color(hex: 0x465160)
    theme.onLamp = .white
    theme.amber = Color(hex: 0xa04f00)
    theme.red = Color(hex: 0xc4211a)
    theme.green = Color(hex: 0x14743a)
    theme.teal = Color(hex: 0x0f766e)
    return theme
  }()

  private static let darkContrast = dark.withHighContrast
  private static let lightContrast = light.withHighContrast

  /// The colours that go with a theme of the controls.
  static func matching(_ theme: Theme) -> CockpitTheme {
    switch (theme.isDark, theme.isHighContrast) {
    case (true, false): dark
    case (false, false): light
    case (true, true): darkContrast
    case (false, true): lightContrast
    }
  }

  private var withHighContrast: CockpitTheme {
    var theme = self
    theme.quietText = quietText.mixed(with: text, 0.8)
    theme.hairline = ink.withAlpha(0.6)
    theme.plateLine = .white.withAlpha(0.6)
    theme.dial = dial.mixed(with: ink == .white ? .black : .white, 0.7)
    theme.dialMiddle = dialMiddle.mixed(with: ink == .white ? .black : .white, 0.7)
    return theme
  }
}

extension View {
  /// The cockpit's colours here.
  var palette: CockpitTheme { .matching(theme) }
}
