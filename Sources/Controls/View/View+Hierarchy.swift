extension View {
  /// Adds `view` in front of all other subviews, removing it from its previous superview. Adding a view to itself, to a view
  /// inside it, or a root view to anything is ignored.
  public func addSubview(_ view: View) {
    insertSubview(view, at: subviews.count)
  }

  /// Adds `view` at `index` from the back; 0 is behind everything. An index out of range is clamped.
  public func insertSubview(_ view: View, at index: Int) {
    guard !(view is RootView), !isDescendant(of: view) else { return }
    view.removeFromSuperview()
    // Handlers of a finger lost by that may have moved the view elsewhere, or this one into it.
    guard view.superview == nil, !isDescendant(of: view) else { return }
    view.moveCount += 1
    let move = view.moveCount
    let (oldTheme, oldDirection) = (view.theme, view.effectiveLayoutDirection)
    subviews.insert(view, at: index.clamped(to: 0...subviews.count))
    view.superview = self
    view.attach(to: root)
    guard view.moveCount == move else { return }
    view.noteTheme(was: oldTheme)
    guard view.moveCount == move else { return }
    view.noteLayoutDirection(was: oldDirection)
    guard view.moveCount == move else { return }
    view.damage()
    subviewsDidChange(view)
    if view.needsLayout || view.hasLayoutInside { view.noteLayoutInside() }
  }

  /// Removes the view from its superview; fingers and keys that it holds are cancelled.
  public func removeFromSuperview() {
    guard let superview else { return }
    let before = moveCount
    damage()
    root?.inputLost(by: self)
    // Handlers of a finger lost by it may have moved the view itself, and all of that is done.
    guard moveCount == before else { return }
    moveCount += 1
    let move = moveCount
    superview.subviews.removeAll { $0 === self }
    superview.forgetLayout(of: self)
    superview.subviewsDidChange(self)
    let (oldTheme, oldDirection) = (theme, effectiveLayoutDirection)
    self.superview = nil
    attach(to: nil)
    guard moveCount == move else { return }
    noteTheme(was: oldTheme)
    guard moveCount == move else { return }
    noteLayoutDirection(was: oldDirection)
  }

  /// Moves the subview in front of its siblings; Tab, which moves from the back to the front, reaches it last. Other views are
  /// ignored.
  public func bringSubviewToFront(_ view: View) {
    reorder(view, to: subviews.count - 1)
  }

  /// Moves the subview behind its siblings. Other views are ignored.
  public func sendSubviewToBack(_ view: View) {
    reorder(view, to: 0)
  }

  private func reorder(_ view: View, to index: Int) {
    guard let old = subviews.firstIndex(where: { $0 === view }), old != index else { return }
    subviews.remove(at: old)
    subviews.insert(view, at: index)
    // The plan counts subviews.
    anchorPlan = nil
    root?.note(.tree(self))
    if placesSubviewsBySize { setNeedsLayout() }
    view.damage()
  }

  /// Requests layout, because `view` was added or removed.
  private func subviewsDidChange(_ view: View) {
    anchorPlan = nil
    root?.note(.tree(self))
    if view.anchorBox != nil { hasAnchoredSubviews = true }
    setNeedsLayout()
  }

  /// The view and its ancestors, from the inside out.
  package var chain: ViewChain { ViewChain(self) }

  /// True if the view is `other` or lies inside it.
  public func isDescendant(of other: View) -> Bool { chain.contains { $0 === other } }

  /// The first view named `name` among this one and its descendants, in no particular order.
  public func view(named name: String) -> View? {
    if self.name == name { return self }
    for view in subviews {
      if let found = view.view(named: name) { return found }
    }
    return nil
  }

  /// True if the view and all its ancestors are shown.
  public var isShown: Bool { chain.allSatisfy { !$0.isHidden && $0.storedAlpha > 0 } }

  /// True if a part of the view can be seen: it and its ancestors are shown, and it is not scrolled, clipped or moved out of the
  /// window. Views that lie over it do not count.
  package var isInSight: Bool {
    guard isShown else { return false }
    var seen = bounds
    for view in chain {
      seen = seen.intersection(view.bounds)
      guard !seen.isEmpty else { return false }
      seen = seen.offsetBy(dx: view.storedFrame.minX, dy: view.storedFrame.minY)
    }
    return true
  }

  func attach(to root: RootView?) {
    guard self.root !== root else { return }
    if root == nil { staticLayer = nil }
    layer = nil
    needsUpdate = false
    needsDisplay = false
    self.root?.animator.remove(self)
    self.root = root
    isHovered = false
    // Completions find the view where it is now, and begin nothing where it was.
    if root == nil { removeAllAnimations() } else if !animations.isEmpty { root?.animator.add(self) }
    // A view that is notified of its new root may move others. Those moves happen at once, so each view is checked again here.
    for view in subviews where self.root === root && view.superview === self { view.attach(to: root) }
    if self.root === root { didMoveToRoot() }
  }
}

/// A view and its ancestors, from the inside out.
package struct ViewChain: @MainActor Sequence, @MainActor IteratorProtocol {
  private var view: View?
  private let end: View?

  /// `view` and its ancestors, as far as `end`, which is not included.
  init(_ view: View?, upTo end: View? = nil) { (self.view, self.end) = (view, end) }

  package mutating func next() -> View? {
    guard let current = view, current !== end else { return nil }
    view = current.superview
    return current
  }
}
