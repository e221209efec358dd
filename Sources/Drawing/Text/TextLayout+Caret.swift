internal import CCairo

/// Glyph positions, for any text.
extension TextLayout {
  /// The area of the characters whose bytes of UTF-8 are `bytes`, in points from the layout's top left corner; nil if none of
  /// them is shown.
  package func area(ofUTF8 bytes: Range<Int>) -> Rect? {
    pangoText?.area(ofUTF8: bytes).map {
      Rect(x: $0.minX * ratio, y: $0.minY * ratio, width: $0.width * ratio, height: $0.height * ratio)
    }
  }

  /// The byte at which the character at `point` begins, in points from the layout's top left corner; nil beside the text.
  package func utf8Offset(at point: Point) -> Int? {
    pangoText?.utf8Offset(at: Point(x: point.x / ratio, y: point.y / ratio))
  }
}

/// For texts set on one line without limits. Positions in a text are counted in UTF-8 bytes from its start, as in
/// `String.UTF8View`. Other numbers are moved to the nearest position.
extension TextLayout {
  /// The distance of the caret from the layout's left edge, in points, when it is before the byte `offset`. Where two text
  /// directions meet, it is where a character of the text's own direction would be inserted.
  public func caretX(atUTF8 offset: Int) -> Double {
    guard let raw = unsafe raw else { return Double(text.utf8.prefix(max(offset, 0)).count) * font.size * 0.6 }
    var strong = PangoRectangle()
    unsafe pango_layout_get_cursor_pos(raw, Int32(clamped(offset)), &strong, nil)
    return points(strong.x)
  }

  /// The caret position nearest to `x` points from the layout's left edge, in the first line.
  public func utf8Offset(atX x: Double) -> Int {
    guard let raw = unsafe raw, x.isFinite else { return x.isFinite && x > 0 ? text.utf8.count : 0 }
    var (index, trailing): (Int32, Int32) = (0, 0)
    unsafe pango_layout_xy_to_index(
      raw, Int32(min(max(x / ratio, -1e6), 1e6) * Double(PANGO_SCALE)),
      Int32(baseline / 2 / ratio * Double(PANGO_SCALE)), &index, &trailing)
    return byte(Int(index), skipping: Int(trailing))
  }

  /// A direction of the caret on the screen.
  public enum VisualStep: Hashable, Sendable {
    /// One position to the left, whatever the direction of the text.
    case left
    /// One position to the right, whatever the direction of the text.
    case right
  }

  /// The caret's next visual position to one side of `offset`; nil at that end of the line.
  public func utf8Offset(from offset: Int, going step: VisualStep) -> Int? {
    guard let raw = unsafe raw else {
      let next = clamped(offset) + (step == .right ? 1 : -1)
      return (0...text.utf8.count).contains(next) ? next : nil
    }
    var (index, trailing): (Int32, Int32) = (0, 0)
    unsafe pango_layout_move_cursor_visually(
      raw, 1, Int32(clamped(offset)), 0, step == .right ? 1 : -1, &index, &trailing)
    guard index >= 0, index < Int32.max else { return nil }
    return byte(Int(index), skipping: Int(trailing))
  }

  /// The extents of the bytes from `start` up to `end`, from left to right in points from the layout's left edge; several parts
  /// if the text has mixed directions.
  public func selectionXs(fromUTF8 start: Int, to end: Int) -> [ClosedRange<Double>] {
    let (start, end) = (clamped(min(start, end)), clamped(max(start, end)))
    guard start < end else { return [] }
    guard let raw = unsafe raw, let line = unsafe pango_layout_get_line_readonly(raw, 0) else {
      return [caretX(atUTF8: start)...caretX(atUTF8: end)]
    }
    let xs = unsafe PangoText.xs(start..<end, of: line).map(points)
    return stride(from: 0, to: xs.count, by: 2).map { min(xs[$0], xs[$0 + 1])...max(xs[$0], xs[$0 + 1]) }
  }

  private var raw: OpaquePointer? { unsafe pangoText?.raw }

  private func points(_ value: Int32) -> Double { Double(value) / Double(PANGO_SCALE) * ratio }

  /// `offset` within the part of the text that was set.
  private func clamped(_ offset: Int) -> Int {
    let count = unsafe raw.map { unsafe strlen(pango_layout_get_text($0)) } ?? text.utf8.count
    return min(max(offset, 0), min(count, text.utf8.count))
  }

  /// The byte `count` characters (of Pango's, which are Unicode scalars) after the byte `index`.
  private func byte(_ index: Int, skipping count: Int) -> Int {
    let scalars = text.unicodeScalars
    guard count > 0, let start = text.utf8.index(text.startIndex, offsetBy: index, limitedBy: text.endIndex),
      let end = scalars.index(start, offsetBy: count, limitedBy: text.endIndex)
    else { return clamped(count > 0 ? text.utf8.count : index) }
    return text.utf8.distance(from: text.startIndex, to: end)
  }
}
