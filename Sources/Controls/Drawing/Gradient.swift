// Owns colours that change over an area.
// Must not know pixels.

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

  /// How offsets spread over the plane.
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

  /// The colour at `offset`, mixed in premultiplied form so that a transparent end has no colour of its own.
  func premultiplied(at offset: Double) -> SIMD4<Double> {
    func parts(_ color: Color) -> SIMD4<Double> {
      let alpha = Color.clamped(color.alpha)
      return SIMD4(
        Color.clamped(color.blue) * alpha, Color.clamped(color.green) * alpha, Color.clamped(color.red) * alpha, alpha)
    }
    guard let first = stops.first, let last = stops.last else { return .zero }
    if offset <= first.offset { return parts(first.color) }
    if offset >= last.offset { return parts(last.color) }
    for (low, high) in zip(stops, stops.dropFirst()) where offset < high.offset {
      let fraction = (offset - low.offset) / (high.offset - low.offset)
      return parts(low.color) + (parts(high.color) - parts(low.color)) * fraction
    }
    return parts(last.color)
  }
}
