/// A point of a glyph: to the right of the text's left end and below its baseline, in sizes of the font.
public struct GlyphPoint: Hashable, Sendable {
  public var x, y: Double

  public init(x: Double, y: Double) {
    (self.x, self.y) = (x, y)
  }
}

/// One line of text in outlines that are built into the program: it needs no font, and it is the same on every machine.
///
/// Every glyph is made of strokes of one thickness (`GlyphTable`), which become polygons here. Filled by the non-zero rule, polygons that
/// overlap are one shape.
public struct GlyphLine: Hashable, Sendable {
  /// The polygons, each closed.
  public private(set) var polygons: [[GlyphPoint]] = []
  /// The distance to where a following text would begin, in sizes of the font.
  public private(set) var advance = 0.0

  /// The height of a capital, in sizes of the font.
  public static let capitalHeight = 0.727
  /// The distance on each side of a glyph, in heights of a capital.
  private static let bearing = 0.098
  /// The width that every digit takes, in heights of a capital, so that numbers that change do not move.
  private static let digitWidth = 0.64
  /// How far Chinese characters reach above and below the capitals, in heights of a capital.
  private static let overshoot = 0.12

  /// Sets `text` with strokes of `weight`, on the scale of CSS (400 regular, 700 bold), limited to 300...800. A small letter without an outline of
  /// its own is replaced by its capital. Nil if a character has no outline.
  public init?(_ text: String, weight: Int) {
    for character in text.unicodeScalars {
      guard let glyph = Self.entry(character) else { return nil }
      add(glyph.entry, weight: weight, isChinese: glyph.isChinese, isDigit: ("0"..."9").contains(character))
    }
  }

  /// True if every character of `text` has an outline.
  public static func covers(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { entry($0) != nil } }

  /// The smallest box that holds the polygons: its upper left and lower right corners. Nil if there are none.
  public var ink: (upper: GlyphPoint, lower: GlyphPoint)? {
    guard var upper = polygons.first?.first else { return nil }
    var lower = upper
    for point in polygons.joined() {
      upper = GlyphPoint(x: min(upper.x, point.x), y: min(upper.y, point.y))
      lower = GlyphPoint(x: max(lower.x, point.x), y: max(lower.y, point.y))
    }
    return (upper, lower)
  }

  private static func entry(_ character: Unicode.Scalar) -> (entry: GlyphTable.Entry, isChinese: Bool)? {
    if let entry = GlyphTable.latin[character] { return (entry, false) }
    if let entry = GlyphTable.chinese[character] { return (entry, true) }
    guard ("a"..."z").contains(character), let capital = Unicode.Scalar(character.value - 0x20) else { return nil }
    return GlyphTable.latin[capital].map { ($0, false) }
  }

  private mutating func add(_ entry: GlyphTable.Entry, weight: Int, isChinese: Bool, isDigit: Bool) {
    let thickness = (0.115 + Double(min(max(weight, 300), 800) - 400) * 0.0002) * entry.weight
    let width = max(entry.width, thickness)
    let cell = isDigit ? Self.digitWidth : width
    let left = advance / Self.capitalHeight + Self.bearing + (cell - width) / 2
    let top = isChinese ? -1 - Self.overshoot : -1
    let height = isChinese ? 1 + 2 * Self.overshoot : 1
    for stroke in entry.strokes.split(separator: "|") {
      let shape = Stroke(stroke, width: width, height: height, thickness: thickness)
      for polygon in shape.polygons() {
        polygons.append(
          polygon.map { GlyphPoint(x: ($0.x + left) * Self.capitalHeight, y: ($0.y + top) * Self.capitalHeight) })
      }
    }
    advance += (cell + 2 * Self.bearing) * Self.capitalHeight
  }
}
