/// A text of several lines that a user edits.
///
/// `TextControl` has the rules that it shares with fields of one line. Enter begins a line, and Ctrl+Enter commits the draft and sends
/// `primaryActionTriggered`. Tab moves the focus on, as in every field of a form, so it cannot be typed; a tab that is pasted stays. Up,
/// Down, Page Up and Page Down move the caret by lines as they are shown, Home and End to the ends of such a line, with Ctrl to those of
/// the text. A finger scrolls; where it taps or rests, it edits.
///
/// Lines are wrapped at the view's width; one of more than 2,000 letters begins a line anew after about so many. Only what is in sight is laid
/// out, so that a text of a megabyte is edited as fast as a short one.
@ListsProperties
public final class TextView: TextControl {
  /// The text committed last. Line ends become LF, control characters other than tabs are removed, and what follows the first two million
  /// Unicode scalars is cut off. Setting it sends no event and does not change a draft that is being edited.
  @Inspectable(.display, isReported: true, normalise: TextEditModel.lines, then: TextView.valueTextDidChange) public
    var text = ""
  /// The most characters that typing and pasting can produce, a line end counted as one; 0 for no limit.
  @Inspectable(.none, group: "Text", normalise: { max($0, 0) }, then: TextView.maximumLengthChanged) public
    var maximumLength = 0

  /// The space between the view's edge and the text, in points.
  static let padding = Size(width: 10, height: 8)
  /// The width of the edge, which nothing scrolls over.
  private static let edge = 2.0
  /// A view as high as so many lines suits most texts.
  private static let usualLines = 4.0
  /// The width of a selected line end, in points.
  private static let lineEndWidth = 6.0

  let scrollView = TextScrollView()
  private lazy var page = TextPage(of: self)
  private lazy var window = RowWindow { [unowned self] in makeBlock() }
  private var observation: ObservationToken?

  /// Where the pieces are of the text that is shown.
  private(set) var blocks = TextBlocks()
  /// The piece with the caret, and the caret and the selection in bytes of UTF-8.
  private var caretPiece = TextPieces.Found(index: 0, place: 0, utf8: 0)
  private var caretUTF8 = 0
  private var selectedUTF8 = 0..<0
  /// True if the caret is at the end of a wrapped line and not at the beginning of the next.
  private var isAtLineEnd = false
  /// The same of the place found last, which the next change may take.
  private var foundLineEnd: (place: Int, atLineEnd: Bool)?
  /// Where Up and Down go on from line to line, in points from the left edge of the text; nil after any other change.
  private var goalX: Double?
  private var nextGoalX: Double?

  /// On what the layouts depend, beside the text.
  private struct Setting: Equatable {
    let width: Double
    let font: Font
    let direction: LayoutDirection
    let alignment: HorizontalAlignment
    let library: ObjectIdentifier
  }
  private var setting: Setting?
  private(set) var layouts = TextLayoutCache()
  /// Whether the next layout scrolls to the caret.
  private var showsCaret = false
  private var isPlacing = false

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    scrollView.scrollsHorizontally = false
    scrollView.leavesPointersToContent()
    scrollView.contentView.addSubview(page)
    addSubview(scrollView)
    observation = scrollView.observe(\ScrollView.contentOffset) { [weak self] _ in self?.placeBlocks() }
    modelDidChange(showsCaret: false)
    // Even an empty text has a line, for the caret.
    window.show(0..<1) { _, block in block.place = caretPiece }
  }

  private func makeBlock() -> TextBlock {
    let block = TextBlock(of: self)
    page.addSubview(block)
    return block
  }

  private func maximumLengthChanged() { limit(to: mostCharacters) }

  private var mostCharacters: Int { maximumLength > 0 ? maximumLength : .max }

  // MARK: The text

  override var valueText: String { text }

  override func accept(_ draft: String) -> Bool {
    let old = text
    text = draft
    return text != old
  }

  override func makeModel(_ text: String) -> TextEditModel {
    TextEditModel(text, maximumLength: mostCharacters, hasLines: true)
  }

  /// Escape takes nothing back, so editing is never cancelled.
  public override var ownEvents: Event { super.ownEvents.subtracting(.editingDidCancel) }

  override var selectsAllByItself: Bool { false }

  override var leavesDragsToOthers: Bool { true }

  override func isHeld(by touch: Touch) -> Bool { page.isTracking(touch) }

  override func modelDidChange(showsCaret: Bool) {
    let change = takeChange(since: blocks.count)
    let pieces = model.pieces
    if !change.old.isEmpty || !change.new.isEmpty {
      blocks.replace(change.old, with: pieces.all[change.new].map(guess))
    }
    // What is composed changes the height of its piece.
    if !model.preedit.isEmpty || wasComposing { blocks.forget(caretPiece.index) }
    caretPiece = pieces.piece(at: model.caret)
    caretUTF8 = pieces.utf8(model.caret)
    selectedUTF8 = pieces.utf8(model.selection.lowerBound)..<pieces.utf8(model.selection.upperBound)
    if !model.preedit.isEmpty || wasComposing { blocks.forget(caretPiece.index) }
    wasComposing = !model.preedit.isEmpty
    isAtLineEnd = foundLineEnd.map { $0.atLineEnd && $0.place == model.caret } ?? false
    (goalX, nextGoalX, foundLineEnd) = (nextGoalX, nil, nil)
    if showsCaret { self.showsCaret = true }
    setNeedsLayout()
    showBlocksAnew()
    setNeedsDisplay()
  }
  private var wasComposing = false

  private func showBlocksAnew() {
    for block in window.seen.values { block.setNeedsDisplay() }
    // One that comes in sight again has another text.
    for block in window.spare { block.place.index = -1 }
  }

  public override func stateDidChange(from old: State) {
    super.stateDidChange(from: old)
    showBlocksAnew()
  }

  public override func themeDidChange() { setNeedsLayout() }

  public override func layoutDirectionDidChange() { setNeedsLayout() }

  // MARK: Keys

  override func enter(_ event: KeyEvent) -> Bool {
    guard event.modifiers.contains(.control) else {
      edit { $0.insert("\n") }
      return true
    }
    commit()
    sendActions(for: .primaryActionTriggered)
    return true
  }

  override func step(_ direction: Int, extends: Bool) -> Bool {
    go(towards: direction > 0 ? .start : .end, lines: 1, extends: extends)
    return true
  }

  override func turnPage(towards end: TextEditModel.End, extends: Bool) -> Bool {
    let lines = Int(clamping: (scrollView.bounds.height / lineHeight).rounded(.down)) - 1
    go(towards: end, lines: max(lines, 1), extends: extends)
    return true
  }

  /// Moves by lines as they are shown, at the same distance from the edge. Beyond the first and the last line is the end of the text.
  private func go(towards end: TextEditModel.End, lines count: Int, extends: Bool) {
    endComposing()
    var place = model.caret
    if !extends, !model.selection.isEmpty {
      place = end == .start ? model.selection.lowerBound : model.selection.upperBound
    }
    var atLineEnd = place == model.caret && isAtLineEnd
    let x = goalX ?? caretBox(at: place, atLineEnd: atLineEnd).rect.minX
    for _ in 0..<count {
      guard let next = line(beside: place, atLineEnd, towards: end) else {
        (place, atLineEnd) = (end == .start ? 0 : model.count, false)
        break
      }
      let layout = layout(of: next.piece.index)
      let found = layout.place(nearest: Point(x: x - textX(of: layout), y: next.line.frame.midY))
      (place, atLineEnd) = (model.place(utf8: next.piece.utf8 + found.utf8), found.atLineEnd)
    }
    (nextGoalX, foundLineEnd) = (x, (place, atLineEnd))
    edit { $0.move(to: place, extends: extends) }
  }

  /// The line above or below the one with a caret; nil at the end of the text.
  private func line(
    beside place: Int, _ atLineEnd: Bool, towards end: TextEditModel.End
  ) -> (piece: TextPieces.Found, line: TextLine)? {
    let piece = model.pieces.piece(at: place)
    let lines = layout(of: piece.index).lines
    let step = end == .start ? -1 : 1
    let next = TextLayout.line(of: model.utf8(place) - piece.utf8, in: lines, atLineEnd: atLineEnd) + step
    if lines.indices.contains(next) { return (piece, lines[next]) }
    guard let other = model.pieces.piece(piece.index + step) else { return nil }
    let others = layout(of: other.index).lines
    return (end == .start ? others.last : others.first).map { (other, $0) }
  }

  override func goToEnd(_ end: TextEditModel.End, ofText isText: Bool, extends: Bool) {
    guard !isText else { return super.goToEnd(end, ofText: true, extends: extends) }
    endComposing()
    let (pieces, piece) = (model.pieces, caretPiece)
    let lines = layout(of: piece.index).lines
    let index = TextLayout.line(of: caretUTF8 - piece.utf8, in: lines, atLineEnd: isAtLineEnd)
    var place = pieces.place(utf8: piece.utf8 + lines[index].utf8.lowerBound)
    if end == .end {
      let isLast = index == lines.count - 1
      let end = pieces.places(of: piece).upperBound
      place = isLast ? end : pieces.place(utf8: piece.utf8 + lines[index].utf8.upperBound)
      // The end of a piece whose line goes on is the beginning of the next.
      if isLast, !pieces.all[piece.index].endsLine, piece.index + 1 < pieces.all.count { place -= 1 }
      foundLineEnd = (place, !isLast)
    }
    edit { $0.move(to: place, extends: extends) }
  }

  // MARK: Layouts

  private var lineHeight: Double { max(FontLibrary.shared.layout("H", font: font).size.height, 1) }

  private var textWidth: Double {
    max(bounds.width - 2 * Self.padding.width - TextFieldGeometry.caretWidth, 1)
  }

  /// How high a piece may be that was never laid out.
  private func guess(_ piece: TextPieces.Piece) -> Double {
    let letters = max(textWidth / (font.size / 2), 1)
    return onPixels(max((Double(piece.text.utf8.count) / letters).rounded(.up), 1) * lineHeight)
  }

  private func onPixels(_ height: Double) -> Double {
    let factor = root?.scale.factor ?? 1
    return (height * factor).rounded(.up) / factor
  }

  /// The text of a piece as it is shown: with what is composed in it.
  private func shownText(of index: Int) -> String {
    let text = model.pieces.all[index].text
    guard index == caretPiece.index, !model.preedit.isEmpty else { return text }
    let place = text.utf8.index(text.startIndex, offsetBy: caretUTF8 - caretPiece.utf8)
    return String(text[..<place]) + model.preedit + String(text[place...])
  }

  /// The layout of a piece as it is shown.
  private func layout(of index: Int) -> TextLayout { layout(shownText(of: index)) }

  private func layout(_ text: String) -> TextLayout {
    layouts.layout(text) {
      var limits = TextLimits(
        width: textWidth, truncation: .clip, alignment: textAlignment, direction: effectiveLayoutDirection)
      limits.isExact = true
      return TextLayout(text, font: font, limits: limits)
    }
  }

  /// Where a layout begins in its block.
  private func textX(of layout: TextLayout) -> Double {
    let free = max(textWidth - layout.size.width, 0)
    return Self.padding.width - Self.edge + free * textAlignment.fraction(in: effectiveLayoutDirection)
  }

  override func layout(atUTF8 utf8: Int) -> (layout: TextLayout, start: Int) {
    let piece = model.pieces.piece(atUTF8: utf8)
    return (layout(of: piece.index), piece.utf8)
  }

  /// Has everything laid out again if the width or the font is another; the block at the top stays there.
  private func noteSetting() {
    let new = Setting(
      width: textWidth, font: font, direction: effectiveLayoutDirection, alignment: textAlignment,
      library: ObjectIdentifier(FontLibrary.shared))
    guard new != setting else { return }
    let isFirst = setting == nil
    let (index, top) = blocks.block(at: scrollView.contentOffset.y)
    let below = scrollView.contentOffset.y - top
    setting = new
    layouts.removeAll()
    blocks.replace(0..<blocks.count, with: model.pieces.all.map(guess))
    showBlocksAnew()
    guard !isFirst, index > 0 || below > 0 else { return }
    isPlacing = true
    scrollView.contentSize = contentSize
    scrollView.layoutIfNeeded()
    scrollView.contentOffset = Point(x: 0, y: blocks.top(of: index) + below)
    isPlacing = false
  }

  // MARK: Places of blocks

  /// The distance of the first block from the top of what is scrolled.
  private static let top = padding.height - edge

  private var contentSize: Size {
    let size = scrollView.bounds.size
    return Size(width: max(size.width, 1), height: max(blocks.height + 2 * Self.top, size.height, 1))
  }

  public override func sizeThatFits(_ size: Size) -> Size {
    let width = size.width.isFinite && size.width > 0 ? size.width : 240
    return Size(width: width, height: (Self.usualLines * lineHeight + 2 * Self.padding.height).rounded(.up))
  }

  public override func layoutSubviews() {
    scrollView.frame = bounds.insetBy(dx: min(Self.edge, bounds.width / 2), dy: min(Self.edge, bounds.height / 2))
    noteSetting()
    scrollView.contentSize = contentSize
    scrollView.layoutIfNeeded()
    if showsCaret, !bounds.isEmpty {
      showsCaret = false
      scrollToCaret()
    }
    placeBlocks()
  }

  private func scrollToCaret() {
    // What comes in sight is laid out, which may move the caret.
    for _ in 0..<4 {
      measure(caretPiece.index)
      let box = caretBox.rect
      let place = box.offsetBy(dx: 0, dy: Self.top + blocks.top(of: caretPiece.index)).insetBy(dx: 0, dy: -Self.top)
      let offset = scrollView.contentOffset
      scrollView.scrollRectToVisible(place, animated: false)
      measureInSight()
      if scrollView.contentOffset == offset { break }
    }
  }

  /// Lays out a piece whose height is a guess. What is in sight stays where it is, unless the piece is in sight.
  private func measure(_ index: Int) {
    guard index < blocks.count, !blocks.isMeasured(index) else { return }
    let isAbove = blocks.top(of: index) < scrollView.contentOffset.y - Self.top
    let way = blocks.measure(index, onPixels(layout(of: index).size.height))
    guard way != 0 else { return }
    let wasPlacing = isPlacing
    isPlacing = true
    scrollView.resizeContent(to: contentSize, before: Point(x: 0, y: isAbove ? way : 0))
    scrollView.layoutIfNeeded()
    isPlacing = wasPlacing
  }

  private var inSight: Range<Int> {
    blocks.range(from: scrollView.contentOffset.y - Self.top, height: scrollView.bounds.height)
  }

  private func measureInSight() {
    // Each one that is measured may bring others in sight.
    for _ in 0..<1000 {
      guard let index = inSight.first(where: { !blocks.isMeasured($0) }) else { return }
      measure(index)
    }
  }

  private func placeBlocks() {
    guard !isPlacing, !bounds.isEmpty, setting != nil else { return }
    measureInSight()
    let shown = inSight
    let width = scrollView.bounds.width
    page.frame = Rect(origin: .zero, size: contentSize)
    var piece = model.pieces.piece(shown.lowerBound) ?? caretPiece
    var top = Self.top + blocks.top(of: shown.lowerBound)
    window.show(shown) { index, block in
      block.place = piece
      block.frame = Rect(x: 0, y: top, width: width, height: blocks.height(of: index))
      top += blocks.height(of: index)
      piece = model.pieces.piece(after: piece) ?? piece
    }
    for block in window.dropSpare(beyond: blocks.count) { block.removeFromSuperview() }
  }

  // MARK: Places of characters

  /// A caret in a piece without composition: the piece, and its place in the piece's block.
  private func caretBox(at place: Int, atLineEnd: Bool) -> (piece: TextPieces.Found, rect: Rect) {
    let piece = model.pieces.piece(at: place)
    let layout = layout(of: piece.index)
    let box = layout.caret(atUTF8: model.utf8(place) - piece.utf8, atLineEnd: atLineEnd)
    return (piece, box.offsetBy(dx: textX(of: layout), dy: 0))
  }

  /// The caret in its block: in the composition if there is one.
  private var caretBox: (piece: TextPieces.Found, rect: Rect) {
    guard !model.preedit.isEmpty else { return caretBox(at: model.caret, atLineEnd: isAtLineEnd) }
    let layout = layout(of: caretPiece.index)
    let offset = caretUTF8 - caretPiece.utf8 + (model.preeditSelection?.upperBound ?? 0)
    return (caretPiece, layout.caret(atUTF8: offset).offsetBy(dx: textX(of: layout), dy: 0))
  }

  /// A rectangle of a block in the view.
  private func inView(_ rect: Rect, ofBlock index: Int) -> Rect {
    rect.offsetBy(
      dx: scrollView.frame.minX,
      dy: scrollView.frame.minY + Self.top + blocks.top(of: index) - scrollView.contentOffset.y)
  }

  override var caretArea: Rect {
    let (piece, box) = caretBox
    return inView(caret(box), ofBlock: piece.index)
  }

  private func caret(_ box: Rect) -> Rect {
    Rect(x: box.minX.rounded(), y: box.minY, width: TextFieldGeometry.caretWidth, height: box.height)
  }

  /// The piece at a point of the view, and the point in its layout.
  private func piece(at point: Point) -> (index: Int, layout: TextLayout, point: Point) {
    let y = point.y - scrollView.frame.minY + scrollView.contentOffset.y - Self.top
    let (index, top) = blocks.block(at: y)
    let layout = layout(of: index)
    return (index, layout, Point(x: point.x - scrollView.frame.minX - textX(of: layout), y: y - top))
  }

  /// The place of a byte of a piece as it is shown; that of the caret anywhere in the composition.
  private func place(ofShown utf8: Int, in index: Int) -> Int {
    guard let piece = model.pieces.piece(index) else { return model.caret }
    let composed = index == caretPiece.index ? caretUTF8 - piece.utf8 : .max
    return model.place(
      utf8: piece.utf8 + (utf8 <= composed ? utf8 : max(utf8 - model.preedit.utf8.count, composed)))
  }

  override func place(at point: Point) -> Int {
    let (index, layout, inside) = piece(at: point)
    let found = layout.place(nearest: inside)
    let place = place(ofShown: found.utf8, in: index)
    foundLineEnd = (place, found.atLineEnd)
    return place
  }

  override func character(at point: Point) -> Int? {
    let (index, layout, inside) = piece(at: point)
    return layout.utf8Offset(at: inside).map { place(ofShown: $0, in: index) }
  }

  override func isLeft(_ a: Int, of b: Int) -> Bool? {
    let (a, b) = (caretBox(at: a, atLineEnd: false), caretBox(at: b, atLineEnd: false))
    return a.piece.index == b.piece.index && a.rect.minY == b.rect.minY ? a.rect.minX <= b.rect.minX : nil
  }

  // MARK: The selection

  /// The selection of a piece in its block, or the part of the composition that the input method emphasises.
  private func selectedAreas(of piece: TextPieces.Found, _ layout: TextLayout) -> [Rect] {
    let count = layout.text.utf8.count
    let x = textX(of: layout)
    if !model.preedit.isEmpty {
      guard piece.index == caretPiece.index, let part = model.preeditSelection else { return [] }
      let start = caretUTF8 - piece.utf8
      return layout.areas(ofUTF8: start + part.lowerBound..<start + part.upperBound).map { $0.offsetBy(dx: x, dy: 0) }
    }
    let (start, end) = (selectedUTF8.lowerBound - piece.utf8, selectedUTF8.upperBound - piece.utf8)
    guard start < end, end > 0, start <= count else { return [] }
    var areas = layout.areas(ofUTF8: max(start, 0)..<max(min(end, count), max(start, 0)))
    // The line end too, so that empty lines are seen.
    if end > count, start <= count, model.pieces.all[piece.index].endsLine {
      let box = layout.caret(atUTF8: count)
      let isMirrored = layout.readsRightToLeft
      areas.append(
        Rect(
          x: isMirrored ? box.minX - Self.lineEndWidth : box.minX, y: box.minY, width: Self.lineEndWidth,
          height: box.height))
    }
    return areas.map { $0.offsetBy(dx: x, dy: 0) }
  }

  /// What of the selection is in sight, in the view.
  private var selectedAreas: [Rect] {
    window.seen.values.flatMap { block in
      selectedAreas(of: block.place, layout(of: block.place.index)).map { inView($0, ofBlock: block.place.index) }
    }
  }

  override func isOnSelection(_ point: Point) -> Bool { selectedAreas.contains { $0.contains(point) } }

  override var menuArea: Rect {
    let all = selectedAreas.reduce(nil as Rect?) { $0?.union($1) ?? $1 } ?? caretArea
    let shown = all.intersection(bounds)
    return shown.isEmpty ? bounds : shown
  }

  // MARK: Drawing

  public override func draw(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    drawBackground(canvas)
    if model.count == 0, model.preedit.isEmpty, !placeholder.isEmpty {
      canvas.saved {
        canvas.clip(to: bounds.insetBy(dx: Self.padding.width, dy: Self.edge))
        let hint = layout(placeholder)
        canvas.draw(hint, at: Point(x: Self.edge + textX(of: hint), y: Self.padding.height), theme.secondaryLabel)
      }
    }
    drawFocus(canvas)
  }

  /// Draws a piece in its block.
  func draw(_ piece: TextPieces.Found, on canvas: Canvas) {
    guard model.pieces.all.indices.contains(piece.index) else { return }
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let layout = layout(of: piece.index)
    let x = textX(of: layout)
    if isEditing {
      for area in selectedAreas(of: piece, layout) { canvas.fill(area, theme.accent.withAlpha(0.35)) }
    }
    canvas.draw(layout, at: Point(x: x, y: 0), textColor ?? theme.label)
    guard isEditing, piece.index == caretPiece.index else { return }
    if !model.preedit.isEmpty {
      let start = caretUTF8 - piece.utf8
      for area in layout.areas(ofUTF8: start..<start + model.preedit.utf8.count) {
        let line = Rect(x: area.minX + x, y: (area.maxY - 2).rounded(), width: area.width, height: 1)
        canvas.fill(line, textColor ?? theme.label)
      }
    }
    // Like a field's it does not blink: nothing is drawn or woken while the user does not type.
    guard model.selection.isEmpty, model.shownCaretUTF8 != nil, model.preeditSelection?.isEmpty != false else { return }
    canvas.fill(caret(caretBox.rect), theme.accent)
  }

  // MARK: Accessibility

  public override var accessibilityTextLayout: AccessibilityTextLayout? {
    AccessibilityTextLayout(composition: shownComposition) { [unowned self] bytes in
      window.seen.values.flatMap { block in areas(ofShown: bytes, in: block.place) }
        .reduce(nil as Rect?) { $0?.union($1) ?? $1 }
    } offset: { [unowned self] point in
      let (index, layout, inside) = piece(at: point)
      return layout.utf8Offset(at: inside).flatMap { offset in shownStart(of: index).map { $0 + offset } }
    }
  }

  private var shownComposition: Range<Int> { caretUTF8..<caretUTF8 + model.preedit.utf8.count }

  /// The byte of the shown text at which a piece begins.
  private func shownStart(of index: Int) -> Int? {
    model.pieces.piece(index).map { $0.utf8 + (index > caretPiece.index ? model.preedit.utf8.count : 0) }
  }

  private func areas(ofShown bytes: Range<Int>, in piece: TextPieces.Found) -> [Rect] {
    guard let start = shownStart(of: piece.index) else { return [] }
    let layout = layout(of: piece.index)
    let part = bytes.clamped(to: start..<start + layout.text.utf8.count)
    return layout.areas(ofUTF8: part.lowerBound - start..<part.upperBound - start)
      .map { inView($0.offsetBy(dx: textX(of: layout), dy: 0), ofBlock: piece.index) }
  }
}
