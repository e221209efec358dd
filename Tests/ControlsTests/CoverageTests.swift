import ControlHarness
import Glibc
import TestSupport
import Testing
import UICore

@testable import Controls
@testable import Drawing

@MainActor @Suite struct CoverageTests {
  /// The coverage of every pixel in a picture of `size`, row by row, as white on clear shows it.
  private func levels(_ path: Path, _ size: PixelSize, rule: FillRule = .nonZero) throws -> [Int] {
    var coverage = Coverage()
    coverage.fill(path, .identity, rule: rule, size: size, with: &Rasterizer.shared)
    let bitmap = try #require(Bitmap(size: size))
    var white = UInt32.max
    bitmap.composite(&white, step: 0, through: coverage, x: 0, y: 0, over: bitmap.rect)
    return pixels(bitmap).map { Int($0 >> 24) }
  }

  private func pixels(_ bitmap: Bitmap) -> [UInt32] {
    let base = bitmap.base.assumingMemoryBound(to: UInt32.self)
    return (0..<bitmap.size.area).map { base[$0] }
  }

  /// The area of a convex shape within one pixel, by cutting the shape at the pixel's four sides.
  private func area(_ shape: [Point], x: Int, y: Int) -> Double {
    var points = shape
    let sides: [(Point) -> Double] = [
      { $0.x - Double(x) }, { Double(x + 1) - $0.x }, { $0.y - Double(y) }, { Double(y + 1) - $0.y },
    ]
    for inside in sides {
      var kept: [Point] = []
      for (a, b) in zip(points, points.dropFirst() + points.prefix(1)) {
        let (from, to) = (inside(a), inside(b))
        if from >= 0 { kept.append(a) }
        if (from < 0) != (to < 0) {
          let t = from / (from - to)
          kept.append(Point(x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t))
        }
      }
      points = kept
    }
    return abs(zip(points, points.dropFirst() + points.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y })
      / 2
  }

  @Test(arguments: 0..<40) func `a pixel's coverage is its exact area in the shape, also of shapes beyond the picture`(
    seed: Int
  ) throws {
    var random = Random(seed)
    let size = PixelSize(width: 70 + random.below(70), height: 40)
    // Corners on the raster's grid, on an ellipse: convex, in either direction.
    let center = random.point(60)
    let (a, b) = (random.number(0.2, seed % 4 == 0 ? 400 : 40), random.number(0.2, 40))
    let direction = random.below(2) == 0 ? 1.0 : -1
    let corners = (0..<3 + random.below(5)).map { _ in random.number(0, 2 * .pi) }.sorted()
    let shape = corners.map { angle in
      Point(
        x: ((center.x + a * cos(angle)) * 256).rounded() / 256,
        y: ((center.y + direction * b * sin(angle)) * 256).rounded() / 256)
    }
    let levels = try levels(Path(polygon: shape), size)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let wanted = area(shape, x: x, y: y) * 255
        let level = levels[y * size.width + x]
        #expect(abs(Double(level) - wanted) <= 1.6, "(\(x), \(y)) of \(shape)")
      }
    }
  }

  @Test func `the rules tell holes from overlaps, and direction cancels`() throws {
    let size = PixelSize(width: 12, height: 12)
    let outer = Path(rect: Rect(x: 1, y: 1, width: 10, height: 10))
    let inner = Path(rect: Rect(x: 4, y: 4, width: 4, height: 4))
    let reversed = Path(polygon: [Point(x: 4, y: 4), Point(x: 4, y: 8), Point(x: 8, y: 8), Point(x: 8, y: 4)])
    func middle(_ hole: Path, _ rule: FillRule) throws -> [Int] {
      var path = outer
      path.append(hole)
      let all = try levels(path, size, rule: rule)
      return [all[2 * 12 + 2], all[6 * 12 + 6], all[0]]
    }
    #expect(try middle(inner, .evenOdd) == [255, 0, 0])
    #expect(try middle(reversed, .evenOdd) == [255, 0, 0])
    #expect(try middle(inner, .nonZero) == [255, 255, 0])
    #expect(try middle(reversed, .nonZero) == [255, 0, 0])
  }

  @Test func `a circle's coverage sums to its area, but for the chords that stand for its curve`() throws {
    let circle = Path(circleAt: Point(x: 20.3, y: 19.6), radius: 15.7)
    let sum = try levels(circle, PixelSize(width: 40, height: 40)).reduce(0, +)
    let missing = .pi * 15.7 * 15.7 - Double(sum) / 255
    #expect(missing > -0.5 && missing < 2 * .pi * 15.7 * 0.06)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a coordinate that is not finite draws nothing, now and in the next drawing`(bad: Double) throws {
    let size = PixelSize(width: 10, height: 10)
    let path = Path(polygon: [Point(x: 1, y: 1), Point(x: 9, y: bad), Point(x: 9, y: 9)])
    #expect(try levels(path, size).allSatisfy { $0 == 0 })
    let square = Path(rect: Rect(x: 2, y: 2, width: 3, height: 3))
    #expect(try levels(square, size).filter { $0 == 255 }.count == 9)
  }

  @Test func `enormous coordinates cost no more than the picture`() throws {
    let path = Path(polygon: [Point(x: -1e300, y: -1e9), Point(x: 1e300, y: -1e9), Point(x: 5, y: 1e12)])
    #expect(try levels(path, PixelSize(width: 10, height: 10)).allSatisfy { $0 == 255 })
  }

  @Test func `of a list of fills those that are other than before are damage, and no others`() {
    final class List: View {
      var place = 20.0
      var color = Color.white
      override var drawsPlainFills: Bool { true }
      override func draw(_ canvas: Canvas) {
        canvas.fill(Rect(x: 2, y: 2, width: 6, height: 6), color)
        canvas.fill(Rect(x: 2, y: place, width: 6, height: 6), .white)
        canvas.fill(Rect(x: 60, y: 2, width: 6, height: 60), .white)
      }
    }
    let view = List()
    let harness = ControlHarness(view, size: Size(width: 80, height: 80))
    view.setNeedsDisplay()
    harness.frame()
    #expect(harness.lastDamage.isEmpty, "the same drawing")
    view.color = .black
    view.setNeedsDisplay()
    harness.frame()
    #expect(harness.lastDamage.rects == [PixelRect(x: 2, y: 2, width: 6, height: 6)])
    view.place = 50
    view.setNeedsDisplay()
    harness.frame()
    #expect(!harness.lastDamage.contains(x: 3, y: 3) && !harness.lastDamage.contains(x: 62, y: 30))
    #expect(harness.lastDamage.contains(x: 3, y: 22) && harness.lastDamage.contains(x: 3, y: 52))
  }

  @Test(arguments: [1.0, 0.4]) func `fills, texts and gradients of a list look as those of pixels`(alpha: Double) {
    final class Both: View {
      var keepsFills = false
      var shade = 1.0
      override var drawsPlainFills: Bool { keepsFills }
      override func draw(_ canvas: Canvas) {
        canvas.multiplyAlpha(shade)
        let box = Rect(x: 3, y: 3, width: 50, height: 40)
        canvas.fill(
          box,
          .linear(
            from: Point(x: 0, y: 5), to: Point(x: 0, y: 38),
            stops: [.init(0, .white), .init(0.3, Color(hex: 0x204060)), .init(1, Color(hex: 0x80ff20, alpha: 0.5))]))
        canvas.draw("Ag8", at: box.center, font: Font(size: 20), Color(hex: 0xff8000), anchor: .center)
        canvas.stroke(roundedRect: Rect(x: 6, y: 6, width: 44, height: 34), cornerRadius: 0, .black, width: 2)
      }
    }
    let pictures = [false, true].map { keepsFills in
      let view = Both()
      (view.keepsFills, view.shade) = (keepsFills, alpha)
      return ControlHarness(view, size: Size(width: 60, height: 50)).shown
    }
    func parts(_ pixel: UInt32) -> [Int] { [0, 8, 16, 24].map { (shift: UInt32) in Int((pixel >> shift) & 255) } }
    for y in 0..<50 {
      for x in 0..<60 {
        let (a, b) = (parts(pictures[0][x, y]), parts(pictures[1][x, y]))
        #expect(zip(a, b).allSatisfy { abs($0 - $1) <= 2 }, "(\(x), \(y))")
      }
    }
  }

  @Test func `a drawing that is more than plain fills is kept as pixels`() {
    final class Mixed: View {
      override var drawsPlainFills: Bool { true }
      override func draw(_ canvas: Canvas) {
        canvas.fill(Rect(x: 0, y: 0, width: 10, height: 10), .white)
        canvas.stroke(Path(from: Point(x: 0, y: 15), to: Point(x: 20, y: 15)), .white, width: 2)
      }
    }
    let harness = ControlHarness(Mixed(), size: Size(width: 20, height: 20))
    let shown = harness.shown
    #expect(shown[5, 5] == 0xffff_ffff && shown[15, 15] == 0xffff_ffff && shown[15, 5] == 0xff00_0000)
  }

  @Test func `coordinates next to zero trap nowhere, and cover what zero does`() throws {
    let size = PixelSize(width: 60, height: 40)
    let tiny = Double.leastNonzeroMagnitude * 1e13
    let pairs: [([Point], [Point])] = [
      (
        [Point(x: 0, y: -tiny), Point(x: 100, y: tiny), Point(x: 50, y: 10)],
        [Point(x: 0, y: 0), Point(x: 100, y: 0), Point(x: 50, y: 10)]
      ),
      (
        [Point(x: -Double.leastNonzeroMagnitude * 20, y: -480), Point(x: 0, y: 520), Point(x: 30, y: 20)],
        [Point(x: 0, y: -480), Point(x: 0, y: 520), Point(x: 30, y: 20)]
      ),
      (
        [Point(x: -tiny, y: -tiny), Point(x: tiny, y: 60), Point(x: 70, y: tiny)],
        [Point(x: 0, y: 0), Point(x: 0, y: 60), Point(x: 70, y: 0)]
      ),
    ]
    for (near, exact) in pairs {
      let (found, wanted) = (try levels(Path(polygon: near), size), try levels(Path(polygon: exact), size))
      #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 1 })
    }
  }
}
