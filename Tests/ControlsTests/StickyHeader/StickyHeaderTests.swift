import ControlExercises
import ControlHarness
import Controls
import Testing

/// Tests of headers that grow with what is pulled down.
@MainActor @Suite(.serialized) struct StickyHeaderTests {
  private let set = ScrollSetting()
  private let header = StickyHeaderView(frame: Rect(x: 0, y: 0, width: 0, height: 60))

  private func add() {
    set.scroll.contentView.addSubview(header)
    set.harness.frame()
  }

  /// Where the header is seen in the window.
  private var seen: Rect { header.windowFrame }

  @Test(arguments: [
    (0.0, 0.0, Rect(x: 0, y: 0, width: 90, height: 60)), (-25, 25, Rect(x: 0, y: -25, width: 90, height: 85)),
    (-0.5, 0.5, Rect(x: 0, y: -0.5, width: 90, height: 60.5)), (40, 0, Rect(x: 0, y: 0, width: 90, height: 60)),
  ])
  func `K22: delta is how far it is pulled above 0; y = -delta, height = minHeight + delta`(
    y: Double, delta: Double, frame: Rect
  ) {
    let offset = Point(x: 3, y: y)
    #expect(StickyHeaderModel.delta(offset) == delta)
    #expect(StickyHeaderModel(minimumHeight: 60).frame(at: offset, width: 90) == frame)
    #expect(StickyHeaderModel(minimumHeight: .nan).minimumHeight == 0)
    #expect(StickyHeaderModel(minimumHeight: -5).minimumHeight == 0)
  }

  @Test func `K22: pulled down it grows to the window's upper edge; scrolled up it goes along`() {
    add()
    #expect(seen == Rect(x: 0, y: 0, width: 100, height: 60))
    set.drag(50, 50, 50, 160, holds: true)
    let pulled = -set.y
    #expect(pulled > 30)
    #expect(seen == Rect(x: 0, y: 0, width: 100, height: 60 + pulled), "no gap above, and the lower edge as pulled")
    set.harness.advance(by: .milliseconds(200))
    set.send(.ended, 50, 160)
    set.harness.settle()
    #expect(seen == Rect(x: 0, y: 0, width: 100, height: 60))
    set.scroll.contentOffset = Point(x: 0, y: 45)
    set.harness.frame()
    #expect(seen == Rect(x: 0, y: -45, width: 100, height: 60))
  }

  @Test func `K22: what it grows by is seen and touched: the gap has its colour, and a finger there reaches it`() {
    header.backgroundColor = Color(hex: 0x2dd4bf)
    add()
    set.drag(50, 150, 50, 300, holds: true)
    #expect(set.y < -30)
    set.harness.expectGolden("sticky-header-pulled")
    for y in [0.5, -set.y / 2, -set.y + 0.5, 59 - set.y] {
      #expect(set.harness.root.hitTest(Point(x: 50, y: y)) === header, "at \(y)")
    }
  }

  @Test func `the gap above a pulled content belongs to the scroll view, and its ground does not grow`() {
    set.scroll.contentView.backgroundColor = Color(hex: 0x2dd4bf)
    set.drag(50, 50, 50, 160, holds: true)
    #expect(set.y < -30)
    set.harness.expectGolden("scroll-pulled")
    #expect(set.harness.root.hitTest(Point(x: 50, y: 1)) === set.scroll)
  }

  @Test func `K22: it observes and takes nothing: two headers and an observer at a time`() {
    add()
    let second = StickyHeaderView(frame: Rect(x: 0, y: 0, width: 0, height: 20))
    set.scroll.contentView.addSubview(second)
    var offsets: [Double] = []
    let token = set.scroll.observe(\ScrollView.contentOffset) { offsets.append($0.new.y) }
    set.drag(50, 50, 50, 100, steps: 3, holds: true)
    #expect(header.frame.height > 60 && second.frame.height - 20 == header.frame.height - 60)
    #expect(offsets.count == 3)
    token.remove()
  }

  @Test func `K-D2: out of the tree it hears nothing more, and keeps nothing alive`() {
    add()
    weak var scroll: ScrollView?
    do {
      let other = ScrollSetting()
      scroll = other.scroll
      let far = StickyHeaderView(frame: Rect(x: 0, y: 0, width: 0, height: 30))
      other.scroll.contentView.addSubview(far)
      #expect(far.scrollView === other.scroll)
    }
    #expect(scroll == nil)
    header.removeFromSuperview()
    #expect(header.scrollView == nil)
    let frame = header.frame
    set.drag(50, 50, 50, 160, holds: true)
    #expect(header.frame == frame)
    set.scroll.contentView.addSubview(header)
    #expect(header.scrollView === set.scroll && header.frame.height > 60, "back again it is where it belongs")
  }

  @Test func `K-D3: its superview need not be a scroll view, and without any it stays where it was put`() {
    let box = View(frame: Rect(x: 0, y: 0, width: 80, height: 100))
    box.addSubview(header)
    set.harness.root.addSubview(box)
    #expect(header.scrollView == nil && header.frame == Rect(x: 0, y: 0, width: 0, height: 60))
    set.scroll.contentView.addSubview(box)
    #expect(header.scrollView === set.scroll && header.enclosingScrollView === set.scroll)
    set.drag(50, 150, 50, 190, steps: 4, holds: true)
    #expect(header.frame == Rect(x: 0, y: set.y, width: 80, height: 60 - set.y) && set.y < 0)
  }

  @Test func `it follows another one that it is told to`() {
    let apart = StickyHeaderView(frame: Rect(x: 0, y: 0, width: 0, height: 10))
    set.harness.root.addSubview(apart)
    apart.follow(set.scroll)
    set.drag(50, 50, 50, 100, steps: 3, holds: true)
    #expect(apart.frame.height == 10 - set.y && set.y < 0)
    apart.follow(nil)
    #expect(apart.scrollView == nil && apart.frame.height == 10)
  }

  @Test func `another width, and another height at rest`() {
    add()
    set.scroll.frame = Rect(x: 0, y: 0, width: 70, height: 200)
    set.scroll.scrollsHorizontally = false
    set.harness.frame()
    #expect(header.frame.width == 70)
    header.minimumHeight = 90
    set.harness.frame()
    #expect(header.frame.height == 90 && header.sizeThatFits(Size(width: 50, height: 9)) == Size(width: 50, height: 90))
    header.minimumHeight = -4
    #expect(header.minimumHeight == 0)
    #expect(!set.harness.root.needsFrame || set.harness.settle() < 3)
  }
}
