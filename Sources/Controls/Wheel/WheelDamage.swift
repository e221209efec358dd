// Owns which parts of a wheel change when it turns or is lit: thin rectangles, not the wheel's square.
// Must not know views or drawing beyond the outlines that it covers.

import Interface

/// The rectangles that a change repaints. Ring and hub are symmetric, so only spokes and mark count for a turn.
///
/// A region cuts overlapping rectangles into pieces, and many pieces cost more than the pixels that they save. So the plane
/// is cut into bands of whole pixel rows first; in each, runs that touch are joined: what comes out never overlaps.
nonisolated struct WheelDamage {
  /// The height of a turn's bands in points: less would send less, and cost more in rectangles than it saves in pixels.
  private static let turnBand = 20.0
  /// The height of the lit edge's bands.
  private static let edgeBand = 20.0
  /// Runs nearer than this are joined: one rectangle costs about as much as so many points more on its rows.
  private static let joinedGap = 6.0

  let geometry: WheelGeometry
  /// Where the control's coordinates begin in the window, in points.
  let origin: Point
  /// Pixels per point.
  let factor: Double

  /// Rectangles that hold every spoke and the mark at both angles (degrees), in the control's coordinates.
  func turn(from old: Double, to new: Double) -> [Rect] {
    guard geometry.outerRadius > 0, old.isFinite, new.isFinite else { return [] }
    var runs = Runs(damage: self, band: Self.turnBand)
    for angle in [old, new] {
      for direction in WheelGeometry.spokeDirections { addSpoke(direction + angle, to: &runs) }
      let mark = geometry.mark
      let half = mark.halfWidth + margin
      addQuad(angle - 90, from: mark.inner - margin, half, to: mark.outer + margin, half, to: &runs)
    }
    return runs.rects
  }

  /// Rectangles that hold the circle line between two radii.
  func ring(from inner: Double, to outer: Double) -> [Rect] {
    guard geometry.outerRadius > 0, inner > 0, outer > inner else { return [] }
    var runs = Runs(damage: self, band: Self.edgeBand)
    let center = geometry.center
    runs.forEachBand(from: center.y - outer - margin, to: center.y + outer + margin) { runs, index, top, bottom in
      let nearest = top <= center.y && bottom >= center.y ? 0 : min(abs(top - center.y), abs(bottom - center.y))
      let farthest = max(abs(top - center.y), abs(bottom - center.y))
      let far = max(outer * outer - nearest * nearest, 0).squareRoot() + margin
      let near = max(inner * inner - farthest * farthest, 0).squareRoot() - margin
      runs.add(index, center.x - far, center.x - near)
      runs.add(index, center.x + near, center.x + far)
    }
    return runs.rects
  }

  /// What smooth edges may reach beyond their outline: a pixel, and a little for the arithmetic.
  private var margin: Double { 1 / factor + 0.1 }

  /// A spoke as four quadrilaterals: its parabolas bend inwards, so chords lie outside.
  private func addSpoke(_ angle: Double, to runs: inout Runs) {
    let (root, end) = (geometry.spokeRoot - margin, geometry.rimInnerRadius + margin)
    let count = 4
    for index in 0..<count {
      let from = root + (end - root) * Double(index) / Double(count)
      let to = root + (end - root) * Double(index + 1) / Double(count)
      addQuad(
        angle, from: from, geometry.spokeHalfWidth(atRadius: from) + margin, to: to,
        geometry.spokeHalfWidth(atRadius: to) + margin, to: &runs)
    }
  }

  /// Adds the quadrilateral along `angle` between two distances from the centre, with half its width at each.
  private func addQuad(
    _ angle: Double, from near: Double, _ nearHalf: Double, to far: Double, _ farHalf: Double, to runs: inout Runs
  ) {
    let turn = Transform.rotation(angle * .pi / 180).then(.translation(x: geometry.center.x, y: geometry.center.y))
    let corners = [
      turn.apply(Point(x: near, y: -nearHalf)), turn.apply(Point(x: far, y: -farHalf)),
      turn.apply(Point(x: far, y: farHalf)), turn.apply(Point(x: near, y: nearHalf)),
    ]
    let low = min(corners[0].y, corners[1].y, corners[2].y, corners[3].y)
    let high = max(corners[0].y, corners[1].y, corners[2].y, corners[3].y)
    runs.forEachBand(from: low, to: high) { runs, index, top, bottom in
      var (left, right) = (Double.infinity, -Double.infinity)
      func add(_ x: Double) { (left, right) = (min(left, x), max(right, x)) }
      for number in 0..<4 {
        let (a, b) = (corners[number], corners[(number + 1) % 4])
        if a.y >= top, a.y <= bottom { add(a.x) }
        if (a.y < top) != (b.y < top) { add(a.x + (b.x - a.x) * (top - a.y) / (b.y - a.y)) }
        if (a.y < bottom) != (b.y < bottom) { add(a.x + (b.x - a.x) * (bottom - a.y) / (b.y - a.y)) }
      }
      if left <= right { runs.add(index, left, right) }
    }
  }

  /// Runs of columns in bands of whole pixel rows; those of a band are kept apart and in order from the left.
  private struct Runs {
    private struct Run {
      var left: Double
      var right: Double

      func union(_ other: Run) -> Run { Run(left: min(left, other.left), right: max(right, other.right)) }
    }

    /// Three spokes and the mark at two angles. What would be more is joined with its neighbour.
    private static let mostRuns = 8

    let damage: WheelDamage
    /// Pixel rows in a band.
    let rows: Double
    /// The band of the first element of `counts`.
    private var first = 0
    /// How many runs each band has.
    private var counts: [Int] = []
    /// Room for `mostRuns` of each band, one band after the other: turning a wheel asks for no memory per band.
    private var runs: [Run] = []

    init(damage: WheelDamage, band: Double) {
      self.damage = damage
      rows = max((band * damage.factor).rounded(), 1)
      let radius = damage.geometry.outerRadius + damage.margin
      first = bandIndex(damage.geometry.center.y - radius)
      let count = bandIndex(damage.geometry.center.y + radius) - first + 1
      guard count > 0, count < 100_000 else { return }
      counts = Array(repeating: 0, count: count)
      runs = Array(repeating: Run(left: 0, right: 0), count: count * Runs.mostRuns)
    }

    /// The y of the top of a band in the control's coordinates.
    private func top(_ band: Int) -> Double { Double(band) * rows / damage.factor - damage.origin.y }

    /// The band of a y in the control's coordinates; far away ones are pulled in.
    private func bandIndex(_ y: Double) -> Int {
      let band = ((y + damage.origin.y) * damage.factor / rows).rounded(.down)
      return band.isFinite ? Int(min(max(band, -1e9), 1e9)) : 0
    }

    mutating func forEachBand(
      from low: Double, to high: Double, _ body: (inout Runs, Int, _ top: Double, _ bottom: Double) -> Void
    ) {
      guard low <= high, !counts.isEmpty else { return }
      let from = max(bandIndex(low), first)
      let to = min(bandIndex(high), first + counts.count - 1)
      guard from <= to else { return }
      for index in from...to { body(&self, index, top(index), top(index + 1)) }
    }

    /// Adds a run, joined with those that it touches or nearly does.
    mutating func add(_ band: Int, _ left: Double, _ right: Double) {
      var new = Run(left: left, right: right)
      let gap = WheelDamage.joinedGap
      let base = (band - first) * Runs.mostRuns
      var (kept, place) = (0, 0)
      for index in base..<base + counts[band - first] {
        let run = runs[index]
        let isLeft = run.right + gap < new.left
        guard isLeft || run.left > new.right + gap else {
          new = new.union(run)
          continue
        }
        runs[base + kept] = run
        kept += 1
        if isLeft { place = kept }
      }
      counts[band - first] = min(kept + 1, Runs.mostRuns)
      guard kept < Runs.mostRuns else {
        let neighbour = base + max(place - 1, 0)
        runs[neighbour] = runs[neighbour].union(new)
        return
      }
      for index in stride(from: base + kept, to: base + place, by: -1) { runs[index] = runs[index - 1] }
      runs[base + place] = new
    }

    /// The runs as rectangles from the top.
    var rects: [Rect] {
      var rects: [Rect] = []
      rects.reserveCapacity(4 * counts.count)
      for (index, count) in counts.enumerated() where count > 0 {
        let top = top(first + index)
        let height = self.top(first + index + 1) - top
        for run in runs[index * Runs.mostRuns..<index * Runs.mostRuns + count] {
          rects.append(Rect(x: run.left, y: top, width: run.right - run.left, height: height))
        }
      }
      return rects
    }
  }
}
