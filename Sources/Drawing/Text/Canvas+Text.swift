/// The position of a text in relation to a point.
nonisolated public enum TextAnchor: Hashable, Sendable {
  /// The point is the top left corner of the text's lines.
  case topLeft
  /// The point is the centre of the text's lines; for a single line, the horizontal centre of its glyphs, at half the height of
  /// capitals (`TextLayout.opticalMiddle`).
  case center
  /// The point is the left end of the first baseline.
  case baselineLeft
  /// The point is the middle of the first baseline.
  case baselineCenter
  /// The point is the right end of the first baseline.
  case baselineRight
}

extension Canvas {
  /// Draws `layout` in `color`, its `anchor` at `point`.
  ///
  /// On a canvas that is not rotated, baselines lie on whole pixels and glyphs on quarters, so that texts are sharp.
  public func draw(_ layout: TextLayout, at point: Point, _ color: Color, anchor: TextAnchor = .topLeft) {
    let size = layout.size
    let offset: (x: Double, y: Double) =
      switch anchor {
      case .topLeft: (0, 0)
      case .center: (layout.opticalMiddle.x, layout.opticalMiddle.y)
      case .baselineLeft: (0, layout.baseline)
      case .baselineCenter: (size.width / 2, layout.baseline)
      case .baselineRight: (size.width, layout.baseline)
      }
    let origin = point.offsetBy(dx: -offset.x, dy: -offset.y)
    let transform = state.transform
    guard transform.isFinite, origin.isFinite else { return }
    if observer != nil {
      // The position of the glyphs once baseline and left edge are on the grid.
      var origin = origin
      if transform.isUpright, transform.a == transform.d {
        let place = transform.apply(origin.offsetBy(dx: 0, dy: layout.baseline))
        origin = origin.offsetBy(
          dx: ((place.x * 4).rounded() / 4 - place.x) / transform.a, dy: (place.y.rounded() - place.y) / transform.a)
      }
      let ink = transform.apply(layout.inkBounds.offsetBy(dx: origin.x, dy: origin.y))
      let stretch = transform.meanScale / scale.factor
      let capitals = FontLibrary.shared.layout("H", font: layout.font).inkBounds.height * stretch
      let call = CanvasCall.text(layout.text, points: layout.font.size * stretch, capitals: capitals)
      guard observe(call, ink, color, opacity: color.alpha * state.alpha), let pen = pen() else { return }
      setSource(color, on: pen)
      return saved {
        translate(x: origin.x, y: origin.y)
        if outline(layout.outline, on: pen) != nil { pen.fill() }
      }
    }
    if layout.hasColor { return drawColored(layout, at: origin, color) }
    if transform.isUpright, transform.a == transform.d {
      let place = transform.apply(origin.offsetBy(dx: 0, dy: layout.baseline))
      guard abs(place.x) < 1e6, abs(place.y) < 1e6, !layout.inkBounds.isEmpty else { return }
      let quarters = Int((place.x * 4).rounded())
      if let mask = layout.bitmap(factor: transform.a, phaseX: quarters & 3) {
        return fill(mask, atPixelX: quarters >> 2, y: Int(place.y.rounded()), color)
      }
    }
    saved {
      translate(x: origin.x, y: origin.y)
      fill(layout.outline, color)
    }
  }

  /// Draws `text` on one line in `font` and `color`, its `anchor` at `point`; set texts are cached.
  public func draw(
    _ text: String, at point: Point, font: Font, _ color: Color, anchor: TextAnchor = .topLeft,
    library: FontLibrary = .shared
  ) {
    draw(library.layout(text, font: font), at: point, color, anchor: anchor)
  }

  /// Fills the glyphs of a text with `color`, its left edge and baseline at pixel (`x`, `y`).
  private func fill(_ text: TextBitmap, atPixelX x: Int, y: Int, _ color: Color) {
    let rect = text.rect.moved(x: x, y: y)
    guard color.alpha > 0, rect.intersects(state.clip) else { return }
    if let fills { return fills.add(text.bitmap, x: rect.x, y: rect.y, weakened(color)) }
    guard let pen = pen() else { return }
    note(rect)
    setSource(color, on: pen)
    pen.mask(text.bitmap, x: rect.x, y: rect.y)
  }

  /// Draws `layout`, whose glyphs have their own colours, with its top left corner at `origin`; on a rotated canvas its pixels
  /// are rotated.
  private func drawColored(_ layout: TextLayout, at origin: Point, _ color: Color) {
    let transform = state.transform
    let factor = transform.meanScale
    guard factor > 0 else { return }
    let isUpright = transform.isUpright && transform.a == transform.d
    let place = transform.apply(origin.offsetBy(dx: 0, dy: layout.baseline))
    guard abs(place.x) < Self.limit, abs(place.y) < Self.limit else { return }
    let quarters = isUpright ? Int((place.x * 4).rounded()) : 0
    guard let text = layout.bitmap(factor: factor, phaseX: quarters & 3, color: color) else { return }
    let picture = text.bitmap
    // Maps the bitmap's pixels to the canvas's.
    let toPixels: Transform
    if isUpright {
      toPixels = .translation(x: Double(text.rect.x + (quarters >> 2)), y: Double(text.rect.y) + place.y.rounded())
    } else {
      toPixels = Transform.translation(x: Double(text.rect.x), y: Double(text.rect.y))
        .then(.scale(x: 1 / factor, y: 1 / factor)).then(.translation(x: origin.x, y: origin.y + layout.baseline))
        .then(transform)
    }
    let whole = Rect(x: 0, y: 0, width: Double(picture.size.width), height: Double(picture.size.height))
    let box = Scale.one.pixelRect(covering: toPixels.apply(whole).insetBy(dx: -1, dy: -1))
    guard let back = toPixels.inverse, box.intersects(state.clip), let pen = pen(),
      let pattern = Pattern(picture), pattern.setMatrix(back)
    else { return }
    note(box)
    pen.setSource(pattern)
    pen.paint(alpha: Color.clamped(state.alpha))
    check()
  }
}
