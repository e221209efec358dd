/// The reading direction, in which values also grow along a horizontal control.
nonisolated public enum LayoutDirection: String, CaseIterable, Hashable, Sendable {
  /// As in English.
  case leftToRight
  /// As in Arabic and Hebrew.
  case rightToLeft

  /// The x, in this direction, of an item `width` wide at `x` from left to right, inside `total` points.
  public func x(_ x: Double, width: Double = 0, in total: Double) -> Double {
    self == .leftToRight ? x : total - x - width
  }

  /// The frame, in this direction, of an item at `rect` from left to right, inside `total` points.
  public func rect(_ rect: Rect, in total: Double) -> Rect {
    Rect(x: x(rect.minX, width: rect.width, in: total), y: rect.minY, width: rect.width, height: rect.height)
  }

  /// The position, in this direction, of an item at `point` from left to right, inside `total` points.
  public func point(_ point: Point, in total: Double) -> Point {
    Point(x: x(point.x, in: total), y: point.y)
  }

  /// `key` in this reading direction: the key that moves to the next item in left-to-right layout moves back in right-to-left
  /// layout. All other keys are unchanged.
  public func key(_ key: Key) -> Key {
    guard self == .rightToLeft else { return key }
    return key == .left ? .right : key == .right ? .left : key
  }
}
