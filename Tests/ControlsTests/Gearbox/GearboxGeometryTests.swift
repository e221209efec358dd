import CockpitControls
import Controls
import Testing
import UICore

/// Tests of the gate's geometry against the article's literals, and of how it scales.
@Suite struct GearboxGeometryTests {
  /// The article's size, and its thresholds.
  let article = GearboxGeometry(size: Size(width: 200, height: 580), bands: .article)

  /// The article's two chains of branches, written out as the oracle of the one formula.
  func articleRow(_ y: Double) -> Int {
    let bounds: [Double] = [30, 50, 70, 90, 110, 130, 150, 170, 190, 210, 270]
    return bounds.firstIndex { y <= $0 } ?? 11
  }

  @Test func `G19 to G22: the formula gives every branch, from -50 to 600 in hundredths`() {
    for step in 0...65_000 {
      let y = -50 + Double(step) / 100
      if article.row(atArticleY: y) != articleRow(y) { Issue.record("y \(y): \(article.row(atArticleY: y))") }
    }
  }

  @Test(arguments: zip([30.0, 50, 70, 90, 110, 130, 150, 170, 190, 210, 270], 0..<11))
  func `G21: an upper bound belongs to its own row`(y: Double, row: Int) {
    #expect(article.row(atArticleY: y) == row)
    #expect(article.row(atArticleY: y.nextUp) == row + 1)
  }

  @Test(arguments: zip([4.0, 24, 44, 64, 84, 104, 124, 144, 164, 184, 224, 264], 0..<12))
  func `G12, G13, G19, G20: the knob is 54 x 32 at x 73, and its centre is in its own row`(top: Double, row: Int) {
    #expect(article.knob(inRow: row) == Rect(x: 73, y: top, width: 54, height: 32))
    #expect(article.row(atArticleY: top + 16) == row)
  }

  @Test(arguments: zip([20.0, 40, 60, 80, 100, 120, 140, 160, 180, 200, 240, 280], 0..<12))
  func `G14 to G17: lines are at the article's places`(y: Double, row: Int) {
    let (left, right) = article.lines(inRow: row)
    let outer = row == 9 ? 2.5 : 42.5
    #expect(left == Rect(x: outer, y: y, width: 87.5 - outer, height: 0))
    #expect(right == Rect(x: 112.5, y: y, width: 200 - outer - 112.5, height: 0))
  }

  @Test func `G16, G17, G-D11: letters begin at 20 and mirror`() {
    #expect(article.letterCorners(inRow: 9) == nil)
    #expect(article.letterCorners(inRow: 12) == nil)
    #expect(article.letterSize == 20)
    for (row, top) in [(10, 230.0), (11, 270.0)] {
      let corners = article.letterCorners(inRow: row)
      #expect(corners?.left == Point(x: 20, y: top))
      #expect(corners?.right == Point(x: 180, y: top))
    }
  }

  @Test func `G-D4: the gate ends under R's knob`() {
    #expect(article.gate == Rect(x: 0, y: 0, width: 200, height: 296))
  }

  @Test func `G22: the number shown counts against the rows`() {
    #expect(
      (0..<12).map { article.gear(atRow: $0).description } == [
        "10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "N", "R",
      ])
    for row in 0..<12 { #expect(article.row(of: article.gear(atRow: row)) == row) }
    #expect(article.gear(atRow: -3) == .forward(10))
    #expect(article.gear(atRow: 99) == .reverse)
  }

  @Test(arguments: 1...20)
  func `any number of gears keeps the article's shape, and every knob centre chooses its own row`(count: Int) {
    let geometry = GearboxGeometry(size: Size(width: 200, height: 580 + Double(count - 10) * 20), gearCount: count)
    #expect(geometry.unit == Size(width: 1, height: 1))
    #expect(geometry.lines(inRow: count - 1).left.minX == 2.5)
    #expect(geometry.y(ofRow: count) == Double(count + 2) * 20)
    #expect(geometry.y(ofRow: count + 1) == Double(count + 4) * 20)
    for row in 0..<geometry.rowCount { #expect(geometry.row(atArticleY: geometry.y(ofRow: row)) == row) }
  }

  @Test(arguments: [0.1, 0.5, 1.5, 3, 7.3])
  func `G-D10: it scales as a whole, at the top and centred`(factor: Double) {
    let wide = GearboxGeometry(size: Size(width: 200 * factor + 90, height: 580 * factor))
    #expect(abs(wide.gate.midX - (100 * factor + 45)) < 1e-9)
    #expect(abs(wide.gate.width - 200 * factor) < 1e-9)
    #expect(abs(wide.knob(inRow: 10).minY - 224 * factor) < 1e-9)
    let high = GearboxGeometry(size: Size(width: 200 * factor, height: 900 * factor))
    #expect(abs(high.gate.height - 296 * factor) < 1e-9)
  }

  @Test func `a filling gate is the article's at 200 x 300 and takes any other height whole`() {
    let same = GearboxGeometry(size: Size(width: 200, height: 300), fit: .filling)
    for row in 0..<12 { #expect(same.lines(inRow: row).left == article.lines(inRow: row).left) }
    #expect(same.knob(inRow: 3) == article.knob(inRow: 3))
    let high = GearboxGeometry(size: Size(width: 200, height: 660), fit: .filling)
    #expect(high.y(ofRow: 1) - high.y(ofRow: 0) == 44)
    #expect(high.knob(inRow: 0).size == Size(width: 54, height: 32))
    #expect(high.gate.maxY > 640 && high.gate.maxY <= 660)
  }

  @Test
  func `the knob of a small filling gate keeps its proportion to numbers of 12 points, and is never higher than a row`()
  {
    let narrow = GearboxGeometry(size: Size(width: 88, height: 450), fit: .filling)
    #expect(narrow.numberSize == 12 && abs(narrow.knob(inRow: 3).height - 12 * 32 / 18) < 1e-9)
    let low = GearboxGeometry(size: Size(width: 88, height: 300), fit: .filling)
    #expect(low.knob(inRow: 3).height == low.y(ofRow: 1) - low.y(ofRow: 0))
    #expect(abs(low.knob(inRow: 3).width / low.knob(inRow: 3).height - 54 / 32) < 1e-9)
  }

  @Test(arguments: [
    Size(width: 0, height: 580), Size(width: -5, height: 9), Size(width: .nan, height: 1),
    Size(width: .infinity, height: 580),
  ])
  func `a size without area makes a gate without points, and no trap`(size: Size) {
    for fit in [GearboxGeometry.Fit.proportional, .filling] {
      let geometry = GearboxGeometry(size: size, fit: fit)
      #expect(!geometry.gate.contains(Point(x: 0, y: 0)))
      #expect(!geometry.gate.contains(Point(x: 100, y: 240)))
      #expect(geometry.row(atArticleY: geometry.articleY(.nan)) == 10)
    }
  }

  @Test func `the number of gears is clamped`() {
    #expect(GearboxGeometry(size: GearboxGeometry.articleSize, gearCount: 0).gearCount == 1)
    #expect(GearboxGeometry(size: GearboxGeometry.articleSize, gearCount: .max).gearCount == 20)
  }
}
