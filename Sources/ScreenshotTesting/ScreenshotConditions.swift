/// The conditions that a screenshot's look depends on besides the view itself.
nonisolated public struct ScreenshotConditions: Hashable, Sendable {
  /// The view's size in points, rounded up to whole ones; nil for its own size, or without one that of `sizeThatFits`.
  public var size: Size?
  /// Pixels per point.
  public var scale: Scale
  /// The colours and text sizes of the root.
  public var theme: Theme
  /// The direction in which things follow each other.
  public var layoutDirection: LayoutDirection
  /// The ground under the view; nil for the theme's background, `.clear` for none.
  public var background: Color?

  /// Conditions from their parts.
  public init(
    size: Size? = nil, scale: Scale = .one, theme: Theme = .light, layoutDirection: LayoutDirection = .leftToRight,
    background: Color? = nil
  ) {
    self.size = size
    self.scale = scale
    self.theme = theme
    self.layoutDirection = layoutDirection
    self.background = background
  }
}

/// A theme with a name for pictures.
nonisolated public struct ScreenshotTheme: Hashable, Sendable {
  /// The name, which the picture's name contains; empty for the usual one.
  public let name: String
  /// The theme.
  public let theme: Theme

  /// A theme called `name`.
  public init(_ name: String, _ theme: Theme) {
    self.name = name
    self.theme = theme
  }

  /// Daylight, without a name in files: the default of pictures.
  public static let light = ScreenshotTheme("", .light)
  /// Night, `dark`.
  public static let dark = ScreenshotTheme("dark", .dark)
}
