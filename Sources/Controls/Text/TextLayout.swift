internal import CCairo

/// A text set in a font, ready to be measured and drawn any number of times. Letters that the font lacks come from other
/// fonts of the library; those with colours of their own, such as emoji, keep them. A text of more than 20,000 characters is
/// cut off there.
public final class TextLayout {
  /// The text as it was given.
  public let text: String
  /// The font asked for.
  public let font: Font
  /// The extent in logical points that lines take up, whatever letters are in them.
  public let size: Size
  /// What letters really cover, in logical points from the top left corner of `size`; may reach beyond it.
  public let inkBounds: Rect
  /// The first line's baseline in logical points below the top.
  public let baseline: Double

  /// How many lines there are.
  public let lineCount: Int
  /// True where the text did not fit into its limits: dots stand for a part of it, or lines were left out.
  public let isTruncated: Bool

  /// The number of letters that no font of the library has; boxes stand for them.
  public let missingLetterCount: Int
  /// Whether a font with colours of its own is used.
  let hasColor: Bool
  /// The set text; nil without fonts.
  private let set: (any SetText)?
  private weak var library: FontLibrary?
  /// The text as Pango sets it, which knows a caret's places; nil without fonts.
  private(set) lazy var pangoText = set as? PangoText ?? library.flatMap { PangoText(text, font, width: nil, $0) }
  /// The point at which the text looks centred, in points from the top left corner. Of a single line: the middle of what its letters
  /// cover, and half the height of capitals above the baseline, since descenders are rare in titles and digits have none. Of several
  /// lines, the middle of all.
  public private(set) lazy var opticalMiddle: Point = {
    let middle = Point(x: size.width / 2, y: size.height / 2)
    guard lineCount == 1, !inkBounds.isEmpty, let capital = text == "H" ? self : library?.layout("H", font: font),
      !capital.inkBounds.isEmpty
    else { return middle }
    return Point(x: inkBounds.midX, y: baseline - (capital.baseline - capital.inkBounds.midY))
  }()
  /// Points asked for per point of what Pango set.
  let ratio: Double
  private var madeOutline: Path?
  /// The letters' pixels, for the last few factors and places within a pixel.
  private var bitmaps: [TextBitmap] = []

  /// Sets `text` in `font`; lines break at `width` points (nil: only where the text says so).
  public convenience init(
    _ text: String, font: Font, width: Double? = nil, library: FontLibrary = .shared
  ) {
    let inner = width.map { $0 / (font.size / PangoText.setSize) }
    let plain = PlainLine(text, font, width: inner, library)
    self.init(text, font, plain ?? PangoText(text, font, width: inner, library), library)
  }

  /// Sets `text` in `font` within `limits`.
  public convenience init(_ text: String, font: Font, limits: TextLimits, library: FontLibrary = .shared) {
    var inner = limits
    inner.width = limits.width.map { $0 / (font.size / PangoText.setSize) }
    let plain = PlainLine(text, font, limits: inner, library)
    self.init(text, font, plain ?? PangoText(text, font, inner, library), library, mostWidth: limits.width)
  }

  /// A layout of `set` at its own size, to compare what sets texts.
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
      // Without fonts: as much room as letters would take, so that layouts look sane.
      let width = min(Double(text.count) * font.size * 0.6, mostWidth ?? .infinity)
      (size, inkBounds, baseline) = (Size(width: width, height: font.size * 1.2), .zero, font.size)
      return
    }
    size = Size(width: set.size.width * ratio, height: set.size.height * ratio)
    let ink = set.ink
    inkBounds = Rect(x: ink.minX * ratio, y: ink.minY * ratio, width: ink.width * ratio, height: ink.height * ratio)
    baseline = set.baseline * ratio
  }

  /// The letters' outline in logical points from the top left corner.
  public var outline: Path {
    if let madeOutline { return madeOutline }
    let path = makeOutline()
    madeOutline = path
    return path
  }

  private func makeOutline() -> Path {
    guard let set, let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1) else { return Path() }
    defer { cairo_surface_destroy(surface) }
    guard let cairo = cairo_create(surface) else { return Path() }
    defer { cairo_destroy(cairo) }
    // Cairo keeps paths in 256ths of its pixels: 16 pixels to the point keep curves exact at every scale.
    cairo_scale(cairo, 16 * ratio, 16 * ratio)
    set.addPath(to: cairo)
    cairo_identity_matrix(cairo)
    cairo_scale(cairo, 16, 16)
    guard let copied = cairo_copy_path(cairo) else { return Path() }
    defer { cairo_path_destroy(copied) }
    var path = Path()
    var data = copied.pointee.data
    var left = copied.pointee.num_data
    while let entry = data, left > 0 {
      func point(_ index: Int32) -> Point { Point(x: cockpit_path_x(entry, index), y: cockpit_path_y(entry, index)) }
      switch UInt32(cockpit_path_type(entry)) {
      case CAIRO_PATH_MOVE_TO.rawValue: path.move(to: point(1))
      case CAIRO_PATH_LINE_TO.rawValue: path.line(to: point(1))
      case CAIRO_PATH_CURVE_TO.rawValue: path.curve(to: point(3), control1: point(1), control2: point(2))
      default: path.close()
      }
      let length = max(cockpit_path_length(entry), 1)
      data = entry + Int(length)
      left -= length
    }
    return path
  }

  /// The letters at `factor` pixels per point, the text's left edge `phaseX` quarters of a pixel into pixel 0 and its first
  /// baseline on the bottom edge of pixel -1: as fractions, or with `color` in their own colours and those that have none in that.
  /// Nil where nothing is seen, or the text is too large for it.
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
    cairo_translate(context.raw, transform.tx - Double(box.x), transform.ty - Double(box.y))
    cairo_scale(context.raw, factor * ratio, factor * ratio)
    if let color {
      cairo_set_source_rgba(
        context.raw, Color.clamped(color.red), Color.clamped(color.green), Color.clamped(color.blue),
        Color.clamped(color.alpha))
      pangoText?.show(on: context.raw)
    } else {
      // As outlines: pictures of glyphs would all begin on whole pixels, and letters stand unevenly.
      set.addPath(to: context.raw)
      cairo_fill(context.raw)
    }
    cairo_surface_flush(bitmap.surface)
    let made = TextBitmap(factor: factor, phaseX: phaseX, color: color, bitmap: bitmap, rect: box)
    // A text is seen at one scale at a time, hardly ever at more than four places within a pixel.
    if bitmaps.count >= 4 { bitmaps.removeFirst() }
    bitmaps.append(made)
    return made
  }
}

/// A text's letters as pixels.
struct TextBitmap {
  let factor: Double
  let phaseX: Int
  /// The colour of letters that have none of their own; nil where the pixels are fractions, for any colour.
  let color: Color?
  let bitmap: Bitmap
  /// Where the bitmap lies, from the left edge of the text and its first baseline.
  let rect: PixelRect
}
