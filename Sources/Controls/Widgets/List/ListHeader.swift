/// The header of a section of a `ListView`: its title, over rows that are scrolled under it.
final class ListHeader: View {
  @Redraws var title = ""

  override func draw(_ canvas: Canvas) {
    canvas.fill(theme.panel.mixed(with: theme.label, 0.1))
    // Headers may touch: of sections without rows, or where one pushes another out.
    let line = 1 / canvas.scale.factor
    canvas.fill(
      canvas.onWholePixels(Rect(x: 0, y: bounds.height - line, width: bounds.width, height: line)), theme.hairline)
    let room = bounds.width - 2 * ListRow.margin
    guard room > 0 else { return }
    let text = self.line(title, theme.font(.caption, weight: .bold), width: room)
    draw(text, leading: ListRow.margin, y: (bounds.height - text.size.height) / 2, theme.label, on: canvas)
  }

  override var accessibilityRole: AccessibilityRole { title.isEmpty ? .none : .heading }
  override var accessibilityTitle: String { title }
}
