/// The style of a path's stroke; lengths are in the coordinates of the path.
nonisolated public struct StrokeStyle: Hashable, Sendable {
  /// The shape of a line's ends.
  public enum Cap: Hashable, Sendable {
    /// At the last point, square.
    case butt
    /// With a half circle around the last point.
    case round
    /// Half a line width past the last point, square.
    case square
  }

  /// The shape of a corner.
  public enum Join: Hashable, Sendable {
    /// With a sharp corner, cut off where it would be longer than `miterLimit` half widths.
    case miter
    /// With a circle around the corner.
    case round
    /// Cut off straight.
    case bevel
  }

  /// The line's width; 0 or less draws nothing.
  public var width: Double
  /// The shape of open ends.
  public var cap: Cap
  /// The shape of corners.
  public var join: Join
  /// The greatest length of a sharp corner, in half line widths.
  public var miterLimit: Double
  /// The lengths of alternating dashes and gaps; empty for a solid line. An odd count is repeated once; a negative or NaN
  /// length, or a sum of 0, counts as empty.
  public var dash: [Double]
  /// The position in the pattern at which the line starts.
  public var dashOffset: Double

  /// A style from its components.
  public init(
    width: Double = 1, cap: Cap = .butt, join: Join = .miter, miterLimit: Double = 10, dash: [Double] = [],
    dashOffset: Double = 0
  ) {
    self.width = width
    self.cap = cap
    self.join = join
    self.miterLimit = miterLimit
    self.dash = dash
    self.dashOffset = dashOffset
  }
}

nonisolated extension StrokeStyle {
  /// More dashes than that along a path's bounds are not worth their time: the line is whole.
  private static let maximumCount = 10_000.0

  /// The dashes in pixels, or nil for a solid line; cairo would refuse to draw with others. `length` is the size of the path,
  /// in its own coordinates.
  func dashes(scale: Double, length bounds: Rect) -> (lengths: [Double], offset: Double)? {
    guard !dash.isEmpty, dash.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    let lengths = dash.map { min($0 * scale, 1e6) }
    let period = lengths.reduce(0, +)
    let way = (bounds.width + bounds.height) * scale
    // Below a hundredth of a pixel a whole pattern is invisible, and only costs time.
    guard period > 0.01, way / period < Self.maximumCount else { return nil }
    let offset = dashOffset * scale
    return (lengths, offset.isFinite ? offset.truncatingRemainder(dividingBy: 2 * period) : 0)
  }
}

/// The rule for the inside of a path that crosses itself, or has several subpaths.
nonisolated public enum FillRule: Hashable, Sendable {
  /// Inside is every point that the outline runs around, in either direction.
  case nonZero
  /// Inside is every point that an odd number of outlines run around: a subpath within a subpath is a hole.
  case evenOdd
}
