// Owns turning curves in pixels into straight lines.
// Must not know what becomes of the lines.

/// What takes straight lines in pixels.
nonisolated protocol LineSink {
  /// Begins a part.
  mutating func move(_ point: Point)
  /// Adds a line from the last point.
  mutating func line(_ point: Point)
  /// Joins the part's end to its start.
  mutating func close()
}

/// Straight lines in place of curves, within a fortieth of a pixel.
nonisolated enum Flattener {
  /// Hands every corner of `path`, mapped by `transform`, to `sink`.
  static func walk<Sink: LineSink>(_ path: Path, _ transform: Transform, into sink: inout Sink) {
    var current = Point.zero
    var start = Point.zero
    for element in path.elements {
      switch element {
      case .move(let p):
        current = transform.apply(p)
        start = current
        sink.move(current)
      case .line(let p):
        current = transform.apply(p)
        sink.line(current)
      case .curve(let c1, let c2, let p):
        let (p0, p1, p2, p3) = (current, transform.apply(c1), transform.apply(c2), transform.apply(p))
        let count = pieces(p0, p1, p2, p3)
        for index in 1..<max(count, 1) {
          let t = Double(index) / Double(count)
          let u = 1 - t
          let (w0, w1, w2, w3) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
          sink.line(
            Point(
              x: w0 * p0.x + w1 * p1.x + w2 * p2.x + w3 * p3.x, y: w0 * p0.y + w1 * p1.y + w2 * p2.y + w3 * p3.y))
        }
        sink.line(p3)
        current = p3
      case .close:
        sink.close()
        current = start
      }
    }
  }

  /// How many lines keep the curve within a fortieth of a pixel: the bound by its second differences, at most 500.
  private static func pieces(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) -> Int {
    let ax = p0.x - 2 * p1.x + p2.x
    let ay = p0.y - 2 * p1.y + p2.y
    let bx = p1.x - 2 * p2.x + p3.x
    let by = p1.y - 2 * p2.y + p3.y
    let bend = max(ax * ax + ay * ay, bx * bx + by * by).squareRoot()
    guard bend.isFinite else { return 1 }
    return Int(min(max((bend * 0.75 / 0.025).squareRoot().rounded(.up), 1), 500))
  }
}
