/// A text set in a font, to be measured and drawn any number of times. Characters that the font lacks come from other fonts of
/// the library; glyphs with their own colours, such as emoji, keep them. A text is cut off after 20,000 characters.
public final class TextLayout {
  /// The text as it was given.
  public let text: String
  /// The requested font.
  public let font: Font
  /// The extent of the lines in logical points, independent of their glyphs.
  public let size: Size
  /// The area that glyphs actually cover, in logical points from the top left corner of `size`; may extend beyond it.
  public let inkBounds: Rect
  /// The first line's baseline in logical points below the top.
  public let baseline: Double

  /// The number of lines.
  public let lineCount: Int
  /// True if the text did not fit into its limits: an ellipsis replaces a part of it, or lines were left out.
  public let isTruncated: Bool

  /// The number of characters that no font of the library contains; boxes replace them.
  public let missingLetterCount: Int
  /// Whether a font with its own colours is used.
  let hasColor: Bool
  /// The set text; nil without fonts, for texts that the built-in outlines lack.
  private let set: (any SetText)?
  private weak var library: FontLibrary?
  /// The text set by Pango, which provides caret positions; nil without fonts.
  private(set) lazy var pangoText = set as? PangoText ?? library.flatMap { PangoText(text, font, $0) }
  /// The point at which the text looks centred, in points from the top left corner. For a single line: the horizontal middle of
  /// its glyphs, at half the height of capitals above the baseline, since descenders are rare in titles and digits have none.
  /// For several lines, the middle of all.
  public private(set) lazy var opticalMiddle: Point = {
    let middle = Point(x: size.width / 2, y: size.height / 2)
    guard lineCount == 1, !inkBounds.isEmpty, let capital = text == "H" ? self : library?.layout("H", font: font),
      !capital.inkBounds.isEmpty
    else { return middle }
    return Point(x: inkBounds.midX, y: baseline - (capital.baseline - capital.inkBounds.midY))
  }()
  /// The requested points per point of Pango's text.
  let ratio: Double
  /// The glyphs' pixels, for the last few factors and positions within a pixel.
  private var bitmaps: [TextBitmap] = []

  /// Sets `text` in `font`; lines end only at line breaks in the text.
  public convenience init(_ text: String, font: Font, library: FontLibrary = .shared) {
    self.init(text, font, Self.set(text, font, library), library)
  }

  /// Sets `text` in `font` within `limits`.
  public convenience init(_ text: String, font: Font, limits: TextLimits, library: FontLibrary = .shared) {
    var inner = limits
    inner.width = limits.width.map { $0 / (font.size / PangoText.setSize) }
    let set = Self.set(text, font, limits: inner, library)
    self.init(text, font, set, library, mostWidth: limits.width)
  }

  /// `text`, set by what sets it with the least work. Without fonts the built-in outlines are better than nothing.
  private static func set(_ text: String, _ font: Font, _ library: FontLibrary) -> (any SetText)? {
    if font.isBuiltIn, let line = OutlineLine(text, font) { return line }
    return PlainLine(text, font, library) ?? PangoText(text, font, library) ?? OutlineLine(text, font)
  }

  private static func set(
    _ text: String, _ font: Font, limits: TextLimits, _ library: FontLibrary
  ) -> (any SetText)? {
    if font.isBuiltIn, let line = OutlineLine(text, font, width: limits.width) { return line }
    return PlainLine(text, font, limits: limits, library) ?? PangoText(text, font, limits, library)
      ?? OutlineLine(beginningOf: text, font, width: limits.width)
  }

  /// A layout of `set` at its own size, to compare text engines.
  convenience init(set: any SetText, _ library: FontLibrary) {
    self.init("", Font(size: PangoText.setSize), set, library)
  }

  private init(
    _ text: String, _ font: Font, _ set: (any SetText)?, _ library: FontLibrary, mostWidth: Double? = nil
  ) {
    let ratio = font.size / PangoText.setSize
    (self.text, self.font, self.ratio, self.set, self.library) = (text, font, ratio, set, library)
    let pango = set as? PangoText
    lineCount = pango?.lineCount ?? 1
    isTruncated = pango?.isTruncated ?? false
    missingLetterCount = pango?.missingCount ?? 0
    hasColor = pango?.hasColor ?? false
    guard let set else {
      // Without fonts: about as much space as glyphs would take, so that layouts look sane.
      let width = min(Double(text.count) * font.size * 0.6, mostWidth ?? .infinity)
      (size, inkBounds, baseline) = (Size(width: width, height: font.size * 1.2), .zero, font.size)
      return
    }
    size = Size(width: set.size.width * ratio, height: set.size.height * ratio)
    let ink = set.ink
    inkBounds = Rect(x: ink.minX * ratio, y: ink.minY * ratio, width: ink.width * ratio, height: ink.height * ratio)
    baseline = set.baseline * ratio
  }

  /// The glyph outlines in logical points from the top left corner.
  public private(set) lazy var outline = makeOutline()

  private func makeOutline() -> Path {
    guard let set, let bitmap = Bitmap(size: PixelSize(width: 1, height: 1), format: .mask),
      let context = Context(bitmap)
    else { return Path() }
    // Cairo keeps paths in 256ths of its pixels: 16 pixels to the point keep curves exact at every scale.
    context.save()
    context.concatenate(.scale(x: 16 * ratio, y: 16 * ratio))
    set.addPath(to: context)
    context.restore()
    context.concatenate(.scale(x: 16, y: 16))
    return context.path
  }

  /// The glyphs at `factor` pixels per point, the text's left edge `phaseX` quarters of a pixel into pixel 0 and its first
  /// baseline on the bottom edge of pixel -1. They are fractions, or with `color` in their own colours, those without one in
  /// that. Nil if nothing is visible, or the text is too large.
  func bitmap(factor: Double, phaseX: Int, color: Color? = nil) -> TextBitmap? {
    if let made = bitmaps.first(where: { $0.factor == factor && $0.phaseX == phaseX && $0.color == color }) {
      return made
    }
    guard let set, !inkBounds.isEmpty else { return nil }
    let transform = Transform(
      a: factor, b: 0, c: 0, d: factor, tx: Double(phaseX) / 4, ty: -baseline * factor)
    let box = Scale.one.pixelRect(covering: transform.apply(inkBounds).insetBy(dx: -1.5, dy: -1.5))
    let size = PixelSize(width: box.width, height: box.height)
    guard let bitmap = Bitmap(size: size, format: color == nil ? .mask : .color), let context = Context(bitmap) else {
      return nil
    }
    context.concatenate(.translation(x: transform.tx - Double(box.x), y: transform.ty - Double(box.y)))
    context.concatenate(.scale(x: factor * ratio, y: factor * ratio))
    if let color {
      context.setSource(color)
      pangoText?.show(on: context)
    } else {
      // As outlines, because glyph images would all begin on whole pixels, with uneven spacing.
      set.addPath(to: context)
      context.fill()
    }
    bitmap.flush()
    let made = TextBitmap(factor: factor, phaseX: phaseX, color: color, bitmap: bitmap, rect: box)
    // A text is visible at one scale at a time, hardly ever at more than four positions within a pixel.
    if bitmaps.count >= 4 { bitmaps.removeFirst() }
    bitmaps.append(made)
    return made
  }
}

struct TextBitmap {
  let factor: Double
  let phaseX: Int
  /// The colour of glyphs without their own; nil if the pixels are fractions, for any colour.
  let color: Color?
  let bitmap: Bitmap
  /// The bitmap's frame, from the left edge of the text and its first baseline.
  let rect: PixelRect
}
