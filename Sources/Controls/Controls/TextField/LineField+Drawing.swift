import UICore

extension LineField {
  func drawSelection(_ canvas: Canvas, _ layout: TextLayout, x: Double) {
    let selection = model.selection
    let height = min(layout.size.height + 4, bounds.height - 6)
    let parts = layout.selectionXs(
      fromUTF8: model.utf8(selection.lowerBound), to: model.utf8(selection.upperBound))
    for part in parts {
      let rect = Rect(
        x: x + part.lowerBound, y: (bounds.height - height) / 2, width: part.upperBound - part.lowerBound,
        height: height)
      canvas.fill(rect, theme.accent.withAlpha(0.35))
    }
  }

  /// A caret that does not blink: nothing is drawn or woken while nobody types.
  func drawCaret(_ canvas: Canvas, _ layout: TextLayout, x: Double) {
    guard model.selection.isEmpty else { return }
    let caretX = x + layout.caretX(atUTF8: model.utf8(model.caret))
    let height = min(layout.size.height + 2, bounds.height - 8)
    canvas.fill(
      Rect(
        x: caretX.rounded(), y: ((bounds.height - height) / 2).rounded(), width: TextFieldGeometry.caretWidth,
        height: height.rounded()), theme.accent)
  }
}
