// Owns a region sorted for drawing: bands of rows, each with its runs of columns from left to right.
// Must not know what is drawn.

/// A region as rows: band after band downwards, in each the same columns may be drawn.
nonisolated struct ClipBands {
  struct Band {
    var top: Int
    var bottom: Int
    var runs: Range<Int>
  }

  struct Run {
    var start: Int
    var end: Int
  }

  private(set) var bands: [Band] = []
  private(set) var runs: [Run] = []
  private(set) var bounds = PixelRect.zero

  init() {}

  init(_ region: Region) {
    set(region)
  }

  /// Takes another region, keeping the storage.
  mutating func set(_ region: Region) {
    bands.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    bounds = region.bounds
    if region.rects.count == 1 {
      runs.append(Run(start: bounds.x, end: bounds.maxX))
      bands.append(Band(top: bounds.y, bottom: bounds.maxY, runs: 0..<1))
      return
    }
    var edges: [Int] = []
    edges.reserveCapacity(region.rects.count * 2)
    for rect in region.rects {
      edges.append(rect.y)
      edges.append(rect.maxY)
    }
    edges.sort()
    let sorted = region.rects.sorted { $0.x < $1.x }
    for index in 0..<max(edges.count - 1, 0) where edges[index] < edges[index + 1] {
      let (top, bottom) = (edges[index], edges[index + 1])
      let first = runs.count
      for rect in sorted where rect.y <= top && rect.maxY >= bottom {
        if runs.count > first, runs[runs.count - 1].end == rect.x {
          runs[runs.count - 1].end = rect.maxX
        } else {
          runs.append(Run(start: rect.x, end: rect.maxX))
        }
      }
      if runs.count > first { bands.append(Band(top: top, bottom: bottom, runs: first..<runs.count)) }
    }
  }
}
