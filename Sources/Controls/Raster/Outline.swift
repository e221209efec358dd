// Owns an outline in pixels as edges, ready to be filled.
// Must not know colours, clips or where outlines come from.

/// Straight edges in 256ths of a pixel. Parts are closed by themselves; filling needs that.
nonisolated struct Outline: LineSink {
  /// An edge that goes down, in 256ths of a pixel.
  struct Edge {
    var x: Double
    var slope: Double
    var top: Int
    var bottom: Int
    /// 1 where the outline goes down, -1 where it goes up.
    var direction: Int32
  }

  private(set) var edges: [Edge] = []
  /// True when a coordinate was no number: nothing is filled.
  private(set) var isBroken = false
  private(set) var minX = Int.max
  private(set) var maxX = Int.min
  private var start = (x: 0, y: 0)
  private var last = (x: 0, y: 0)

  /// Coordinates beyond this many pixels are pulled in; nothing that large is seen.
  private static let limit = 1e6

  /// Forgets everything, keeping the storage.
  mutating func removeAll() {
    edges.removeAll(keepingCapacity: true)
    start = (0, 0)
    last = (0, 0)
    isBroken = false
    minX = .max
    maxX = .min
  }

  mutating func move(_ point: Point) {
    close()
    start = fixed(point)
    last = start
  }

  mutating func line(_ point: Point) {
    let next = fixed(point)
    add(last, next)
    last = next
  }

  mutating func close() {
    if last != start { add(last, start) }
    last = start
  }

  private mutating func fixed(_ point: Point) -> (x: Int, y: Int) {
    guard point.isFinite else {
      isBroken = true
      return (0, 0)
    }
    let limit = Self.limit
    return (
      Int((min(max(point.x, -limit), limit) * 256).rounded()), Int((min(max(point.y, -limit), limit) * 256).rounded())
    )
  }

  private mutating func add(_ from: (x: Int, y: Int), _ to: (x: Int, y: Int)) {
    minX = min(minX, from.x, to.x)
    maxX = max(maxX, from.x, to.x)
    guard from.y != to.y else { return }
    let (upper, lower, direction): ((x: Int, y: Int), (x: Int, y: Int), Int32) =
      from.y < to.y ? (from, to, 1) : (to, from, -1)
    edges.append(
      Edge(
        x: Double(upper.x), slope: Double(lower.x - upper.x) / Double(lower.y - upper.y), top: upper.y,
        bottom: lower.y, direction: direction))
  }
}
