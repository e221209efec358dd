internal import CCairo

/// A `cairo_pattern_t`.
@safe nonisolated final class Pattern: @unchecked Sendable {
  let raw: OpaquePointer

  /// Takes over a reference; nil for a pattern that cairo could not create.
  init?(_ raw: OpaquePointer?) {
    guard let raw = unsafe raw else { return nil }
    unsafe self.raw = unsafe raw
    guard unsafe cairo_pattern_status(raw) == CAIRO_STATUS_SUCCESS else { return nil }
  }

  /// The pixels of `bitmap`, interpolated. With `isPadded` they continue beyond its edge, so that its edge pixels are not mixed
  /// with transparency.
  convenience init?(_ bitmap: Bitmap, isPadded: Bool = false) {
    unsafe self.init(cairo_pattern_create_for_surface(bitmap.surface))
    if isPadded { unsafe cairo_pattern_set_extend(raw, CAIRO_EXTEND_PAD) }
  }

  deinit {
    unsafe cairo_pattern_destroy(raw)
  }

  /// Sets the pattern's matrix from `transform`, which maps the drawing to the pattern's own plane. Returns false if it has no
  /// inverse, which would put cairo into a permanent error state.
  func setMatrix(_ transform: Transform) -> Bool {
    guard transform.isFinite, transform.inverse != nil else { return false }
    var matrix = transform.matrix
    unsafe cairo_pattern_set_matrix(raw, &matrix)
    return true
  }
}

/// Gradients made lately: the same few are drawn in every frame.
enum Gradients {
  private struct Key: Hashable {
    let gradient: Gradient
    let alpha: Double
  }

  private static var made: [Key: Pattern] = [:]
  private static let limit = 64

  /// `gradient` weakened by `alpha`, 0...1; nil if it has no colours, or coordinates that are not numbers.
  static func pattern(_ gradient: Gradient, alpha: Double) -> Pattern? {
    let key = Key(gradient: gradient, alpha: alpha)
    if let pattern = made[key] { return pattern }
    guard let pattern = make(gradient, alpha: alpha) else { return nil }
    if made.count >= limit { made.removeAll(keepingCapacity: true) }
    made[key] = pattern
    return pattern
  }

  private static func make(_ gradient: Gradient, alpha: Double) -> Pattern? {
    guard let first = gradient.stops.first, let last = gradient.stops.last else { return nil }
    guard let (pattern, isFlat) = shape(gradient) else { return nil }
    unsafe cairo_pattern_set_extend(pattern.raw, CAIRO_EXTEND_PAD)
    add(0, first.color, alpha, to: pattern)
    if !isFlat {
      for (low, high) in zip(gradient.stops, gradient.stops.dropFirst()) {
        add(low.offset, Gradient.mixed(low, high, 0), alpha, to: pattern)
        // Cairo interpolates colours separately from their alpha; ours are premultiplied, so that a transparent end has no
        // colour of its own. If the two differ, intermediate steps approximate ours.
        let steps = low.color.alpha == high.color.alpha ? 1 : 8
        for step in 1..<steps {
          let part = Double(step) / Double(steps)
          let offset = low.offset + (high.offset - low.offset) * part
          add(offset, Gradient.mixed(low, high, part), alpha, to: pattern)
        }
        add(high.offset, Gradient.mixed(low, high, 1), alpha, to: pattern)
      }
    }
    add(1, isFlat ? first.color : last.color, alpha, to: pattern)
    return unsafe cairo_pattern_status(pattern.raw) == CAIRO_STATUS_SUCCESS ? pattern : nil
  }

  /// The pattern without colours; flat if it has no extent, and then its first colour everywhere.
  private static func shape(_ gradient: Gradient) -> (pattern: Pattern, isFlat: Bool)? {
    var made: OpaquePointer?
    switch gradient.shape {
    case .linear(let start, let end):
      guard start.isFinite, end.isFinite else { return nil }
      if start.distance(to: end) >= 1e-6 {
        unsafe made = unsafe cairo_pattern_create_linear(start.x, start.y, end.x, end.y)
      }
    case .radial(let center, let inner, let outer):
      guard center.isFinite, inner.isFinite, outer.isFinite else { return nil }
      let (low, high) = (max(inner, 0), max(outer, 0))
      if abs(high - low) >= 1e-6 {
        unsafe made = unsafe cairo_pattern_create_radial(center.x, center.y, low, center.x, center.y, high)
      }
    }
    return unsafe Pattern(made ?? cairo_pattern_create_linear(0, 0, 1, 0)).map { unsafe ($0, made == nil) }
  }

  private static func add(_ offset: Double, _ color: Color, _ alpha: Double, to pattern: Pattern) {
    unsafe cairo_pattern_add_color_stop_rgba(
      pattern.raw, Color.clamped(offset), Color.clamped(color.red), Color.clamped(color.green),
      Color.clamped(color.blue), Color.clamped(color.alpha) * alpha)
  }
}
