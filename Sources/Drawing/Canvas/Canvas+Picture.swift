import UICore

extension Canvas {
  /// Draws `picture` in its own size with its top left corner at `origin`, like `draw(_:in:tint:)`.
  public func draw(_ picture: Picture, at origin: Point) {
    draw(picture, in: Rect(origin: origin, size: picture.size))
  }

  /// Draws all of `picture` in `rect`, stretched to fill it and interpolated; edges off the pixel grid are smooth too. An image
  /// that needs no scaling is moved to whole pixels, and drawn pixel for pixel.
  ///
  /// `tint` is a colour that fills the image's opacity in place of its own colours, for icons; nil for its own.
  public func draw(_ picture: Picture, in rect: Rect, tint: Color? = nil) {
    guard let bitmap = picture.bitmap, rect.isFinite, !rect.isEmpty, state.transform.isFinite else { return }
    let rect = sharp(rect, for: bitmap.size)
    let toPixels = Transform.scale(
      x: rect.width / Double(bitmap.size.width), y: rect.height / Double(bitmap.size.height)
    ).then(.translation(x: rect.minX, y: rect.minY)).then(state.transform)
    let box = pixelBounds(of: rect)
    if observer != nil {
      _ = observe(.picture, Rect(box), nil, opacity: state.alpha)
      return
    }
    guard let back = toPixels.inverse, box.intersects(state.clip), let pen = pen(),
      let pattern = Pattern(bitmap, isPadded: true), pattern.setMatrix(back)
    else { return }
    pen.save()
    var bounds: Rect?
    withOutline(of: rect) { bounds = outline($0, on: pen) }
    if bounds != nil {
      note(box)
      pen.clip()
      if let tint {
        setSource(tint, on: pen)
        pen.mask(pattern)
      } else {
        pen.setSource(pattern)
        pen.paint(alpha: Color.clamped(state.alpha))
      }
    }
    pen.restore()
    check()
  }
}
