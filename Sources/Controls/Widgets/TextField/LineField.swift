/// The base of text fields and number fields: a line of text that a user edits with a keyboard.
///
/// `TextControl` has the rules that it shares with texts of several lines. Enter commits the draft; Escape reverts it and leaves, with
/// `editingDidCancel`. While the field is edited a finger's drag selects.
@ListsProperties
public class LineField: TextControl {
  /// The scroll offset of a text that is wider than the field.
  var scroll = 0.0

  /// The room in points at the trailing side that the text leaves to other things.
  var trailingWidth: Double { 0 }

  // MARK: Editing

  override func enter(_ event: KeyEvent) -> Bool {
    commit()
    sendActions(for: .primaryActionTriggered)
    return true
  }

  override func escape() -> Bool {
    isReverting = true
    resignFirstResponder()
    isReverting = false
    return true
  }

  override func modelDidChange(showsCaret: Bool) {
    if showsCaret { showCaret() } else if !isEditing { scroll = 0 }
    setNeedsDisplay()
  }

  public override var dragAxes: Axes { isEditing ? .horizontal : [] }

  // MARK: Places

  override func place(at point: Point) -> Int {
    shownModel.place(shownUTF8: textLayout.utf8Offset(atX: point.x - geometry.textX(scroll: scroll)))
  }

  override func character(at point: Point) -> Int? {
    let (place, layout, model) = (place(at: point), textLayout, shownModel)
    let x = point.x - geometry.textX(scroll: scroll)
    return [place, place - 1].first { character in
      guard (0..<model.count).contains(character) else { return false }
      let sides = [character, character + 1].map { layout.caretX(atUTF8: model.utf8($0)) }
      return min(sides[0], sides[1]) <= x && x <= max(sides[0], sides[1])
    }
  }

  override func isOnSelection(_ point: Point) -> Bool { selectedXs.contains { $0.contains(point.x) } }

  override func layout(atUTF8 utf8: Int) -> (layout: TextLayout, start: Int) { (textLayout, 0) }

  override func isLeft(_ a: Int, of b: Int) -> Bool? {
    let (layout, shown) = (textLayout, shownModel)
    return layout.caretX(atUTF8: shown.utf8(a)) <= layout.caretX(atUTF8: shown.utf8(b))
  }

  override var menuArea: Rect {
    let xs = selectedXs
    let start = max(xs.map(\.lowerBound).min() ?? caretArea.minX, 0)
    let end = min(xs.map(\.upperBound).max() ?? caretArea.maxX, bounds.width)
    return Rect(x: start, y: 0, width: max(end - start, 1), height: bounds.height)
  }

  override var caretArea: Rect {
    let layout = textLayout
    let x = geometry.textX(scroll: scroll) + layout.caretX(atUTF8: shownCaretUTF8)
    let height = min(plainLine.size.height + 2, bounds.height - 8)
    return Rect(
      x: x.rounded(), y: ((bounds.height - height) / 2).rounded(), width: TextFieldGeometry.caretWidth,
      height: height.rounded())
  }

  public override var accessibilityTextLayout: AccessibilityTextLayout? {
    let layout = textLayout
    return AccessibilityTextLayout(
      layout, at: Point(x: geometry.textX(scroll: scroll), y: textTop(of: layout)), composition: shownModel.preeditUTF8)
  }

  // MARK: Geometry

  public override func sizeThatFits(_ size: Size) -> Size {
    let height = max((theme.fontSizes[.body] * 2.25).rounded(), 36)
    return Size(width: size.width.isFinite && size.width > 0 ? size.width : 160, height: height)
  }

  public override func layoutSubviews() {
    if isEditing { showCaret() }
  }

  // MARK: Drawing

  public override func draw(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    drawBackground(canvas)
    let geometry = geometry
    let layout = textLayout
    let x = geometry.textX(scroll: scroll)
    let top = textTop(of: layout)
    canvas.saved {
      canvas.clip(to: geometry.area.insetBy(dx: -TextFieldGeometry.caretWidth, dy: 0))
      if isEditing { drawSelection(canvas) }
      if shownModel.shownText.isEmpty, !placeholder.isEmpty {
        let hint = FontLibrary.shared.layout(placeholder, font: font)
        let place = fieldGeometry(ofWidth: hint.size.width)
        canvas.draw(hint, at: Point(x: place.textX(scroll: 0), y: textTop(of: hint)), theme.secondaryLabel)
      }
      canvas.draw(layout, at: Point(x: x, y: top), textColor ?? theme.label)
      if !model.preedit.isEmpty { drawPreeditLine(canvas, layout, x: x, baseline: top + layout.baseline) }
      if isEditing { drawCaret(canvas) }
    }
    drawFocus(canvas)
  }
}
