// Owns when views are laid out: only those that need it.
// Must not know where views put their subviews.

extension View {
  /// Has `layoutSubviews` called before the next frame.
  public func setNeedsLayout() {
    guard !needsLayout else { return }
    needsLayout = true
    noteLayoutInside()
  }

  /// Lays out now what needs it in this view and inside.
  public func layoutIfNeeded() {
    layoutPass()
  }

  /// Tells the views around that something inside needs layout.
  func noteLayoutInside() {
    var view = superview
    while let current = view, !current.hasLayoutInside {
      current.hasLayoutInside = true
      view = current.superview
    }
    root?.requestFrame()
  }

  func layoutPass() {
    if needsLayout {
      needsLayout = false
      layoutSubviews()
    }
    guard hasLayoutInside else { return }
    hasLayoutInside = false
    for view in subviews where view.needsLayout || view.hasLayoutInside { view.layoutPass() }
  }
}
