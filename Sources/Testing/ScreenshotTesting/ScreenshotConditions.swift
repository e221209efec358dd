/// The conditions, besides the view itself, that determine a screenshot.
nonisolated public struct ScreenshotConditions: Hashable, Sendable {
  /// The view's size in points, rounded up to whole points; nil for the view's own size, or its fitting size if its own is
  /// empty.
  public var size: Size?
  /// Pixels per point.
  public var scale: Scale
  /// The colours and text sizes of the root.
  public var theme: Theme
  /// The layout direction of the root.
  public var layoutDirection: LayoutDirection
  /// The colour behind the view; nil for the theme's background, `.clear` for no background.
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

/// A theme with a name for image files.
nonisolated public struct ScreenshotTheme: Hashable, Sendable {
  /// The name, which is a part of the image's name; empty for the usual theme.
  public let name: String
  /// The colours and text sizes that views are drawn with under this name.
  public let theme: Theme

  /// A theme called `name`.
  public init(_ name: String, _ theme: Theme) {
    self.name = name
    self.theme = theme
  }

  /// The light theme, the default of images; its name is empty.
  public static let light = ScreenshotTheme("", .light)
  /// The dark theme, named `dark`.
  public static let dark = ScreenshotTheme("dark", .dark)
}
