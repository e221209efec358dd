// Owns filling and stroking on a canvas.
// Must not know text or pictures.

internal import CCairo

extension Canvas {
  /// Fills the whole clip with `color`.
  public func fill(_ color: Color) {
    guard color.alpha > 0, let cairo = pen() else { return }
    setSource(color, on: cairo)
    note(state.clip)
    cairo_paint(cairo)
  }

  /// Fills the whole clip with `gradient`.
  public func fill(_ gradient: Gradient) {
    guard let cairo = pen(), setSource(gradient, on: cairo) else { return }
    note(state.clip)
    cairo_paint(cairo)
    check()
  }

  /// Fills `rect`; edges off the pixel grid are smooth.
  public func fill(_ rect: Rect, _ color: Color) {
    guard let pixels = wholePixels(rect) else { return withOutline(of: rect) { fill($0, color) } }
    guard color.alpha > 0, let cairo = pen() else { return }
    setSource(color, on: cairo)
    fill(pixels, on: cairo)
  }

  /// Fills `rect` with `gradient`; edges off the pixel grid are smooth.
  public func fill(_ rect: Rect, _ gradient: Gradient) {
    guard let pixels = wholePixels(rect) else { return withOutline(of: rect) { fill($0, gradient) } }
    guard let cairo = pen(), setSource(gradient, on: cairo) else { return }
    fill(pixels, on: cairo)
    check()
  }

  /// Fills `path`.
  public func fill(_ path: Path, _ color: Color, rule: FillRule = .nonZero) {
    guard color.alpha > 0, let cairo = pen(), outline(path, on: cairo, reach: Self.safety) else { return }
    setSource(color, on: cairo)
    cairo_set_fill_rule(cairo, rule.cairo)
    cairo_fill(cairo)
  }

  /// Fills `path` with `gradient`, whose coordinates are the path's.
  public func fill(_ path: Path, _ gradient: Gradient, rule: FillRule = .nonZero) {
    guard let cairo = pen(), setSource(gradient, on: cairo), outline(path, on: cairo, reach: Self.safety) else {
      return
    }
    cairo_set_fill_rule(cairo, rule.cairo)
    cairo_fill(cairo)
    check()
  }

  /// Fills `rect` with round corners; the radius is limited to half of the shorter side.
  public func fill(roundedRect rect: Rect, cornerRadius: Double, _ color: Color) {
    withOutline(of: rect, cornerRadius: cornerRadius) { fill($0, color) }
  }

  /// Fills `rect` with round corners with `gradient`, whose coordinates are the rectangle's.
  public func fill(roundedRect rect: Rect, cornerRadius: Double, _ gradient: Gradient) {
    withOutline(of: rect, cornerRadius: cornerRadius) { fill($0, gradient) }
  }

  /// Strokes the outline of `rect` with round corners with a plain line of `width`.
  public func stroke(roundedRect rect: Rect, cornerRadius: Double, _ color: Color, width: Double = 1) {
    withOutline(of: rect, cornerRadius: cornerRadius) { stroke($0, color, width: width) }
  }

  /// Strokes `path` in `style`.
  public func stroke(_ path: Path, _ color: Color, _ style: StrokeStyle) {
    guard color.alpha > 0, let cairo = pen(), line(path, style, on: cairo) else { return }
    setSource(color, on: cairo)
    cairo_stroke(cairo)
    check()
  }

  /// Strokes `path` with a plain line of `width`.
  public func stroke(_ path: Path, _ color: Color, width: Double = 1) {
    stroke(path, color, StrokeStyle(width: width))
  }

  /// Strokes `path` with `gradient`, whose coordinates are the path's.
  public func stroke(_ path: Path, _ gradient: Gradient, _ style: StrokeStyle) {
    guard let cairo = pen(), setSource(gradient, on: cairo), line(path, style, on: cairo) else { return }
    cairo_stroke(cairo)
    check()
  }

  // MARK: Sources

  /// Has cairo draw with `color`.
  func setSource(_ color: Color, on cairo: OpaquePointer) {
    cairo_set_source_rgba(
      cairo, Color.clamped(color.red), Color.clamped(color.green), Color.clamped(color.blue),
      Color.clamped(color.alpha) * Color.clamped(state.alpha))
  }

  /// Has cairo draw with `gradient`; false where it cannot be drawn.
  private func setSource(_ gradient: Gradient, on cairo: OpaquePointer) -> Bool {
    guard state.transform.isFinite, let back = state.transform.inverse,
      let pattern = Gradients.pattern(gradient, alpha: Color.clamped(state.alpha)), pattern.setMatrix(back)
    else { return false }
    cairo_set_source(cairo, pattern.raw)
    return true
  }

  // MARK: Shapes

  /// Fills whole pixels with the source.
  private func fill(_ pixels: PixelRect, on cairo: OpaquePointer) {
    note(pixels)
    cairo_new_path(cairo)
    cairo_rectangle(cairo, Double(pixels.x), Double(pixels.y), Double(pixels.width), Double(pixels.height))
    cairo_fill(cairo)
  }

  /// Hands cairo a line's path and style; false where there is nothing to draw.
  private func line(_ path: Path, _ style: StrokeStyle, on cairo: OpaquePointer) -> Bool {
    let scale = state.transform.meanScale
    let width = min(style.width * scale, Self.limit / 10)
    guard width.isFinite, width > 0 else { return false }
    let miterLimit = style.miterLimit >= 1 ? min(style.miterLimit, 100) : 1
    var share = 1.0
    if style.cap == .square { share = 1.5 }
    if style.join == .miter { share = max(share, path.miterShare(state.transform, limit: miterLimit)) }
    guard outline(path, on: cairo, reach: width / 2 * share + Self.safety, isLine: true) else { return false }
    cairo_set_line_width(cairo, width)
    cairo_set_line_cap(cairo, style.cap.cairo)
    cairo_set_line_join(cairo, style.join.cairo)
    cairo_set_miter_limit(cairo, miterLimit)
    if let dash = style.dashes(scale: scale, length: path.bounds) {
      cairo_set_dash(cairo, dash.lengths, Int32(dash.lengths.count), dash.offset)
    } else {
      cairo_set_dash(cairo, nil, 0, 0)
    }
    return true
  }

  /// How much farther than they should pixels are noted as drawn on.
  static let safety = 1.0
  /// Coordinates beyond this many pixels are pulled in; nothing that large is seen, and cairo counts no farther.
  static let limit = 1e6

  /// Hands cairo the outline in pixels, and notes what lies within `reach` of it (of its inside too, unless it is a line).
  /// False, and no outline, where a number is none.
  func outline(_ path: Path, on cairo: OpaquePointer, reach: Double?, isLine: Bool = false) -> Bool {
    cairo_new_path(cairo)
    let transform = state.transform
    let traces = notesInk && reach != nil
    let reach = reach ?? 0
    if traces, let backing { trace.begin(backing.size) }
    var isSound = transform.isFinite
    func map(_ point: Point) -> Point {
      let place = transform.apply(point)
      guard place.isFinite else {
        isSound = false
        return .zero
      }
      return Point(x: min(max(place.x, -Self.limit), Self.limit), y: min(max(place.y, -Self.limit), Self.limit))
    }
    var (start, last) = (Point.zero, Point.zero)
    /// An area is closed, whether it says so or not.
    func endPart() {
      guard traces else { return }
      if !isLine, last != start { trace.line(last, start, reach: reach) }
      noteTrace()
    }
    for element in path.elements {
      switch element {
      case .move(let p):
        endPart()
        start = map(p)
        last = start
        cairo_move_to(cairo, start.x, start.y)
      case .line(let p):
        let to = map(p)
        cairo_line_to(cairo, to.x, to.y)
        if traces { trace.line(last, to, reach: reach) }
        if traces, isLine { noteTrace() }
        last = to
      case .curve(let c1, let c2, let p):
        let (a, b, to) = (map(c1), map(c2), map(p))
        cairo_curve_to(cairo, a.x, a.y, b.x, b.y, to.x, to.y)
        if traces { trace.curve(last, a, b, to, reach: reach) }
        if traces, isLine { noteTrace() }
        last = to
      case .close:
        cairo_close_path(cairo)
        if traces { trace.line(last, start, reach: reach) }
        if traces { noteTrace() }
        last = start
      }
    }
    endPart()
    if !isSound { cairo_new_path(cairo) }
    return isSound
  }
}
