extension View {
  /// Has `update` called once before the next frame. For values that change more often than frames are shown: the view
  /// then decides once what to draw again, instead of at every change.
  public func setNeedsUpdate() {
    guard !needsUpdate, let root else { return }
    needsUpdate = true
    if root.isUpdating { root.laterUpdates.append(self) } else { root.updates.append(self) }
  }
}

extension RootView {
  /// The limit on layout passes for one frame, each for the requests of the one before. A tree of stacks in stacks
  /// comes to rest in three.
  static let mostLayoutPasses = 8

  /// Updates and lays out until there are no more requests. A view that asks for an update while it is updated waits for the next
  /// frame; one that asks while it is laid out does not. A layout that does not come to rest is given up, and logged.
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
    // One that left and came back is in the list twice.
    for view in views where view.needsUpdate {
      view.needsUpdate = false
      if view.root === self { view.update() }
    }
    isUpdating = false
    views.removeAll(keepingCapacity: true)
    updates = views
  }

  /// Gives up a layout that can't come to rest: it is shown as it is, until another change asks for layout.
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
    guard !hasToldOfLayout else { return }
    hasToldOfLayout = true
    onFault?(
      "layout does not come to rest: \(names.joined(separator: ", ")) asked for it again \(Self.mostLayoutPasses) times"
    )
  }

  /// Has those that asked while they were updated wait for the next frame.
  func keepLaterUpdates() {
    guard !laterUpdates.isEmpty else { return }
    updates += laterUpdates
    laterUpdates.removeAll(keepingCapacity: true)
  }
}
