import ControlHarness
import Controls
import Testing

/// A window of 100 x 200 points onto a column of rows, with a log.
@MainActor struct ScrollSetting {
  let harness: ControlHarness
  let scroll = ScrollView(frame: Rect(x: 0, y: 0, width: 100, height: 200))
  let log = Log()
  let rows: [ProbeView]
  let token: ObservationToken

  init(rows count: Int = 20, scale: Scale = .one, _ change: (ScrollView) -> Void = { _ in }) {
    harness = ControlHarness(size: Size(width: 100, height: 200), scale: scale)
    rows = (0..<count).map { ProbeView(frame: Rect(x: 0, y: Double($0) * 50, width: 100, height: 49)) }
    for row in rows { scroll.contentView.addSubview(row) }
    token = scroll.observeScrolling { [log] in if $0 != .didLayout { log.add("\($0)") } }
    change(scroll)
    harness.root.addSubview(scroll)
    harness.frame()
  }

  func send(_ phase: TouchPoint.Phase, _ x: Double, _ y: Double, finger: Int = 0) {
    harness.touch(phase, at: Point(x: x, y: y), finger: finger)
  }

  func drag(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, steps: Int = 10, holds: Bool = false) {
    harness.drag(from: Point(x: x0, y: y0), to: Point(x: x1, y: y1), steps: steps, holds: holds)
  }

  var y: Double { scroll.contentOffset.y }
}

@MainActor @Suite(.serialized) struct ScrollViewTests {
  @Test func `the content is as large as what lies in it, and can be scrolled by the rest`() {
    let set = ScrollSetting()
    #expect(set.scroll.contentView.bounds.size == Size(width: 100, height: 999))
    #expect(set.scroll.model.range(.vertical) == 0...799 && set.scroll.model.scrollableAxes == .vertical)
    set.scroll.contentSize = Size(width: 300, height: 2000)
    set.harness.frame()
    #expect(set.scroll.contentView.bounds.size == Size(width: 300, height: 2000))
    #expect(set.scroll.model.scrollableAxes == .both)
    set.scroll.scrollsHorizontally = false
    set.harness.frame()
    #expect(set.scroll.contentView.bounds.width == 100 && set.scroll.model.scrollableAxes == .vertical)
  }

  @Test func `an offset beyond the content counts again when that grows, until somebody scrolls`() {
    let set = ScrollSetting(rows: 5) { $0.contentOffset = Point(x: 0, y: 500) }
    #expect(set.y == 49)
    set.scroll.contentSize = Size(width: 100, height: 650)
    set.harness.frame()
    #expect(set.y == 450)
    set.drag(50, 100, 50, 150, holds: true)
    let scrolled = set.y
    #expect(scrolled < 450)
    set.scroll.contentSize = Size(width: 100, height: 2000)
    set.harness.frame()
    #expect(set.y == scrolled)
  }

  @Test func `the point under the finger stays under the finger`() {
    let set = ScrollSetting()
    set.send(.began, 50, 150)
    set.send(.moved, 50, 145)
    #expect(set.y == 0 && !set.scroll.isDragging)
    set.send(.moved, 50, 140)
    #expect(set.y == 0 && set.scroll.isDragging, "the first 10 points are not part of the drag")
    for y in stride(from: 139.0, through: 60, by: -7) {
      set.send(.moved, 50, y)
      #expect(set.y == 140 - y && set.rows[0].frame.minY + set.scroll.contentView.frame.minY == y - 140)
    }
    set.harness.advance(by: .milliseconds(200))
    set.send(.ended, 50, 60)
    #expect(!set.scroll.isDragging && !set.scroll.isDecelerating, "a finger that rested throws nothing")
    #expect(set.log.take() == ["willBeginDragging", "didEndDragging(willDecelerate: false)"])
  }

  @Test func `moving content draws nothing anew, and costs a frame each`() {
    let set = ScrollSetting()
    // The harness' checks draw everything anew.
    set.harness.checksDamage = false
    set.drag(50, 150, 50, 120, holds: true)
    let draws = set.rows.map(\.draws)
    let layouts = set.rows.map(\.layouts)
    let frames = set.harness.frameCount
    set.harness.move(from: Point(x: 50, y: 120), to: Point(x: 50, y: 60), steps: 20)
    #expect(set.rows.prefix(5).map(\.draws) == draws.prefix(5).map { $0 })
    #expect(set.harness.frameCount - frames == 20)
    #expect(set.rows[5].draws == 1 && set.rows[6].draws == 0, "what comes into sight is drawn once")
    #expect(set.rows.map(\.layouts) == layouts, "K6: a place is no size")
  }

  @Test(arguments: [1.0, 1.25, 1.5, 2.0])
  func `on whole pixels at every scale`(scale: Double) {
    let set = ScrollSetting(scale: Scale(scale))
    set.harness.checksDamage = false
    let draws = set.rows[0].draws
    set.send(.began, 50, 150)
    for step in 0..<40 {
      set.send(.moved, 50, 140 - Double(step) * 0.37)
      let pixels = set.y * Scale(scale).factor
      #expect(abs(pixels - pixels.rounded()) < 1e-9)
    }
    #expect(abs(set.y - 39 * 0.37) <= 0.5 / scale, "and no step is lost")
    #expect(set.rows[0].draws == draws)
    set.send(.ended, 50, 120)
  }

  @Test func `thrown, it glides out and rests`() {
    let set = ScrollSetting()
    set.drag(50, 180, 50, 100)
    #expect(set.scroll.isDecelerating)
    let start = set.y
    var last = start
    var steps: [Double] = []
    while set.scroll.isDecelerating {
      set.harness.advance(by: set.harness.frameInterval)
      steps.append(set.y - last)
      last = set.y
    }
    #expect(set.y > start + 150 && set.y < 799)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 >= $1 - 1.01 }, "slower and slower, but for whole pixels")
    #expect(
      set.log.take() == ["willBeginDragging", "didEndDragging(willDecelerate: true)", "didEndDecelerating"])
    set.harness.advance(by: .seconds(3))
    #expect(!set.harness.root.needsFrame && set.harness.host.wakeTime == nil, "then nothing is done any more")
  }

  @Test func `beyond an end it resists, and comes back`() {
    let set = ScrollSetting()
    set.drag(50, 50, 50, 160, holds: true)
    #expect(set.y < -35 && set.y > -60)
    set.harness.advance(by: .milliseconds(200))
    set.send(.ended, 50, 160)
    set.harness.settle()
    #expect(set.y == 0)
    set.scroll.bounces = false
    set.drag(50, 50, 50, 160)
    #expect(set.y == 0 && !set.scroll.isDecelerating)
  }

  @Test func `a finger catches what glides, and what is inside hears nothing of it`() {
    let set = ScrollSetting()
    let button = ProbeControl("button", frame: Rect(x: 0, y: 0, width: 100, height: 999), log: Log())
    button.pressable = true
    set.scroll.contentView.addSubview(button)
    set.drag(50, 180, 50, 100)
    set.harness.advance(by: .milliseconds(100))
    let y = set.y
    set.send(.began, 50, 100)
    #expect(!set.scroll.isDecelerating)
    set.harness.advance(by: .milliseconds(300))
    #expect(set.y == y)
    set.send(.ended, 50, 100)
    #expect(button.log.lines.isEmpty && set.y == y)
    set.harness.tap(Point(x: 50, y: 100))
    #expect(button.log.take() == ["button begin", "button end"], "at rest it is a tap")
    set.drag(50, 180, 50, 100)
    set.send(.began, 50, 100)
    set.harness.move(from: Point(x: 50, y: 100), to: Point(x: 50, y: 60), steps: 3)
    #expect(set.scroll.isDragging, "and it may drag on")
    set.send(.cancelled, 50, 60)
  }

  @Test func `a tap on what glides too slowly to be seen stops it, and is a tap`() {
    let set = ScrollSetting()
    let button = ProbeControl("button", frame: Rect(x: 0, y: 0, width: 100, height: 999), log: Log())
    button.pressable = true
    set.scroll.contentView.addSubview(button)
    set.drag(50, 180, 50, 100)
    // Less than 25 points a second; offsets are whole pixels.
    var (before, step) = (0.0, 100.0)
    while step > 2.5, set.scroll.isDecelerating {
      before = set.y
      set.harness.advance(by: .milliseconds(100))
      step = set.y - before
    }
    #expect(set.scroll.isDecelerating, "it moves on")
    set.harness.tap(Point(x: 50, y: 100))
    #expect(button.log.take() == ["button begin", "button end"])
    #expect(!set.scroll.isDecelerating)
    let y = set.y
    set.harness.advance(by: .seconds(1))
    #expect(set.y == y, "what is under the finger stays there")
  }

  @Test func `caught beyond an end it waits for the finger, then comes back`() {
    let set = ScrollSetting()
    set.drag(50, 20, 50, 190, steps: 3)
    set.harness.advance(by: .milliseconds(40))
    let y = set.y
    #expect(y < -10)
    set.send(.began, 50, 100)
    set.harness.advance(by: .seconds(1))
    #expect(set.y == y)
    set.send(.ended, 50, 100)
    set.harness.settle()
    #expect(set.y == 0)
  }

  @Test func `two axes at once, or one at a time`() {
    let set = ScrollSetting { $0.contentSize = Size(width: 500, height: 999) }
    set.drag(80, 150, 50, 110, holds: true)
    #expect(set.scroll.contentOffset == Point(x: 24, y: 32))
    set.send(.cancelled, 50, 110)
    set.harness.settle()
    set.scroll.contentOffset = .zero
    set.scroll.isDirectionalLockEnabled = true
    set.drag(80, 150, 50, 110, holds: true)
    #expect(set.scroll.contentOffset == Point(x: 0, y: 32))
  }

  @Test func `pages: one at a time, in either axis, also the last part of one`() {
    let set = ScrollSetting { scroll in
      scroll.contentSize = Size(width: 350, height: 200)
      scroll.isPagingEnabled = true
    }
    for expected in [100.0, 200, 250, 250] {
      set.drag(90, 100, 20, 100, steps: 4)
      set.harness.settle()
      #expect(set.scroll.contentOffset == Point(x: expected, y: 0))
    }
    set.drag(20, 100, 90, 100, steps: 4)
    set.harness.settle()
    #expect(set.scroll.contentOffset.x == 200)
    set.drag(50, 100, 80, 100, holds: true)
    set.harness.advance(by: .milliseconds(200))
    set.send(.ended, 80, 100)
    set.harness.settle()
    #expect(set.scroll.contentOffset.x == 200, "too little to turn the page")
    set.scroll.frame = Rect(x: 0, y: 0, width: 50, height: 200)
    set.harness.frame()
    #expect(set.scroll.contentOffset.x == 100, "page 2 is page 2 at another size")
  }

  @Test func `a second finger takes over`() {
    let set = ScrollSetting()
    set.drag(50, 150, 50, 120, holds: true)
    set.send(.began, 20, 50, finger: 1)
    #expect(set.y == 20)
    set.send(.ended, 50, 120)
    #expect(set.y == 20 && set.scroll.isDragging)
    set.send(.moved, 20, 40, finger: 1)
    #expect(set.y == 30)
    set.send(.ended, 20, 40, finger: 1)
    #expect(!set.scroll.isDragging)
  }

  @Test(arguments: ["cancelled", "hidden", "switched off", "removed", "background"])
  func `behaviour 1: a drag that is broken off comes to rest in the range`(way: String) {
    let set = ScrollSetting()
    set.drag(50, 50, 50, 150, holds: true)
    #expect(set.y < 0)
    switch way {
    case "cancelled": set.send(.cancelled, 50, 150)
    case "hidden": set.scroll.isHidden = true
    case "switched off": set.scroll.isScrollEnabled = false
    case "removed": set.scroll.removeFromSuperview()
    default: set.harness.enterBackground()
    }
    #expect(!set.scroll.isDragging)
    set.harness.settle()
    #expect(set.y == 0 && !set.scroll.isDecelerating)
  }

  @Test func `in the background a throw ends where it was going`() {
    let set = ScrollSetting()
    set.drag(50, 180, 50, 100)
    set.harness.enterBackground()
    #expect(!set.scroll.isDecelerating && set.y > 150)
    #expect(set.log.take().last == "didEndDecelerating")
  }

  @Test func `code moves it at once or on a spring, within the range`() {
    let set = ScrollSetting()
    set.scroll.contentOffset = Point(x: 50, y: 5000)
    #expect(set.scroll.contentOffset == Point(x: 0, y: 799))
    set.scroll.contentOffset = Point(x: Double.nan, y: 3)
    #expect(set.y == 799)
    set.scroll.setContentOffset(Point(x: 0, y: 100), animated: true)
    #expect(set.y == 799 && set.scroll.isDecelerating)
    set.harness.advance(by: .milliseconds(100))
    #expect(set.y < 799 && set.y > 100)
    set.harness.settle()
    #expect(set.y == 100)
    set.harness.root.prefersReducedMotion = true
    set.scroll.setContentOffset(Point(x: 0, y: 300), animated: true)
    #expect(set.y == 300 && !set.scroll.isDecelerating)
    set.scroll.scrollRectToVisible(Rect(x: 0, y: 0, width: 10, height: 10), animated: false)
    #expect(set.y == 0)
    set.harness.root.prefersReducedMotion = false
    set.scroll.setContentOffset(Point(x: 0, y: 300), animated: true)
    set.scroll.contentOffset = Point(x: 0, y: 7)
    set.harness.settle()
    #expect(set.y == 7, "set by code it stays")
  }

  @Test func `it is laid out once for one reason`() {
    let set = ScrollSetting()
    var count = 0
    let token = set.scroll.observeScrolling { if $0 == .didLayout { count += 1 } }
    set.harness.settle()
    set.scroll.frame = Rect(x: 0, y: 0, width: 90, height: 150)
    set.harness.settle()
    #expect(count == 1)
    set.rows[3].removeFromSuperview()
    set.harness.settle()
    #expect(count == 2)
    set.drag(50, 100, 50, 50, steps: 3)
    set.harness.settle()
    #expect(count == 2, "K6: scrolling lays nothing out")
    token.remove()
  }

  @Test func `an offset set before the first layout counts`() {
    let set = ScrollSetting { $0.contentOffset = Point(x: 0, y: 150) }
    #expect(set.y == 150)
    let far = ScrollSetting { $0.contentOffset = Point(x: 0, y: 15_000) }
    #expect(far.y == 799)
  }

  @Test func `content that shrinks takes the offset along`() {
    let set = ScrollSetting()
    set.scroll.contentOffset = Point(x: 0, y: 799)
    for row in set.rows.suffix(10) { row.removeFromSuperview() }
    set.harness.frame()
    #expect(set.y == 299)
    set.drag(50, 60, 50, 180, steps: 3)
    for row in set.rows { row.removeFromSuperview() }
    set.harness.settle()
    #expect(set.y == 0 && set.scroll.model.scrollableAxes == [])
  }

  @Test func `K22: any number of observers hear of the offset, each as long as it holds its token`() {
    let set = ScrollSetting()
    var (a, b): ([Double], [Double]) = ([], [])
    var first: ObservationToken? = set.scroll.observe(\ScrollView.contentOffset) { a.append($0.new.y) }
    let second = set.scroll.observe(\ScrollView.contentOffset) { b.append($0.new.y - $0.old.y) }
    set.scroll.contentOffset = Point(x: 0, y: 10)
    set.drag(50, 150, 50, 130, steps: 2, holds: true)
    #expect(a == [10, 20] && b == [10, 10])
    first = nil
    set.send(.moved, 50, 125)
    #expect(a == [10, 20] && b.last == 5 && first == nil)
    second.remove()
    set.send(.moved, 50, 120)
    #expect(b.count == 3)
  }
}
