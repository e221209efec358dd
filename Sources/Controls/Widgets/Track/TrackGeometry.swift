/// The parts of a slider or switch of one size: the track, and square thumbs that run along it.
nonisolated package struct TrackGeometry: Hashable, Sendable {
  package let orientation: Axis
  package let track: Rect
  /// The axis of the values. It has no extent if thumbs have no space to move.
  package let axis: TrackAxis
  /// The rectangle in which thumbs run from edge to edge.
  private let area: Rect

  /// The parts of a slider of `size`: the track is the middle third. Without `insets` a thumb at an end touches the edge of the
  /// bounds; with them, the scale's ends are there, left and right of a horizontal slider, top and bottom of a vertical one.
  /// Values of a horizontal slider grow in `direction`.
  package init(
    size: Size, orientation: Axis = .horizontal, direction: LayoutDirection = .leftToRight,
    insets: EdgeInsets? = nil
  ) {
    let isUsable = size.width.isFinite && size.height.isFinite
    let area = Rect(x: 0, y: 0, width: isUsable ? max(size.width, 0) : 0, height: isUsable ? max(size.height, 0) : 0)
    let margin = area.size[orientation.other] / 3
    let track = orientation == .horizontal ? area.insetBy(dx: 0, dy: margin) : area.insetBy(dx: margin, dy: 0)
    self.init(area: area, track: track, orientation, direction, insets?.isFinite == true ? insets : nil)
  }

  /// The parts of a switch of `size`: the track is in the middle, as large as its proportions allow, and the knob is as large
  /// as the track is high. On is on the side of `direction`.
  package init(switchOf size: Size, direction: LayoutDirection = .leftToRight) {
    let track = ContentMode.aspectFit.rect(for: Switch.preferredSize, in: Rect(origin: .zero, size: size))
    self.init(area: track, track: track, .horizontal, direction, nil)
  }

  private init(
    area: Rect, track: Rect, _ orientation: Axis, _ direction: LayoutDirection, _ insets: EdgeInsets?
  ) {
    (self.area, self.track, self.orientation) = (area, track, orientation)
    let isHorizontal = orientation == .horizontal
    let insets = insets ?? EdgeInsets(min(area.width, area.height) / 2)
    var near = isHorizontal ? area.minX + insets.left : area.minY + insets.top
    var far = isHorizontal ? area.maxX - insets.right : area.maxY - insets.bottom
    if far < near {
      near = (near + far) / 2
      far = near
    }
    let growsBack = !isHorizontal || direction == .rightToLeft
    axis = growsBack ? TrackAxis(start: far, extent: near - far) : TrackAxis(start: near, extent: far - near)
  }

  /// The side of the square that a thumb is drawn in, in points; no longer than the slider.
  package var thumbLength: Double { min(area.width, area.height) }

  /// The square of a thumb whose middle is at `position` along the axis.
  package func thumb(at position: Double) -> Rect {
    let side = thumbLength
    let origin = Point {
      $0 == orientation ? position - side / 2 : area.origin[$0] + (area.size[$0] - side) / 2
    }
    return Rect(origin: origin, size: Size(width: side, height: side))
  }

  /// The part of the track between two positions, in any order.
  package func part(from a: Double, to b: Double) -> Rect {
    let (low, high) = (min(a, b), max(a, b))
    return orientation == .horizontal
      ? Rect(x: low, y: track.minY, width: high - low, height: track.height)
      : Rect(x: track.minX, y: low, width: track.width, height: high - low)
  }

  package func position(of point: Point) -> Double { point[orientation] }
}
