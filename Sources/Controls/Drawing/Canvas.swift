// Owns drawing in logical points into pixels: the current transform, clip and opacity, and what may be drawn.
// Must not know views, windows or where the pixels go.

/// What views draw with: paths, rectangles, pictures and text, in logical points of whoever draws.
///
/// A canvas lives only during the call that hands it over; kept longer, it draws nothing. What it draws into a pixel
/// does not depend on the clip: drawing a part gives the same bytes as drawing the whole.
public final class Canvas {
  /// What `saved` brings back.
  struct State {
    var transform: Transform
    var clip: PixelRect
    var mask: Mask?
    var alpha: Double
  }

  /// Buffer pixels per logical point of the window, whatever the transform.
  public let scale: Scale

  var state: State
  private(set) var surface: Surface?
  private(set) var bands = ClipBands()
  private(set) var region = Region()
  let rasterizer: Rasterizer

  /// One for everyone: drawing never nests, and its storage is kept from frame to frame.
  static let sharedRasterizer = Rasterizer()

  init(scale: Scale) {
    self.scale = scale
    rasterizer = Canvas.sharedRasterizer
    state = State(transform: .scale(x: scale.factor, y: scale.factor), clip: .zero, mask: nil, alpha: 1)
  }

  /// Draws into `buffer` at `scale`: point (0, 0) is its top left corner. Only pixels of `region` are touched (nil: all).
  ///
  /// What was in the buffer stays under what is drawn. A buffer whose rows are not whole pixels apart is left alone.
  public static func draw(
    into buffer: PixelBuffer, scale: Scale = .one, region: Region? = nil, _ body: (Canvas) -> Void
  ) {
    let canvas = Canvas(scale: scale)
    canvas.open(buffer, region: region ?? Region(PixelRect(buffer.size)))
    body(canvas)
    canvas.close()
  }

  /// Begins to draw into `buffer`, whose first pixel is (`x`, `y`), inside `region` only.
  func open(_ buffer: PixelBuffer, x: Int = 0, y: Int = 0, region: Region) {
    surface = Surface(buffer, x: x, y: y)
    var inside = region
    inside.clip(to: surface?.rect ?? .zero)
    self.region = inside
    bands.set(inside)
    state = State(
      transform: .scale(x: scale.factor, y: scale.factor), clip: inside.bounds, mask: nil, alpha: 1)
  }

  /// Ends drawing: the memory is gone.
  func close() {
    surface = nil
  }

  /// Runs `body` and then puts transform, clip and opacity back.
  public func saved(_ body: () -> Void) {
    let old = state
    body()
    state = old
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
    let pixels = pixelBounds(of: rect)
    if !pixels.intersects(state.clip) { return true }
    return !region.intersects(pixels.intersection(state.clip))
  }

  /// Limits drawing to `rect`. Fast where its edges lie on whole pixels; elsewhere they are smooth.
  public func clip(to rect: Rect) {
    if let pixels = wholePixels(rect) {
      state.clip = state.clip.intersection(pixels)
    } else {
      clip(to: Path(rect: rect))
    }
  }

  /// Limits drawing to the inside of `path`, with smooth edges. Costs memory and time: not for every frame.
  public func clip(to path: Path, rule: FillRule = .nonZero) {
    let box = pixelBounds(of: path.bounds).intersection(state.clip)
    var shares = [UInt8](repeating: 0, count: box.area)
    begin(path)
    rasterizer.render(rule: rule.rasterRule, bands: ClipBands(Region(box)), clip: box) { y, x, length, coverage in
      let first = (y - box.y) * box.width + x - box.x
      for index in first..<(first + length) { shares[index] = UInt8(coverage) }
    }
    let mask = Mask(rect: box, shares: shares)
    state.mask = state.mask.map { $0.intersected(with: mask) } ?? mask
    state.clip = state.clip.intersection(box)
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
    let edges = [mapped.minX, mapped.minY, mapped.maxX, mapped.maxY]
    for edge in edges where abs(edge) > 1e6 || abs(edge - edge.rounded()) > 1.0 / 512 { return nil }
    let (x, y) = (Int(mapped.minX.rounded()), Int(mapped.minY.rounded()))
    return PixelRect(
      x: x, y: y, width: Int(mapped.maxX.rounded()) - x, height: Int(mapped.maxY.rounded()) - y)
  }
}
