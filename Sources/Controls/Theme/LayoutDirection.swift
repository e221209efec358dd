/// The direction in which people read, and in which values grow along a horizontal control.
nonisolated public enum LayoutDirection: String, CaseIterable, Hashable, Sendable, InspectableValue {
  /// As in English.
  case leftToRight
  /// As in Arabic and Hebrew.
  case rightToLeft

  /// The x, in this direction, of a thing `width` wide at `x` from left to right, inside something `total` wide.
  public func x(_ x: Double, width: Double = 0, in total: Double) -> Double {
    self == .leftToRight ? x : total - x - width
  }

  /// The place, in this direction, of a thing at `rect` from left to right, inside something `total` wide.
  public func rect(_ rect: Rect, in total: Double) -> Rect {
    Rect(x: x(rect.minX, width: rect.width, in: total), y: rect.minY, width: rect.width, height: rect.height)
  }

  /// The place, in this direction, of a thing at `point` from left to right, inside something `total` wide.
  public func point(_ point: Point, in total: Double) -> Point {
    Point(x: x(point.x, in: total), y: point.y)
  }

  /// `direction` in this reading direction: the key that goes on to the next thing from left to right goes back from
  /// right to left. Keys other than left and right stay.
  public func key(_ key: Key) -> Key {
    guard self == .rightToLeft else { return key }
    return key == .left ? .right : key == .right ? .left : key
  }
}

extension View {
  /// The direction that counts here: the view's own, else that of the nearest view around it that has one, else from
  /// left to right.
  public var effectiveLayoutDirection: LayoutDirection {
    layoutDirection ?? superview?.effectiveLayoutDirection ?? .leftToRight
  }

  /// `rect`, laid out from left to right within the bounds, in the direction that counts.
  package func mirrored(_ rect: Rect) -> Rect { effectiveLayoutDirection.rect(rect, in: bounds.width) }

  /// Draws `text` so far from the side that reading begins on; its top is at `y`.
  package func draw(_ text: TextLayout, leading x: Double, y: Double, _ color: Color, on canvas: Canvas) {
    let left = effectiveLayoutDirection.x(x, width: text.size.width, in: bounds.width)
    canvas.draw(text, at: Point(x: left, y: y), color)
  }

  /// Tells the view and everything inside if the direction that counts is not `old`.
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
