import CockpitControls
import Controls
import Desktop

/// The appearance of a scene: light or dark, contrast, motion.
nonisolated struct SceneLook: Hashable, Sendable {
  var isLight = false
  var hasHighContrast = false
  var reducesMotion = false

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
  /// The ground beyond the windscreen: at the horizon, and at the dashboard.
  var ground = [Color(hex: 0x141b24), Color(hex: 0x0a0e14)]
  /// The pillars of the windscreen.
  var pillar = Color(hex: 0x04060a)
  /// The parts further back in the dashboard: vents.
  var recess = Color(hex: 0x0e131a)
  /// The column behind the wheel and its ridge, at the top and at the foot. At night they are darker than the dashboard and by day lighter,
  /// so that the spokes before them stand out as much.
  var column = [Color(hex: 0x10151c), Color(hex: 0x0b0f15)]
  var ridge = [Color(hex: 0x151b24), Color(hex: 0x0f141b)]
  /// The inside of the hood around the dial.
  var hood = Color(hex: 0x0c1117)
  /// The light on the folds and edges of such parts, and the seam's thread.
  var fold = Color.white.withAlpha(0.07)
  var seam = Color.white.withAlpha(0.13)
  /// The dashboard: at its edge, shortly below, at the bottom.
  var dashboard = [
    Color(hex: 0x1b222c).mixed(with: .white, 0.05), Color(hex: 0x1b222c),
    Color(hex: 0x0a0e14).mixed(with: Color(hex: 0x1b222c), 0.35),
  ]
  /// The light on the dashboard's edge: at its ends, in its middle.
  var edge = [Color.white.withAlpha(0.02), Color.white.withAlpha(0.32)]
  var shade = Color.black.withAlpha(0.34)
  /// The colour of each step of the wheel's shadow; clear for none.
  var shadow = Color.black.withAlpha(0)
  /// The plate that the gate is cut into.
  var plate = Color(hex: 0x141a22).mixed(with: .white, 0.02)
  /// The gate: the source article's ramp with the scene's red and green.
  var gate = GearboxPalette(
    forward: [Theme.dark.stop] + GearboxPalette.articleRamp.dropFirst(), neutral: Theme.dark.stop,
    reverse: Color(hex: 0x34d058), unlit: Color(hex: 0xf2f5f8))
  /// The dial, and its middle.
  var dial = Color(hex: 0x0a0e14).mixed(with: Color(hex: 0x141a22), 0.6)
  var dialMiddle = Color(hex: 0x141a22)
  /// Rows of figures on the backdrop.
  var panel = Color(hex: 0x141a22)
  /// Decorative lines around plates and discs.
  var hairline = Color.white.withAlpha(0.12)
  /// Lines that must be visible: unlit lamps, small strokes of scales.
  var outline = Color(hex: 0x768394)
  /// The unlit part of a band that shows a value.
  var track = Color(hex: 0x2a3340)
  var text = Color(hex: 0xf2f5f8)
  var quietText = Color(hex: 0x93a1b3)
  /// Text on a lamp that is lit.
  var onLamp = Color(hex: 0x0a0e14)
  /// Attention; also the mark at the wheel's top.
  var amber = Theme.dark.attention
  /// The line around a control whose input is ignored.
  var ignored = Theme.dark.attention
  /// Stop, as on the gearbox.
  var red = Theme.dark.stop
  /// Reverse, as on the gearbox.
  var green = Color(hex: 0x34d058)
  /// Selected, focused, ready, and the part of a band that shows its value.
  var teal = Theme.dark.accent

  static let dark = CockpitTheme()

  /// The light theme: the same elements on a light background.
  static let light: CockpitTheme = {
    var theme = CockpitTheme()
    theme.sky = [Color(hex: 0xb9c7d6), Color(hex: 0xe6edf3)]
    theme.ground = [Color(hex: 0xa9b6c3), Color(hex: 0xc3ccd5)]
    theme.pillar = Color(hex: 0xd0d6de)
    theme.recess = Color(hex: 0xaab2bd)
    theme.column = [Color(hex: 0xd0d6dd), Color(hex: 0xc3cad2)]
    theme.ridge = [Color(hex: 0xdce1e6), Color(hex: 0xd0d6dd)]
    theme.hood = Color(hex: 0xb6bdc7)
    theme.fold = Color.black.withAlpha(0.14)
    theme.seam = Color.black.withAlpha(0.2)
    theme.dashboard = [Color(hex: 0xe4e8ed), Color(hex: 0xd5dae1), Color(hex: 0xb7bec8)]
    theme.edge = [Color.white.withAlpha(0.2), Color.white.withAlpha(0.95)]
    theme.shade = Color.black.withAlpha(0.1)
    theme.shadow = Color.black.withAlpha(0.014)
    theme.plate = Color(hex: 0xf4f6f8)
    theme.gate = GearboxPalette(
      forward: [0xd02b20, 0xad4300, 0x9c5000, 0x8a5c00, 0x746300].map { Color(hex: $0) },
      neutral: Theme.light.stop, reverse: Color(hex: 0x14703a), unlit: Color(hex: 0x10161d))
    theme.dial = Color(hex: 0xf4f6f8)
    theme.dialMiddle = .white
    theme.panel = Color(hex: 0xf4f6f8)
    theme.hairline = Color.black.withAlpha(0.2)
    theme.outline = Color(hex: 0x5c6672)
    theme.track = Color(hex: 0xd3d9e0)
    theme.text = Color(hex: 0x10161d)
    theme.quietText = Color(hex: 0x404b59)
    theme.onLamp = .white
    theme.amber = Theme.light.attention
    // Amber dark enough for a light background is brown, which is hard to distinguish from the wheel's slate.
    theme.ignored = Color(hex: 0xb32d00)
    theme.red = Theme.light.stop
    theme.green = Color(hex: 0x14703a)
    theme.teal = Theme.light.accent
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

  /// High-contrast variant: text at 7:1, no dimmed elements, plain backgrounds, stronger colours.
  private var withHighContrast: CockpitTheme {
    var theme = self
    let isDark = text.red > 0.5
    let (far, near) = isDark ? (Color.white, Color.black) : (Color.black, Color.white)
    func further(_ color: Color) -> Color { color.mixed(with: far, 0.3) }
    theme.quietText = quietText.mixed(with: text, 0.8)
    theme.outline = outline.mixed(with: far, 0.6)
    theme.hairline = far.withAlpha(0.6)
    theme.track = track.mixed(with: far, 0.15)
    theme.dial = dial.mixed(with: near, 0.7)
    theme.hood = hood.mixed(with: near, 0.7)
    theme.dialMiddle = dialMiddle.mixed(with: near, 0.7)
    theme.plate = plate.mixed(with: near, 0.7)
    theme.panel = panel.mixed(with: near, 0.7)
    theme.gate = GearboxPalette(
      forward: gate.forward.map(further), neutral: further(gate.neutral), reverse: further(gate.reverse), unlit: far)
    (theme.text, theme.amber, theme.red) = (far, further(amber), further(red))
    (theme.green, theme.teal) = (further(green), further(teal))
    if isDark { theme.ignored = theme.amber }
    return theme
  }
}

extension View {
  var palette: CockpitTheme { .matching(theme) }
}
