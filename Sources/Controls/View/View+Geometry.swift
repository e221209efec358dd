extension View {
  /// `rect` with negative sizes as 0.
  static func usable(_ rect: Rect) -> Rect {
    Rect(x: rect.minX, y: rect.minY, width: max(rect.width, 0), height: max(rect.height, 0))
  }

  /// Sets the frame on behalf of the container that lays out the view: `ownSize` stays.
  package func setPlacedFrame(_ rect: Rect) {
    guard rect.isFinite else { return }
    let new = View.usable(rect)
    guard new != storedFrame else { return }
    let resized = new.size != storedFrame.size
    damage()
    storedFrame = new
    superview?.subviewIndex?.move(numberInSuperview, to: new)
    damage()
    if resized { markForLayout() }
    if let superview, !superview.isLayingOut, superview.anchorPlan?.refers(to: self) ?? false {
      superview.markForLayout()
    }
  }

  /// Sets the frame, and its size as the view's own though a container may have given it the same. A container that places the
  /// view does so again.
  package func setOwnFrame(_ rect: Rect) {
    guard rect.isFinite else { return }
    let (before, own) = (storedFrame, ownSize)
    setPlacedFrame(rect)
    ownSize = storedFrame.size
    guard storedFrame != before || ownSize != own, let superview, superview.placesSubviewsBySize else { return }
    superview.setNeedsLayout()
  }

  /// The size that the view takes inside `size`: the preferred one, or without a preference the present one.
  public func fittingSize(in size: Size) -> Size { sizeThatFits(size) ?? bounds.size }

  /// Sets the size that `sizeThatFits` gives for the current one; the origin stays.
  public func sizeToFit() {
    frame = Rect(origin: storedFrame.origin, size: fittingSize(in: bounds.size))
  }

  /// The view's origin in the coordinates of the window (of the outermost view where there is no window).
  public var windowOrigin: Point {
    guard let superview else { return storedFrame.origin }
    return superview.windowOrigin + storedFrame.origin
  }

  /// The view's rectangle in the coordinates of the window.
  public var windowFrame: Rect { Rect(origin: windowOrigin, size: storedFrame.size) }

  /// `point` of this view in the coordinates of `other`, nil for the window. Both must be in one tree.
  public func convert(_ point: Point, to other: View?) -> Point {
    point + windowOrigin - (other?.windowOrigin ?? .zero)
  }

  /// `point` of `other` (nil: the window) in the coordinates of this view. Both must be in one tree.
  public func convert(_ point: Point, from other: View?) -> Point {
    point + (other?.windowOrigin ?? .zero) - windowOrigin
  }

  /// `rect` of this view in the coordinates of `other`, nil for the window.
  public func convert(_ rect: Rect, to other: View?) -> Rect {
    Rect(origin: convert(rect.origin, to: other), size: rect.size)
  }

  /// `rect` of `other` (nil: the window) in the coordinates of this view.
  public func convert(_ rect: Rect, from other: View?) -> Rect {
    Rect(origin: convert(rect.origin, from: other), size: rect.size)
  }
}
