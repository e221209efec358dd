extension View {
  /// Tells the view and everything inside if its theme is not `old`, and has it drawn again.
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

  /// Has the view draw everything again when it is seen next. The caller damages its pixels.
  func forgetDrawing() {
    staticLayer = nil
    layer?.invalidate()
  }
}
