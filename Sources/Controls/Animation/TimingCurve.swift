/// Progress as a function of time, both from 0 to 1: a cubic Bézier from (0, 0) to (1, 1).
nonisolated public struct TimingCurve: Hashable, Sendable {
  private let x1: Double
  private let y1: Double
  private let x2: Double
  private let y2: Double

  /// A curve by its two control points; the xs are clamped to 0...1, NaN counts as 0.
  public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    self.x1 = Color.clamped(x1)
    self.y1 = y1.isFinite ? y1 : 0
    self.x2 = Color.clamped(x2)
    self.y2 = y2.isFinite ? y2 : 0
  }

  /// Even speed.
  public static let linear = TimingCurve(0, 0, 1, 1)
  /// Slow at first.
  public static let easeIn = TimingCurve(0.42, 0, 1, 1)
  /// Slow at last.
  public static let easeOut = TimingCurve(0, 0, 0.58, 1)
  /// Slow at both ends.
  public static let easeInOut = TimingCurve(0.42, 0, 0.58, 1)

  /// The progress at `time`, both 0...1; outside, the nearest end.
  public func progress(at time: Double) -> Double {
    guard time > 0 else { return 0 }
    guard time < 1 else { return 1 }
    if x1 == y1 && x2 == y2 { return time }
    // The curve's x grows with its parameter, so bisection always finds it; 40 steps are exact to 1e-12.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if Self.bezier(x1, x2, middle) < time { low = middle } else { high = middle }
    }
    return Self.bezier(y1, y2, (low + high) / 2)
  }

  private static func bezier(_ a: Double, _ b: Double, _ t: Double) -> Double {
    let u = 1 - t
    return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t
  }
}
