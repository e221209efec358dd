// Owns filling and stroking on a canvas.
// Must not know text or pictures.

extension Canvas {
  /// Fills the whole clip with `color`.
  public func fill(_ color: Color) {
    fillPixels(state.clip, .solid(Blend.pixel(color, alpha: state.alpha)))
  }

  /// Fills the whole clip with `gradient`.
  public func fill(_ gradient: Gradient) {
    fillPixels(state.clip, paint(gradient))
  }

  /// Fills `rect`; edges off the pixel grid are smooth.
  public func fill(_ rect: Rect, _ color: Color) {
    if let pixels = wholePixels(rect) {
      fillPixels(pixels, .solid(Blend.pixel(color, alpha: state.alpha)))
    } else {
      fill(Path(rect: rect), color)
    }
  }

  /// Fills `rect` with `gradient`; edges off the pixel grid are smooth.
  public func fill(_ rect: Rect, _ gradient: Gradient) {
    if let pixels = wholePixels(rect) {
      fillPixels(pixels, paint(gradient))
    } else {
      fill(Path(rect: rect), gradient)
    }
  }

  /// Fills `path`.
  public func fill(_ path: Path, _ color: Color, rule: FillRule = .nonZero) {
    begin(path)
    render(rule, .solid(Blend.pixel(color, alpha: state.alpha)))
  }

  /// Fills `path` with `gradient`, whose coordinates are the path's.
  public func fill(_ path: Path, _ gradient: Gradient, rule: FillRule = .nonZero) {
    begin(path)
    render(rule, paint(gradient))
  }

  /// Strokes `path` in `style`.
  public func stroke(_ path: Path, _ color: Color, _ style: StrokeStyle) {
    beginStroke(path, style)
    render(.nonZero, .solid(Blend.pixel(color, alpha: state.alpha)))
  }

  /// Strokes `path` with a plain line of `width`.
  public func stroke(_ path: Path, _ color: Color, width: Double = 1) {
    stroke(path, color, StrokeStyle(width: width))
  }

  /// Strokes `path` with `gradient`, whose coordinates are the path's.
  public func stroke(_ path: Path, _ gradient: Gradient, _ style: StrokeStyle) {
    beginStroke(path, style)
    render(.nonZero, paint(gradient))
  }

  private func paint(_ gradient: Gradient) -> Paint {
    .gradient(GradientTable(gradient, toPixels: state.transform, alpha: state.alpha))
  }

  /// Hands the path's outline in pixels to the rasterizer.
  func begin(_ path: Path) {
    rasterizer.outline.removeAll()
    Flattener.walk(path, state.transform, into: &rasterizer.outline)
  }

  private func beginStroke(_ path: Path, _ style: StrokeStyle) {
    rasterizer.outline.removeAll()
    let scale = state.transform.meanScale
    let half = style.width * scale / 2
    guard half.isFinite, half > 0, state.transform.isFinite, path.bounds.isFinite else { return }
    // The outline moves into the stroker and back, so that its storage is kept and nothing is copied.
    var outline = Outline()
    swap(&outline, &rasterizer.outline)
    var sink = StrokeSink(
      stroker: Stroker(half: half, style: style, out: outline), pattern: Dasher.pattern(style.dash, scale: scale),
      offset: style.dashOffset * scale)
    outline = Outline()
    Flattener.walk(path, state.transform, into: &sink)
    sink.finish(isClosed: false)
    swap(&sink.stroker.out, &rasterizer.outline)
  }

  private func render(_ rule: FillRule, _ paint: Paint) {
    guard let surface else { return }
    let mask = state.mask
    rasterizer.render(rule: rule.rasterRule, bands: bands, clip: state.clip) { y, x, length, coverage in
      if let mask {
        surface.fill(x: x, y: y, length: length, coverage: coverage, paint: paint, mask: mask)
      } else {
        surface.fill(x: x, y: y, length: length, coverage: coverage, paint: paint)
      }
    }
  }

  /// Fills whole pixels inside the clip.
  func fillPixels(_ rect: PixelRect, _ paint: Paint) {
    guard let surface else { return }
    let inside = rect.intersection(state.clip)
    for part in region.rects {
      let box = part.intersection(inside)
      guard !box.isEmpty else { continue }
      for y in box.y..<box.maxY {
        if let mask = state.mask {
          surface.fill(x: box.x, y: y, length: box.width, coverage: 255, paint: paint, mask: mask)
        } else {
          surface.fill(x: box.x, y: y, length: box.width, coverage: 255, paint: paint)
        }
      }
    }
  }

  /// Makes every pixel of the region transparent, whatever it was.
  func clearPixels() {
    guard let surface else { return }
    for rect in region.rects {
      for y in rect.y..<rect.maxY { surface.clear(x: rect.x, y: y, length: rect.width) }
    }
  }
}
