internal import CCairo

/// A set of fonts. Opening it reads the system's font lists (some milliseconds), so that happens when the first text is
/// set, not before.
public final class FontLibrary {
  /// The fonts of every text that names no other library: those installed on the system, unless an application or a test
  /// puts another library here. Texts already set keep theirs.
  public static var shared = FontLibrary()

  /// The family of fonts that name none: names in order of preference.
  public let defaultFamily: String

  private let files: [String]?
  private var map: GObject?
  private lazy var opened: (map: GObject, context: GObject, count: Int)? = open()
  private lazy var rightToLeft: GObject? = opened.flatMap { Self.makeContext($0.map, PANGO_DIRECTION_WEAK_RTL) }
  private var cache: [TextKey: TextLayout] = [:]
  private var older: [TextKey: TextLayout] = [:]

  /// How many texts are kept set before those unused since as many others are dropped.
  private static let cacheLimit = 256

  private struct TextKey: Hashable {
    let text: String
    let font: Font
  }

  /// The fonts installed on the system; `defaultFamily` names families in order of preference.
  public init(defaultFamily: String = "Inter, DejaVu Sans, sans-serif") {
    self.defaultFamily = defaultFamily
    files = nil
  }

  /// The fonts in `files` and no others, whatever is installed: what pictures in tests need. Files that cannot be read
  /// are left out; with none at all texts have sizes but are not seen.
  public init(files: [String], defaultFamily: String) {
    self.defaultFamily = defaultFamily
    self.files = files
  }

  /// True once the font lists were read.
  public private(set) var isOpen = false

  /// The number of fonts found; asking opens the library.
  public var fontCount: Int { opened?.count ?? 0 }

  /// Has the system's font lists read on another thread from now on, so that they are there when the first text is set.
  /// Call it at the start of a program that shows text; it takes no time itself, and twice does nothing.
  public func warmUp() {
    // Pango reads them on a thread of its own as soon as there is a font map (pango 1.50), and waits only when asked.
    if map == nil, !isOpen { map = makeMap() }
  }

  private func makeMap() -> GObject? {
    pango_cairo_font_map_new().map { GObject(UnsafeMutableRawPointer($0)) }
  }

  /// `text` set in `font` on one line; kept for the next time, so that numbers that change are set once each.
  public func layout(_ text: String, font: Font) -> TextLayout {
    let key = TextKey(text: text, font: font)
    if let found = cache[key] { return found }
    let layout = older[key] ?? TextLayout(text, font: font, library: self)
    if cache.count >= Self.cacheLimit {
      swap(&older, &cache)
      cache.removeAll(keepingCapacity: true)
    }
    cache[key] = layout
    return layout
  }

  /// A new Pango layout, or nil when there are no fonts at all. `direction` is that of texts whose letters have none.
  func makeLayout(_ direction: LayoutDirection = .leftToRight) -> GObject? {
    guard let opened, opened.count > 0,
      let context = direction == .leftToRight ? opened.context : rightToLeft,
      let layout = pango_layout_new(OpaquePointer(context.pointer))
    else { return nil }
    return GObject(UnsafeMutableRawPointer(layout))
  }

  private func open() -> (map: GObject, context: GObject, count: Int)? {
    isOpen = true
    guard let map = map ?? makeMap() else { return nil }
    self.map = map
    // Pango itself always lists a few families, fonts or not; only fontconfig knows how many fonts there are.
    var count = 0
    if let files {
      guard let config = FcConfigCreate() else { return nil }
      for file in files { _ = FcConfigAppFontAddFile(config, file) }
      pango_fc_font_map_set_config(OpaquePointer(map.pointer), config)
      count = Int(FcConfigGetFonts(config, FcSetApplication)?.pointee.nfont ?? 0)
      FcConfigDestroy(config)
    } else {
      // Asked by way of the map, which waits for its thread: asking fontconfig itself would read everything again.
      let config = pango_fc_font_map_get_config(OpaquePointer(map.pointer))
      count = Int(FcConfigGetFonts(config, FcSetSystem)?.pointee.nfont ?? 0)
    }
    guard let context = Self.makeContext(map, PANGO_DIRECTION_WEAK_LTR) else { return nil }
    return (map, context, count)
  }

  private static func makeContext(_ map: GObject, _ direction: PangoDirection) -> GObject? {
    let fontMap = map.pointer.assumingMemoryBound(to: PangoFontMap.self)
    guard let context = pango_font_map_create_context(fontMap) else { return nil }
    // The same letters on every machine: no hinting, places exact to a fraction of a pixel.
    if let options = cairo_font_options_create() {
      cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
      cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
      cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
      pango_cairo_context_set_font_options(context, options)
      cairo_font_options_destroy(options)
    }
    pango_cairo_context_set_resolution(context, 96)
    pango_context_set_round_glyph_positions(context, 0)
    pango_context_set_base_dir(context, direction)
    return GObject(UnsafeMutableRawPointer(context))
  }
}

/// A reference to an object of GLib's, given back when dropped.
nonisolated final class GObject: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  /// Takes over a reference.
  init(_ pointer: UnsafeMutableRawPointer) {
    self.pointer = pointer
  }

  deinit {
    g_object_unref(pointer)
  }
}
