import Controls

/// The four ways in which every control is seen: light and dark, left-to-right and right-to-left.
enum ThemeAndDirection {
  static let all: [(Theme, LayoutDirection)] = [
    (.dark, .leftToRight), (.light, .leftToRight), (.dark, .rightToLeft), (.light, .rightToLeft),
  ]
}
