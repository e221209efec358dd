nonisolated extension Theme {
  /// A daylight theme with the tracks and thumbs of the source articles' figures: blue on light grey, and grey where pressed.
  public static let article: Theme = {
    var theme = light
    (theme.track, theme.trackHighlight) = (Color(white: 0.9), Color(red: 0, green: 0.45, blue: 0.94))
    (theme.thumbOutline, theme.pressed) = (Color(white: 0.5), .black.withAlpha(0.1))
    return theme
  }()
}
