extension View {
  /// The effective direction: the view's own, otherwise that of the nearest ancestor that has one, otherwise left to right.
  public var effectiveLayoutDirection: LayoutDirection {
    layoutDirection ?? superview?.effectiveLayoutDirection ?? .leftToRight
  }

  /// `rect`, laid out from left to right within the bounds, in the effective direction.
  package func mirrored(_ rect: Rect) -> Rect { effectiveLayoutDirection.rect(rect, in: bounds.width) }

  /// Draws `text` at this distance from the leading side; its top is at `y`.
  package func draw(_ text: TextLayout, leading x: Double, y: Double, _ color: Color, on canvas: Canvas) {
    let left = effectiveLayoutDirection.x(x, width: text.size.width, in: bounds.width)
    canvas.draw(text, at: Point(x: left, y: y), color)
  }

  /// `text` in one line of `width` points, truncated with an ellipsis.
  package func line(_ text: String, _ font: Font, width: Double) -> TextLayout {
    let whole = FontLibrary.shared.layout(text, font: font)
    guard whole.size.width > width else { return whole }
    return TextLayout(
      text, font: font, limits: TextLimits(width: max(width, 0), lineCount: 1, direction: effectiveLayoutDirection))
  }

  /// Notifies the view and its descendants if the effective direction is no longer `old`.
  func noteLayoutDirection(was old: LayoutDirection) {
    guard effectiveLayoutDirection != old else { return }
    layoutDirectionChanged()
    damage()
  }

  private func layoutDirectionChanged() {
    forgetDrawing()
    setNeedsLayout()
    layoutDirectionDidChange()
    for view in subviews where view.layoutDirection == nil { view.layoutDirectionChanged() }
  }
}
