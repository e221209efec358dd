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

  let geometry: WheelGeometry
  /// Where the control's coordinates begin in the window, in points.
  let origin: Point
  /// Pixels per point.
  let factor: Double

  /// Finds rectangles that hold every spoke and the mark at both angles (degrees), in the control's coordinates: `runs.rects`.
  func turn(from old: Double, to new: Double, into runs: inout WheelRuns) {
    runs.begin(self, band: Self.turnBand)
    guard geometry.outerRadius > 0, old.isFinite, new.isFinite else { return }
    for index in 0..<2 {
      let angle = index == 0 ? old : new
      for direction in WheelGeometry.spokeDirections { addSpoke(direction + angle, to: &runs) }
      let mark = geometry.mark
      let half = mark.halfWidth + margin
      addQuad(angle - 90, from: mark.inner - margin, half, to: mark.outer + margin, half, to: &runs)
    }
    runs.finish()
  }

  /// Rectangles that hold the circle line between two radii.
  func ring(from inner: Double, to outer: Double) -> [Rect] {
    guard geometry.outerRadius > 0, inner > 0, outer > inner else { return [] }
    var runs = WheelRuns()
    runs.begin(self, band: Self.edgeBand)
    let center = geometry.center
    runs.forEachBand(from: center.y - outer - margin, to: center.y + outer + margin) { runs, index, top, bottom in
      let nearest = top <= center.y && bottom >= center.y ? 0 : min(abs(top - center.y), abs(bottom - center.y))
      let farthest = max(abs(top - center.y), abs(bottom - center.y))
      let far = max(outer * outer - nearest * nearest, 0).squareRoot() + margin
      let near = max(inner * inner - farthest * farthest, 0).squareRoot() - margin
      runs.add(index, center.x - far, center.x - near)
      runs.add(index, center.x + near, center.x + far)
    }
    runs.finish()
    return runs.rects
  }

  /// What smooth edges may reach beyond their outline: a pixel, and a little for the arithmetic.
  var margin: Double { 1 / factor + 0.1 }

  /// A spoke as four quadrilaterals: its parabolas bend inwards, so chords lie outside.
  private func addSpoke(_ angle: Double, to runs: inout WheelRuns) {
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
    _ angle: Double, from near: Double, _ nearHalf: Double, to far: Double, _ farHalf: Double, to runs: inout WheelRuns
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
}
