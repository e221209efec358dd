import UICore

extension Canvas {
  fileprivate enum Paint {
    case color(Color)
    case gradient(Gradient)
  }

  /// Fills the whole clip with `color`.
  public func fill(_ color: Color) { fill(.color(color)) }

  /// Fills the whole clip with `gradient`.
  public func fill(_ gradient: Gradient) { fill(.gradient(gradient)) }

  private func fill(_ paint: Paint) {
    if observer != nil, !observe(.fill, Rect(state.clip), paint) { return }
    if let source = source(paint) { return composite(source, in: state.clip) }
    guard let pen = pen(paint) else { return }
    note(state.clip)
    pen.paint()
    check()
  }

  /// Fills `rect`; edges off the pixel grid are smooth.
  public func fill(_ rect: Rect, _ color: Color) { fill(rect, .color(color)) }

  /// Fills `rect` with `gradient`; edges off the pixel grid are smooth.
  public func fill(_ rect: Rect, _ gradient: Gradient) { fill(rect, .gradient(gradient)) }

  private func fill(_ rect: Rect, _ paint: Paint) {
    guard fills == nil, let pixels = wholePixels(rect) else {
      return withOutline(of: rect) { fill($0, paint, .nonZero) }
    }
    if observer != nil, !observe(.fill, Rect(pixels), paint) { return }
    if let source = source(paint) { return composite(source, in: pixels) }
    guard let pen = pen(paint) else { return }
    note(pixels)
    pen.setPath(pixels)
    pen.fill()
    check()
  }

  /// Fills `path` with one colour; `rule` says which parts are inside where outlines overlap.
  public func fill(_ path: Path, _ color: Color, rule: FillRule = .nonZero) { fill(path, .color(color), rule) }

  /// Fills `path` with `gradient`, whose coordinates are the path's.
  public func fill(_ path: Path, _ gradient: Gradient, rule: FillRule = .nonZero) {
    fill(path, .gradient(gradient), rule)
  }

  private func fill(_ path: Path, _ paint: Paint, _ rule: FillRule) {
    if let fills {
      switch paint {
      case .color(let color): return fills.add(path, state.transform, weakened(color), rule)
      case .gradient(let gradient):
        return fills.add(path, state.transform, gradient, alpha: Color.clamped(state.alpha), rule)
      }
    }
    if observer != nil, !observe(.fill, path.applying(state.transform).bounds, paint) { return }
    if let source = source(paint) { return composite(source, inside: path, rule) }
    guard let pen = pen(paint), let bounds = outline(path, on: pen) else { return }
    note(bounds.pixels(within: Self.safety))
    pen.fill(rule)
    check()
  }

  /// Fills `rect` with rounded corners; the radius is limited to half of the shorter side.
  public func fill(roundedRect rect: Rect, cornerRadius: Double, _ color: Color) {
    withOutline(of: rect, cornerRadius: cornerRadius) { fill($0, color) }
  }

  /// Fills `rect` with round corners with `gradient`, whose coordinates are the rectangle's.
  public func fill(roundedRect rect: Rect, cornerRadius: Double, _ gradient: Gradient) {
    withOutline(of: rect, cornerRadius: cornerRadius) { fill($0, gradient) }
  }

  /// Strokes the outline of `rect` with round corners with a plain line of `width`.
  public func stroke(roundedRect rect: Rect, cornerRadius: Double, _ color: Color, width: Double = 1) {
    guard width > 0, width <= min(rect.width, rect.height) else {
      return withOutline(of: rect, cornerRadius: cornerRadius) { stroke($0, color, width: width) }
    }
    strokeRing(about: rect.midX, color, width) { path, outset in
      let radius = cornerRadius > 0 || outset < 0 ? cornerRadius + outset : 0
      path.addRoundedRect(rect.insetBy(dx: -outset, dy: -outset), cornerRadius: radius)
    }
  }

  /// Strokes the circle of `radius` about `center` with a plain line of `width`.
  public func stroke(circleAt center: Point, radius: Double, _ color: Color, width: Double = 1) {
    guard width > 0, radius > 0 else { return }
    strokeRing(about: center.x, color, width) { $0.addCircle(center: center, radius: radius + $1) }
  }

  /// Fills the ring between two outlines that are symmetric about the vertical line at `x`; `add` appends the stroked outline
  /// grown by the given points. This draws a closed line of one width at a fraction of the cost of a stroke.
  private func strokeRing(about x: Double, _ color: Color, _ width: Double, _ add: (inout Path, Double) -> Void) {
    withShape { path in
      // An observer distinguishes lines from fills.
      if observer != nil {
        add(&path, 0)
        return stroke(path, color, width: width)
      }
      add(&path, width / 2)
      let inner = path.elements.count
      add(&path, -width / 2)
      // Opposite edges subtract each other's areas where both lie in one pixel.
      path.mirror(from: inner, about: x)
      fill(path, color)
    }
  }

  /// Strokes `path` in `style`.
  public func stroke(_ path: Path, _ color: Color, _ style: StrokeStyle) { stroke(path, .color(color), style) }

  /// Strokes `path` with a plain line of `width`.
  public func stroke(_ path: Path, _ color: Color, width: Double = 1) {
    stroke(path, .color(color), StrokeStyle(width: width))
  }

  /// Strokes `path` with `gradient`, whose coordinates are the path's.
  public func stroke(_ path: Path, _ gradient: Gradient, _ style: StrokeStyle) {
    stroke(path, .gradient(gradient), style)
  }

  private func stroke(_ path: Path, _ paint: Paint, _ style: StrokeStyle) {
    if observer != nil {
      let reach = style.width * state.transform.meanScale / 2
      let bounds = path.applying(state.transform).bounds.insetBy(dx: -reach, dy: -reach)
      guard observe(.line, bounds, paint) else { return }
    }
    // A clip's box would change the edges that it cuts, and a repeated drawing must not allocate a mask.
    if let backing, !notesInk, state.clip == PixelRect(backing.size), let source = source(paint) {
      return composite(source, in: pixelBounds(of: path.bounds, reach: reach(of: path, style))) {
        self.line(path, style, on: $0) != nil
      }
    }
    guard let pen = pen(paint), let bounds = line(path, style, on: pen) else { return }
    note(bounds)
    check()
  }

  /// Passes a call with `paint` to the observer. Returns false if there is nothing to draw.
  private func observe(_ call: CanvasCall, _ bounds: Rect, _ paint: Paint) -> Bool {
    switch paint {
    case .color(let color): return observe(call, bounds, color, opacity: color.alpha * state.alpha)
    case .gradient(let gradient):
      let mean = gradient.stops.map(\.color.alpha).reduce(0, +) / Double(max(gradient.stops.count, 1))
      return observe(call, bounds, nil, opacity: mean * state.alpha)
    }
  }

  // MARK: Compositing without cairo

  /// The paints that are composited without cairo.
  private enum Source {
    case pixel(UInt32)
    /// A colour for each row.
    case ramp(GradientRamp)

    /// Calls `body` with the colour of the first of `rows`, and how many further on the next row's is.
    func withColors(_ rows: Range<Int>, _ body: (UnsafePointer<UInt32>, Int) -> Void) {
      switch self {
      case .pixel(let pixel): unsafe withUnsafePointer(to: pixel) { unsafe body($0, 0) }
      case .ramp(let ramp):
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: rows.count) { colors in
          _ = unsafe colors.initialize(from: rows.lazy.map(ramp.pixel))
          if let base = colors.baseAddress { unsafe body(base, 1) }
        }
      }
    }
  }

  /// The source that composites `paint` without cairo. Nil if only cairo can: for gradients that are not vertical, and inside a
  /// path's clip.
  private func source(_ paint: Paint) -> Source? {
    guard backing != nil, observer == nil, !state.isCut else { return nil }
    switch paint {
    case .color(let color): return .pixel(weakened(color).pixel)
    case .gradient(let gradient):
      return GradientRamp(gradient, state.transform, alpha: Color.clamped(state.alpha)).map { .ramp($0) }
    }
  }

  /// Composites `source` over the pixels of `box`, through a mask if `draw` draws one, in white. Cairo mixes translucent
  /// colours and gradients through its own masks at several times the cost.
  private func composite(_ source: Source, in box: PixelRect, _ draw: ((Context) -> Bool)? = nil) {
    withTarget(of: source) { target in
      let box = box.intersection(state.clip)
      var mask: Bitmap?
      if let draw {
        guard let white = makeMask(box), draw(white) else { return }
        white.bitmap.flush()
        mask = white.bitmap
      }
      note(box)
      unsafe source.withColors(box.rows) { colors, step in
        unsafe target.composite(colors, step: step, through: mask, x: box.x, y: box.y, over: box)
      }
    }
  }

  /// Composites `source` over the pixels inside `path`, with edges of exact coverage.
  private func composite(_ source: Source, inside path: Path, _ rule: FillRule) {
    withTarget(of: source) { target in
      // Drawing a frame does not allocate; a static drawing does not need the memory later.
      if notesInk {
        composite(source, inside: path, rule, on: target, by: &Self.coverage)
      } else {
        var coverage = Coverage()
        composite(source, inside: path, rule, on: target, by: &coverage)
      }
    }
  }

  private func composite(
    _ source: Source, inside path: Path, _ rule: FillRule, on target: Bitmap, by coverage: inout Coverage
  ) {
    coverage.fill(path, state.transform, rule: rule, size: target.size, with: &Rasterizer.shared)
    let box = coverage.bounds.intersection(state.clip)
    if notesInk, let backing, box == coverage.bounds { coverage.note(in: &backing.ink) } else { note(box) }
    unsafe source.withColors(coverage.rows) { colors, step in
      unsafe target.composite(colors, step: step, through: coverage, x: 0, y: 0, over: box)
    }
  }

  /// Passes `body` the pixels to draw on with `source`, without cairo's knowledge; not for clear sources.
  private func withTarget(of source: Source, _ body: (Bitmap) -> Void) {
    if case .pixel(0) = source { return }
    guard pen() != nil, let target = context?.bitmap else { return }
    target.flush()
    body(target)
    target.markDirty()
  }

  /// A context that draws white into a clear mask for the pixels of `box`.
  private func makeMask(_ box: PixelRect) -> Context? {
    let size = PixelSize(width: box.width, height: box.height)
    let count = Bitmap.byteCount(size, .mask)
    if let mask, count <= mask.count {
      mask.clear(count)
    } else {
      mask = Memory(count: count, isFilled: true)
    }
    guard let bitmap = mask.flatMap({ Bitmap(size: size, in: $0, format: .mask) }) else { return nil }
    bitmap.setOrigin(x: box.x, y: box.y)
    let made = Context(bitmap)
    made?.setSource(.white)
    return made
  }

  /// The context with `paint` as its source; nil if nothing would be visible.
  private func pen(_ paint: Paint) -> Context? {
    switch paint {
    case .color(let color):
      guard color.alpha > 0, let pen = pen() else { return nil }
      setSource(color, on: pen)
      return pen
    case .gradient(let gradient):
      guard let pen = pen(), setSource(gradient, on: pen) else { return nil }
      return pen
    }
  }

  // MARK: Sources

  /// `color` as it is drawn now.
  func weakened(_ color: Color) -> Color {
    color.withAlpha(Color.clamped(color.alpha) * Color.clamped(state.alpha))
  }

  /// Makes `color`, as it is drawn now, the source.
  func setSource(_ color: Color, on pen: Context) { pen.setSource(observedColor ?? weakened(color)) }

  /// Makes `gradient` the source; false if it cannot be drawn.
  private func setSource(_ gradient: Gradient, on pen: Context) -> Bool {
    if let observedColor {
      pen.setSource(observedColor)
      return true
    }
    guard state.transform.isFinite, let back = state.transform.inverse,
      let pattern = Gradients.pattern(gradient, alpha: Color.clamped(state.alpha)), pattern.setMatrix(back)
    else { return false }
    pen.setSource(pattern)
    return true
  }

  // MARK: Shapes

  /// The width of a line in pixels.
  private func width(_ style: StrokeStyle) -> Double { min(style.width * state.transform.meanScale, Self.limit / 10) }

  private func miterLimit(_ style: StrokeStyle) -> Double { style.miterLimit >= 1 ? min(style.miterLimit, 100) : 1 }

  /// The distance that a line may extend from its path, in pixels.
  private func reach(of path: Path, _ style: StrokeStyle) -> Double {
    var share = style.cap == .square ? 1.5 : 1
    // Past the limit corners are cut off, but cairo may calculate slightly differently.
    if style.join == .miter, path.elements.count > 2 { share = max(share, miterLimit(style) * 1.1) }
    return width(style) / 2 * share + Self.safety
  }

  /// Draws a line along `path`. Returns the pixels that it may touch; nil if there is nothing to draw.
  private func line(_ path: Path, _ style: StrokeStyle, on pen: Context) -> PixelRect? {
    let width = width(style)
    guard width.isFinite, width > 0, let bounds = outline(path, on: pen) else { return nil }
    pen.setLine(
      width: width, cap: style.cap, join: style.join, miterLimit: miterLimit(style),
      dash: style.dashes(scale: state.transform.meanScale, length: path.bounds))
    pen.stroke()
    return bounds.pixels(within: reach(of: path, style))
  }

  /// The margin by which too many pixels are recorded as drawn on.
  private static let safety = 1.0
  /// Coordinates beyond this many pixels are clamped; nothing that large is visible, and cairo's numbers end there.
  nonisolated static let limit = 1e6

  /// Makes the outline in pixels the path of `pen`. Returns a rectangle around it; nil, without an outline, if it is empty or a
  /// coordinate is not finite.
  func outline(_ path: Path, on pen: Context) -> Rect? {
    pen.beginPath()
    let transform = state.transform
    var isValid = transform.isFinite
    var (low, high) = (Point(x: Self.limit, y: Self.limit), Point(x: -Self.limit, y: -Self.limit))
    func map(_ point: Point) -> Point {
      let place = transform.apply(point)
      guard place.isFinite else {
        isValid = false
        return .zero
      }
      let inside = Point(x: min(max(place.x, -Self.limit), Self.limit), y: min(max(place.y, -Self.limit), Self.limit))
      low = Point(x: min(low.x, inside.x), y: min(low.y, inside.y))
      high = Point(x: max(high.x, inside.x), y: max(high.y, inside.y))
      return inside
    }
    for element in path.elements {
      switch element {
      case .move(let p): pen.move(to: map(p))
      case .line(let p): pen.line(to: map(p))
      case .curve(let c1, let c2, let p): pen.curve(to: map(p), control1: map(c1), control2: map(c2))
      case .close: pen.closePath()
      }
    }
    if isValid, !path.isEmpty { return Rect(origin: low, size: Size(width: high.x - low.x, height: high.y - low.y)) }
    pen.beginPath()
    return nil
  }
}

extension Rect {
  /// The same rectangle in points of a scale of 1.
  init(_ rect: PixelRect) {
    self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
  }

  /// The pixels within `reach` of the rectangle, in points of a scale of 1.
  func pixels(within reach: Double) -> PixelRect { Scale.one.pixelRect(covering: insetBy(dx: -reach, dy: -reach)) }
}
