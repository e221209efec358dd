// Owns drawing in logical points into pixels: the current transform, clip and opacity, and what may be drawn.
// Must not know views, windows or where the pixels go.

internal import CCairo

/// What views draw with: paths, rectangles, pictures and text, in logical points of whoever draws.
///
/// A canvas lives only during the call that hands it over; kept longer, it draws nothing. Numbers that are none (NaN,
/// infinite) draw nothing either.
public final class Canvas {
  /// What `saved` brings back.
  struct State {
    var transform: Transform
    /// What holds everything that the clip lets through.
    var clip: PixelRect
    var alpha: Double
  }

  /// Buffer pixels per logical point of the window, whatever the transform.
  public private(set) var scale: Scale

  var state: State
  private(set) var notesInk: Bool
  /// Where outlines run, and the outline of a plain shape; kept for their storage.
  var trace = InkTrace()
  private var shape = Path()
  /// Where the drawing goes; nil once the canvas's time is over.
  private(set) var backing: Backing?
  private(set) var context: Context?

  /// One whose time is over, to serve again.
  private static var spare: Canvas?

  /// A canvas on all of `backing`.
  private init(scale: Scale, transform: Transform, backing: Backing, notesInk: Bool) {
    self.scale = scale
    self.backing = backing
    self.notesInk = notesInk
    state = State(transform: transform, clip: PixelRect(backing.size), alpha: 1)
  }

  /// A canvas on all of `backing`, until it is closed. One that somebody kept stays closed for ever.
  static func open(scale: Scale, transform: Transform, backing: Backing, notesInk: Bool) -> Canvas {
    guard isKnownUniquelyReferenced(&spare), let canvas = spare else {
      return Canvas(scale: scale, transform: transform, backing: backing, notesInk: notesInk)
    }
    spare = nil
    canvas.scale = scale
    canvas.backing = backing
    canvas.notesInk = notesInk
    canvas.state = State(transform: transform, clip: PixelRect(backing.size), alpha: 1)
    return canvas
  }

  /// Draws into `buffer` at `scale`: point (0, 0) is its top left corner. Only pixels of `region` are touched (nil: all);
  /// they get what they would get if everything was drawn.
  ///
  /// What was in the buffer stays under what is drawn. A buffer whose rows are not whole pixels apart is left alone.
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
    Canvas.spare = self
  }

  /// What cairo draws with; nil where nothing can be drawn or nothing would be seen.
  func pen() -> OpaquePointer? {
    guard !state.clip.isEmpty else { return nil }
    if let context { return context.raw }
    context = backing?.open()
    return context?.raw
  }

  /// Called after what cairo may refuse, and then refuses for ever: it goes on with a new context.
  func check() {
    guard let context, !context.isSound else { return }
    self.context = backing?.reopen()
    applyClipBox()
  }

  /// Notes that the pixels of `rect` inside the clip are drawn on.
  func note(_ rect: PixelRect) {
    if notesInk { backing?.ink.add(rect.intersection(state.clip)) }
  }

  /// Notes what was traced.
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

  /// Draws nothing outside `pixels`.
  func limit(to pixels: PixelRect) {
    state.clip = state.clip.intersection(pixels)
    guard pen() != nil else { return }
    applyClipBox()
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
    state.clip = state.clip.intersection(pixelBounds(of: path.bounds))
  }

  /// Hands `body` a rectangle's outline in storage that is kept: what is drawn with every frame asks for no memory.
  func withOutline(of rect: Rect, cornerRadius: Double = 0, _ body: (Path) -> Void) {
    var path = Path()
    swap(&path, &shape)
    path.removeAll()
    path.addRoundedRect(rect, cornerRadius: cornerRadius)
    body(path)
    swap(&path, &shape)
  }

  /// The pixels that the mapped `rect` touches.
  func pixelBounds(of rect: Rect) -> PixelRect {
    guard rect.isFinite, state.transform.isFinite else { return .zero }
    // A flat rectangle (a line's bounds) still touches pixels.
    return Scale.one.pixelRect(covering: state.transform.apply(rect).insetBy(dx: -0.01, dy: -0.01))
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
