/// The colours of a wheel and the horn in its hub: dark leather by night, slate in daylight, so that both contrast with their
/// background.
nonisolated struct WheelColors: Hashable, Sendable {
  /// The rim from its top to its bottom, lit from above.
  var rim: [Color]
  /// The darkness of the shades that make the rim round, 0...1.
  var roundness: Double
  var spokes: Color
  /// The hub from its top to its bottom.
  var hub: [Color]
  var sign: Color
  /// The horn's symbol and rings while it sounds; one colour is enough, because the hub is dark in both themes.
  var sounding = Color(hex: 0x2dd4bf)
  var mark: Color

  static func matching(_ theme: Theme) -> WheelColors { theme.isDark ? night : day }

  /// Three colours from the top of a circle to its bottom: light from above.
  static func light(_ colors: [Color], on center: Point, radius: Double) -> Gradient {
    .linear(
      from: Point(x: 0, y: center.y - radius), to: Point(x: 0, y: center.y + radius),
      stops: [.init(0, colors[0]), .init(0.5, colors[1]), .init(1, colors[2])])
  }

  private static let night = WheelColors(
    rim: [0x414b57, 0x27303a, 0x171d24].map { Color(hex: $0) }, roundness: 1, spokes: Color(hex: 0x3a4653),
    hub: [0x3a4552, 0x262e38, 0x151b22].map { Color(hex: $0) }, sign: Color(hex: 0xd5dde6), mark: Color(hex: 0xffb020))

  private static let day = WheelColors(
    rim: [0x5c6876, 0x4f5a68, 0x3c4653].map { Color(hex: $0) }, roundness: 0.4, spokes: Color(hex: 0x5a6674),
    hub: [0x667282, 0x505b69, 0x414b58].map { Color(hex: $0) }, sign: .white, mark: Color(hex: 0xffc555))
}
