internal import CCairo

/// A text's pixels in one colour for the letters that have none of their own.
struct ColoredText {
  let factor: Double
  let phaseX: Int
  let color: Color
  let bitmap: Bitmap
  /// Where the bitmap lies, from the left edge of the text and its first baseline.
  let rect: PixelRect
}

extension TextLayout {
  /// The letters at `factor` pixels per point, placed as `mask(factor:phaseX:)` does. Nil where nothing is seen, or the text
  /// is too large for it.
  func coloredText(factor: Double, phaseX: Int, _ color: Color) -> ColoredText? {
    if let made = colored.first(where: { $0.factor == factor && $0.phaseX == phaseX && $0.color == color }) {
      return made
    }
    guard let pangoText, !inkBounds.isEmpty else { return nil }
    let transform = Transform(
      a: factor, b: 0, c: 0, d: factor, tx: Double(phaseX) / 4, ty: -baseline * factor)
    let box = Scale.one.pixelRect(covering: transform.apply(inkBounds).insetBy(dx: -1.5, dy: -1.5))
    let size = PixelSize(width: box.width, height: box.height)
    guard let bitmap = Bitmap(size: size), let context = Context(bitmap) else { return nil }
    cairo_translate(context.raw, transform.tx - Double(box.x), transform.ty - Double(box.y))
    cairo_scale(context.raw, factor * ratio, factor * ratio)
    cairo_set_source_rgba(
      context.raw, Color.clamped(color.red), Color.clamped(color.green), Color.clamped(color.blue),
      Color.clamped(color.alpha))
    pangoText.show(on: context.raw)
    cairo_surface_flush(bitmap.surface)
    let made = ColoredText(factor: factor, phaseX: phaseX, color: color, bitmap: bitmap, rect: box)
    if colored.count >= 4 { colored.removeFirst() }
    colored.append(made)
    return made
  }
}

extension Canvas {
  /// Lays `layout`, whose top left corner is at `origin`, on the canvas; turned, its pixels are turned.
  func drawColored(_ layout: TextLayout, at origin: Point, _ color: Color) {
    let transform = state.transform
    let factor = transform.meanScale
    guard factor > 0 else { return }
    let isUpright = transform.isUpright && transform.a == transform.d
    let place = transform.apply(origin.offsetBy(dx: 0, dy: layout.baseline))
    guard abs(place.x) < Self.limit, abs(place.y) < Self.limit else { return }
    let quarters = isUpright ? Int((place.x * 4).rounded()) : 0
    guard let text = layout.coloredText(factor: factor, phaseX: quarters & 3, color) else { return }
    let picture = text.bitmap
    // From the bitmap's pixels to the canvas'.
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
    guard let back = toPixels.inverse, box.intersects(state.clip), let cairo = pen(),
      let pattern = Pattern(cairo_pattern_create_for_surface(picture.surface)), pattern.setMatrix(back)
    else { return }
    note(box)
    cairo_set_source(cairo, pattern.raw)
    cairo_paint_with_alpha(cairo, Color.clamped(state.alpha))
    check()
  }
}
