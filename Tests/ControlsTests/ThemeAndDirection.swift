import ControlHarness
import Controls

/// The four ways in which every control is seen: light and dark, left-to-right and right-to-left.
enum ThemeAndDirection {
  static let all: [(Theme, LayoutDirection)] = [
    (.dark, .leftToRight), (.light, .leftToRight), (.dark, .rightToLeft), (.light, .rightToLeft),
  ]
}

extension [ScreenshotTheme] {
  /// Light and dark, each with the usual and with more contrast.
  static var four: [ScreenshotTheme] {
    [
      .light, .dark, ScreenshotTheme("contrast", Theme.light.withHighContrast),
      ScreenshotTheme("dark-contrast", Theme.dark.withHighContrast),
    ]
  }
}
