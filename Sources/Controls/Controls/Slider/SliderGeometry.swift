/// A stretch along a slider's axis, in points; its ends may come in any order.
nonisolated struct SliderStretch: Hashable, Sendable {
  var from = 0.0
  var to = 0.0
  /// True while it is shown as held.
  var isPressed = false
}

/// The parts of a slider of one size: the track along its middle, and square thumbs as large as it is high.
nonisolated package struct SliderGeometry: Hashable, Sendable {
  /// The slider's size in points.
  package let size: Size
  /// The axis of the slider.
  package let orientation: Axis
  /// The direction in which values grow in a horizontal slider.
  package let direction: LayoutDirection
  /// The distances from the edges of the bounds to the ends of the scale; nil for half a thumb.
  package let insets: EdgeInsets?

  /// The parts of a slider of `size`. Without `insets` a thumb at an end touches the edge of the bounds; with them, the scale's
  /// ends are there, left and right of a horizontal slider, top and bottom of a vertical one.
  package init(
    size: Size, orientation: Axis = .horizontal, direction: LayoutDirection = .leftToRight,
    insets: EdgeInsets? = nil
  ) {
    let isUsable = size.width.isFinite && size.height.isFinite
    self.size = isUsable ? Size(width: max(size.width, 0), height: max(size.height, 0)) : .zero
    self.orientation = orientation
    self.direction = direction
    self.insets = insets?.isFinite == true ? insets : nil
  }

  private var isHorizontal: Bool { orientation == .horizontal }

  /// The bounds' extent along the axis.
  private var length: Double { size[orientation] }

  /// The bounds' extent across the axis.
  private var breadth: Double { size[orientation.other] }

  /// The side of the square that a thumb is drawn in, in points; no longer than the slider.
  package var thumbLength: Double { min(breadth, length) }

  /// The axis of the values. It has no extent if thumbs have no space to move.
  package var axis: SliderAxis {
    let insets = insets ?? EdgeInsets(thumbLength / 2)
    var near = isHorizontal ? insets.left : insets.top
    var far = length - (isHorizontal ? insets.right : insets.bottom)
    if far < near {
      near = (near + far) / 2
      far = near
    }
    let growsBack = orientation == .vertical || direction == .rightToLeft
    return growsBack ? SliderAxis(start: far, extent: near - far) : SliderAxis(start: near, extent: far - near)
  }

  /// The track: the middle third of the bounds, from edge to edge.
  package var track: Rect {
    let margin = breadth / 3
    return Rect(origin: .zero, size: size).insetBy(dx: isHorizontal ? 0 : margin, dy: isHorizontal ? margin : 0)
  }

  /// The square of a thumb whose middle is at `position` along the axis.
  package func thumb(at position: Double) -> Rect {
    let side = thumbLength
    let origin = Point { $0 == orientation ? position - side / 2 : (breadth - side) / 2 }
    return Rect(origin: origin, size: Size(width: side, height: side))
  }

  /// The part of the track between two positions, in any order.
  package func part(from a: Double, to b: Double) -> Rect {
    let (low, high, track) = (min(a, b), max(a, b), track)
    return isHorizontal
      ? Rect(x: low, y: track.minY, width: high - low, height: track.height)
      : Rect(x: track.minX, y: low, width: track.width, height: high - low)
  }

  /// The preferred size of a slider in `size`: the available length, and 31 points across.
  static func size(fitting size: Size, _ orientation: Axis) -> Size {
    let length = size[orientation]
    return Size(length.isFinite && length > 0 ? length : 200, along: orientation, breadth: preferredBreadth)
  }

  /// The preferred height of a horizontal slider, and width of a vertical one, in points.
  package static let preferredBreadth = 31.0

  /// The position of `point` along the axis.
  package func position(of point: Point) -> Double { point[orientation] }
}
