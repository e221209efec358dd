import ControlHarness
import Testing

@testable import Controls

/// Tests of the chart: where its numbers are, and what it costs.
@MainActor @Suite(.serialized) struct ChartTests {
  private func tree(_ values: [Double]) -> ExtentTree {
    var tree = ExtentTree()
    for value in values { tree.append(value) }
    return tree
  }

  private func geometry(
    _ limits: ValueExtent, _ points: Range<Int>, direction: LayoutDirection = .leftToRight
  ) -> ChartGeometry {
    ChartGeometry(plot: Rect(x: 0, y: 0, width: 100, height: 50), limits: limits, points: points, direction: direction)
  }

  // MARK: Geometry

  @Test func `values go from the foot to the top, and points along the reading direction`() {
    let limits = ValueExtent(least: -10, most: 10)
    let left = geometry(limits, 5..<10)
    #expect([-10, 0, 10, 99].map(left.y) == [50, 25, 0, 0])
    #expect([5, 7, 9].map(left.x) == [0, 50, 100])
    #expect([5, 7, 9].map(geometry(limits, 5..<10, direction: .rightToLeft).x) == [100, 50, 0])
    #expect(geometry(limits, 3..<4).x(3) == 100, "a single point is the newest")
  }

  @Test func `a level line is in the middle, also one at 0 and a huge one`() {
    for value in [0, 7, -3, 1e300] {
      #expect(abs(geometry(ValueExtent(value), 0..<2).y(value) - 25) < 1e-6, "\(value)")
    }
    let huge = geometry(ValueExtent(least: -.greatestFiniteMagnitude, most: .greatestFiniteMagnitude), 0..<2)
    #expect(huge.y(0) == 25)
  }

  @Test(arguments: [1, 3, 100, 101, 99_999]) func `columns have all points, and each once`(count: Int) {
    let columns = geometry(ValueExtent(least: 0, most: 1), 40..<40 + count).columns(100)
    #expect(columns.count == 100 && columns.map(\.points.count).reduce(0, +) == count)
    #expect(
      zip(columns, columns.dropFirst()).allSatisfy { $0.points.upperBound == $1.points.lowerBound && $0.x < $1.x })
  }

  @Test(arguments: [
    (0.0, 1.0, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-12, 31, [-10, 0, 10, 20, 30]), (995, 1004, [996, 998, 1000, 1002, 1004]),
    (0, 0.00001, [0, 0.000002, 0.000004, 0.000006, 0.000008, 0.00001]),
  ]) func `a scale has round values`(least: Double, most: Double, values: [Double]) {
    let ticks = geometry(ValueExtent(least: least, most: most), 0..<2).ticks(atMost: 6)
    #expect(
      ticks.count == values.count && zip(ticks, values).allSatisfy { abs($0 - $1) <= abs(most - least) * 1e-9 },
      "\(ticks)")
    #expect(geometry(ValueExtent(least: least, most: most), 0..<2).ticks(atMost: 0).isEmpty)
  }

  @Test(arguments: [1e-300, 1e300, .greatestFiniteMagnitude]) func `a scale of any limits ends`(most: Double) {
    #expect(geometry(ValueExtent(least: 0, most: most), 0..<2).ticks(atMost: 8).count <= 9)
  }

  // MARK: The outline

  @Test func `no peak is lost among many points, and neighbouring columns touch`() {
    var values = [Double](repeating: 0, count: 100_000)
    values[77_777] = 5
    let geometry = geometry(ValueExtent(least: 0, most: 5), 0..<values.count)
    let outline = ChartOutline(tree(values), geometry, pixels: 100)
    #expect(outline.isDense && outline.runs.count == 1 && outline.runs[0].count == 100)
    #expect(outline.runs[0][77].top == 0, "the peak is at the top of its column")
    for (a, b) in zip(outline.runs[0], outline.runs[0].dropFirst()) { #expect(b.top <= a.foot && b.foot >= a.top) }
  }

  @Test func `a gap interrupts the line`() {
    let sparse = ChartOutline(tree([1, 2, .nan, 3]), geometry(ValueExtent(least: 0, most: 3), 0..<4), pixels: 100)
    #expect(sparse.runs.map(\.count) == [2, 1])
    var values = [Double](repeating: 1, count: 10_000)
    for index in 4000..<6000 { values[index] = .nan }
    let dense = ChartOutline(tree(values), geometry(ValueExtent(least: 0, most: 3), 0..<values.count), pixels: 100)
    #expect(dense.runs.map(\.count) == [40, 40])
  }

  // MARK: The view

  private func shown(_ chart: Chart) -> ControlHarness {
    let harness = ControlHarness(size: Size(width: 320, height: 180))
    chart.frame = Rect(x: 10, y: 10, width: 300, height: 160)
    harness.root.addSubview(chart)
    harness.frame()
    return harness
  }

  @Test func `a new number is shown with the next frame, and then nothing moves`() {
    let chart = Chart()
    let harness = shown(chart)
    chart.addSeries("speed")
    for value in 0..<50 { chart.append(Double(value)) }
    #expect(harness.root.needsFrame && chart.accessibilityTitle == "speed 49")
    harness.frame()
    let before = harness.shown
    chart.append(200)
    harness.frame()
    #expect(before.pixels != harness.shown.pixels && !harness.root.needsFrame && chart.pointCount(of: 0) == 51)
  }

  @Test func `numbers of a line that is not there, and a chart without lines, are nothing`() {
    let chart = Chart()
    let harness = shown(chart)
    chart.append(1)
    chart.append(contentsOf: [1, 2], to: 3)
    #expect(chart.seriesCount == 0 && chart.pointCount(of: 0) == 0 && !harness.root.needsFrame)
    chart.addSeries()
    chart.append(.nan)
    harness.frame()
    chart.removeAllPoints()
    harness.frame()
    #expect(chart.pointCount(of: 0) == 0)
  }

  @Test func `lines of different lengths end together`() {
    let chart = Chart()
    let harness = shown(chart)
    chart.addSeries("long")
    chart.addSeries("short")
    chart.append(contentsOf: (0..<100).map(Double.init), to: 0)
    chart.append(contentsOf: (0..<10).map { _ in 50.0 }, to: 1)
    chart.shownPointCount = 40
    harness.frame()
    #expect(chart.accessibilityTitle == "long 99, short 50")
    chart.name = "Length"
    #expect(chart.accessibilityTitle == "Length: long 99, short 50")
  }

  @Test func `a capacity below 1 is 1`() {
    let chart = Chart()
    chart.addSeries()
    chart.append(contentsOf: [1, 2, 3])
    chart.pointCapacity = -4
    #expect(chart.pointCapacity == 1 && chart.pointCount(of: 0) == 1)
  }

  /// The work of a drawing grows with the pixels: a hundred times the points need hardly more of it.
  @Test func `ten million points draw about as fast as a hundred thousand`() {
    func duration(_ count: Int) -> Duration {
      let tree = tree((0..<count).map { Double($0 % 1013) })
      let geometry = geometry(ValueExtent(least: 0, most: 1012), 0..<count)
      return (0..<5).map { _ in ContinuousClock().measure { _ = ChartOutline(tree, geometry, pixels: 1000) } }.min()
        ?? .zero
    }
    #expect(duration(10_000_000) < duration(100_000) * 10)
  }
}
