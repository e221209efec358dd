/// Where the parts of a line's text are, and how they are drawn.
extension LineField {
  var textLayout: TextLayout { FontLibrary.shared.layout(shownModel.shownText, font: font) }

  /// A text of the font's own letters, by which all texts are placed: letters from other fonts have other heights, and what is
  /// typed already must not move when one of them follows.
  var plainLine: TextLayout { FontLibrary.shared.layout("H", font: font) }

  /// Where `layout` begins for its baseline to be that of every text in the field.
  func textTop(of layout: TextLayout) -> Double {
    let plain = plainLine
    return (bounds.height - plain.size.height) / 2 + plain.baseline - layout.baseline
  }

  var geometry: TextFieldGeometry { fieldGeometry(ofWidth: textLayout.size.width) }

  /// The layout of a text of `width` points.
  func fieldGeometry(ofWidth width: Double) -> TextFieldGeometry {
    let isMirrored = effectiveLayoutDirection == .rightToLeft
    return TextFieldGeometry(
      size: bounds.size, textWidth: width, fraction: textAlignment.fraction(in: effectiveLayoutDirection),
      left: isMirrored ? trailingWidth : 0, right: isMirrored ? 0 : trailingWidth)
  }

  func showCaret() {
    scroll = geometry.scroll(scroll, showing: textLayout.caretX(atUTF8: shownCaretUTF8))
  }

  /// The caret's position in the shown text, or the composition's beginning if the caret is hidden.
  var shownCaretUTF8: Int {
    let model = shownModel
    return model.shownCaretUTF8 ?? model.preeditUTF8.lowerBound
  }

  /// The selection, or the part of the composition that the input method emphasises, from side to side in the field.
  var selectedXs: [ClosedRange<Double>] {
    let model = shownModel
    var bytes = model.utf8(model.selection.lowerBound)..<model.utf8(model.selection.upperBound)
    if let part = model.preeditSelection {
      bytes = (bytes.lowerBound + part.lowerBound)..<(bytes.lowerBound + part.upperBound)
    }
    let x = geometry.textX(scroll: scroll)
    return textLayout.selectionXs(fromUTF8: bytes.lowerBound, to: bytes.upperBound).map {
      (x + $0.lowerBound)...(x + $0.upperBound)
    }
  }

  func drawSelection(_ canvas: Canvas) {
    let height = min(plainLine.size.height + 4, bounds.height - 6)
    for part in selectedXs {
      let rect = Rect(
        x: part.lowerBound, y: (bounds.height - height) / 2, width: part.upperBound - part.lowerBound, height: height)
      canvas.fill(rect, theme.accent.withAlpha(0.35))
    }
  }

  func drawPreeditLine(_ canvas: Canvas, _ layout: TextLayout, x: Double, baseline: Double) {
    let bytes = shownModel.preeditUTF8
    for part in layout.selectionXs(fromUTF8: bytes.lowerBound, to: bytes.upperBound) {
      canvas.fill(
        Rect(x: x + part.lowerBound, y: (baseline + 2).rounded(), width: part.upperBound - part.lowerBound, height: 1),
        textColor ?? theme.label)
    }
  }

  /// Draws a caret that does not blink: nothing is drawn or woken while the user does not type.
  func drawCaret(_ canvas: Canvas) {
    let model = shownModel
    guard model.selection.isEmpty, model.shownCaretUTF8 != nil, model.preeditSelection?.isEmpty != false else { return }
    canvas.fill(caretArea, theme.accent)
  }
}
