/// A colour by hue, saturation, brightness and opacity. A grey keeps the previous hue, and black also the saturation, so that a
/// drag through grey or black loses neither.
nonisolated public struct HSBColor: Hashable, Sendable {
  /// The hue in degrees: 0 red, 120 green, 240 blue; from 0 up to 360, which is red again.
  public private(set) var hue: Double
  /// From 0 (grey) to 1.
  public private(set) var saturation: Double
  /// From 0 (black) to 1.
  public private(set) var brightness: Double
  /// The opacity, 0...1.
  public private(set) var alpha: Double

  /// A colour from its components; values out of range are clamped, NaN counts as 0.
  public init(hue: Double, saturation: Double, brightness: Double, alpha: Double = 1) {
    self.hue = hue > 0 ? min(hue, 360) : 0
    self.saturation = Color.clamped(saturation)
    self.brightness = Color.clamped(brightness)
    self.alpha = Color.clamped(alpha)
  }

  /// The components of `color`; undefined ones are taken from `known`.
  public init(_ color: Color, known: HSBColor? = nil) {
    let (red, green, blue) = (Color.clamped(color.red), Color.clamped(color.green), Color.clamped(color.blue))
    let (low, high) = (min(red, green, blue), max(red, green, blue))
    let spread = high - low
    var hue = known?.hue ?? 0
    if spread > 0 {
      let sixth =
        switch high {
        case red: (green - blue) / spread
        case green: 2 + (blue - red) / spread
        default: 4 + (red - green) / spread
        }
      let turned = (sixth < 0 ? sixth + 6 : sixth) * 60
      // Red is at both ends of the range, so it stays at the end where it was.
      hue = turned == 0 && known?.hue == 360 ? 360 : turned
    }
    self.init(
      hue: hue, saturation: high > 0 ? spread / high : known?.saturation ?? 0, brightness: high, alpha: color.alpha)
  }

  /// The colour itself.
  public var color: Color {
    /// The amount of a primary whose hue is `center` degrees.
    func part(_ center: Double) -> Double {
      let way = abs(hue - center)
      let distance = min(way, 360 - way)
      return brightness * (1 - saturation * (1 - Color.clamped(2 - distance / 60)))
    }
    return Color(red: part(0), green: part(120), blue: part(240), alpha: alpha)
  }

  /// The colour with different components; those that are nil stay.
  public func with(
    hue: Double? = nil, saturation: Double? = nil, brightness: Double? = nil, alpha: Double? = nil
  ) -> HSBColor {
    HSBColor(
      hue: hue ?? self.hue, saturation: saturation ?? self.saturation, brightness: brightness ?? self.brightness,
      alpha: alpha ?? self.alpha)
  }
}
