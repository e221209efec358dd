import UICore

extension Canvas {
  /// Draws `picture` with its top left corner at `origin`, moved to the nearest whole pixel: pixel for pixel if the canvas has
  /// the image's scale and is not rotated; otherwise each pixel takes the nearest of the image.
  public func draw(_ picture: Picture, at origin: Point) {
    let transform = state.transform
    guard transform.isFinite, origin.isFinite, let bitmap = picture.bitmap else { return }
    let factor = picture.scale.factor
    // Maps from here to the image's pixels.
    let back: Transform
    let box: PixelRect
    if transform.isUpright, abs(transform.a - factor) < 1e-9, abs(transform.d - factor) < 1e-9 {
      let place = transform.apply(origin)
      guard abs(place.x) < Self.limit, abs(place.y) < Self.limit else { return }
      let (x, y) = (place.x.rounded(), place.y.rounded())
      back = .translation(x: -x, y: -y)
      box = PixelRect(x: Int(x), y: Int(y), width: bitmap.size.width, height: bitmap.size.height)
    } else {
      let place = Transform.translation(x: origin.x, y: origin.y).then(transform)
      guard let inverse = place.inverse else { return }
      back = inverse.then(.scale(x: factor, y: factor))
      box = pixelBounds(of: Rect(origin: origin, size: picture.size))
    }
    if observer != nil {
      _ = observe(.picture, Rect(box), nil, opacity: state.alpha)
      return
    }
    guard box.intersects(state.clip), let pen = pen(),
      let pattern = Pattern(bitmap, isNearest: true), pattern.setMatrix(back)
    else { return }
    pen.setSource(pattern)
    note(box)
    let alpha = Color.clamped(state.alpha)
    pen.setPath(box)
    if alpha < 1 {
      pen.save()
      pen.clip()
      pen.paint(alpha: alpha)
      pen.restore()
    } else {
      pen.fill()
    }
    check()
  }

  /// Draws all of `picture` in `rect`, stretched to fill it and interpolated; edges off the pixel grid are smooth too.
  ///
  /// `tint` is a colour that fills the image's opacity in place of its own colours, for icons; nil for its own.
  public func draw(_ picture: Picture, in rect: Rect, tint: Color? = nil) {
    guard let bitmap = picture.bitmap, rect.isFinite, !rect.isEmpty, state.transform.isFinite else { return }
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
