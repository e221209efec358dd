// Owns saying which pixels are out of date.
// Must not know how they are painted.

/// What a kept static drawing was made for.
struct StaticKey: Equatable {
  var scale = Scale.one
  var size = Size.zero
  /// Where the view begins within a pixel, in 1024ths.
  var phaseX = 0
  var phaseY = 0
}

extension View {
  /// Has the whole view drawn again.
  public func setNeedsDisplay() {
    setNeedsDisplay(bounds)
  }

  /// Has `rect`, in the view's coordinates, drawn again: the pixels it touches inside the view and all views around it.
  /// Hidden views and views without a window have nothing to draw.
  public func setNeedsDisplay(_ rect: Rect) {
    guard let root, !rect.isEmpty else { return }
    let clip = visiblePixels
    if !clip.isEmpty { root.damage(pixels(rect, root.scale).intersection(clip)) }
  }

  /// Has each of `rects` drawn again; for shapes whose bounds are mostly empty, such as the spokes of a wheel.
  public func setNeedsDisplay(_ rects: [Rect]) {
    guard let root, !rects.isEmpty else { return }
    let clip = visiblePixels
    guard !clip.isEmpty else { return }
    for rect in rects { root.damage(pixels(rect, root.scale).intersection(clip)) }
  }

  /// Throws the kept static drawing away, and has the whole view drawn again.
  public func setNeedsStaticDisplay() {
    staticPicture = nil
    setNeedsDisplay()
  }

  private func pixels(_ rect: Rect, _ scale: Scale) -> PixelRect {
    scale.pixelRect(covering: Rect(origin: rect.origin + windowOrigin, size: rect.size))
  }

  /// The pixels that the view may draw into: those it touches, inside all views around it; none when hidden.
  var visiblePixels: PixelRect {
    guard let root, !isHidden, storedAlpha > 0 else { return .zero }
    let own = root.scale.pixelRect(covering: windowFrame)
    guard let superview else { return own }
    return own.intersection(superview.visiblePixels)
  }
}
