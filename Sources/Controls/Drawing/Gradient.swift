/// Colours along a line or from a centre outwards; past either end the end's colour goes on.
nonisolated public struct Gradient: Hashable, Sendable {
  /// A colour at a place of the way from start to end.
  public struct Stop: Hashable, Sendable {
    /// The place, 0...1.
    public var offset: Double
    /// The colour there.
    public var color: Color

    /// A stop at `offset`, 0...1.
    public init(_ offset: Double, _ color: Color) {
      self.offset = offset
      self.color = color
    }
  }

  /// The way in which offsets spread over the plane.
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

  /// The colour `fraction` of the way between two stops, mixed in premultiplied form so that a transparent end has no
  /// colour of its own.
  func mixed(_ low: Stop, _ high: Stop, _ fraction: Double) -> Color {
    let (a, b) = (Color.clamped(low.color.alpha), Color.clamped(high.color.alpha))
    let alpha = a + (b - a) * fraction
    // At a transparent end: the colour that the other end keeps all the way.
    if a == 0 { return high.color.withAlpha(alpha) }
    if b == 0 { return low.color.withAlpha(alpha) }
    let share = b * fraction / alpha
    return low.color.mixed(with: high.color, share).withAlpha(alpha)
  }
}
