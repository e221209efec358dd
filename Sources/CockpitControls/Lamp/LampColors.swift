/// The colours of a lamp, besides that of its light.
nonisolated public struct LampColors: Hashable, Sendable {
  /// The ground of an unlit lamp.
  public var panel: Color
  /// The line around an unlit lamp.
  public var outline: Color
  /// The word of an unlit lamp.
  public var quietText: Color
  /// The word of a lit lamp.
  public var onLamp: Color

  /// These colours.
  public init(panel: Color, outline: Color, quietText: Color, onLamp: Color) {
    (self.panel, self.outline, self.quietText, self.onLamp) = (panel, outline, quietText, onLamp)
  }

  /// The colours of `theme` for a lamp that is lit in `light`, whose word is black or white, whichever is easier to read on it.
  public init(_ theme: Theme, light: Color) {
    let brightness = 0.299 * light.red + 0.587 * light.green + 0.114 * light.blue
    self.init(
      panel: theme.panel, outline: theme.thumbOutline, quietText: theme.secondaryLabel,
      onLamp: brightness > 0.5 ? .black : .white)
  }
}
