// The cockpit's colours, each with one meaning.

import Controls

/// Colours of the scene, by what they say.
nonisolated struct CockpitTheme: Hashable, Sendable {
  /// The backdrop's top and bottom.
  var night = Color(hex: 0x0a0e14)
  var graphite = Color(hex: 0x1b222c)
  /// Panels on the backdrop, and their hairlines.
  var panel = Color(hex: 0x141a22)
  var hairline = Color.white.withAlpha(0.12)
  /// What is read first.
  var text = Color(hex: 0xf2f5f8)
  /// Labels and scales.
  var quietText = Color(hex: 0x93a1b3)
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
}
