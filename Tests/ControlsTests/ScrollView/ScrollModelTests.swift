import Controls
import Testing

/// Tests of the arithmetic of scrolling: ranges, resistance, pages, motion.
struct ScrollModelTests {
  private func model(_ change: (inout ScrollModel) -> Void = { _ in }) -> ScrollModel {
    var model = ScrollModel()
    model.viewSize = Size(width: 100, height: 200)
    model.contentSize = Size(width: 350, height: 1000)
    change(&model)
    return model
  }

  @Test func `the range is what the window does not show, with the insets`() {
    #expect(model().range(.vertical) == 0...800 && model().range(.horizontal) == 0...250)
    let inset = model { $0.insets = EdgeInsets(top: 10, left: 20, bottom: 30, right: 40) }
    #expect(inset.range(.vertical) == -10...830 && inset.range(.horizontal) == -20...290)
    #expect(model { $0.axes = .vertical }.range(.horizontal) == 0...0)
    #expect(model { $0.contentSize = Size(width: 10, height: 20) }.range(.vertical) == 0...0)
  }

  @Test func `what can be dragged: what is larger, or always bounces`() {
    #expect(model().scrollableAxes == .both)
    #expect(model { $0.axes = .horizontal }.scrollableAxes == .horizontal)
    #expect(model { $0.contentSize.width = 100 }.scrollableAxes == .vertical)
    let small = model {
      $0.contentSize = Size(width: 10, height: 10)
      $0.alwaysBounces = .vertical
    }
    #expect(small.scrollableAxes == .vertical)
    #expect(ScrollModel().scrollableAxes == [])
  }

  @Test(arguments: [
    (Point(x: 10, y: 20), Point(x: 10, y: 20)), (Point(x: -5, y: 900), Point(x: 0, y: 800)),
    (Point(x: 1e300, y: -1e300), Point(x: 250, y: 0)), (Point(x: Double.nan, y: .infinity), Point(x: 0, y: 800)),
  ])
  func `offsets are brought into the range`(offset: Point, expected: Point) {
    #expect(model().clamped(offset) == expected)
  }

  @Test(arguments: [
    (0.0, 0.0), (400, 400), (800, 800), (-1, -0.5484), (-100, -43.137), (-1e9, -200), (900, 843.137), (-200, -70.968),
  ])
  func `beyond an end the finger is followed less and less, never further than a window`(place: Double, offset: Double)
  {
    #expect(abs(model().offset(forPlace: Point(x: 0, y: place)).y - offset) < 0.001)
    #expect(model { $0.bounces = false }.offset(forPlace: Point(x: 0, y: place)).y == min(max(place, 0), 800))
  }

  @Test func `a finger that catches what is beyond an end finds the place that leads there`() {
    let model = model()
    for place in stride(from: -1500.0, through: 2500, by: 37) {
      let offset = model.offset(forPlace: Point(x: place, y: place))
      let back = model.place(forOffset: offset)
      #expect(abs(back.y - place) < 1e-6)
      #expect(abs(model.offset(forPlace: back).x - offset.x) < 1e-6)
    }
    #expect(model.place(forOffset: Point(x: 0, y: -1e9)).y.isFinite)
  }

  @Test(arguments: [
    (0.0, 0), (49, 0), (51, 1), (100, 1), (149, 1), (151, 2), (199, 2), (224, 2), (226, 3), (250, 3), (900, 3),
    (-90, 0),
  ])
  func `pages: the nearest one, and the last is where the end is seen`(offset: Double, page: Int) {
    let model = model()
    #expect(model.pageCount(.horizontal) == 4)
    #expect(model.page(.horizontal, at: offset) == page)
    #expect([0, 1, 2, 3, 4, -1].map { model.offset(.horizontal, ofPage: $0) } == [0, 100, 200, 250, 250, 0])
  }

  @Test func `pages of what fits or is empty`() {
    #expect(model { $0.contentSize.width = 300 }.pageCount(.horizontal) == 3)
    #expect(model { $0.contentSize.width = 80 }.pageCount(.horizontal) == 1)
    #expect(ScrollModel().pageCount(.vertical) == 1 && ScrollModel().page(.vertical, at: 50) == 0)
  }

  @Test(arguments: [
    (130.0, 0.0, 100.0, 100.0), (160, 0, 100, 200), (110, 300, 100, 200), (110, 5000, 100, 200), (190, -600, 200, 100),
    (90, -5000, 100, 0), (-30, -800, 0, 0), (255, 400, 250, 250), (240, 900, 200, 250), (100, -20, 100, 100),
  ])
  func `paging goes to the nearest page, or the next one for a flick, never further`(
    offset: Double, velocity: Double, start: Double, goal: Double
  ) {
    let motion = model { $0.isPaging = true }.motion(.horizontal, from: offset, velocity: velocity, start: start)
    #expect(motion.end == goal && motion.offset(at: 100) == goal)
    #expect(abs(motion.offset(at: 0) - offset) < 1e-9 && motion.duration < 1.5)
  }

  @Test(arguments: [
    (Rect(x: 0, y: 0, width: 50, height: 50), Point(x: 0, y: 0)),
    (Rect(x: 120, y: 350, width: 20, height: 20), Point(x: 100, y: 300)),
    (Rect(x: 210, y: 490, width: 30, height: 30), Point(x: 140, y: 320)),
    (Rect(x: 90, y: 250, width: 500, height: 500), Point(x: 90, y: 250)),
    (Rect(x: 340, y: 990, width: 50, height: 50), Point(x: 250, y: 800)),
  ])
  func `showing a rectangle scrolls as little as needed`(rect: Rect, offset: Point) {
    #expect(model().offset(showing: rect, from: Point(x: 100, y: 300)) == offset)
  }

  @Test func `an indicator's length is the share that is seen; beyond an end it is squeezed`() throws {
    let model = model()
    let start = try #require(model.indicator(.vertical, at: 0, length: 190))
    #expect(start.start == 0 && start.length == 38)
    let end = try #require(model.indicator(.vertical, at: 800, length: 190))
    #expect(end.start == 152 && end.length == 38)
    let beyond = try #require(model.indicator(.vertical, at: 820, length: 190))
    #expect(beyond.start == 172 && beyond.length == 18)
    let far = try #require(model.indicator(.vertical, at: -5000, length: 190))
    #expect(far.start == 0 && far.length == 8)
    let long = self.model { $0.contentSize.height = 1e6 }
    #expect(long.indicator(.vertical, at: 0, length: 190)?.length == 32)
    #expect(self.model { $0.contentSize.height = 200 }.indicator(.vertical, at: 0, length: 190) == nil)
    #expect(model.indicator(.vertical, at: 0, length: 0) == nil)
  }
}

struct ScrollMotionTests {
  private let range = 0.0...1000.0

  /// Samples of the whole way, 1 ms apart.
  private func samples(_ motion: ScrollMotion) -> [Double] {
    (0...Int(motion.duration * 1000) + 2).map { motion.offset(at: Double($0) / 1000) }
  }

  @Test func `it glides out: 0.998 of the speed is left after a millisecond`() {
    let motion = ScrollMotion(releasedAt: 100, velocity: 1000, in: range)
    #expect(abs(motion.velocity(at: 0.001) - 998) < 0.01)
    #expect(abs(motion.velocity(at: 1) - 135.06) < 0.5)
    #expect(abs(motion.end - (100 + 1000 / 2.002)) < 1e-9)
    #expect(motion.offset(at: 0) == 100 && motion.offset(at: 1e9) == motion.end)
    let back = ScrollMotion(releasedAt: 900, velocity: -1000, in: range)
    #expect(abs(back.end - (1000 - motion.end)) < 1e-9)
  }

  @Test(arguments: [0.0, 19, -20]) func `too slow to glide`(velocity: Double) {
    let motion = ScrollMotion(releasedAt: 100, velocity: velocity, in: range)
    #expect(motion.duration == 0 && motion.end == 100 && motion.offset(at: 0) == 100)
  }

  @Test(arguments: [
    (100.0, 8000.0), (100, -8000), (-80, 0), (1080, 0), (-80, 3000), (1080, -3000), (-80, -500), (500, 50), (0, -600),
    (1000, 600), (0, 0), (1000, 8000), (-3, 8000), (1000, -8000),
  ])
  func `whatever it begins with, it moves without jumps and ends in the range, at rest`(
    offset: Double, velocity: Double
  ) {
    let motion = ScrollMotion(releasedAt: offset, velocity: velocity, in: range)
    let way = samples(motion)
    #expect(abs((way.first ?? .nan) - offset) < 1e-9)
    #expect(range.contains(motion.end) && way.last == motion.end)
    for (a, b) in zip(way, way.dropFirst()) {
      #expect(abs(b - a) <= abs(velocity) / 1000 + 3, "a jump from \(a) to \(b)")
    }
    #expect(motion.duration < 6)
    #expect((way.min() ?? 0) > -250 && (way.max() ?? 0) < 1250)
  }

  @Test func `a bounce goes beyond the end and comes back once`() {
    let motion = ScrollMotion(releasedAt: 900, velocity: 3000, in: range)
    let way = samples(motion)
    let top = way.max() ?? 0
    #expect(motion.end == 1000 && top > 1020 && top < 1150)
    let peak = way.firstIndex(of: top) ?? 0
    #expect(zip(way[peak...], way[(peak + 1)...]).allSatisfy { $0 >= $1 - 1e-9 }, "nothing bounces twice")
  }

  @Test func `without bouncing it stops at the end, dead`() {
    let motion = ScrollMotion(releasedAt: 900, velocity: 3000, in: range, bounces: false)
    #expect(samples(motion).max() == 1000 && motion.end == 1000 && motion.duration < 0.1)
    #expect(ScrollMotion(releasedAt: 1200, velocity: 0, in: range, bounces: false).end == 1000)
  }

  @Test func `thrown back from beyond an end, it glides on inside`() {
    let motion = ScrollMotion(releasedAt: -60, velocity: 4000, in: range)
    #expect(motion.end == 1000)
    let gentle = ScrollMotion(releasedAt: -60, velocity: 1500, in: range)
    #expect(gentle.end > 0 && gentle.end < 500)
    #expect(ScrollMotion(releasedAt: -60, velocity: 100, in: range).end == 0, "too gentle: back to the end")
  }

  @Test func `where nothing scrolls it comes back to the one place`() {
    for velocity in [-3000.0, 0, 3000] {
      let motion = ScrollMotion(releasedAt: 30, velocity: velocity, in: 0...0)
      #expect(motion.end == 0 && motion.duration < 1.5)
    }
  }

  @Test func `to a goal it takes the speed over`() {
    let motion = ScrollMotion(from: 10, velocity: 700, to: 300)
    #expect(abs(motion.velocity(at: 0) - 700) < 1e-6 && motion.end == 300 && motion.duration < 1)
    #expect(ScrollMotion(from: 5, velocity: 0, to: 5).duration == 0)
  }
}
