/// Places on a disc: numbered, spread evenly, the lowest free one is taken first.
nonisolated public struct RadarModel: Hashable, Sendable {
  /// The disc's radius, in points.
  public var radius: Double

  /// A disc; a radius that is not positive counts as 0.
  public init(radius: Double) {
    self.radius = radius > 0 ? radius : 0
  }

  /// How many places are tried.
  static let placeCount = 96

  /// The place `number` from the disc's middle: the next one is always turned by the golden angle, so that no two share a
  /// direction.
  public func place(_ number: Int) -> Point {
    let turn = Double(number) * 0.381_966_011_250_105
    let angle = (turn - turn.rounded(.down)) * 2 * Double.pi - Double.pi / 2
    let step = Double(number) * 0.618_033_988_749_895
    let distance = radius * (0.42 + 0.42 * (step - step.rounded(.down)))
    return Point(x: distance * cosine(angle), y: distance * sine(angle))
  }

  /// The first place on which something of `size` points covers none of `taken` (places with sizes) and stays on the disc;
  /// where there is none, the first that nobody has.
  public func freePlace(size: Double, taken: [(place: Int, size: Double)]) -> Int {
    let numbers = Set(taken.map(\.place))
    let free = (0..<max(Self.placeCount, taken.count + 1)).filter { !numbers.contains($0) }
    let good = free.first { number in
      let point = place(number)
      guard point.distance(to: .zero) + size / 2 <= radius else { return false }
      return taken.allSatisfy { other in
        point.distance(to: place(other.place)) >= (size + other.size) / 2 + 4
      }
    }
    return good ?? free.first ?? 0
  }
}
