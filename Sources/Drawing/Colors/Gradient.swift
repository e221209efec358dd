/// Colours along a line or from a centre outwards; the end colours extend past both ends.
nonisolated public struct Gradient: Hashable, Sendable {
  /// A colour at a position between start and end.
  public struct Stop: Hashable, Sendable {
    /// The position, 0...1.
    public var offset: Double
    /// The colour there.
    public var color: Color

    /// A stop at `offset`, 0...1.
    public init(_ offset: Double, _ color: Color) {
      self.offset = offset
      self.color = color
    }
  }

  /// How offsets are distributed over the plane.
  enum Shape: Hashable, Sendable {
    case linear(Point, Point)
    case radial(Point, Double, Double)
  }

  let shape: Shape
  let stops: [Stop]

  private init(shape: Shape, stops: [Stop]) {
    self.shape = shape
    self.stops = stops.filter { !$0.offset.isNaN }.sorted { $0.offset < $1.offset }
  }

  /// A gradient along the line from `start` to `end`, in the coordinates of the canvas that it is drawn with.
  public static func linear(from start: Point, to end: Point, stops: [Stop]) -> Gradient {
    Gradient(shape: .linear(start, end), stops: stops)
  }

  /// A gradient from `start` to `end` with two colours.
  public static func linear(from start: Point, to end: Point, _ first: Color, _ last: Color) -> Gradient {
    linear(from: start, to: end, stops: [Stop(0, first), Stop(1, last)])
  }

  /// A gradient around `center`: offset 0 at `innerRadius`, 1 at `outerRadius`.
  public static func radial(
    center: Point, innerRadius: Double = 0, outerRadius: Double, stops: [Stop]
  ) -> Gradient {
    Gradient(shape: .radial(center, innerRadius, outerRadius), stops: stops)
  }

  /// The colour at `fraction` between two stops, mixed in premultiplied form so that a transparent end has no colour of its
  /// own.
  static func mixed(_ low: Stop, _ high: Stop, _ fraction: Double) -> Color {
    let (a, b) = (Color.clamped(low.color.alpha), Color.clamped(high.color.alpha))
    let alpha = a + (b - a) * fraction
    // At a transparent end: the colour that the other end keeps throughout.
    if a == 0 { return high.color.withAlpha(alpha) }
    if b == 0 { return low.color.withAlpha(alpha) }
    let share = b * fraction / alpha
    return low.color.mixed(with: high.color, share).withAlpha(alpha)
  }
}

/// A gradient whose colours differ from row to row of pixels and not from column to column.
nonisolated struct GradientRamp {
  private let stops: [Gradient.Stop]
  private let alpha: Double
  /// The position of offset 0 and the distance to offset 1, in pixels downwards.
  private let start: Double
  private let length: Double

  /// `gradient` in coordinates that `transform` maps to pixels, weakened by `alpha`; nil if it is not vertical.
  init?(_ gradient: Gradient, _ transform: Transform, alpha: Double) {
    guard case .linear(let start, let end) = gradient.shape, start.x == end.x, start.isFinite, end.isFinite,
      abs(end.y - start.y) >= 1e-6, transform.isUpright, transform.isFinite, !gradient.stops.isEmpty
    else { return nil }
    (stops, self.alpha) = (gradient.stops, alpha)
    self.start = transform.apply(start).y
    length = transform.apply(end).y - self.start
  }

  /// The colour in the middle of `row`, premultiplied.
  func pixel(_ row: Int) -> UInt32 {
    let offset = (Double(row) + 0.5 - start) / length
    var index = 0
    while index < stops.count, stops[index].offset <= offset { index += 1 }
    var color = stops[max(index - 1, 0)].color
    if index > 0, index < stops.count {
      let (low, high) = (stops[index - 1], stops[index])
      color = Gradient.mixed(low, high, (offset - low.offset) / (high.offset - low.offset))
    }
    return color.withAlpha(Color.clamped(color.alpha) * alpha).pixel
  }
}
