// Owns doing a view's work once per frame, however often its reasons come.
// Must not know what the work is.

extension View {
  /// Has `update` called once before the next frame. For values that change more often than frames are shown: the view
  /// then finds out once what to draw again, instead of at every change.
  public func setNeedsUpdate() {
    guard !needsUpdate, let root else { return }
    needsUpdate = true
    root.updates.append(self)
    root.requestFrame()
  }
}

extension RootView {
  /// Updates the views that asked for it; one that asks again while it is updated waits for the next frame.
  func updateViews() {
    guard !updates.isEmpty else { return }
    var views: [View] = []
    swap(&views, &updates)
    for view in views {
      view.needsUpdate = false
      if view.root === self { view.update() }
    }
    // Nobody asked again, as usual: the list's storage serves again.
    guard updates.isEmpty else { return }
    views.removeAll(keepingCapacity: true)
    updates = views
  }
}
