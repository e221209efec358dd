extension Control {
  /// The smallest side of a place that a finger hits without looking, in points.
  nonisolated public static let minimumTouchSide = 44.0

  /// The bounds, grown evenly to at least 44 points each way: what a small control is touched in.
  public var touchArea: Rect {
    bounds.insetBy(
      dx: min(0, (bounds.width - Self.minimumTouchSide) / 2), dy: min(0, (bounds.height - Self.minimumTouchSide) / 2))
  }

  /// True when `point`, in the control's coordinates, is in the bounds or belongs to the rest of `touchArea`: outside of its
  /// bounds a control gets nothing that lies on a sibling that takes touches, or nearer to another control (K21).
  public func isInTouchArea(_ point: Point) -> Bool {
    if bounds.contains(point) { return true }
    guard touchArea.contains(point), let superview else { return false }
    let place = storedFrame.origin + point
    let own = storedFrame.distance(to: place)
    // Nobody further away than this one can take the point from it; a little more, for cells that meet there.
    let reach = own + 1
    var isTaken = false
    superview.forEachSubview(in: [Rect(x: place.x - reach, y: place.y - reach, width: 2 * reach, height: 2 * reach)]) {
      other in
      guard !isTaken, other !== self, other.isUserInteractionEnabled, !other.isHidden, other.alpha > 0.01 else {
        return
      }
      let distance = other.frame.distance(to: place)
      // One exactly between two goes to the one in front, which is asked first.
      isTaken = distance == 0 || (other is Control && distance < own)
    }
    return !isTaken
  }
}

extension Rect {
  /// The points between the rectangle and `point`; 0 inside. The right and bottom edges are outside, but as near as can be.
  fileprivate func distance(to point: Point) -> Double {
    if contains(point) { return 0 }
    let dx = max(minX - point.x, 0, point.x - maxX)
    let dy = max(minY - point.y, 0, point.y - maxY)
    return max((dx * dx + dy * dy).squareRoot(), .leastNonzeroMagnitude)
  }
}
