internal import Glyphs

/// One line of text in the outlines that are built into the program, for `Font.builtInFamily`, and for every text that they cover where there
/// are no fonts.
struct OutlineLine: SetText {
  let size: Size
  let ink: Rect
  let baseline: Double
  private let line: GlyphLine

  /// The extent of a line above its baseline, and all of it, in sizes of the font.
  private static let (ascent, height) = (0.96, 1.2)

  /// Sets `text` on one line, of `width` points of `PangoText.setSize` at most. Nil if a character has no outline, or the line is longer.
  init?(_ text: String, _ font: Font, width: Double? = nil) {
    guard text.utf8.count <= 200, let line = GlyphLine(text, weight: font.weight.rawValue) else { return nil }
    let unit = PangoText.setSize
    guard line.advance * unit <= width ?? .infinity else { return nil }
    self.line = line
    size = Size(width: line.advance * unit, height: Self.height * unit)
    baseline = Self.ascent * unit
    ink =
      line.ink.map { (upper, lower) in
        Rect(
          x: upper.x * unit, y: (Self.ascent + upper.y) * unit, width: (lower.x - upper.x) * unit,
          height: (lower.y - upper.y) * unit)
      } ?? .zero
  }

  /// Sets as much of the beginning of `text` as `width` has room for. Nil if a character of `text` has no outline, or none fits.
  init?(beginningOf text: String, _ font: Font, width: Double?) {
    guard let whole = OutlineLine(text, font) else { return nil }
    self = whole
    guard let width, whole.size.width > width else { return }
    var part = Substring(text)
    repeat {
      part.removeLast()
      if part.isEmpty { return nil }
    } while (OutlineLine(String(part), font, width: width).map { self = $0 }) == nil
  }

  func addPath(to context: Context) {
    let unit = PangoText.setSize
    for polygon in line.polygons {
      for (index, corner) in polygon.enumerated() {
        let point = Point(x: corner.x * unit, y: baseline + corner.y * unit)
        if index == 0 { context.move(to: point) } else { context.line(to: point) }
      }
      context.closePath()
    }
  }
}
