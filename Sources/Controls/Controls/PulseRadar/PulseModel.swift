/// Rings that run outwards one after the other, evenly spaced, without end.
nonisolated public struct PulseModel: Hashable, Sendable {
  /// How many rings are on their way at a time; at least 1, at most 100.
  public let ringCount: Int

  /// Pulses of `ringCount` rings.
  public init(ringCount: Int) {
    self.ringCount = min(max(ringCount, 1), 100)
  }

  /// One ring.
  public struct Ring: Hashable, Sendable {
    /// How far it has come, from 0 in the middle up to 1 at the edge.
    public var way: Double
    /// How strong it is, 0...1: it comes up quickly and fades towards the edge.
    public var strength: Double
  }

  /// The rings at `phase`: 0 is the start of a period and 1 its end, which looks the same. NaN counts as 0.
  public func rings(at phase: Double) -> [Ring] {
    let phase = phase.isFinite ? phase : 0
    return (0..<ringCount).map { number in
      let place = phase + Double(number) / Double(ringCount)
      let way = place - place.rounded(.down)
      return Ring(way: way, strength: (1 - way) * min(way * 6, 1))
    }
  }
}
