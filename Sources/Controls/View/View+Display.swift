extension View: LayerSource {
  /// Draws the view again before the next frame, once, however often this is called. Call it for every change that alters the
  /// drawing. Only pixels that differ from the previous drawing are repainted.
  public func setNeedsDisplay() {
    guard !needsDisplay, let root else { return }
    // A hidden view is drawn when it becomes visible.
    guard !visiblePixels.isEmpty else { return layer = nil }
    needsDisplay = true
    // The root is not in its own `stale`: that would be a retain cycle.
    if root !== self { root.stale.append(self) }
  }

  /// Discards the cached static drawing and draws the view again; all of a static drawing is repainted.
  public func setNeedsStaticDisplay() {
    setNeedsDisplay()
    guard staticLayer != nil || hasStaticDrawing else { return }
    staticLayer?.invalidate()
    damage()
  }

  /// Repaints the view's pixels without drawing again, because it moved, or shows or hides the views under it.
  func damage() {
    guard let root else { return }
    root.damage(visiblePixels)
  }

  /// Frees the memory of the drawings of the view and its descendants; they are drawn again when they become visible.
  package func dropLayers() {
    layer = nil
    for view in subviews { view.dropLayers() }
  }

  /// The pixels that the view may draw into: those it touches, inside all its ancestors; empty if hidden. Of a view that does not clip
  /// its subviews, the pixels that they may draw into.
  var visiblePixels: PixelRect { root.flatMap { seen($0.scale) }?.pixels ?? .zero }

  /// The view's origin in the window, in points, and the pixels of `visiblePixels`; nil if there are none.
  fileprivate func seen(_ scale: Scale) -> (origin: Point, pixels: PixelRect)? {
    guard !isHidden, storedAlpha > 0 else { return nil }
    guard let superview else { return (storedFrame.origin, scale.pixelRect(covering: storedFrame)) }
    guard let outer = superview.seen(scale) else { return nil }
    let origin = outer.origin + storedFrame.origin
    let own = clipsSubviews ? scale.pixelRect(covering: Rect(origin: origin, size: storedFrame.size)) : outer.pixels
    let pixels = own.intersection(outer.pixels)
    return pixels.isEmpty ? nil : (origin, pixels)
  }
}

extension RootView {
  /// Draws stale views again, and damages the pixels that changed.
  func drawStale() {
    if needsDisplay {
      needsDisplay = false
      redraw(self)
    }
    guard !stale.isEmpty else { return }
    // Views marked during the drawing wait for the next frame, in the other list.
    swap(&stale, &drawn)
    for view in drawn where view.needsDisplay {
      view.needsDisplay = false
      if view.root === self { redraw(view) }
    }
    drawn.removeAll(keepingCapacity: true)
  }

  private func redraw(_ view: View) {
    guard let (origin, visible) = view.seen(scale) else { return view.layer = nil }
    let window = PixelRect(scale.pixelSize(bounds.size))
    let place = LayerPlace(origin: origin, size: view.storedFrame.size, scale: scale, window: window)
    guard let layer = view.layer, layer.isUsable(at: place) else { return damage(visible) }
    layer.redraw(view, at: place) { rect in
      noteDrawn(rect.moved(x: place.rect.x, y: place.rect.y).intersection(visible))
    }
  }
}
