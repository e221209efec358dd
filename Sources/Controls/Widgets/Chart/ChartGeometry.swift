/// Where the numbers of a chart are, in its own coordinates.
nonisolated struct ChartGeometry: Hashable, Sendable {
  /// The area of the lines.
  let plot: Rect
  /// The values at the plot's foot and top.
  let limits: ValueExtent
  /// The numbers of the points at the plot's leading and trailing edge.
  let points: Range<Int>
  private let direction: LayoutDirection

  /// A chart whose lines lie in `plot`. Equal limits are moved apart, so that a level line is in the middle.
  init(plot: Rect, limits: ValueExtent, points: Range<Int>, direction: LayoutDirection) {
    let isFlat = !(limits.most > limits.least)
    let half = isFlat ? max(abs(limits.least) * 0.05, 0.5) : 0
    self.limits = ValueExtent(least: limits.least - half, most: limits.most + half)
    (self.plot, self.points, self.direction) = (plot, points, direction)
  }

  /// The height of a value, clamped to the plot.
  func y(_ value: Double) -> Double {
    // The difference of two large limits may be infinite.
    let part = (value / 2 - limits.least / 2) / (limits.most / 2 - limits.least / 2)
    return plot.maxY - (part.isFinite ? part.clamped(to: 0...1) : 0) * plot.height
  }

  /// The place of the point `index` along the plot.
  func x(_ index: Int) -> Double {
    let way = points.count > 1 ? Double(index - points.lowerBound) / Double(points.count - 1) : 1
    return x(at: way)
  }

  private func x(at way: Double) -> Double {
    direction == .rightToLeft ? plot.maxX - way * plot.width : plot.minX + way * plot.width
  }

  /// The points of each of `count` columns, in the order of the points, with the middle of the column. Neighbours share no point, and together
  /// they have all of them.
  func columns(_ count: Int) -> [(x: Double, points: Range<Int>)] {
    guard count > 0 else { return [] }
    return (0..<count).map { column in
      func bound(_ column: Int) -> Int {
        points.lowerBound + Int((Double(points.count) * Double(column) / Double(count)).rounded())
      }
      return (x(at: (Double(column) + 0.5) / Double(count)), bound(column)..<bound(column + 1))
    }
  }

  /// Round values between the limits, at most `count`: their distance is 1, 2 or 5 times a power of ten.
  func ticks(atMost count: Int) -> [Double] {
    let span = limits.most - limits.least
    guard count > 0, span.isFinite, span > 0 else { return [] }
    var step = 1.0
    let least = span / Double(count)
    while step < least { step *= 10 }
    while step / 10 >= least, step > .leastNormalMagnitude { step /= 10 }
    for part in [0.2, 0.5] where step * part >= least {
      step *= part
      break
    }
    let first = (limits.least / step).rounded(.up)
    let last = (limits.most / step).rounded(.down)
    guard first.isFinite, last.isFinite, last >= first, last - first < 100 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step + 0 }
  }
}

/// The outline of a line of many points: what is between the smallest and the largest value of each column.
nonisolated struct ChartOutline: Hashable, Sendable {
  /// One column: its middle, and the heights of its largest and its smallest value.
  struct Column: Hashable, Sendable {
    var x: Double
    var top: Double
    var foot: Double
  }

  /// The columns without a gap between them.
  private(set) var runs: [[Column]] = []
  /// True for a column each pixel; false for points with lines between them.
  let isDense: Bool

  /// The outline of `tree` in `geometry`, one column for each pixel of a plot that has `pixels` of them. Fewer points than columns have a
  /// column each.
  init(_ tree: ExtentTree, _ geometry: ChartGeometry, pixels: Int) {
    var run: [Column] = []
    func end() {
      if !run.isEmpty { runs.append(run) }
      run = []
    }
    isDense = geometry.points.count > pixels
    if !isDense {
      for index in geometry.points {
        guard let value = tree[index] else {
          end()
          continue
        }
        let y = geometry.y(value)
        run.append(Column(x: geometry.x(index), top: y, foot: y))
      }
    } else {
      for column in geometry.columns(pixels) {
        guard let extent = tree.extent(of: column.points) else {
          end()
          continue
        }
        var new = Column(x: column.x, top: geometry.y(extent.most), foot: geometry.y(extent.least))
        // The line comes from where the column before ended.
        if let last = run.last { (new.top, new.foot) = (min(new.top, last.foot), max(new.foot, last.top)) }
        run.append(new)
      }
    }
    end()
  }
}
