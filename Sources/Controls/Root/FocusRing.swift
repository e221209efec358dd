/// A ring drawn by the root over everything, outside of the focused view.
package final class FocusRing: View {
  /// Points between the view and the ring's inner edge, and the ring's width.
  private static let gap = 2.0
  private static let width = 2.0

  package static let reach = gap + width

  @Redraws package var innerRadius = FocusRing.usualRadius

  package static let usualRadius = 4.0

  package init() {
    super.init(frame: .zero)
    isHidden = true
    isUserInteractionEnabled = false
  }

  /// The ring's outer edge in the view's coordinates; a scroll view may clip the view.
  @Redraws package var ring = Rect.zero

  /// `ring` around `frame`, with those of its sides moved into `area` that lie outside, if the frame's own side does not.
  nonisolated static func within(_ area: Rect, _ ring: Rect, around frame: Rect) -> Rect {
    let left = frame.minX >= area.minX ? max(ring.minX, area.minX) : ring.minX
    let top = frame.minY >= area.minY ? max(ring.minY, area.minY) : ring.minY
    let right = frame.maxX <= area.maxX ? min(ring.maxX, area.maxX) : ring.maxX
    let bottom = frame.maxY <= area.maxY ? min(ring.maxY, area.maxY) : ring.maxY
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Takes the corners of `view`; returns the frame of the ring around it, in coordinates of `host`.
  package func surround(_ view: View, in host: View?) -> Rect {
    innerRadius = view.focusRingCornerRadius ?? Self.usualRadius
    return view.convert(view.bounds, to: host).insetBy(dx: -Self.reach, dy: -Self.reach)
  }

  package override func draw(_ canvas: Canvas) {
    guard let root else { return }
    let middle = ring.insetBy(dx: Self.width / 2, dy: Self.width / 2)
    let color = root.focusRingColor ?? root.theme.accent
    canvas.stroke(
      Path(roundedRect: middle, cornerRadius: innerRadius + Self.gap + Self.width / 2), color, width: Self.width)
  }
}

extension RootView {
  func placeFocusRing() {
    guard let firstResponder, firstResponder.isShown, !firstResponder.showsFocusItself else {
      focusRing.isHidden = true
      return
    }
    var ring = focusRing.surround(firstResponder, in: nil)
    let frame = firstResponder.windowFrame
    var (seen, visible) = (ring, frame)
    for outer in ViewChain(firstResponder.superview) where outer is ScrollView {
      visible = visible.intersection(outer.windowFrame)
      // Beside a view that is not cut off, the ring may lie outside of the scroll view.
      seen = seen.intersection(outer.windowFrame.insetBy(dx: -FocusRing.reach, dy: -FocusRing.reach))
    }
    // It stays shown: the view may be scrolled back.
    if visible.isEmpty { seen = .zero }
    // At the window's edge it lies on the view, where it can be seen.
    ring = FocusRing.within(bounds, ring, around: frame)
    // So it does beside what must stay in sight.
    if !focusRing.isHidden, keptInSight().contains(where: ring.intersects) { ring = frame }
    seen = seen.intersection(bounds).intersection(ring)
    focusRing.frame = seen
    focusRing.ring = Rect(origin: ring.origin - seen.origin, size: ring.size)
  }

  /// Reacts to a finger at `point`: hides the ring, and moves the focus away from a view edited by keys if the touch is outside
  /// of it and of its menu.
  func focusFollows(_ point: Point) {
    focusRing.isHidden = true
    guard let firstResponder, firstResponder.losesFocusToTouchesOutside, point.isFinite else { return }
    if presentations.contains(where: { $0.anchor === firstResponder && $0.isMeant(at: point, in: self) }) { return }
    let hit = hitTest(point)
    if hit?.isDescendant(of: firstResponder) == true || ViewChain(hit).contains(where: \.keepsFocusElsewhere) { return }
    setFirstResponder(nil)
  }

  /// Makes `view` the first responder; nil for the root.
  ///
  /// A view that is notified of the change may request a further change. The newer change happens at once and completely, and the
  /// rest of this one is dropped: the last request wins, and no view is notified of a focus that it never had.
  func setFirstResponder(_ view: View?) {
    guard firstResponder !== view else { return }
    firstResponder = view
    if let old = notifiedFirstResponder {
      notifiedFirstResponder = nil
      keyDispatcher.cancel(in: old)
      old.firstResponderDidChange()
    }
    guard firstResponder === view, notifiedFirstResponder == nil else { return }
    if let view {
      notifiedFirstResponder = view
      view.firstResponderDidChange()
      guard firstResponder === view else { return }
    }
    if view == nil { focusRing.isHidden = true }
    view?.scrollIntoView()
    placeFocusRing()
  }
}
