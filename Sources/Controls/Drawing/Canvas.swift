internal import CCairo
import Glibc

/// Draws for views: paths, rectangles, pictures and text, in logical points of the view.
///
/// A canvas lives only during the call that hands it over; kept longer, it draws nothing. Numbers that are NaN or
/// infinite draw nothing either.
public final class Canvas {
  /// The state that `saved` restores.
  struct State {
    var transform: Transform
    /// A rectangle around everything that the clip lets through.
    var clip: PixelRect
    /// True while a path clips, too, which cairo alone knows.
    var isCut = false
    var alpha: Double
  }

  /// Buffer pixels per logical point of the window, under any transform.
  public private(set) var scale: Scale

  var state: State
  private(set) var notesInk: Bool
  /// The trace of outlines, and the outline of a plain shape; kept for their storage.
  var trace = OutlineTrace()
  private var shape = Path()
  /// The memory to draw into; nil once the canvas's time is over.
  private(set) var backing: Backing?
  private(set) var context: Context?
  /// Takes fills and texts in place of memory, where a drawing is kept as them.
  private(set) var fills: FillList?
  /// That of fills, one after the other.
  private static let coverage = Coverage()
  /// For the masks of shapes that are composited without cairo, one after the other.
  private var mask: Memory?
  /// Hears of every call, and chooses the pixels' values; nil in a program, set by tests.
  private(set) var record: DrawingRecord?

  /// One whose time is over, to serve again.
  private static var spare: Canvas?

  private init() {
    scale = .one
    notesInk = false
    state = State(transform: .identity, clip: .zero, alpha: 1)
  }

  /// A canvas of `size` on `backing` or `fills`, until it is closed. One that somebody kept stays closed for ever.
  static func open(
    scale: Scale, transform: Transform, size: PixelSize, backing: Backing? = nil, fills: FillList? = nil,
    notesInk: Bool = false, record: DrawingRecord? = nil
  ) -> Canvas {
    let canvas = isKnownUniquelyReferenced(&spare) ? spare ?? Canvas() : Canvas()
    spare = nil
    canvas.scale = scale
    canvas.backing = backing
    canvas.fills = fills
    canvas.record = record
    canvas.notesInk = notesInk
    canvas.state = State(transform: transform, clip: PixelRect(size), alpha: 1)
    return canvas
  }

  /// Draws into `buffer` at `scale`: point (0, 0) is its top left corner. Only pixels of `region` are touched (nil:
  /// all); they get what they would get if everything was drawn.
  ///
  /// The buffer's content stays under the drawing. A buffer whose rows are not whole pixels apart is left alone.
  public static func draw(
    into buffer: PixelBuffer, scale: Scale = .one, region: Region? = nil, _ body: (Canvas) -> Void
  ) {
    let transform = Transform.scale(x: scale.factor, y: scale.factor)
    guard let region else {
      guard let bitmap = Bitmap(buffer) else { return }
      return Backing(bitmap).draw(scale: scale, transform: transform, notesInk: false, body)
    }
    // A clip would change the edges of shapes that it cuts: so everything is drawn, and the region taken from it.
    guard let target = Bitmap(buffer), let copy = Bitmap(size: buffer.size) else { return }
    copy.copy(target, to: target.rect)
    Backing(copy).draw(scale: scale, transform: transform, notesInk: false, body)
    for rect in region.rects { target.copy(copy, to: rect.intersection(target.rect)) }
  }

  /// Ends drawing: the memory is gone.
  func close() {
    backing = nil
    context = nil
    fills = nil
    record = nil
    mask = nil
    Canvas.spare = self
  }

  /// Cairo's context; nil if nothing can be drawn or nothing would be seen.
  func pen() -> OpaquePointer? {
    // Everything but fills and plain texts comes here.
    fills?.refuse()
    guard !state.clip.isEmpty else { return nil }
    if let context { return context.raw }
    context = backing?.open()
    return context?.raw
  }

  /// Called after a call that cairo may refuse, and then refuses for ever: goes on with a new context.
  func check() {
    guard let context, !context.isSound else { return }
    self.context = backing?.reopen()
    applyClipBox()
  }

  /// Notes that the pixels of `rect` inside the clip are drawn on.
  func note(_ rect: PixelRect) {
    if notesInk { backing?.ink.join(rect.intersection(state.clip)) }
  }

  /// Notes the traced outline.
  func noteTrace() {
    guard notesInk, let backing else { return }
    trace.flush(into: &backing.ink, clip: state.clip)
  }

  /// Runs `body` and then puts transform, clip and opacity back.
  public func saved(_ body: () -> Void) {
    let old = state
    let context = context
    if let context { cairo_save(context.raw) }
    body()
    state = old
    if let context, context === self.context {
      cairo_restore(context.raw)
    } else if let new = self.context {
      // Opened since: it has no clip but those of `body`.
      cairo_reset_clip(new.raw)
      applyClipBox()
    }
  }

  private func applyClipBox() {
    guard let context, state.clip != context.bitmap.rect else { return }
    let clip = state.clip
    cairo_new_path(context.raw)
    cairo_rectangle(context.raw, Double(clip.x), Double(clip.y), Double(clip.width), Double(clip.height))
    cairo_clip(context.raw)
  }

  /// Lets `transform` act on everything drawn from here on, before the transforms that act already.
  public func concatenate(_ transform: Transform) {
    state.transform = transform.then(state.transform)
  }

  /// Moves the origin by `x` points rightwards and `y` downwards.
  public func translate(x: Double, y: Double) {
    concatenate(.translation(x: x, y: y))
  }

  /// Turns the coordinates about the origin, in radians, clockwise on the screen.
  public func rotate(_ radians: Double) {
    concatenate(.rotation(radians))
  }

  /// Turns the coordinates about `center`, in radians, clockwise on the screen.
  public func rotate(_ radians: Double, around center: Point) {
    concatenate(.rotation(radians, around: center))
  }

  /// Stretches the coordinates about the origin.
  public func scale(x: Double, y: Double) {
    concatenate(.scale(x: x, y: y))
  }

  /// The opacity of everything drawn from here on is multiplied by `alpha`, 0...1. Shapes that overlap show through
  /// each other; a view's own `alpha` does not.
  public func multiplyAlpha(_ alpha: Double) {
    state.alpha *= Color.clamped(alpha)
  }

  /// The map from this canvas's coordinates to buffer pixels.
  public var toPixels: Transform { state.transform }

  /// True when nothing inside `rect` would be seen: drawing it can be skipped.
  public func isHidden(_ rect: Rect) -> Bool {
    !pixelBounds(of: rect).intersects(state.clip)
  }

  /// Limits drawing to `rect`. Fast where its edges lie on whole pixels; elsewhere they are smooth.
  public func clip(to rect: Rect) {
    guard let pixels = wholePixels(rect) else { return withOutline(of: rect) { clip(to: $0) } }
    // Without a pen nothing is drawn any more, so cairo need not know.
    guard let cairo = pen() else { return }
    cairo_new_path(cairo)
    cairo_rectangle(cairo, Double(pixels.x), Double(pixels.y), Double(pixels.width), Double(pixels.height))
    cairo_clip(cairo)
    state.clip = state.clip.intersection(pixels)
  }

  /// Limits drawing to the inside of `path`, with smooth edges. Costs memory and time: not for every frame.
  public func clip(to path: Path, rule: FillRule = .nonZero) {
    guard let cairo = pen() else { return }
    guard outline(path, on: cairo, reach: nil) else { return state.clip = .zero }
    cairo_set_fill_rule(cairo, rule.cairo)
    cairo_clip(cairo)
    state.isCut = true
    state.clip = state.clip.intersection(pixelBounds(of: path.bounds))
  }

  /// Hands `body` a rectangle's outline.
  func withOutline(of rect: Rect, cornerRadius: Double = 0, _ body: (Path) -> Void) {
    withShape { path in
      path.addRoundedRect(rect, cornerRadius: cornerRadius)
      body(path)
    }
  }

  /// Hands `body` an empty path in storage that is kept, so that a shape drawn with every frame asks for no memory.
  private func withShape(_ body: (inout Path) -> Void) {
    var path = Path()
    swap(&path, &shape)
    path.removeAll()
    body(&path)
    swap(&path, &shape)
  }

  /// The pixels that the mapped `rect` touches.
  func pixelBounds(of rect: Rect) -> PixelRect {
    guard rect.isFinite, state.transform.isFinite else { return .zero }
    // A flat rectangle (a line's bounds) still touches pixels.
    return Scale.one.pixelRect(covering: state.transform.apply(rect).insetBy(dx: -0.01, dy: -0.01))
  }

  /// The pixels within `reach` pixels of the mapped `rect`.
  private func pixelBounds(of rect: Rect, reach: Double) -> PixelRect {
    guard rect.isFinite, state.transform.isFinite, reach.isFinite else { return .zero }
    return Scale.one.pixelRect(covering: state.transform.apply(rect).insetBy(dx: -reach, dy: -reach))
  }

  /// `rect` in pixels where all its edges lie on whole pixels within 1/512.
  func wholePixels(_ rect: Rect) -> PixelRect? {
    guard state.transform.isUpright, rect.isFinite, !rect.isEmpty, state.transform.isFinite else { return nil }
    let mapped = state.transform.apply(rect)
    func isWhole(_ edge: Double) -> Bool { abs(edge) <= 1e6 && abs(edge - edge.rounded()) <= 1.0 / 512 }
    guard isWhole(mapped.minX), isWhole(mapped.minY), isWhole(mapped.maxX), isWhole(mapped.maxY) else { return nil }
    let (x, y) = (Int(mapped.minX.rounded()), Int(mapped.minY.rounded()))
    return PixelRect(
      x: x, y: y, width: Int(mapped.maxX.rounded()) - x, height: Int(mapped.maxY.rounded()) - y)
  }
}

extension Canvas {
  /// The source of fills and strokes.
  fileprivate enum Paint {
    case color(Color)
    case gradient(Gradient)
  }

  /// Fills the whole clip with `color`.
  public func fill(_ color: Color) { fill(.color(color)) }

  /// Fills the whole clip with `gradient`.
  public func fill(_ gradient: Gradient) { fill(.gradient(gradient)) }

  private func fill(_ paint: Paint) {
    if let record, !record.note(.fill, Rect(state.clip), paint, state) { return }
    if let source = source(paint) { return composite(source, in: state.clip) }
    guard let cairo = pen(paint) else { return }
    note(state.clip)
    cairo_paint(cairo)
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
    if let record, !record.note(.fill, Rect(pixels), paint, state) { return }
    if let source = source(paint) { return composite(source, in: pixels) }
    guard let cairo = pen(paint) else { return }
    note(pixels)
    cairo_new_path(cairo)
    cairo_rectangle(cairo, Double(pixels.x), Double(pixels.y), Double(pixels.width), Double(pixels.height))
    cairo_fill(cairo)
    check()
  }

  /// Fills `path`.
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
    if let record, !record.note(.fill, path.applying(state.transform).bounds, paint, state) { return }
    if let source = source(paint) { return composite(source, inside: path, rule) }
    guard let cairo = pen(paint), outline(path, on: cairo, reach: Self.safety) else { return }
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
    guard width > 0, width <= min(rect.width, rect.height) else {
      return withOutline(of: rect, cornerRadius: cornerRadius) { stroke($0, color, width: width) }
    }
    strokeRing(color, width) { path, outset in
      let radius = cornerRadius > 0 || outset < 0 ? cornerRadius + outset : 0
      path.addRoundedRect(rect.insetBy(dx: -outset, dy: -outset), cornerRadius: radius)
    }
  }

  /// Strokes the circle of `radius` about `center` with a plain line of `width`.
  public func stroke(circleAt center: Point, radius: Double, _ color: Color, width: Double = 1) {
    guard width > 0, radius > 0 else { return }
    strokeRing(color, width) { $0.addCircle(center: center, radius: radius + $1) }
  }

  /// Strokes a closed line, to which `add` adds an outline that lies some points outside of it: a line of one width is the ring between
  /// its two edges, and a fill costs a fraction of a stroke.
  private func strokeRing(_ color: Color, _ width: Double, _ add: (inout Path, Double) -> Void) {
    withShape { path in
      // A record tells lines from fills.
      if record != nil {
        add(&path, 0)
        return stroke(path, color, width: width)
      }
      add(&path, width / 2)
      add(&path, -width / 2)
      fill(path, color, rule: .evenOdd)
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
    if let record {
      let reach = style.width * state.transform.meanScale / 2
      let bounds = path.applying(state.transform).bounds.insetBy(dx: -reach, dy: -reach)
      guard record.note(.line, bounds, paint, state) else { return }
    }
    func draw(_ cairo: OpaquePointer) -> Bool {
      guard line(path, style, on: cairo) else { return false }
      cairo_stroke(cairo)
      return true
    }
    // A clip's box would change the edges that it cuts, and the pixels to note are found while cairo gets the outline.
    if let backing, !notesInk, state.clip == PixelRect(backing.size), let source = source(paint) {
      return composite(source, in: pixelBounds(of: path.bounds, reach: reach(of: path, style)), draw)
    }
    guard let cairo = pen(paint), draw(cairo) else { return }
    check()
  }

  // MARK: Compositing without cairo

  /// What is composited without cairo.
  private enum Source {
    case pixel(UInt32)
    /// A colour for each row.
    case ramp(GradientRamp)

    /// Calls `body` with the colour of the first of `rows`, and how many further on the next row's is.
    func withColors(_ rows: Range<Int>, _ body: (UnsafePointer<UInt32>, Int) -> Void) {
      switch self {
      case .pixel(let pixel): withUnsafePointer(to: pixel) { body($0, 0) }
      case .ramp(let ramp):
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: rows.count) { colors in
          _ = colors.initialize(from: rows.lazy.map(ramp.pixel))
          if let base = colors.baseAddress { body(base, 1) }
        }
      }
    }
  }

  /// The source that composites `paint` without cairo. Nil where cairo is the only one that can: for gradients that are not upright, and
  /// inside a path's clip.
  private func source(_ paint: Paint) -> Source? {
    guard backing != nil, record == nil, !state.isCut else { return nil }
    switch paint {
    case .color(let color): return .pixel(weakened(color).pixel)
    case .gradient(let gradient):
      return GradientRamp(gradient, state.transform, alpha: Color.clamped(state.alpha)).map { .ramp($0) }
    }
  }

  /// Composites `source` over the pixels of `box`, through a mask where `draw` draws one: in white. Cairo mixes translucent colours and
  /// gradients through masks of its own at several times the cost.
  private func composite(_ source: Source, in box: PixelRect, _ draw: ((OpaquePointer) -> Bool)? = nil) {
    withTarget(of: source) { target in
      let box = box.intersection(state.clip)
      var mask: Bitmap?
      if let draw {
        guard let white = makeMask(box), draw(white.raw) else { return }
        cairo_surface_flush(white.bitmap.surface)
        mask = white.bitmap
      }
      note(box)
      source.withColors(box.rows) { colors, step in
        target.composite(colors, step: step, through: mask, x: box.x, y: box.y, over: box)
      }
    }
  }

  /// Composites `source` over the pixels inside `path`, with edges of exact coverage.
  private func composite(_ source: Source, inside path: Path, _ rule: FillRule) {
    withTarget(of: source) { target in
      // The drawing of a frame asks for no memory; that of what rests needs none later.
      let coverage = notesInk ? Self.coverage : Coverage()
      coverage.fill(path, state.transform, rule: rule, size: target.size, with: .shared)
      let box = coverage.bounds.intersection(state.clip)
      if notesInk, let backing, box == coverage.bounds { coverage.note(in: &backing.ink) } else { note(box) }
      source.withColors(coverage.rows) { colors, step in
        target.composite(colors, step: step, through: coverage, x: 0, y: 0, over: box)
      }
    }
  }

  /// Hands `body` the pixels to draw on with `source`, of which cairo knows nothing meanwhile; not for what would be clear.
  private func withTarget(of source: Source, _ body: (Bitmap) -> Void) {
    if case .pixel(0) = source { return }
    guard pen() != nil, let target = context?.bitmap else { return }
    cairo_surface_flush(target.surface)
    body(target)
    cairo_surface_mark_dirty(target.surface)
  }

  /// A context that draws white into a clear mask for the pixels of `box`.
  private func makeMask(_ box: PixelRect) -> Context? {
    let size = PixelSize(width: box.width, height: box.height)
    if let mask, Bitmap.byteCount(size, .mask) <= mask.count {
      memset(mask.base, 0, Bitmap.byteCount(size, .mask))
    } else {
      mask = Memory(count: Bitmap.byteCount(size, .mask), isFilled: true)
    }
    guard let bitmap = mask.flatMap({ Bitmap(size: size, in: $0, format: .mask) }) else { return nil }
    cairo_surface_set_device_offset(bitmap.surface, -Double(box.x), -Double(box.y))
    guard let made = Context(bitmap) else { return nil }
    cairo_set_source_rgba(made.raw, 1, 1, 1, 1)
    return made
  }

  /// Cairo's context with `paint` as its source; nil if nothing would be seen.
  private func pen(_ paint: Paint) -> OpaquePointer? {
    switch paint {
    case .color(let color):
      guard color.alpha > 0, let cairo = pen() else { return nil }
      setSource(color, on: cairo)
      return cairo
    case .gradient(let gradient):
      guard let cairo = pen(), setSource(gradient, on: cairo) else { return nil }
      return cairo
    }
  }

  // MARK: Sources

  /// `color` as it is drawn now.
  func weakened(_ color: Color) -> Color {
    color.withAlpha(Color.clamped(color.alpha) * Color.clamped(state.alpha))
  }

  /// Has cairo draw with `color`.
  func setSource(_ color: Color, on cairo: OpaquePointer) {
    if let record { return record.setSource(on: cairo) }
    cairo_set_source_rgba(
      cairo, Color.clamped(color.red), Color.clamped(color.green), Color.clamped(color.blue),
      Color.clamped(color.alpha) * Color.clamped(state.alpha))
  }

  /// Has cairo draw with `gradient`; false where it cannot be drawn.
  private func setSource(_ gradient: Gradient, on cairo: OpaquePointer) -> Bool {
    if let record {
      record.setSource(on: cairo)
      return true
    }
    guard state.transform.isFinite, let back = state.transform.inverse,
      let pattern = Gradients.pattern(gradient, alpha: Color.clamped(state.alpha)), pattern.setMatrix(back)
    else { return false }
    cairo_set_source(cairo, pattern.raw)
    return true
  }

  // MARK: Shapes

  /// The width of a line in pixels.
  private func width(_ style: StrokeStyle) -> Double { min(style.width * state.transform.meanScale, Self.limit / 10) }

  private func miterLimit(_ style: StrokeStyle) -> Double { style.miterLimit >= 1 ? min(style.miterLimit, 100) : 1 }

  /// How far from its path a line may reach, in pixels.
  private func reach(of path: Path, _ style: StrokeStyle) -> Double {
    var share = 1.0
    if style.cap == .square { share = 1.5 }
    if style.join == .miter { share = max(share, path.miterShare(state.transform, limit: miterLimit(style))) }
    return width(style) / 2 * share + Self.safety
  }

  /// Hands cairo a line's path and style; false where there is nothing to draw.
  private func line(_ path: Path, _ style: StrokeStyle, on cairo: OpaquePointer) -> Bool {
    let width = width(style)
    guard width.isFinite, width > 0 else { return false }
    guard outline(path, on: cairo, reach: reach(of: path, style), isLine: true) else { return false }
    cairo_set_line_width(cairo, width)
    cairo_set_line_cap(cairo, style.cap.cairo)
    cairo_set_line_join(cairo, style.join.cairo)
    cairo_set_miter_limit(cairo, miterLimit(style))
    if let dash = style.dashes(scale: state.transform.meanScale, length: path.bounds) {
      cairo_set_dash(cairo, dash.lengths, Int32(dash.lengths.count), dash.offset)
    } else {
      cairo_set_dash(cairo, nil, 0, 0)
    }
    return true
  }

  /// The margin by which too many pixels are noted as drawn on.
  static let safety = 1.0
  /// Coordinates beyond this many pixels are pulled in; nothing that large is seen, and cairo counts no farther.
  nonisolated static let limit = 1e6

  /// Hands cairo the outline in pixels, and notes the pixels within `reach` of it (of its inside too, unless it is a
  /// line). False, without an outline, when a coordinate is not finite.
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

extension Canvas {
  /// Shows `picture` with its top left corner at `origin`, moved to the nearest whole pixel, pixel for pixel where the
  /// canvas has the picture's scale and is not turned; elsewhere each pixel takes the nearest of the picture.
  public func draw(_ picture: Picture, at origin: Point) {
    let transform = state.transform
    guard transform.isFinite, origin.isFinite, let bitmap = picture.bitmap else { return }
    let factor = picture.scale.factor
    // From here to the picture's pixels.
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
    if let record {
      _ = record.note(.picture, Rect(box), nil, opacity: state.alpha)
      return
    }
    guard box.intersects(state.clip), let cairo = pen(),
      let pattern = Pattern(cairo_pattern_create_for_surface(bitmap.surface)), pattern.setMatrix(back)
    else { return }
    cairo_pattern_set_filter(pattern.raw, CAIRO_FILTER_NEAREST)
    cairo_set_source(cairo, pattern.raw)
    note(box)
    let alpha = Color.clamped(state.alpha)
    cairo_new_path(cairo)
    cairo_rectangle(cairo, Double(box.x), Double(box.y), Double(box.width), Double(box.height))
    if alpha < 1 {
      cairo_save(cairo)
      cairo_clip(cairo)
      cairo_paint_with_alpha(cairo, alpha)
      cairo_restore(cairo)
    } else {
      cairo_fill(cairo)
    }
    check()
  }

  /// Shows all of `picture` in `rect`, stretched to fill it and smooth; edges off the pixel grid are smooth too.
  ///
  /// `tint` is a colour to fill the picture's opacity with instead of its own colours, for signs; nil for its own.
  public func draw(_ picture: Picture, in rect: Rect, tint: Color? = nil) {
    guard let bitmap = picture.bitmap, rect.isFinite, !rect.isEmpty, state.transform.isFinite else { return }
    let toPixels = Transform.scale(
      x: rect.width / Double(bitmap.size.width), y: rect.height / Double(bitmap.size.height)
    ).then(.translation(x: rect.minX, y: rect.minY)).then(state.transform)
    let box = pixelBounds(of: rect)
    if let record {
      _ = record.note(.picture, Rect(box), nil, opacity: state.alpha)
      return
    }
    guard let back = toPixels.inverse, box.intersects(state.clip), let cairo = pen(),
      let pattern = Pattern(cairo_pattern_create_for_surface(bitmap.surface)), pattern.setMatrix(back)
    else { return }
    cairo_pattern_set_filter(pattern.raw, CAIRO_FILTER_GOOD)
    // Beyond its edge the picture goes on, so that its own edge pixels are not mixed with nothing.
    cairo_pattern_set_extend(pattern.raw, CAIRO_EXTEND_PAD)
    cairo_save(cairo)
    var isSound = false
    withOutline(of: rect) { isSound = outline($0, on: cairo, reach: nil) }
    if isSound {
      note(box)
      cairo_clip(cairo)
      if let tint {
        setSource(tint, on: cairo)
        cairo_mask(cairo, pattern.raw)
      } else {
        cairo_set_source(cairo, pattern.raw)
        cairo_paint_with_alpha(cairo, Color.clamped(state.alpha))
      }
    }
    cairo_restore(cairo)
    check()
  }
}

extension DrawingRecord {
  /// Notes a call with `paint` under `state`.
  fileprivate func note(_ kind: Mark.Kind, _ bounds: Rect, _ paint: Canvas.Paint, _ state: Canvas.State) -> Bool {
    switch paint {
    case .color(let color): note(kind, bounds, color, opacity: color.alpha * state.alpha)
    case .gradient(let gradient):
      note(
        kind, bounds, nil,
        opacity: gradient.stops.map(\.color.alpha).reduce(0, +) / Double(max(gradient.stops.count, 1)) * state.alpha)
    }
  }
}

extension Rect {
  /// The same rectangle in points of a scale of 1.
  fileprivate init(_ rect: PixelRect) {
    self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
  }
}
