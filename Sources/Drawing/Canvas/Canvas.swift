/// Draws for views: paths, rectangles, images and text, in logical points of the view.
///
/// A canvas is valid only during the call that passes it; kept longer, it draws nothing. Numbers that are NaN or infinite draw
/// nothing either.
public final class Canvas {
  /// The state that `saved` restores.
  struct State {
    var transform: Transform
    /// A rectangle around everything inside the clip.
    var clip: PixelRect
    /// True while a path clips, too, which cairo alone knows.
    var isCut = false
    var alpha: Double
  }

  /// Buffer pixels per logical point of the window, under any transform.
  public private(set) var scale: Scale

  var state: State
  private(set) var notesInk: Bool
  /// The outline of a simple shape, kept for its storage.
  private var shape = Path()
  /// The memory to draw into; nil once the canvas is closed.
  private(set) var backing: Backing?
  private(set) var context: Context?
  /// Receives fills and texts in place of memory, for a drawing that is cached as fills.
  private(set) var fills: FillList?
  /// The coverage of fills, one after the other.
  static var coverage = Coverage()
  /// Memory for the masks of shapes that are composited without cairo, one after the other.
  var mask: Memory?
  /// Receives every call and chooses the colours; nil for a drawing that is shown.
  private(set) var observer: (any CanvasObserver)?
  /// The colour that the observer chose for the latest call.
  private(set) var observedColor: Color?

  /// A closed canvas, reused to avoid an allocation.
  private static var spare: Canvas?

  private init() {
    scale = .one
    notesInk = false
    state = State(transform: .identity, clip: .zero, alpha: 1)
  }

  /// A canvas of `size` on `backing` or `fills`, until it is closed. A canvas that was kept stays closed.
  static func open(
    scale: Scale, transform: Transform, size: PixelSize, backing: Backing? = nil, fills: FillList? = nil,
    notesInk: Bool = false, observer: (any CanvasObserver)? = nil
  ) -> Canvas {
    let canvas = isKnownUniquelyReferenced(&spare) ? spare ?? Canvas() : Canvas()
    spare = nil
    canvas.scale = scale
    canvas.backing = backing
    canvas.fills = fills
    canvas.observer = observer
    canvas.notesInk = notesInk
    canvas.state = State(transform: transform, clip: PixelRect(size), alpha: 1)
    return canvas
  }

  /// Draws into `buffer` at `scale`: point (0, 0) is its top left corner. Only pixels of `region` are touched (nil: all); they
  /// get the values that they would get if everything was drawn.
  ///
  /// The drawing goes over the buffer's content. A buffer whose rows are not whole pixels apart is left unchanged.
  public static func draw(
    into buffer: PixelBuffer, scale: Scale = .one, region: Region? = nil, _ body: (Canvas) -> Void
  ) {
    let transform = Transform.scale(x: scale.factor, y: scale.factor)
    guard let region else {
      guard let bitmap = unsafe Bitmap(buffer) else { return }
      return Backing(bitmap).draw(scale: scale, transform: transform, notesInk: false, body)
    }
    // A clip would change the edges of shapes that it cuts: so everything is drawn, and the region taken from it.
    guard let target = unsafe Bitmap(buffer), let copy = Bitmap(size: buffer.size) else { return }
    copy.copy(target, to: target.rect)
    Backing(copy).draw(scale: scale, transform: transform, notesInk: false, body)
    for rect in region.rects { target.copy(copy, to: rect.intersection(target.rect)) }
  }

  /// Ends drawing, because the memory becomes invalid.
  func close() {
    backing = nil
    context = nil
    fills = nil
    observer = nil
    observedColor = nil
    mask = nil
    Canvas.spare = self
  }

  /// The context to draw with; nil if nothing can be drawn or nothing would be visible.
  func pen() -> Context? {
    // Everything except fills and plain texts ends here.
    fills?.refuse()
    guard !state.clip.isEmpty else { return nil }
    if context == nil { context = backing?.open() }
    return context
  }

  /// Passes a call to the observer, whose colour is the source until the next one. Returns false if there is nothing to draw.
  func observe(_ call: CanvasCall, _ bounds: Rect, _ color: Color?, opacity: Double) -> Bool {
    observedColor = observer?.color(for: call, in: bounds, color, opacity: opacity)
    return observedColor != nil
  }

  /// Called after a call that may put cairo into a permanent error state: continues with a new context.
  func check() {
    guard let context, !context.isValid else { return }
    self.context = backing?.reopen()
    applyClipBox()
  }

  /// Records that the pixels of `rect` inside the clip are drawn on.
  func note(_ rect: PixelRect) {
    if notesInk { backing?.ink.join(rect.intersection(state.clip)) }
  }

  /// Runs `body` and then puts transform, clip and opacity back.
  public func saved(_ body: () -> Void) {
    let old = state
    let context = context
    context?.save()
    body()
    state = old
    if let context, context === self.context {
      context.restore()
    } else if let new = self.context {
      // Opened since: it has no clip but those of `body`.
      new.resetClip()
      applyClipBox()
    }
  }

  private func applyClipBox() {
    guard let context, state.clip != context.bitmap.rect else { return }
    context.setPath(state.clip)
    context.clip()
  }

  /// Applies `transform` to later drawing, before the current transform.
  public func concatenate(_ transform: Transform) {
    state.transform = transform.then(state.transform)
  }

  /// Moves the origin by `x` points rightwards and `y` downwards.
  public func translate(x: Double, y: Double) {
    concatenate(.translation(x: x, y: y))
  }

  /// Turns the coordinates about `center`, in radians, clockwise on the screen.
  public func rotate(_ radians: Double, around center: Point = .zero) {
    concatenate(.rotation(radians, around: center))
  }

  /// Stretches the coordinates about the origin.
  public func scale(x: Double, y: Double) {
    concatenate(.scale(x: x, y: y))
  }

  /// Multiplies the opacity of everything drawn from here on by `alpha`, 0...1. Overlapping shapes show through each other;
  /// with a view's own `alpha` they do not.
  public func multiplyAlpha(_ alpha: Double) {
    state.alpha *= Color.clamped(alpha)
  }

  /// The map from this canvas's coordinates to buffer pixels.
  public var toPixels: Transform { state.transform }

  /// True if nothing inside `rect` would be visible, so that drawing it can be skipped.
  public func isHidden(_ rect: Rect) -> Bool {
    !pixelBounds(of: rect).intersects(state.clip)
  }

  /// Limits drawing to `rect`. Fast if its edges lie on whole pixels; other edges are smooth.
  public func clip(to rect: Rect) {
    guard let pixels = wholePixels(rect) else { return withOutline(of: rect) { clip(to: $0) } }
    // Without a context nothing is drawn any more, so cairo need not know.
    guard let pen = pen() else { return }
    pen.setPath(pixels)
    pen.clip()
    state.clip = state.clip.intersection(pixels)
  }

  /// Limits drawing to the inside of `path`, with smooth edges. It costs memory and time; avoid it in every frame.
  public func clip(to path: Path, rule: FillRule = .nonZero) {
    guard let pen = pen() else { return }
    guard outline(path, on: pen) != nil else { return state.clip = .zero }
    pen.clip(rule)
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

  /// Passes `body` an empty path in reused storage, so that a shape drawn with every frame does not allocate.
  func withShape(_ body: (inout Path) -> Void) {
    var path = Path()
    swap(&path, &shape)
    path.removeAll()
    body(&path)
    swap(&path, &shape)
  }

  /// The pixels within `reach` pixels of the mapped `rect`. Even a flat rectangle, such as a line's bounds, touches pixels.
  func pixelBounds(of rect: Rect, reach: Double = 0.01) -> PixelRect {
    guard rect.isFinite, state.transform.isFinite else { return .zero }
    return state.transform.apply(rect).pixels(within: reach)
  }

  /// `rect` in pixels if all its edges lie on whole pixels within 1/512.
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
