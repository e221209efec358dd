// Owns how a line is widened into an area.
// Must not know the line.

/// How a path is stroked; lengths are in the coordinates of the path.
nonisolated public struct StrokeStyle: Hashable, Sendable {
  /// How a line ends.
  public enum Cap: Hashable, Sendable {
    /// At the last point, square.
    case butt
    /// With a half circle around the last point.
    case round
    /// Half a line width past the last point, square.
    case square
  }

  /// How two lines meet.
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
  /// How open ends look.
  public var cap: Cap
  /// How corners look.
  public var join: Join
  /// How long a sharp corner may get, in half line widths.
  public var miterLimit: Double
  /// Lengths of dashes and gaps in turn; empty for a whole line. An odd count is repeated once; a negative or NaN
  /// length, or a sum of 0, counts as empty.
  public var dash: [Double]
  /// How far into the pattern the line starts.
  public var dashOffset: Double

  /// A style from its parts.
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
