/// The scale of a round gauge: which number lies at which angle, which of them are written, and where the strokes are.
///
/// It runs clockwise over three quarters of a circle, open at the bottom, whatever the direction of reading: a dial is an object.
nonisolated public struct GaugeScale: Hashable, Sendable {
  /// The angle of the scale's start, clockwise from east in radians (135 degrees: lower left).
  public static let start = Double.pi * 0.75
  /// The scale's length in radians: three quarters of a circle.
  public static let sweep = Double.pi * 1.5

  /// The number at the scale's start.
  public let minimum: Double
  /// The number at the scale's end. A scale whose end is not greater than its start is empty: it has no numbers and no strokes.
  public let maximum: Double
  /// The number of parts between written numbers on a large dial, 1...20.
  public let divisions: Int

  /// A scale from `minimum` to `maximum` in `divisions` equal parts. Limits that are not finite make an empty scale.
  public init(from minimum: Double, to maximum: Double, divisions: Int) {
    let isUsable = minimum.isFinite && maximum.isFinite && (maximum - minimum).isFinite
    (self.minimum, self.maximum) = isUsable ? (minimum, maximum) : (0, 0)
    self.divisions = divisions.clamped(to: 1...20)
  }

  /// The distance between the two ends, in the scale's unit; 0 for an empty scale.
  public var span: Double { max(maximum - minimum, 0) }

  /// The fraction of the scale at `number`: 0 at its start, 1 at its end, and the nearest end outside. NaN counts as the start.
  public func fraction(_ number: Double) -> Double {
    guard span > 0, !number.isNaN else { return 0 }
    return ((number - minimum) / span).clamped(to: 0...1)
  }

  /// The angle at `number`, in radians clockwise from east.
  public func angle(of number: Double) -> Double { Self.start + Self.sweep * fraction(number) }

  /// How many of its numbers a dial has room for.
  public enum Density: Hashable, Sendable {
    /// One at each part.
    case all
    /// One at each second part, if the number of parts is even.
    case half
    /// Those at the ends, and in the middle if the number of parts is even.
    case few
  }

  /// The numbers that are written, from the start to the end.
  public func numbers(_ density: Density) -> [Double] {
    guard span > 0 else { return [] }
    let isEven = divisions % 2 == 0
    let count =
      switch density {
      case .all: divisions
      case .half: isEven ? divisions / 2 : divisions
      case .few: isEven ? 2 : 1
      }
    let step = span / Double(count)
    return (0...count).map { minimum + step * Double($0) }
  }

  /// A stroke of the scale.
  public struct Stroke: Hashable, Sendable {
    /// How far a stroke stands out.
    public enum Rank: Hashable, Sendable {
      /// At a written number of a large dial.
      case major
      /// Halfway between two of these.
      case middle
      /// Between a major and a middle one.
      case minor
    }

    /// The number where it is.
    public let number: Double
    /// How far it stands out.
    public let rank: Rank
  }

  /// The strokes from the start to the end: each fourth one is major.
  public var strokes: [Stroke] {
    guard span > 0 else { return [] }
    let count = 4 * divisions
    return (0...count).map { part in
      let rank: Stroke.Rank
      switch part % 4 {
      case 0: rank = .major
      case 2: rank = .middle
      default: rank = .minor
      }
      return Stroke(number: minimum + span * Double(part) / Double(count), rank: rank)
    }
  }
}
