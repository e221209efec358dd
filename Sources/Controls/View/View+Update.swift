extension View {
  /// Calls `update` once before the next frame. For values that change more often than frames are shown: the view then decides
  /// once what to draw again, instead of at every change.
  public func setNeedsUpdate() {
    guard !needsUpdate, let root else { return }
    needsUpdate = true
    if root.isUpdating { root.laterUpdates.append(self) } else { root.updates.append(self) }
  }
}

extension RootView {
  /// The limit on layout passes for one frame, each for the requests of the previous one. A tree of nested stacks settles in
  /// three.
  static let mostLayoutPasses = 8

  /// Updates and lays out until there are no more requests. A view that requests an update while it is updated waits for the
  /// next frame; one that does while it is laid out does not. A layout that does not settle is abandoned, and logged.
  func updateAndLayOut() {
    var passes = 0
    while !updates.isEmpty || needsLayout || hasLayoutInside {
      guard passes < Self.mostLayoutPasses else { return giveUpLayout() }
      passes += 1
      updateViews()
      layoutPass()
    }
  }

  private func updateViews() {
    guard !updates.isEmpty else { return }
    var views: [View] = []
    swap(&views, &updates)
    isUpdating = true
    // A view that was removed and added again is in the list twice.
    for view in views where view.needsUpdate {
      view.needsUpdate = false
      if view.root === self { view.update() }
    }
    isUpdating = false
    views.removeAll(keepingCapacity: true)
    updates = views
  }

  /// Abandons a layout that does not settle: it is shown as it is, until another change requests layout.
  private func giveUpLayout() {
    var names: [String] = []
    func forget(_ view: View) {
      if view.needsLayout, names.count < 3 {
        names.append(view.name.isEmpty ? "\(type(of: view))" : "\(type(of: view)) \"\(view.name)\"")
      }
      view.needsLayout = false
      let waiting = view.waitingForLayout
      view.waitingForLayout.removeAll()
      for inner in waiting {
        inner.isWaitingForLayout = false
        forget(inner)
      }
    }
    forget(self)
    for view in updates { view.needsUpdate = false }
    updates.removeAll()
    guard !hasReportedLayout else { return }
    hasReportedLayout = true
    onFault?(
      "layout does not come to rest: \(names.joined(separator: ", ")) asked for it again \(Self.mostLayoutPasses) times"
    )
  }

  /// Defers views that requested an update while they were updated.
  func keepLaterUpdates() {
    guard !laterUpdates.isEmpty else { return }
    updates += laterUpdates
    laterUpdates.removeAll(keepingCapacity: true)
  }
}
