// Owns gathering flattened lines into the parts that are stroked one by one.
// Must not know how lines are widened.

/// Takes lines, cuts them into dashes where wanted, and hands each to the stroker.
nonisolated struct StrokeSink: LineSink {
  var stroker: Stroker
  /// Lengths of dashes and gaps in pixels; nil for whole lines.
  let pattern: [Double]?
  /// How far into the pattern a part starts, in pixels.
  let offset: Double
  private var points: [Point] = []
  /// Where a part that goes on after its end begins again.
  private var restart: Point?

  init(stroker: Stroker, pattern: [Double]?, offset: Double) {
    self.stroker = stroker
    self.pattern = pattern
    self.offset = offset
  }

  mutating func move(_ point: Point) {
    finish(isClosed: false)
    points.append(point)
  }

  mutating func line(_ point: Point) {
    if points.isEmpty, let restart { points.append(restart) }
    points.append(point)
  }

  mutating func close() {
    restart = points.first ?? restart
    finish(isClosed: true)
  }

  /// Strokes what was gathered.
  mutating func finish(isClosed: Bool) {
    defer { points.removeAll(keepingCapacity: true) }
    guard !points.isEmpty else { return }
    guard let pattern else { return stroker.stroke(points, isClosed: isClosed) }
    for dash in Dasher.cut(points, isClosed: isClosed, pattern: pattern, offset: offset) {
      stroker.stroke(dash, isClosed: false)
    }
  }
}
