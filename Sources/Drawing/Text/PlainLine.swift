internal import CCairo
import Glibc

/// A text that `TextLayout` can measure and draw; all lengths are in points of `PangoText.setSize`.
protocol SetText {
  /// The extent of the lines.
  var size: Size { get }
  /// The rectangle that glyphs cover.
  var ink: Rect { get }
  /// The first line's baseline below the top.
  var baseline: Double { get }
  /// Adds the glyph outlines to cairo's path, the text's top left corner at the origin.
  func addPath(to context: Context)
}

/// One line of Latin letters, digits and common symbols, set by HarfBuzz in one font, with the same glyphs and positions as
/// `PangoText`.
///
/// Two ways to set a text are worth it at the start: Pango loads 12 libraries and sets its first text after 4 ms. With Pango
/// for other texts only, a start took 20.2 instead of 23.9 ms, of which about 0.7 ms are due to a library that was linked in at
/// the same time; that leaves 12 % of a start (docs/notes/performance.md).
///
/// Whole numbers are Pango's units, 1024 per point, to which Pango rounds.
struct PlainLine: SetText {
  /// Longer texts go to Pango.
  private static let mostBytes = 200
  private static let unitsPerPoint = 1024.0

  let size: Size
  private(set) var ink = Rect.zero
  let baseline: Double
  private let face: PlainFace
  private var glyphs: [cairo_glyph_t] = []
  /// Whether the text has limits; without limits the path ends without a current point, as Pango's does.
  private let isLimited: Bool

  /// Sets `text` on one line. Nil for texts that are not plain, that the font does not cover or that exceed `limits`, whose
  /// width is in points of the set size: Pango sets these.
  init?(_ text: String, _ font: Font, limits: TextLimits? = nil, _ library: FontLibrary) {
    // Pango asks the locale for its language, which chooses among a font's glyph variants.
    guard let script = Self.script(of: text), limits?.direction != .rightToLeft, Self.isLanguageNeutral,
      let face = library.plainFace(font), face.covers(text), let shaped = unsafe hb_buffer_create()
    else { return nil }
    defer { unsafe hb_buffer_destroy(shaped) }
    unsafe face.shape(text, script, hasTabularDigits: font.hasTabularDigits, in: shaped)
    var count: UInt32 = 0
    guard let infos = unsafe hb_buffer_get_glyph_infos(shaped, &count),
      let places = unsafe hb_buffer_get_glyph_positions(shaped, &count)
    else { return nil }
    var x = 0
    var inkBox = PixelRect.zero
    glyphs.reserveCapacity(Int(count))
    isLimited = limits != nil
    baseline = Double(face.ascent) / Self.unitsPerPoint
    for index in 0..<Int(count) {
      let (glyph, place) = unsafe (infos[index].codepoint, places[index])
      guard place.y_offset == 0, glyph != PlainFace.emptyGlyph else { return nil }
      let left = x + Int(place.x_offset)
      glyphs.append(cairo_glyph_t(index: UInt(glyph), x: Double(left) / Self.unitsPerPoint, y: baseline))
      inkBox = inkBox.union(face.ink(of: glyph).moved(x: left, y: face.ascent))
      x += Int(place.x_advance)
    }
    size = Size(width: Double(x) / Self.unitsPerPoint, height: Double(face.height) / Self.unitsPerPoint)
    self.face = face
    if let limits, size.width > limits.width ?? .infinity, limits.lineCount != 1 || limits.truncation != .clip {
      return nil
    }
    func points(_ value: Int) -> Double { Double(value) / Self.unitsPerPoint }
    ink = Rect(x: points(inkBox.x), y: points(inkBox.y), width: points(inkBox.width), height: points(inkBox.height))
  }

  func addPath(to context: Context) {
    unsafe cairo_set_scaled_font(context.raw, face.scaled)
    unsafe cairo_glyph_path(context.raw, glyphs, Int32(glyphs.count))
    if isLimited { unsafe cairo_move_to(context.raw, 0, baseline) } else { unsafe cairo_new_sub_path(context.raw) }
  }

  /// Whether a line of `text` needs no more than this.
  static func isPlain(_ text: String) -> Bool { script(of: text) != nil }

  /// The script of a plain text; nil if the text is not plain.
  private static func script(of text: String) -> hb_script_t? {
    guard !text.isEmpty, text.utf8.count <= mostBytes else { return nil }
    var hasLetters = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      // Basic Latin, Latin-1 without the soft hyphen and the signs that may be emoji, Latin Extended-A.
      case 0x41...0x5a, 0x61...0x7a, 0xaa, 0xba, 0xc0...0xd6, 0xd8...0xf6, 0xf8...0x17f: hasLetters = true
      case 0x20...0x7e, 0xa1...0xa8, 0xab, 0xac, 0xaf...0xbf, 0xd7, 0xf7: break
      // Dashes, quotation marks, ellipsis; arrows, minus, infinity.
      case 0x2013, 0x2014, 0x2018...0x201e, 0x2026, 0x2190...0x2193, 0x2212, 0x221e: break
      default: return nil
      }
    }
    return hasLetters ? HB_SCRIPT_LATIN : HB_SCRIPT_COMMON
  }

  private static var isLanguageNeutral: Bool {
    guard let name = unsafe setlocale(LC_CTYPE, nil) else { return true }
    return unsafe strcmp(name, "C") == 0
  }
}

// The actor is written out: without it the compiler refuses the `isolated deinit` in an optimised build of another module.

/// A font file that sets plain lines: for HarfBuzz and for cairo, in `PangoText.setSize`.
@safe @MainActor final class PlainFace {
  /// Pango's number for an invisible glyph.
  static let emptyGlyph: UInt32 = 0x0fff_ffff

  /// The font as cairo draws it.
  let scaled: OpaquePointer
  /// The extent of a line in Pango's units: above the baseline, and all of it.
  let ascent, height: Int
  private let shaper: OpaquePointer
  private let letters: OpaquePointer

  /// The first match of fontconfig for `families`, separated by commas. Nil if Pango would do more than scale it: variable
  /// fonts, colours, synthetic slants and weights.
  init?(_ families: String, _ font: Font, in fonts: OpaquePointer, _ options: OpaquePointer) {
    guard let wanted = unsafe Self.pattern(families, font) else { return nil }
    defer { unsafe FcPatternDestroy(wanted) }
    unsafe FcConfigSubstitute(fonts, wanted, FcMatchPattern)
    unsafe cairo_ft_font_options_substitute(options, wanted)
    unsafe FcDefaultSubstitute(wanted)
    var result = FcResultMatch
    guard let found = unsafe FcFontMatch(fonts, wanted, &result) else { return nil }
    defer { unsafe FcPatternDestroy(found) }
    var (file, index, pixels): (UnsafeMutablePointer<FcChar8>?, Int32, Double) = (nil, 0, 0)
    var covered: OpaquePointer?
    guard unsafe Self.isPlain(found), unsafe FcPatternGetString(found, FC_FILE, 0, &file) == FcResultMatch,
      let file = unsafe file,
      unsafe FcPatternGetInteger(found, FC_INDEX, 0, &index) == FcResultMatch,
      unsafe FcPatternGetDouble(found, FC_PIXEL_SIZE, 0, &pixels) == FcResultMatch, pixels == PangoText.setSize,
      unsafe FcPatternGetCharSet(found, FC_CHARSET, 0, &covered) == FcResultMatch,
      let letters = unsafe FcCharSetCopy(covered)
    else { return nil }
    unsafe self.letters = unsafe letters
    let blob = unsafe file.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe hb_blob_create_from_file($0) }
    let face = unsafe hb_face_create(blob, UInt32(index))
    unsafe shaper = unsafe hb_font_create(face)
    unsafe hb_face_destroy(face)
    unsafe hb_blob_destroy(blob)
    let units = Int32(PangoText.setSize * Double(PANGO_SCALE))
    unsafe hb_font_set_scale(shaper, units, units)

    var (matrix, identity) = (cairo_matrix_t(), cairo_matrix_t())
    unsafe cairo_matrix_init_scale(&matrix, PangoText.setSize, PangoText.setSize)
    unsafe cairo_matrix_init_identity(&identity)
    let cairoFace = unsafe cairo_ft_font_face_create_for_pattern(found)
    unsafe scaled = unsafe cairo_scaled_font_create(cairoFace, &matrix, &identity, options)
    unsafe cairo_font_face_destroy(cairoFace)
    var extents = cairo_font_extents_t()
    unsafe cairo_scaled_font_extents(scaled, &extents)
    ascent = Self.units(extents.ascent)
    height = Self.units(extents.ascent + extents.descent)
    guard unsafe cairo_scaled_font_status(scaled) == CAIRO_STATUS_SUCCESS else { return nil }
  }

  isolated deinit {
    unsafe cairo_scaled_font_destroy(scaled)
    unsafe hb_font_destroy(shaper)
    unsafe FcCharSetDestroy(letters)
  }

  /// The description of the font as Pango gives it to fontconfig.
  private static func pattern(_ families: String, _ font: Font) -> OpaquePointer? {
    guard let pattern = unsafe FcPatternCreate() else { return nil }
    let weight = Double(min(max(font.weight.rawValue, 100), 1000))
    unsafe FcPatternAddDouble(pattern, FC_WEIGHT, FcWeightFromOpenTypeDouble(weight))
    unsafe FcPatternAddInteger(pattern, FC_SLANT, font.isItalic ? FC_SLANT_ITALIC : FC_SLANT_ROMAN)
    unsafe FcPatternAddInteger(pattern, FC_WIDTH, FC_WIDTH_NORMAL)
    unsafe FcPatternAddBool(pattern, FC_VARIABLE, FcBool(FcDontCare))
    unsafe FcPatternAddDouble(pattern, FC_DPI, 96)
    unsafe FcPatternAddDouble(pattern, FC_SIZE, PangoText.setSize * 72 / 96)
    unsafe FcPatternAddDouble(pattern, FC_PIXEL_SIZE, PangoText.setSize)
    for family in families.split(separator: ",", omittingEmptySubsequences: false) {
      unsafe FcPatternAddString(pattern, FC_FAMILY, String(family))
    }
    unsafe FcPatternAddString(pattern, FC_LANG, "c")
    return unsafe pattern
  }

  /// Whether the glyphs of a matched font are only scaled.
  private static func isPlain(_ found: OpaquePointer) -> Bool {
    var isSo: FcBool = 0
    for name in [FC_VARIABLE, FC_COLOR, FC_EMBOLDEN] as [String] {
      if unsafe FcPatternGetBool(found, name, 0, &isSo) == FcResultMatch, isSo != 0 { return false }
    }
    if unsafe FcPatternGetBool(found, FC_SCALABLE, 0, &isSo) == FcResultMatch, isSo == 0 { return false }
    var value = unsafe FcValue()
    return ([FC_MATRIX, FC_FONT_VARIATIONS, FC_FONT_FEATURES] as [String]).allSatisfy {
      unsafe FcPatternGet(found, $0, 0, &value) != FcResultMatch
    }
  }

  func covers(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { unsafe FcCharSetHasChar(letters, $0.value) != 0 }
  }

  /// Shapes `text` as Pango does.
  func shape(_ text: String, _ script: hb_script_t, hasTabularDigits: Bool, in buffer: OpaquePointer) {
    unsafe hb_buffer_set_direction(buffer, HB_DIRECTION_LTR)
    unsafe hb_buffer_set_script(buffer, script)
    unsafe hb_buffer_set_language(buffer, hb_language_from_string("c", -1))
    unsafe hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_CHARACTERS)
    unsafe hb_buffer_set_flags(buffer, hb_buffer_flags_t(HB_BUFFER_FLAG_BOT.rawValue | HB_BUFFER_FLAG_EOT.rawValue))
    unsafe hb_buffer_set_invisible_glyph(buffer, Self.emptyGlyph)
    unsafe hb_buffer_add_utf8(buffer, text, -1, 0, -1)
    // "tnum".
    var feature = hb_feature_t(tag: 0x746e_756d, value: 1, start: 0, end: .max)
    unsafe hb_shape(shaper, buffer, &feature, hasTabularDigits ? 1 : 0)
  }

  /// The rectangle that a glyph covers, in Pango's units from its origin on the baseline.
  func ink(of glyph: UInt32) -> PixelRect {
    var place = cairo_glyph_t(index: UInt(glyph), x: 0, y: 0)
    var extents = cairo_text_extents_t()
    unsafe cairo_scaled_font_glyph_extents(scaled, &place, 1, &extents)
    return PixelRect(
      x: Self.units(extents.x_bearing), y: Self.units(extents.y_bearing), width: Self.units(extents.width),
      height: Self.units(extents.height))
  }

  /// Pango's rounding.
  private static func units(_ points: Double) -> Int { Int((points * Double(PANGO_SCALE) + 0.5).rounded(.down)) }
}
