// Owns cutting a wheel's square into bands, and which columns of each change.
// Must not know what a wheel looks like.

import Interface

/// Runs of columns in bands of whole pixel rows; those of a band are kept apart and in order from the left.
nonisolated struct WheelRuns {
  private struct Run {
    var left: Double
    var right: Double

    func union(_ other: Run) -> Run { Run(left: min(left, other.left), right: max(right, other.right)) }
  }

  /// Three spokes and the mark at two angles. What would be more is joined with its neighbour.
  private static let mostRuns = 8

  /// Runs nearer than this are joined: one rectangle costs about as much as so many points more on its rows.
  private static let joinedGap = 6.0

  /// The runs as rectangles from the top, once `finish` was called.
  private(set) var rects: [Rect] = []
  /// Where the control's coordinates begin in the window, in points down.
  private var originY = 0.0
  /// Pixels per point.
  private var factor = 1.0
  /// Pixel rows in a band.
  private var rows = 1.0
  /// The number of bands, and that of the first one.
  private var (count, first) = (0, 0)
  /// How many runs each band has.
  private var counts: [Int] = []
  /// Room for `mostRuns` of each band, one band after the other.
  private var runs: [Run] = []

  /// Forgets everything; from now on bands of `band` points are cut through the wheel of `damage`.
  mutating func begin(_ damage: WheelDamage, band: Double) {
    rects.removeAll(keepingCapacity: true)
    (originY, factor) = (damage.origin.y, damage.factor)
    rows = max((band * factor).rounded(), 1)
    let radius = damage.geometry.outerRadius + damage.margin
    first = bandIndex(damage.geometry.center.y - radius)
    count = bandIndex(damage.geometry.center.y + radius) - first + 1
    if count <= 0 || count >= 100_000 { count = 0 }
    if counts.count < count {
      counts = Array(repeating: 0, count: count)
      runs = Array(repeating: Run(left: 0, right: 0), count: count * Self.mostRuns)
      rects.reserveCapacity(count * Self.mostRuns)
    } else {
      for band in 0..<count { counts[band] = 0 }
    }
  }

  /// The y of the top of a band in the control's coordinates.
  private func top(_ band: Int) -> Double { Double(band) * rows / factor - originY }

  /// The band of a y in the control's coordinates; far away ones are pulled in.
  private func bandIndex(_ y: Double) -> Int {
    min(max(Int(clamping: ((y + originY) * factor / rows).rounded(.down)), -1_000_000_000), 1_000_000_000)
  }

  mutating func forEachBand(
    from low: Double, to high: Double, _ body: (inout WheelRuns, Int, _ top: Double, _ bottom: Double) -> Void
  ) {
    guard low <= high, count > 0 else { return }
    let from = max(bandIndex(low), first)
    let to = min(bandIndex(high), first + count - 1)
    guard from <= to else { return }
    for index in from...to { body(&self, index, top(index), top(index + 1)) }
  }

  /// Adds a run, joined with those that it touches or nearly does.
  mutating func add(_ band: Int, _ left: Double, _ right: Double) {
    var new = Run(left: left, right: right)
    let gap = Self.joinedGap
    let base = (band - first) * Self.mostRuns
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
    counts[band - first] = min(kept + 1, Self.mostRuns)
    guard kept < Self.mostRuns else {
      let neighbour = base + max(place - 1, 0)
      runs[neighbour] = runs[neighbour].union(new)
      return
    }
    for index in stride(from: base + kept, to: base + place, by: -1) { runs[index] = runs[index - 1] }
    runs[base + place] = new
  }

  /// Makes the rectangles.
  mutating func finish() {
    for index in 0..<count where counts[index] > 0 {
      let top = top(first + index)
      let height = self.top(first + index + 1) - top
      for run in index * Self.mostRuns..<index * Self.mostRuns + counts[index] {
        rects.append(Rect(x: runs[run].left, y: top, width: runs[run].right - runs[run].left, height: height))
      }
    }
  }
}
