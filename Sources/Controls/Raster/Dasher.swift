// Owns cutting a line into dashes.
// Must not know widths or pixels' colours.

/// A line cut by a pattern of dashes and gaps, lengths in pixels.
nonisolated enum Dasher {
  /// The pattern with an even count, or nil where it cannot cut anything.
  static func pattern(_ dash: [Double], scale: Double) -> [Double]? {
    guard !dash.isEmpty, dash.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    let lengths = dash.map { $0 * scale }
    // Under a hundredth of a pixel a whole pattern cannot be seen, only counted.
    guard lengths.reduce(0, +) > 0.01 else { return nil }
    return lengths.count % 2 == 0 ? lengths : lengths + lengths
  }

  /// The dashes of the line through `points`; at most 10,000.
  static func cut(_ points: [Point], isClosed: Bool, pattern: [Double], offset: Double) -> [[Point]] {
    guard var from = points.first else { return [] }
    let total = pattern.reduce(0, +)
    var into = offset.isFinite ? offset.truncatingRemainder(dividingBy: total) : 0
    if into < 0 { into += total }
    var index = 0
    while into >= pattern[index], into > 0 {
      into -= pattern[index]
      index = (index + 1) % pattern.count
    }
    var left = pattern[index] - into
    var dashes: [[Point]] = []
    var current: [Point] = index % 2 == 0 ? [from] : []
    for to in points.dropFirst() + (isClosed ? [from] : []) {
      var distance = from.distance(to: to)
      while distance > left, dashes.count < 10_000 {
        let fraction = left / distance
        from = Point(x: from.x + (to.x - from.x) * fraction, y: from.y + (to.y - from.y) * fraction)
        distance -= left
        if index % 2 == 0 {
          dashes.append(current + [from])
          current = []
        } else {
          current = [from]
        }
        index = (index + 1) % pattern.count
        left = pattern[index]
      }
      left -= distance
      from = to
      if index % 2 == 0 { current.append(to) }
    }
    if current.count > 1 { dashes.append(current) }
    return dashes
  }
}
