extension View {
  /// Calls `layoutSubviews` before the next frame.
  ///
  /// If anchors or the superview leave the view its own size, that may have changed too, and the superview is laid out with it.
  public func setNeedsLayout() {
    let isSizedByItself = anchorBox?.anchors.usesOwnSize ?? false || superview?.placesSubviewsBySize ?? false
    if isSizedByItself { superview?.setNeedsLayout() }
    markForLayout()
  }

  /// Like `setNeedsLayout()`, if the view's own size is not the reason.
  func markForLayout() {
    guard !needsLayout else { return }
    needsLayout = true
    noteLayoutInside()
  }

  func setNeedsLayoutOfAll() {
    setNeedsLayout()
    for view in subviews { view.setNeedsLayoutOfAll() }
  }

  /// Lays out this view and views inside now, as far as they need it.
  public func layoutIfNeeded() {
    layoutPass()
  }

  var hasLayoutInside: Bool { !waitingForLayout.isEmpty }

  /// Notifies the ancestors that this view, or one inside, needs layout. Each receives the subview, so that among many only
  /// that one is checked.
  func noteLayoutInside() {
    var view = self
    while !view.isWaitingForLayout, let outer = view.superview {
      view.isWaitingForLayout = true
      outer.waitingForLayout.append(view)
      view = outer
    }
  }

  /// Takes the subview off the list of those that wait.
  func forgetLayout(of view: View) {
    guard view.isWaitingForLayout else { return }
    view.isWaitingForLayout = false
    waitingForLayout.removeAll { $0 === view }
  }

  /// Lays out the views that need it. With `room`, subviews with anchors are positioned anyway, as if the view were of that
  /// size.
  func layoutPass(in room: Size? = nil) {
    if needsLayout || room != nil {
      needsLayout = false
      let wasLayingOut = isLayingOut
      isLayingOut = true
      layoutSubviews()
      placeAnchoredSubviews(in: room ?? bounds.size)
      isLayingOut = wasLayingOut
    }
    guard !waitingForLayout.isEmpty else { return }
    var waiting: [View] = []
    swap(&waiting, &waitingForLayout)
    for view in waiting { view.isWaitingForLayout = false }
    // A view may have been removed by the layout of another.
    for view in waiting where view.superview === self { view.layoutPass() }
    // Usually no view requested layout again: the list's storage is reused.
    guard waitingForLayout.isEmpty else { return }
    waiting.removeAll(keepingCapacity: true)
    waitingForLayout = waiting
  }
}
