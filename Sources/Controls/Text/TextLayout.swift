// Owns a text set in a font: its size, its outline, and its pixels' shares.
// Must not know views or where the text goes.

internal import CCairo

/// A text set in a font, ready to be measured and drawn any number of times. Letters that the font lacks come from other
/// fonts of the library; colours within a font are not used.
public final class TextLayout {
  /// How lines stand in the width.
  public enum Alignment: Hashable, Sendable {
    /// At the left, or at the right for texts written from right to left.
    case leading
    /// In the middle.
    case center
    /// At the right, or at the left for texts written from right to left.
    case trailing
  }

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

  /// The size that Pango sets every text in, in points. Sizes are got by scaling, which hinting being off allows: so all
  /// sizes of a font are one font to Pango, which else looks for fallback fonts anew for each.
  private static let setSize = 64.0

  private let layout: GObject?
  /// Points asked for per point of what Pango set.
  private let ratio: Double
  private var madeOutline: Path?
  private var masks: [(factor: Double, phaseX: Int, mask: TextMask)] = []

  /// Sets `text` in `font`; lines break at `width` points (nil: only where the text says so).
  public init(
    _ text: String, font: Font, width: Double? = nil, alignment: Alignment = .leading,
    library: FontLibrary = .shared
  ) {
    self.text = text
    self.font = font
    let ratio = font.size / Self.setSize
    self.ratio = ratio
    layout = library.makeLayout()
    guard let layout else {
      // Without fonts: as much room as letters would take, so that layouts look sane.
      size = Size(width: Double(text.count) * font.size * 0.6, height: font.size * 1.2)
      inkBounds = .zero
      baseline = font.size
      return
    }
    let raw = OpaquePointer(layout.pointer)
    Self.configure(raw, text, font, library.defaultFamily)
    if let width, width.isFinite {
      pango_layout_set_width(raw, Int32(min(max(width, 0) / ratio, 2_000_000) * Double(PANGO_SCALE)))
      pango_layout_set_wrap(raw, PANGO_WRAP_WORD_CHAR)
    }
    switch alignment {
    case .leading: pango_layout_set_alignment(raw, PANGO_ALIGN_LEFT)
    case .center: pango_layout_set_alignment(raw, PANGO_ALIGN_CENTER)
    case .trailing: pango_layout_set_alignment(raw, PANGO_ALIGN_RIGHT)
    }
    var ink = PangoRectangle()
    var logical = PangoRectangle()
    pango_layout_get_extents(raw, &ink, &logical)
    func points(_ value: Int32) -> Double { Double(value) / Double(PANGO_SCALE) * ratio }
    size = Size(width: points(logical.width), height: points(logical.height))
    inkBounds = Rect(x: points(ink.x), y: points(ink.y), width: points(ink.width), height: points(ink.height))
    baseline = points(pango_layout_get_baseline(raw))
  }

  private static func configure(_ layout: OpaquePointer, _ text: String, _ font: Font, _ defaultFamily: String) {
    if let description = pango_font_description_new() {
      pango_font_description_set_family(description, font.family.map { $0 + ", " + defaultFamily } ?? defaultFamily)
      pango_font_description_set_absolute_size(description, setSize * Double(PANGO_SCALE))
      pango_font_description_set_weight(description, PangoWeight(UInt32(min(max(font.weight.rawValue, 100), 1000))))
      if font.isItalic { pango_font_description_set_style(description, PANGO_STYLE_ITALIC) }
      pango_layout_set_font_description(layout, description)
      pango_font_description_free(description)
    }
    if font.hasTabularDigits, let attributes = pango_attr_list_new() {
      pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"))
      pango_layout_set_attributes(layout, attributes)
      pango_attr_list_unref(attributes)
    }
    // A zero byte would end the text early; Pango gets the length.
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { pango_layout_set_text(layout, $0.baseAddress, Int32($0.count)) }
    }
  }

  /// The letters' outline in logical points from the top left corner.
  public var outline: Path {
    if let madeOutline { return madeOutline }
    let path = makeOutline()
    madeOutline = path
    return path
  }

  private func makeOutline() -> Path {
    guard let layout, let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1) else { return Path() }
    defer { cairo_surface_destroy(surface) }
    guard let cairo = cairo_create(surface) else { return Path() }
    defer { cairo_destroy(cairo) }
    // Cairo keeps paths in 256ths of its pixels: 16 pixels to the point keep curves exact at every scale.
    cairo_scale(cairo, 16 * ratio, 16 * ratio)
    pango_cairo_layout_path(cairo, OpaquePointer(layout.pointer))
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
  /// baseline on the bottom edge of pixel -1. Nil where nothing is seen, or the text is too large for it.
  func mask(factor: Double, phaseX: Int) -> TextMask? {
    if let made = masks.first(where: { $0.factor == factor && $0.phaseX == phaseX }) { return made.mask }
    guard let layout, !inkBounds.isEmpty else { return nil }
    let transform = Transform(
      a: factor, b: 0, c: 0, d: factor, tx: Double(phaseX) / 4, ty: -baseline * factor)
    let box = Scale.one.pixelRect(covering: transform.apply(inkBounds).insetBy(dx: -1.5, dy: -1.5))
    let size = PixelSize(width: box.width, height: box.height)
    guard let bitmap = Bitmap(size: size, format: .mask), let context = Context(bitmap) else { return nil }
    cairo_translate(context.raw, transform.tx - Double(box.x), transform.ty - Double(box.y))
    cairo_scale(context.raw, factor * ratio, factor * ratio)
    // As outlines: pictures of glyphs would all begin on whole pixels, and letters stand unevenly.
    pango_cairo_layout_path(context.raw, OpaquePointer(layout.pointer))
    cairo_fill(context.raw)
    cairo_surface_flush(bitmap.surface)
    let mask = TextMask(bitmap: bitmap, rect: box)
    // A text is seen at one scale at a time, hardly ever at more than four places within a pixel.
    if masks.count >= 4 { masks.removeFirst() }
    masks.append((factor, phaseX, mask))
    return mask
  }
}

/// A text's letters as shares of pixels.
struct TextMask {
  let bitmap: Bitmap
  /// Where the bitmap lies, from the left edge of the text and its first baseline.
  let rect: PixelRect
}
