/// A stretch along a slider's axis, in points; its ends may come in any order.
nonisolated struct SliderStretch: Hashable, Sendable {
  var from = 0.0
  var to = 0.0
  /// True while it is shown as held.
  var isPressed = false
}

/// The parts of a slider of one size: the track along its middle, and square thumbs as large as it is high (R5, R6).
nonisolated public struct SliderGeometry: Hashable, Sendable {
  /// The slider's size in points.
  public let size: Size
  /// Which way it lies.
  public let orientation: Axis
  /// Which way values grow in a horizontal one.
  public let direction: LayoutDirection
  /// From the edges of the bounds to the ends of the scale; nil for half a thumb.
  public let insets: EdgeInsets?

  /// The parts of a slider of `size`. Without `insets` a thumb at an end touches the edge of the bounds (R7); with them, the
  /// scale's ends are there, left and right of a horizontal slider, top and bottom of a vertical one (O9).
  public init(
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

  /// The side of the square that a thumb is drawn in (R5), in points; no longer than the slider (R-D6).
  public var thumbLength: Double { min(breadth, length) }

  /// Where values lie (R7, O10): it has no extent where thumbs have no room to move (R-D6).
  public var axis: SliderAxis {
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

  /// The track: the middle third of the bounds, from edge to edge (R6).
  public var track: Rect {
    let margin = breadth / 3
    return Rect(origin: .zero, size: size).insetBy(dx: isHorizontal ? 0 : margin, dy: isHorizontal ? margin : 0)
  }

  /// The square of a thumb whose middle is at `position` along the axis (R6).
  public func thumb(at position: Double) -> Rect {
    let side = thumbLength
    let origin = Point { $0 == orientation ? position - side / 2 : (breadth - side) / 2 }
    return Rect(origin: origin, size: Size(width: side, height: side))
  }

  /// The part of the track between two positions, in any order (R9, O18).
  public func part(from a: Double, to b: Double) -> Rect {
    let (low, high, track) = (min(a, b), max(a, b), track)
    return isHorizontal
      ? Rect(x: low, y: track.minY, width: high - low, height: track.height)
      : Rect(x: track.minX, y: low, width: track.width, height: high - low)
  }

  /// The size that suits a slider for which there is room in `size`: as long as that, 31 points high (R1), or wide when it
  /// stands.
  static func size(fitting size: Size, _ orientation: Axis) -> Size {
    let length = size[orientation]
    return Size(length.isFinite && length > 0 ? length : 200, along: orientation, breadth: preferredBreadth)
  }

  /// The height that suits a horizontal slider, and the width of a vertical one, in points (R1).
  public static let preferredBreadth = 31.0

  /// Where `point` is along the axis.
  public func position(of point: Point) -> Double { point[orientation] }
}
