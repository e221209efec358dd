extension View {
  /// Has `update` called once before the next frame. For values that change more often than frames are shown: the view
  /// then finds out once what to draw again, instead of at every change.
  public func setNeedsUpdate() {
    guard !needsUpdate, let root else { return }
    needsUpdate = true
    if root.isUpdating { root.laterUpdates.append(self) } else { root.updates.append(self) }
  }
}

extension RootView {
  /// How many times views are laid out for one frame, each time for what the time before asked for. A tree of stacks in
  /// stacks comes to rest in three.
  static let mostLayoutPasses = 8

  /// Updates and lays out until nobody asks for more. One that asks for an update while it is updated waits for the next
  /// frame; one that asks while it is laid out does not. A layout that does not come to rest is given up, and told.
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
    for view in views {
      view.needsUpdate = false
      if view.root === self { view.update() }
    }
    isUpdating = false
    views.removeAll(keepingCapacity: true)
    updates = views
  }

  /// Lays out no further what can't come to rest: as it lies it is shown, until something else asks for layout.
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
