// Owns saying which pixels are out of date.
// Must not know how they are painted.

extension View {
  /// Has the whole view drawn again.
  public func setNeedsDisplay() {
    layer?.markAll()
    damage()
  }

  /// Has `rect`, in the view's coordinates, drawn again: the pixels it touches inside the view and all views around it.
  /// Hidden views and views without a window have nothing to draw.
  ///
  /// `draw` is called once before the next frame in which the view is seen, however often this was.
  public func setNeedsDisplay(_ rect: Rect) {
    guard let root, !rect.isEmpty else { return }
    let own = root.scale.pixelRect(covering: windowFrame)
    mark(rect, root, own, visiblePixels)
  }

  /// Has each of `rects` drawn again; for shapes whose bounds are mostly empty, such as the spokes of a wheel.
  public func setNeedsDisplay(_ rects: [Rect]) {
    guard let root, !rects.isEmpty else { return }
    let own = root.scale.pixelRect(covering: windowFrame)
    let visible = visiblePixels
    for rect in rects { mark(rect, root, own, visible) }
  }

  /// Throws the kept static drawing away, and has the whole view drawn again.
  public func setNeedsStaticDisplay() {
    staticPicture = nil
    isStaticMarked = true
    setNeedsDisplay()
  }

  /// Has the view's pixels painted again, without drawing anew: it moved, or shows or hides what lies under it.
  func damage() {
    guard let root else { return }
    root.damage(visiblePixels)
  }

  /// Gives back the memory of what was drawn in the view and inside; it is drawn again when it is seen.
  package func dropLayers() {
    layer = nil
    for view in subviews { view.dropLayers() }
  }

  /// Marks the pixels of `rect` both in the kept drawing, which is `own` of the window's pixels, and in the window.
  private func mark(_ rect: Rect, _ root: RootView, _ own: PixelRect, _ visible: PixelRect) {
    let rect = root.scale.pixelRect(covering: Rect(origin: rect.origin + windowOrigin, size: rect.size))
      .intersection(own)
    guard !rect.isEmpty else { return }
    if let layer {
      let place = PixelRect(x: rect.x - own.x, y: rect.y - own.y, width: rect.width, height: rect.height)
      guard layer.mark(place) else { return setNeedsDisplay() }
    }
    root.damage(rect.intersection(visible))
  }

  /// The pixels that the view may draw into: those it touches, inside all views around it; none when hidden.
  var visiblePixels: PixelRect {
    guard let root, !isHidden, storedAlpha > 0 else { return .zero }
    let own = root.scale.pixelRect(covering: windowFrame)
    guard let superview else { return own }
    return own.intersection(superview.visiblePixels)
  }
}
