/// The layout of a line of text in a field, in points of the field.
nonisolated struct TextFieldGeometry: Hashable, Sendable {
  static let caretWidth = 2.0

  let area: Rect
  let textWidth: Double
  /// The alignment of a text that fits: 0 at the left, 0.5 in the middle, 1 at the right.
  let fraction: Double

  /// The layout in a field of `size` whose text has `padding` on both sides, and further room for other things on the `left` and the
  /// `right`.
  init(size: Size, textWidth: Double, fraction: Double, padding: Double = 10, left: Double = 0, right: Double = 0) {
    let width = max(size.width - left - right, 0)
    let side = min(padding, max((width - 4 * Self.caretWidth) / 2, 0))
    area = Rect(x: left + side, y: 0, width: max(width - 2 * side, 0), height: size.height)
    self.textWidth = max(textWidth, 0)
    self.fraction = fraction.clamped(to: 0...1)
  }

  /// The maximum scroll offset of a text: 0 if it fits, including the caret at its end.
  var greatestScroll: Double { max(textWidth + Self.caretWidth - area.width, 0) }

  /// The text's left edge when it is scrolled by `scroll` points.
  func textX(scroll: Double) -> Double {
    greatestScroll > 0 ? area.minX - limited(scroll) : area.minX + (area.width - Self.caretWidth - textWidth) * fraction
  }

  /// `scroll` changed as little as shows the caret at `caretX` points from the text's left edge.
  func scroll(_ scroll: Double, showing caretX: Double) -> Double {
    var new = limited(scroll)
    new = min(new, caretX)
    new = max(new, caretX + Self.caretWidth - area.width)
    return limited(new)
  }

  private func limited(_ scroll: Double) -> Double { min(max(scroll, 0), greatestScroll) }
}
