internal import CCairo

/// A text set by Pango in `setSize`; all lengths are in points of that size.
struct PangoText: SetText {
  /// The size in which Pango sets every text, in points. Other sizes are obtained by scaling, which disabled hinting allows, so
  /// that all sizes of a font are one font to Pango. Otherwise it would search fallback fonts for each size.
  static let setSize = 64.0
  /// Text beyond this length is cut off: it would not be visible, and exceeds Pango's 32 bits on one line.
  static let maximumLength = 20_000
  /// A longer word may be broken anywhere: looking for the best position takes the square of its length.
  private static let maximumWord = 400

  /// A line with its own position.
  @safe private struct Line {
    let line: UnsafeMutablePointer<PangoLayoutLine>
    let baseline: Double
    let width: Double
    /// The part that glyphs cover, from the line's own start.
    let ink: Rect
    var x = 0.0
  }

  /// The layouts that own the lines; if `lines` is empty the first layout is drawn as it is.
  private var layouts: [GObject]
  private var lines: [Line] = []
  private(set) var size = Size.zero
  private(set) var ink = Rect.zero
  private(set) var baseline = 0.0
  private(set) var lineCount = 1
  /// True if an ellipsis replaces a part, or lines were left out.
  private(set) var isTruncated = false
  /// The number of characters that no font contains.
  private(set) var missingCount = 0
  /// True if a font with its own colours is used.
  private(set) var hasColor = false

  /// The Pango layout, for hit testing. Valid only as long as this value.
  var raw: OpaquePointer? { unsafe layouts.first.map { unsafe OpaquePointer($0.pointer) } }

  // MARK: Setting

  /// Sets all of `text`. Nil without fonts.
  init?(_ text: String, _ font: Font, _ library: FontLibrary) {
    let usable = Self.usable(text, breaksWords: false)
    guard let layout = Self.layout(usable, font, .leftToRight, library) else { return nil }
    layouts = [layout]
    let raw = unsafe OpaquePointer(layout.pointer)
    var inkRect = PangoRectangle()
    var logical = PangoRectangle()
    unsafe pango_layout_get_extents(raw, &inkRect, &logical)
    size = Size(width: points(logical.width), height: points(logical.height))
    ink = rect(inkRect)
    baseline = unsafe points(pango_layout_get_baseline(raw))
    lineCount = unsafe Int(pango_layout_get_line_count(raw))
    noteGlyphs(of: text)
  }

  /// Sets `text` within `limits`, whose width is in points of the set size. Nil without fonts.
  init?(_ text: String, _ font: Font, _ limits: TextLimits, _ library: FontLibrary) {
    let isOneLine = limits.lineCount == 1
    // Of a single line the end may also be visible.
    let limit = isOneLine ? Self.maximumLength : Self.length(within: limits)
    let text = Self.usable(isOneLine ? Self.joined(text) : text, limit: limit, breaksWords: !limits.isExact)
    guard let whole = Self.layout(text, font, limits.direction, library) else { return nil }
    layouts = [whole]
    let raw = unsafe OpaquePointer(whole.pointer)
    if limits.isExact { unsafe Self.leaveOutHyphens(of: raw) }
    if !isOneLine, let width = limits.width { unsafe Self.setWidth(width, of: raw) }
    let count = unsafe Int(pango_layout_get_line_count(raw))
    let shown = min(count, limits.lineCount ?? count)
    for index in 0..<shown {
      if let line = unsafe pango_layout_get_line_readonly(raw, Int32(index)) { unsafe add(line) }
    }
    isTruncated = shown < count
    let isTooWide = isOneLine && size.width > limits.width ?? .infinity
    if isTruncated || isTooWide, limits.truncation != .clip,
      let width = limits.width ?? (isTruncated ? size.width : nil)
    {
      cutLast(text, font, limits, width: width, library)
    }
    align(limits.alignment.fraction(in: limits.direction))
    noteGlyphs(of: text)
  }

  private static func layout(
    _ text: String, _ font: Font, _ direction: LayoutDirection, _ library: FontLibrary
  ) -> GObject? {
    guard let layout = library.makeLayout(direction) else { return nil }
    unsafe configure(OpaquePointer(layout.pointer), text, font, library.families(of: font))
    return layout
  }

  private static func setWidth(_ width: Double, of layout: OpaquePointer) {
    // NaN results in no width at all.
    unsafe pango_layout_set_width(layout, Int32(min(max(0, width), 2_000_000) * Double(PANGO_SCALE)))
    unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
  }

  /// Has Pango break words without the hyphens that it inserts where it knows a syllable: an editor shows what is in the text.
  private static func leaveOutHyphens(of layout: OpaquePointer) {
    let old = unsafe pango_layout_get_attributes(layout)
    guard let attributes = unsafe old.map({ unsafe pango_attr_list_copy($0) }) ?? pango_attr_list_new() else { return }
    // Without other bounds it is for the whole text, so no run is parted by it.
    unsafe pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
    unsafe pango_layout_set_attributes(layout, attributes)
    unsafe pango_attr_list_unref(attributes)
  }

  private static func configure(_ layout: OpaquePointer, _ text: String, _ font: Font, _ families: String) {
    if let description = unsafe pango_font_description_new() {
      unsafe pango_font_description_set_family(description, families)
      unsafe pango_font_description_set_absolute_size(description, setSize * Double(PANGO_SCALE))
      unsafe pango_font_description_set_weight(
        description, PangoWeight(UInt32(min(max(font.weight.rawValue, 100), 1000))))
      if font.isItalic { unsafe pango_font_description_set_style(description, PANGO_STYLE_ITALIC) }
      unsafe pango_layout_set_font_description(layout, description)
      unsafe pango_font_description_free(description)
    }
    if font.hasTabularDigits, let attributes = unsafe pango_attr_list_new() {
      unsafe pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"))
      unsafe pango_layout_set_attributes(layout, attributes)
      unsafe pango_attr_list_unref(attributes)
    }
    // A zero byte would end the text early; Pango gets the length.
    var text = text
    text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe pango_layout_set_text(layout, $0.baseAddress, Int32($0.count))
      }
    }
  }

  /// The part of the text that is set.
  private static func usable(_ text: String, limit: Int = maximumLength, breaksWords: Bool = true) -> String {
    // A character has at least one byte, so the usual text need not be counted.
    guard text.utf8.count > min(limit, maximumWord) else { return text }
    var result = ""
    var word = 0
    for character in text.prefix(limit) {
      word = character.isWhitespace ? 0 : word + 1
      if word > maximumWord, breaksWords {
        // An invisible line break opportunity.
        result.append("\u{200b}")
        word = 1
      }
      result.append(character)
    }
    return result
  }

  /// More characters than could be visible within `limits`, unless most of them have no width.
  private static func length(within limits: TextLimits) -> Int {
    guard let lines = limits.lineCount, let width = limits.width else { return maximumLength }
    let perLine = min(width / (setSize / 8), Double(maximumLength)) + 16
    return Int(min(max(perLine * Double(min(lines, maximumLength)), 512), Double(maximumLength)))
  }

  /// The text with blanks for line breaks.
  static func joined(_ text: String) -> String {
    guard text.contains(where: \.isNewline) else { return text }
    // Line ends at the end, which generated texts often have, take no room.
    let end = text.lastIndex { !$0.isNewline }.map { text.index(after: $0) } ?? text.startIndex
    return String(text[..<end].map { $0.isNewline ? " " : $0 })
  }

  /// Sets the last line again, with an ellipsis for the text that does not fit.
  private mutating func cutLast(
    _ text: String, _ font: Font, _ limits: TextLimits, width: Double, _ library: FontLibrary
  ) {
    guard let last = lines.popLast() else { return }
    let start = unsafe Int(last.line.pointee.start_index)
    let bytes = Array(text.utf8)
    guard start <= bytes.count else { return lines.append(last) }
    // The rest alone may begin with a word of the other direction; an invisible character keeps the line's.
    let isRightToLeft = unsafe pango_layout_line_get_resolved_direction(last.line) == PANGO_DIRECTION_RTL
    let mark = isRightToLeft ? "\u{200f}" : "\u{200e}"
    let rest = mark + Self.joined(String(decoding: bytes[start...], as: UTF8.self))
    guard let layout = Self.layout(rest, font, limits.direction, library) else { return lines.append(last) }
    let raw = unsafe OpaquePointer(layout.pointer)
    unsafe Self.setWidth(width, of: raw)
    unsafe pango_layout_set_ellipsize(
      raw,
      limits.truncation == .head
        ? PANGO_ELLIPSIZE_START : limits.truncation == .middle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END)
    layouts.append(layout)
    // Measures the remaining lines again.
    let left = lines
    (lines, size) = ([], .zero)
    for line in left { unsafe add(line.line) }
    if let line = unsafe pango_layout_get_line_readonly(raw, 0) { unsafe add(line) }
    isTruncated = unsafe isTruncated || pango_layout_is_ellipsized(raw) != 0
  }

  // MARK: Lines

  /// Appends `line` below the others.
  private mutating func add(_ line: UnsafeMutablePointer<PangoLayoutLine>) {
    var inkRect = PangoRectangle()
    var logical = PangoRectangle()
    unsafe pango_layout_line_get_extents(line, &inkRect, &logical)
    let place = unsafe Line(
      line: line, baseline: size.height - points(logical.y), width: points(logical.width), ink: rect(inkRect))
    if lines.isEmpty { baseline = place.baseline }
    lines.append(place)
    lineCount = lines.count
    size = Size(width: max(size.width, place.width), height: size.height + points(logical.height))
  }

  /// Moves lines that are shorter than the longest, and finds the area that they cover then.
  private mutating func align(_ part: Double) {
    for index in lines.indices {
      let line = lines[index]
      lines[index].x = (size.width - line.width) * part
      ink = ink.union(line.ink.offsetBy(dx: lines[index].x, dy: line.baseline))
    }
  }

  private func points(_ value: Int32) -> Double { Double(value) / Double(PANGO_SCALE) }

  private func rect(_ rect: PangoRectangle) -> Rect {
    Rect(x: points(rect.x), y: points(rect.y), width: points(rect.width), height: points(rect.height))
  }

  // MARK: Places

  /// The area of the glyphs of a part of the text, from the text's top left corner; nil if none of it is shown. For characters
  /// replaced by an ellipsis, it is their area without truncation.
  func area(ofUTF8 bytes: Range<Int>) -> Rect? {
    areas(ofUTF8: bytes).reduce(nil) { $0?.union($1) ?? $1 }
  }

  /// The parts of it, line by line.
  func areas(ofUTF8 bytes: Range<Int>) -> [Rect] {
    placedLines().flatMap { line in
      let start = max(bytes.lowerBound, line.bytes.lowerBound)
      let xs = line.xs(start..<max(min(bytes.upperBound, line.bytes.upperBound), start))
      return stride(from: 0, to: xs.count, by: 2).map { index in
        let (left, right) = (min(xs[index], xs[index + 1]), max(xs[index], xs[index + 1]))
        return Rect(
          x: points(left) - line.offset + line.x, y: line.top, width: points(right - left), height: line.height)
      }
    }
  }

  /// The byte at which the character at `point` begins; nil beside the text.
  func utf8Offset(at point: Point) -> Int? {
    guard point.isFinite, let raw = unsafe raw,
      let line = placedLines().first(where: { $0.top..<$0.top + $0.height ~= point.y })
    else { return nil }
    var (index, trailing): (Int32, Int32) = (0, 0)
    let isInside = unsafe pango_layout_xy_to_index(
      raw, units(point.x - line.x + line.offset), units(point.y), &index, &trailing)
    return isInside != 0 ? Int(index) : nil
  }

  /// The byte before which the caret is that is nearest to `x`, in one of the lines.
  func utf8Offset(nearest x: Double, inLine number: Int) -> Int? {
    guard let raw = unsafe raw, let line = placedLine(number) else { return nil }
    guard !line.bytes.isEmpty else { return line.bytes.lowerBound }
    var (index, trailing): (Int32, Int32) = (0, 0)
    _ = unsafe pango_layout_xy_to_index(
      raw, units(x - line.x + line.offset), units(line.top + line.height / 2), &index, &trailing)
    guard trailing > 0, let text = unsafe pango_layout_get_text(raw) else { return Int(index) }
    // As many scalars further: the bytes that begin one.
    var end = Int(index)
    for _ in 0..<trailing {
      end += 1
      while unsafe UInt8(bitPattern: text[end]) & 0xc0 == 0x80 { end += 1 }
    }
    return min(end, line.bytes.upperBound)
  }

  private func units(_ value: Double) -> Int32 { Int32(min(max(value, -1e6), 1e6) * Double(PANGO_SCALE)) }

  /// A line of the text as it was first set.
  @safe struct PlacedLine {
    let line: UnsafeMutablePointer<PangoLayoutLine>
    let bytes: Range<Int>
    let x: Double
    let top: Double
    let width: Double
    let height: Double
    /// The position where Pango itself would begin the line.
    var offset = 0.0

    var isRightToLeft: Bool { unsafe pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL }

    func xs(_ bytes: Range<Int>) -> [Int32] { unsafe PangoText.xs(bytes, of: line) }
  }

  /// Both ends of each part of a piece of `line`, in Pango's units.
  static func xs(_ bytes: Range<Int>, of line: UnsafeMutablePointer<PangoLayoutLine>) -> [Int32] {
    guard !bytes.isEmpty else { return [] }
    var values: UnsafeMutablePointer<Int32>?
    var count: Int32 = 0
    unsafe pango_layout_line_get_x_ranges(line, Int32(bytes.lowerBound), Int32(bytes.upperBound), &values, &count)
    guard let values = unsafe values else { return [] }
    defer { unsafe g_free(values) }
    return unsafe Array(UnsafeBufferPointer(start: values, count: 2 * Int(count)))
  }

  /// The line of this number.
  func placedLine(_ number: Int) -> PlacedLine? {
    let lines = placedLines(number + 1)
    return lines.indices.contains(number) ? lines[number] : nil
  }

  /// The first `count` lines.
  func placedLines(_ count: Int = .max) -> [PlacedLine] {
    var top = 0.0
    return (0..<min(lineCount, count)).compactMap { index in
      guard let raw = unsafe raw, let line = unsafe pango_layout_get_line_readonly(raw, Int32(index)) else {
        return nil
      }
      var logical = PangoRectangle()
      unsafe pango_layout_line_get_extents(line, nil, &logical)
      defer { top += points(logical.height) }
      let start = unsafe Int(line.pointee.start_index)
      var placed = unsafe PlacedLine(
        line: line, bytes: start..<start + Int(line.pointee.length), x: lines.isEmpty ? 0 : lines[index].x, top: top,
        width: points(logical.width), height: points(logical.height))
      // Lines with their own position are drawn from there; others as Pango aligns them.
      if !lines.isEmpty { placed.offset = points(placed.xs(placed.bytes).min() ?? 0) }
      return placed
    }
  }

  // MARK: Glyphs

  /// Finds characters that no font contains, and fonts with colours; plain Latin has neither.
  private mutating func noteGlyphs(of text: String) {
    guard text.utf8.contains(where: { $0 >= 0xc4 }) else { return }
    missingCount =
      layouts.first.map { unsafe Int(pango_layout_get_unknown_glyphs_count(OpaquePointer($0.pointer))) } ?? 0
    hasColor = layouts.contains { unsafe Self.usesColor(OpaquePointer($0.pointer)) }
  }

  private static func usesColor(_ layout: OpaquePointer) -> Bool {
    guard let runs = unsafe pango_layout_get_iter(layout) else { return false }
    defer { unsafe pango_layout_iter_free(runs) }
    repeat {
      guard let run = unsafe pango_layout_iter_get_run_readonly(runs),
        let font = unsafe run.pointee.item?.pointee.analysis.font,
        let pattern = unsafe pango_fc_font_get_pattern(
          UnsafeMutableRawPointer(font).assumingMemoryBound(to: PangoFcFont.self))
      else { continue }
      var isColored: FcBool = 0
      if unsafe FcPatternGetBool(pattern, "color", 0, &isColored) == FcResultMatch, isColored != 0 { return true }
    } while unsafe pango_layout_iter_next_run(runs) != 0
    return false
  }

  // MARK: Drawing

  /// Adds the glyph outlines to cairo's path, the text's top left corner at the origin.
  func addPath(to context: Context) {
    unsafe draw(on: context, pango_cairo_layout_path, pango_cairo_layout_line_path)
  }

  /// Draws the glyphs in their own colours, those without one in cairo's source.
  func show(on context: Context) {
    unsafe draw(on: context, pango_cairo_show_layout, pango_cairo_show_layout_line)
  }

  private func draw(
    on context: Context, _ whole: (OpaquePointer?, OpaquePointer?) -> Void,
    _ single: (OpaquePointer?, UnsafeMutablePointer<PangoLayoutLine>?) -> Void
  ) {
    guard !lines.isEmpty else {
      if let layout = layouts.first { unsafe whole(context.raw, OpaquePointer(layout.pointer)) }
      return
    }
    for line in lines {
      context.move(to: Point(x: line.x, y: line.baseline))
      unsafe single(context.raw, line.line)
    }
  }
}
