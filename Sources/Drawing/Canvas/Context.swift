internal import CCairo

/// A `cairo_t` that draws into a bitmap and keeps it alive: the only place that calls cairo to draw.
///
/// Coordinates are pixels, unless a call says otherwise.
@safe nonisolated final class Context: @unchecked Sendable {
  /// The target.
  let bitmap: Bitmap
  let raw: OpaquePointer

  /// The greatest distance of a line from the curve that it approximates, in pixels. Less is slower and looks the same.
  private static let tolerance = 0.06

  init?(_ bitmap: Bitmap) {
    guard let raw = unsafe cairo_create(bitmap.surface) else { return nil }
    guard unsafe cairo_status(raw) == CAIRO_STATUS_SUCCESS else {
      unsafe cairo_destroy(raw)
      return nil
    }
    unsafe cairo_set_antialias(raw, CAIRO_ANTIALIAS_GOOD)
    unsafe cairo_set_tolerance(raw, Self.tolerance)
    unsafe self.raw = unsafe raw
    self.bitmap = bitmap
  }

  deinit {
    unsafe cairo_destroy(raw)
  }

  /// False once anything failed: cairo then draws nothing more with this context.
  var isValid: Bool { unsafe cairo_status(raw) == CAIRO_STATUS_SUCCESS }

  /// Draws without smooth edges from here on: with `mixing` the difference from the pixels, otherwise over them.
  func drawSharp(mixing: Bool) {
    unsafe cairo_set_antialias(raw, CAIRO_ANTIALIAS_NONE)
    unsafe cairo_set_operator(raw, mixing ? CAIRO_OPERATOR_DIFFERENCE : CAIRO_OPERATOR_OVER)
  }

  // MARK: State

  /// Keeps the state until `restore`.
  func save() { unsafe cairo_save(raw) }

  /// Puts back the state of the matching `save`.
  func restore() { unsafe cairo_restore(raw) }

  /// Removes the clip.
  func resetClip() { unsafe cairo_reset_clip(raw) }

  /// Maps all coordinates from here on, before the maps that act already.
  func concatenate(_ transform: Transform) {
    var matrix = transform.matrix
    unsafe cairo_transform(raw, &matrix)
  }

  // MARK: The path

  /// Removes the path.
  func beginPath() { unsafe cairo_new_path(raw) }

  func move(to point: Point) { unsafe cairo_move_to(raw, point.x, point.y) }

  func line(to point: Point) { unsafe cairo_line_to(raw, point.x, point.y) }

  func curve(to end: Point, control1: Point, control2: Point) {
    unsafe cairo_curve_to(raw, control1.x, control1.y, control2.x, control2.y, end.x, end.y)
  }

  func closePath() { unsafe cairo_close_path(raw) }

  /// Makes `rect` the path.
  func setPath(_ rect: PixelRect) {
    beginPath()
    unsafe cairo_rectangle(raw, Double(rect.x), Double(rect.y), Double(rect.width), Double(rect.height))
  }

  /// The path, in the coordinates of the present transform.
  var path: Path {
    var path = Path()
    guard let copied = unsafe cairo_copy_path(raw) else { return path }
    defer { unsafe cairo_path_destroy(copied) }
    var (data, left) = unsafe (copied.pointee.data, copied.pointee.num_data)
    while let entry = unsafe data, left > 0 {
      func point(_ index: Int32) -> Point {
        unsafe Point(x: cockpit_path_x(entry, index), y: cockpit_path_y(entry, index))
      }
      switch unsafe UInt32(cockpit_path_type(entry)) {
      case CAIRO_PATH_MOVE_TO.rawValue: path.move(to: point(1))
      case CAIRO_PATH_LINE_TO.rawValue: path.line(to: point(1))
      case CAIRO_PATH_CURVE_TO.rawValue: path.curve(to: point(3), control1: point(1), control2: point(2))
      default: path.close()
      }
      let length = unsafe max(cockpit_path_length(entry), 1)
      unsafe data = unsafe entry + Int(length)
      left -= length
    }
    return path
  }

  // MARK: Drawing

  func setSource(_ color: Color) {
    unsafe cairo_set_source_rgba(
      raw, Color.clamped(color.red), Color.clamped(color.green), Color.clamped(color.blue), Color.clamped(color.alpha))
  }

  func setSource(_ pattern: Pattern) { unsafe cairo_set_source(raw, pattern.raw) }

  /// Sets the style of lines; `dash` is nil for solid ones.
  func setLine(
    width: Double, cap: StrokeStyle.Cap, join: StrokeStyle.Join, miterLimit: Double,
    dash: (lengths: [Double], offset: Double)?
  ) {
    unsafe cairo_set_line_width(raw, width)
    unsafe cairo_set_line_cap(
      raw, cap == .round ? CAIRO_LINE_CAP_ROUND : cap == .square ? CAIRO_LINE_CAP_SQUARE : CAIRO_LINE_CAP_BUTT)
    unsafe cairo_set_line_join(
      raw, join == .round ? CAIRO_LINE_JOIN_ROUND : join == .bevel ? CAIRO_LINE_JOIN_BEVEL : CAIRO_LINE_JOIN_MITER)
    unsafe cairo_set_miter_limit(raw, miterLimit)
    unsafe cairo_set_dash(raw, dash?.lengths ?? [], Int32(dash?.lengths.count ?? 0), dash?.offset ?? 0)
  }

  /// Fills the path, and removes it.
  func fill(_ rule: FillRule = .nonZero) {
    setRule(rule)
    unsafe cairo_fill(raw)
  }

  private func setRule(_ rule: FillRule) {
    unsafe cairo_set_fill_rule(raw, rule == .nonZero ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD)
  }

  /// Draws a line along the path, and removes it.
  func stroke() { unsafe cairo_stroke(raw) }

  /// Limits drawing to the inside of the path, and removes it.
  func clip(_ rule: FillRule = .nonZero) {
    setRule(rule)
    unsafe cairo_clip(raw)
  }

  /// Draws the source inside the clip, its opacity times `alpha`.
  func paint(alpha: Double = 1) { unsafe cairo_paint_with_alpha(raw, alpha) }

  /// Draws the source through the opacity of `pattern`.
  func mask(_ pattern: Pattern) { unsafe cairo_mask(raw, pattern.raw) }

  /// Draws the source through the opacity of `bitmap`, whose pixel (0, 0) is at (`x`, `y`).
  func mask(_ bitmap: Bitmap, x: Int, y: Int) { unsafe cairo_mask_surface(raw, bitmap.surface, Double(x), Double(y)) }
}

nonisolated extension Transform {
  /// The same map for cairo.
  var matrix: cairo_matrix_t { cairo_matrix_t(xx: a, yx: b, xy: c, yy: d, x0: tx, y0: ty) }
}
