/// The colours of a gauge's parts.
nonisolated public struct GaugeColors: Hashable, Sendable {
  /// The disc, and its middle.
  public var face: Color
  /// The middle of the disc.
  public var middle: Color
  /// The line around the disc.
  public var edge: Color
  /// The unlit part of the band.
  public var track: Color
  /// The strokes at written numbers, and the digits.
  public var text: Color
  /// The written numbers, the unit, and the digits of an unknown value.
  public var quietText: Color
  /// The other strokes.
  public var stroke: Color
  /// The needle, and the band up to it.
  public var lit: Color

  /// The colours of `theme`.
  public init(_ theme: Theme) {
    face = theme.background.mixed(with: theme.panel, 0.6)
    (middle, edge, track) = (theme.panel, theme.hairline, theme.track)
    (text, quietText, stroke, lit) = (theme.label, theme.secondaryLabel, theme.thumbOutline, theme.accent)
  }

  /// These colours.
  public init(
    face: Color, middle: Color, edge: Color, track: Color, text: Color, quietText: Color, stroke: Color, lit: Color
  ) {
    (self.face, self.middle, self.edge, self.track) = (face, middle, edge, track)
    (self.text, self.quietText, self.stroke, self.lit) = (text, quietText, stroke, lit)
  }
}
