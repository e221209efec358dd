/// A view that is shown temporarily over a tree, beside one of the tree's views: a menu, or a tool tip.
///
/// If the window can have a popup, the view is shown in one, which may extend beyond the window's edges; otherwise it lies over
/// the other views. A menu gets a popup only by a press with nothing else held: the popup takes the keys, and held input must
/// not be lost by it.
final class Presentation {
  let view: View
  private(set) weak var anchor: View?
  /// True for a menu; false for a tool tip, which takes no input.
  let isMenu: Bool
  private weak var root: RootView?
  private var placement: PopupPlacement
  private var popup: (any PopupWindow)?
  /// The tree in the popup; nil while the view lies over the others.
  private var content: PopupRoot?
  /// Called once, when it is no longer shown for whatever reason.
  private var onEnd: (() -> Void)?
  private var isOver = false

  private static let margin = 4.0

  /// Shows `view` at `placement`, whose anchor is in the coordinates of `anchor`; not if it would lie over what must be seen
  /// (`RootView.keptInSight`). `touch` is the press of a menu; nil for a tool tip, and for a menu that a key or assistive technology opened.
  init?(
    _ view: View, at placement: PopupPlacement, beside anchor: View, isMenu: Bool, by touch: TouchID? = nil,
    onEnd: @escaping () -> Void = {}
  ) {
    guard let root = anchor.root, anchor.isShown else { return nil }
    (self.view, self.anchor, self.root, self.isMenu) = (view, anchor, root, isMenu)
    self.placement = placement
    self.onEnd = onEnd
    root.presentations.append(self)
    // A tool tip only appears while nothing is held.
    if !isMenu || touch.map({ root.holdsNothing(but: $0) }) ?? false { showPopup(by: touch, in: root) }
    if popup == nil { root.addSubview(view) }
    place(in: root)
    if isOver { return nil }
  }

  /// Shows a menu of `titles` under `area` of `anchor`, or above if there is more space; at least `width` wide. `onPick`
  /// receives the index of the row that the user chose, once the menu is closed.
  convenience init?(
    menuOf titles: [String], chosen: Int? = nil, under area: Rect, of anchor: View, atLeast width: Double = 0,
    by touch: TouchID? = nil, onPick: @escaping (Int) -> Void, onEnd: @escaping () -> Void
  ) {
    let menu = Menu(titles, chosen: chosen)
    menu.layoutDirection = anchor.effectiveLayoutDirection
    let isMirrored = anchor.effectiveLayoutDirection == .rightToLeft
    self.init(
      menu,
      at: PopupPlacement(
        anchor: area.insetBy(dx: 0, dy: -4), anchorEdge: isMirrored ? .bottomRight : .bottomLeft,
        gravity: isMirrored ? .bottomLeft : .bottomRight, size: menu.size(in: anchor.theme, atLeast: width)),
      beside: anchor, isMenu: true, by: touch, onEnd: onEnd)
    menu.onPick = { [weak self] in
      self?.close()
      onPick($0)
    }
    menu.onClose = { [weak self] in self?.close() }
  }

  private func showPopup(by touch: TouchID?, in root: RootView) {
    let content = PopupRoot(view, over: root, takesInput: isMenu)
    content.onEnd = { [weak self] in self?.close() }
    popup = root.host?.showPopup(content, at: windowPlacement, by: touch)
    if popup != nil { self.content = content } else { view.removeFromSuperview() }
  }

  /// The placement in the root's coordinates.
  private var windowPlacement: PopupPlacement {
    var moved = placement
    if let anchor { moved.anchor = anchor.convert(placement.anchor, to: nil) }
    return moved
  }

  /// The last placement, to move with the anchor.
  private var placed: PopupPlacement?
  private var area = Rect.zero

  /// Follows the anchor, which may have moved, been hidden or removed; called after layout.
  func follow() {
    guard let anchor, let root, anchor.root === root, anchor.isShown else { return close() }
    content?.takeLooks()
    place(in: root)
  }

  private func place(in root: RootView) {
    let wanted = windowPlacement
    guard wanted != placed || (content == nil && area != root.bounds) else { return }
    let isFirst = placed == nil
    (placed, area) = (wanted, root.bounds)
    if let popup {
      let anywhere = Rect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
      content?.origin = wanted.frame(within: anywhere).origin
      if !isFirst, !popup.move(to: wanted) { close() }
    } else {
      let area = root.bounds.insetBy(dx: Self.margin, dy: Self.margin)
      let (below, above) = (wanted.frame(within: area), wanted.flippedVertically.frame(within: area))
      view.frame = below.height >= min(wanted.size.height, above.height) ? below : above
      view.layoutIfNeeded()
      if root.keptInSight().contains(where: view.frame.intersects) { close() }
    }
  }

  /// True if `point` is on the presentation or its anchor.
  func isMeant(at point: Point, in root: RootView) -> Bool {
    guard let hit = root.hitTest(point) else { return false }
    return hit.isDescendant(of: view) || anchor.map { hit.isDescendant(of: $0) } ?? false
  }

  /// True while it lies over the other views of the window.
  var isInWindow: Bool { content == nil }

  func close() {
    guard !isOver else { return }
    isOver = true
    root?.presentations.removeAll { $0 === self }
    content?.onEnd = nil
    popup?.close()
    if isInWindow { view.removeFromSuperview() }
    let end = onEnd
    onEnd = nil
    end?()
  }
}

extension RootView {
  fileprivate func holdsNothing(but touch: TouchID) -> Bool {
    keyDispatcher.isIdle && touchDispatcher.touches.allSatisfy { $0.id == touch }
  }

  package var isMenuOpen: Bool { presentations.contains(where: \.isMenu) }

  /// Handles a press at `point`: it closes tool tips, and the menus that it is not meant for. The view there gets it all the
  /// same: the first touch on a brake must brake.
  func pressed(at point: Point) {
    guard !presentations.isEmpty || toolTips.isWaiting else { return }
    toolTips.hide()
    for shown in presentations where shown.isMenu && !shown.isMeant(at: point, in: self) { shown.close() }
  }

  /// Ends everything that is shown for a while.
  func closePresentations() {
    toolTips.hide()
    for shown in presentations { shown.close() }
  }
}

/// The tree in a popup, in the appearance of the tree that opened it.
final class PopupRoot: RootView {
  var onEnd: (() -> Void)?
  private let shown: View
  private weak var opener: RootView?
  private let takesInput: Bool
  /// The position of its corner in the opener, unless the compositor had no space for it there.
  var origin = Point.zero

  init(_ view: View, over opener: RootView, takesInput: Bool) {
    (shown, self.opener, self.takesInput) = (view, opener, takesInput)
    super.init(frame: .zero)
    backgroundColor = nil
    addSubview(view)
    takeLooks()
  }

  func takeLooks() {
    if let opener { takeLooks(of: opener) }
  }

  override var minimumSize: Size { .zero }
  override var inputArea: [Rect]? { takesInput ? nil : [] }
  override func layoutSubviews() { shown.frame = bounds }

  override func prepareFrame(for time: MonotonicTime) {
    takeLooks()
    super.prepareFrame(for: time)
  }

  override func handle(_ event: LifecycleEvent) {
    super.handle(event)
    if event == .willTerminate { onEnd?() }
  }
}
