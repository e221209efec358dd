extension View {
  /// Notifies the view and its descendants if its theme is no longer `old`, and draws them again.
  func noteTheme(was old: Theme) {
    let new = theme
    guard new != old else { return }
    themeChanged(sizes: new.fontSizes != old.fontSizes)
    damage()
  }

  private func themeChanged(sizes: Bool) {
    forgetDrawing()
    if sizes { setNeedsLayout() }
    themeDidChange()
    for view in subviews { view.themeChanged(sizes: sizes) }
  }

  /// Makes the view draw everything again when it is next visible. The caller damages its pixels.
  func forgetDrawing() {
    staticLayer = nil
    layer?.invalidate()
  }
}
