internal import CCairo
import Linux
internal import PangoLoader

/// A set of fonts. Opening it reads the system's font lists (some milliseconds), so that happens when the first text is
/// set, not before.
public final class FontLibrary {
  /// The fonts of every text that names no other library: those installed on the system, unless an application or a test
  /// assigns another library. Texts already set keep theirs.
  public static var shared = FontLibrary()

  /// The family of fonts that name none: names in order of preference.
  public let defaultFamily: String

  private let files: [String]?
  private lazy var opened: FontList? = open()
  private lazy var map: GObject? = makeMap()
  private lazy var leftToRight: GObject? = map.flatMap { makeContext($0, PANGO_DIRECTION_WEAK_LTR) }
  private lazy var rightToLeft: GObject? = map.flatMap { makeContext($0, PANGO_DIRECTION_WEAK_RTL) }
  /// The fonts of plain lines; nil for those that Pango must set.
  private var faces: [FaceKey: PlainFace?] = [:]
  // Preallocated, so that texts that are first shown during a drive allocate only themselves.
  private var cache = [TextKey: TextLayout](minimumCapacity: FontLibrary.cacheLimit)
  private var older = [TextKey: TextLayout](minimumCapacity: FontLibrary.cacheLimit)

  /// The number of cached texts before the least recently used are dropped.
  private static let cacheLimit = 256

  private struct TextKey: Hashable {
    let text: String
    let font: Font
  }

  private struct FaceKey: Hashable {
    let family: String?
    let weight: Font.Weight
    let isItalic: Bool
  }

  /// The system's fonts. The first caller reads the lists; others wait for that.
  nonisolated private static let system =
    unsafe FcInit() == 0 ? nil : FontList(config: FcConfigReference(nil), set: FcSetSystem)

  /// The fonts installed on the system; `defaultFamily` names families in order of preference.
  public init(defaultFamily: String = "Inter, DejaVu Sans, sans-serif") {
    self.defaultFamily = defaultFamily
    files = nil
  }

  /// Only the fonts in `files`, whatever is installed, as images in tests need. Files that cannot be read are left out; with
  /// none at all texts have sizes but are invisible.
  public init(files: [String], defaultFamily: String) {
    self.defaultFamily = defaultFamily
    self.files = files
  }

  /// True once the font lists were read.
  public private(set) var isOpen = false

  /// The number of fonts found. Reading it opens the library.
  public var fontCount: Int { opened?.count ?? 0 }

  /// Reads the system's font lists on another thread, so that they are ready when the first text is set; and everything else
  /// that texts such as `sample` need. Call it at the start of a program that shows text; it returns at once, and a second call
  /// costs nothing more.
  public func warmUp(for sample: String = "") {
    let needsPango = !sample.isEmpty && !PlainLine.isPlain(sample)
    let reads = files == nil && !isOpen
    guard reads || needsPango else { return }
    // Without a thread the first text waits, that is all.
    _ = startThread("fonts") {
      if reads { _ = Self.system }
      if needsPango { _ = cockpit_load_pango() }
    }
  }

  /// `text` set in `font` on one line, whatever line ends it has; cached, so that numbers that change are set once each.
  public func layout(_ text: String, font: Font) -> TextLayout {
    let key = TextKey(text: text, font: font)
    if let found = cache[key] { return found }
    let layout = older[key] ?? TextLayout(PangoText.joined(text), font: font, library: self)
    if cache.count >= Self.cacheLimit {
      swap(&older, &cache)
      cache.removeAll(keepingCapacity: true)
    }
    cache[key] = layout
    return layout
  }

  /// A new Pango layout, or nil if there are no fonts at all. `direction` is for texts whose characters have none.
  func makeLayout(_ direction: LayoutDirection = .leftToRight) -> GObject? {
    guard fontCount > 0, let context = direction == .leftToRight ? leftToRight : rightToLeft,
      let layout = unsafe pango_layout_new(OpaquePointer(context.pointer))
    else { return nil }
    return unsafe GObject(UnsafeMutableRawPointer(layout))
  }

  /// The font that sets plain lines in `font`; nil if Pango must.
  func plainFace(_ font: Font) -> PlainFace? {
    let key = FaceKey(family: font.family, weight: font.weight, isItalic: font.isItalic)
    if let known = faces[key] { return known }
    var face: PlainFace?
    if let opened, opened.count > 0, let options = unsafe Self.options {
      face = unsafe PlainFace(families(of: font), font, in: opened.config, options)
    }
    faces[key] = .some(face)
    return face
  }

  /// The names of the families for `font`, with commas between.
  func families(of font: Font) -> String { font.family.map { $0 + ", " + defaultFamily } ?? defaultFamily }

  private func open() -> FontList? {
    isOpen = true
    guard let files else { return Self.system }
    guard let config = unsafe FcConfigCreate() else { return nil }
    for file in files { _ = unsafe FcConfigAppFontAddFile(config, file) }
    return unsafe FontList(config: config, set: FcSetApplication)
  }

  /// Pango's font map; nil if Pango is not installed.
  private func makeMap() -> GObject? {
    guard let opened, cockpit_load_pango() != 0, let raw = unsafe pango_cairo_font_map_new() else { return nil }
    let map = unsafe GObject(UnsafeMutableRawPointer(raw))
    if files != nil { unsafe pango_fc_font_map_set_config(OpaquePointer(map.pointer), opened.config) }
    return map
  }

  /// Identical glyphs on every machine: no hinting, positions exact to a fraction of a pixel.
  private static let options: OpaquePointer? = {
    guard let options = unsafe cairo_font_options_create() else { return nil }
    unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    return unsafe options
  }()

  private func makeContext(_ map: GObject, _ direction: PangoDirection) -> GObject? {
    let fontMap = unsafe map.pointer.assumingMemoryBound(to: PangoFontMap.self)
    guard let context = unsafe pango_font_map_create_context(fontMap) else { return nil }
    if let options = unsafe Self.options { unsafe pango_cairo_context_set_font_options(context, options) }
    unsafe pango_cairo_context_set_resolution(context, 96)
    unsafe pango_context_set_round_glyph_positions(context, 0)
    unsafe pango_context_set_base_dir(context, direction)
    return unsafe GObject(UnsafeMutableRawPointer(context))
  }

}

/// Fonts known to fontconfig.
///
/// Fontconfig's own rules allow use on any thread; nothing here changes them.
@safe nonisolated private final class FontList: @unchecked Sendable {
  let config: OpaquePointer
  /// The number of fonts. Pango always lists a few families, fonts or not; only fontconfig knows how many fonts there are.
  let count: Int

  /// Takes over a reference to `config`, of which the fonts in `set` are used.
  init?(config: OpaquePointer?, set: FcSetName) {
    guard let config = unsafe config else { return nil }
    unsafe self.config = unsafe config
    count = unsafe Int(FcConfigGetFonts(config, set)?.pointee.nfont ?? 0)
  }

  deinit {
    unsafe FcConfigDestroy(config)
  }
}

/// A reference to a GLib object, released when dropped.
@safe nonisolated final class GObject: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  /// Takes over a reference.
  init(_ pointer: UnsafeMutableRawPointer) {
    unsafe self.pointer = unsafe pointer
  }

  deinit {
    unsafe g_object_unref(pointer)
  }
}
