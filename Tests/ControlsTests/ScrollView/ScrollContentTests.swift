import ControlHarness
import ControlTools
import Controls
import Testing

/// Tests of who gets a finger that comes down on what is inside a scroll view, and of keys, wheel and indicators.
@MainActor @Suite(.serialized) struct ScrollContentTests {
  private let set = ScrollSetting()

  private func button() -> ProbeControl {
    let button = ProbeControl("b", frame: Rect(x: 0, y: 0, width: 100, height: 999), log: set.log)
    button.pressable = true
    set.scroll.contentView.addSubview(button)
    set.harness.frame()
    return button
  }

  private func slider() -> AxisControl {
    let slider = AxisControl(frame: Rect(x: 0, y: 0, width: 100, height: 999))
    set.scroll.contentView.addSubview(slider)
    set.harness.frame()
    return slider
  }

  @Test func `a tap on a button presses it, at the latest when the finger goes up`() {
    let button = button()
    button.logEvents()
    set.send(.began, 50, 50)
    #expect(set.log.lines.isEmpty && !button.isHighlighted)
    set.harness.advance(by: .milliseconds(60))
    set.send(.ended, 50, 50)
    #expect(set.log.take() == ["b begin", "b touchDown", "b end", "b upInside", "b primary"])
  }

  @Test func `a finger that rests is the button's after a moment; when it then drags, it scrolls`() {
    let button = button()
    set.send(.began, 50, 150)
    set.harness.advance(by: .milliseconds(140))
    #expect(!button.isHighlighted)
    set.harness.advance(by: .milliseconds(20))
    #expect(button.isHighlighted && set.log.take() == ["b begin"])
    set.harness.move(from: Point(x: 50, y: 150), to: Point(x: 50, y: 120), steps: 3)
    #expect(!button.isHighlighted && set.scroll.isDragging)
    #expect(set.log.take().contains("b cancel"))
    set.send(.ended, 50, 120)
    #expect(!set.log.take().contains { $0.hasPrefix("b ") })
  }

  @Test func `a drag that begins at once lights nothing up`() {
    _ = button()
    set.drag(50, 150, 50, 100, steps: 3)
    #expect(!set.log.take().contains { $0.hasPrefix("b ") })
  }

  @Test func `a drag where nothing scrolls is the button's`() {
    _ = button()
    set.drag(20, 100, 60, 102, steps: 4)
    #expect(set.log.take() == ["b begin", "b continue", "b continue", "b continue", "b continue", "b end"])
    #expect(set.y == 0)
  }

  @Test func `without the delay a button answers at once, and still gives the finger up to a drag`() {
    let button = button()
    set.scroll.delaysContentTouches = false
    set.send(.began, 50, 150)
    #expect(button.isHighlighted)
    set.harness.move(from: Point(x: 50, y: 150), to: Point(x: 50, y: 120), steps: 3)
    #expect(!button.isHighlighted && set.scroll.isDragging)
    set.send(.ended, 50, 120)
  }

  @Test func `a slider is not robbed: along it the drag is its own, across it the scroll view's`() {
    let slider = slider()
    set.send(.began, 20, 100)
    set.send(.moved, 31, 100)
    #expect(slider.heard == ["begin"], "as soon as it goes along the slider")
    set.harness.move(from: Point(x: 31, y: 100), to: Point(x: 60, y: 20), steps: 5)
    #expect(set.y == 0 && slider.isTracking, "and however it goes on")
    set.send(.ended, 60, 20)
    #expect(slider.heard == ["begin", "end"])
    slider.heard = []
    set.drag(20, 150, 25, 100, steps: 4)
    #expect(slider.heard.isEmpty && set.y > 0)
  }

  @Test func `a slider that is held keeps the finger along itself, and gives it up across`() {
    let slider = slider()
    set.send(.began, 20, 150)
    set.harness.advance(by: .milliseconds(200))
    #expect(slider.isTracking)
    set.send(.moved, 32, 150)
    set.send(.moved, 60, 60)
    #expect(slider.isTracking && set.y == 0)
    set.send(.ended, 60, 60)
    slider.heard = []
    set.send(.began, 20, 150)
    set.harness.advance(by: .milliseconds(200))
    set.send(.moved, 20, 120)
    #expect(slider.heard == ["begin", "cancel"] && set.scroll.isDragging)
    set.send(.ended, 20, 120)
  }

  @Test func `what is dragged either way answers at once and is never taken from`() {
    let lever = ProbeControl("lever", frame: Rect(x: 0, y: 0, width: 100, height: 999), log: set.log)
    set.scroll.contentView.addSubview(lever)
    set.harness.frame()
    set.send(.began, 50, 150)
    #expect(lever.isTracking)
    set.harness.move(from: Point(x: 50, y: 150), to: Point(x: 60, y: 20), steps: 5)
    #expect(lever.isTracking && set.y == 0)
    set.send(.ended, 60, 20)
  }

  @Test func `a row that is removed while it scrolls does not stop the scroll`() {
    set.drag(50, 150, 50, 120, steps: 3, holds: true)
    for row in set.rows.prefix(4) { row.removeFromSuperview() }
    set.send(.moved, 50, 100)
    #expect(set.scroll.isDragging && set.y == 40)
    set.send(.ended, 50, 100)
  }

  @Test func `nested: the inner one scrolls its way, the outer one the other`() {
    let inner = ScrollView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    inner.contentSize = Size(width: 400, height: 100)
    set.scroll.contentView.addSubview(inner)
    set.harness.frame()
    set.drag(80, 50, 40, 52, steps: 4, holds: true)
    #expect(inner.contentOffset.x == 30 && set.y == 0)
    set.send(.cancelled, 40, 52)
    set.harness.settle()
    set.drag(50, 90, 52, 50, steps: 4, holds: true)
    #expect(inner.contentOffset.x == 30 && set.y == 30)
    set.send(.cancelled, 52, 50)
  }

  @Test func `nested: a drag that pulls beyond the inner one's end is the outer one's, others the inner one's`() {
    let inner = ScrollView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    inner.contentSize = Size(width: 100, height: 150)
    set.scroll.contentView.addSubview(inner)
    set.harness.frame()
    inner.contentOffset.y = 50
    set.drag(50, 90, 50, 50, steps: 4, holds: true)
    #expect(set.y == 30 && inner.contentOffset.y == 50 && !inner.isDragging)
    set.send(.cancelled, 50, 50)
    set.harness.settle()
    set.scroll.contentOffset.y = 20
    // Away from its end, the inner one scrolls.
    set.drag(50, 30, 50, 60, steps: 4, holds: true)
    #expect(set.y == 20 && inner.contentOffset.y == 30)
    set.send(.cancelled, 50, 60)
    set.harness.settle()
    // At the other end alike.
    inner.contentOffset.y = 0
    set.drag(50, 30, 50, 50, steps: 4, holds: true)
    #expect(set.y == 10 && inner.contentOffset.y == 0)
    set.send(.cancelled, 50, 50)
    set.harness.settle()
    // Where the outer one has no way left, the inner one follows with resistance.
    set.scroll.contentOffset.y = 0
    set.drag(50, 30, 50, 70, steps: 4, holds: true)
    #expect(set.y == 0 && inner.contentOffset.y < 0 && inner.isDragging)
    set.send(.cancelled, 50, 70)
  }

  // MARK: Wheel and keys

  private func wheel(_ dx: Double, _ dy: Double, at point: Point = Point(x: 50, y: 50)) {
    set.harness.root.handle(.scroll(ControlHarness.seat, at: point, dx: dx, dy: dy))
    set.harness.frameIfNeeded()
  }

  @Test func `the wheel scrolls at once, adds small steps up, and stops at the ends`() {
    wheel(0, 30)
    #expect(set.y == 30 && !set.scroll.isDecelerating)
    for _ in 0..<10 { wheel(0, 0.3) }
    #expect(set.y == 33)
    wheel(0, -500)
    #expect(set.y == 0)
    wheel(20, 0)
    #expect(set.scroll.contentOffset == .zero)
    set.scroll.isScrollEnabled = false
    wheel(0, 30)
    #expect(set.y == 0)
  }

  @Test func `a wheel at the inner one's end turns the outer one`() {
    let inner = ScrollView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    inner.contentSize = Size(width: 100, height: 150)
    set.scroll.contentView.addSubview(inner)
    set.harness.frame()
    wheel(0, 40)
    wheel(0, 40)
    #expect(inner.contentOffset.y == 50 && set.y == 0)
    wheel(0, 40)
    #expect(set.y == 40)
  }

  @Test func `a wheel turned over what only goes sideways scrolls it; with pages it then rests on one`() {
    set.scroll.contentSize = Size(width: 400, height: 200)
    set.scroll.isPagingEnabled = true
    set.harness.frame()
    wheel(0, 70)
    #expect(set.scroll.contentOffset.x == 70)
    set.harness.advance(by: .seconds(2))
    #expect(set.scroll.contentOffset.x == 100)
  }

  @Test func `keys scroll by lines, windows and to the ends, and add up while they are held`() {
    set.scroll.becomeFirstResponder()
    set.harness.press(.down)
    set.harness.settle()
    #expect(set.y == 40)
    set.harness.press(.pageDown)
    set.harness.settle()
    #expect(set.y == 200, "a window less a line")
    set.harness.press(.up)
    set.harness.press(.pageUp)
    set.harness.settle()
    #expect(set.y == 0)
    set.harness.key(.down, .down)
    for _ in 0..<4 { set.harness.key(.repeated, .down) }
    set.harness.key(.up, .down)
    set.harness.settle()
    #expect(set.y == 200)
    set.harness.press(.end)
    set.harness.settle()
    #expect(set.y == 799)
    set.harness.press(.home)
    set.harness.settle()
    #expect(set.y == 0)
  }

  @Test func `keys that move nothing go on to others`() {
    var heard: [Key] = []
    set.harness.root.keyHandler = { event in
      if event.phase == .down { heard.append(event.key) }
      return true
    }
    set.scroll.becomeFirstResponder()
    for key in [Key.up, .left, .right, .home, .pageUp, .escape] { set.harness.press(key) }
    #expect(heard == [.up, .left, .right, .home, .pageUp, .escape])
    set.harness.press(.down)
    set.harness.press(.down, .control)
    #expect(heard.suffix(1) == [.down] && heard.count == 7)
  }

  @Test func `Tab stops at it where nothing inside can be focused, and else shows what is focused`() {
    set.harness.press(.tab)
    #expect(set.scroll.isFirstResponder)
    let (first, last) = (ProbeControl("first", log: Log()), ProbeControl("last", log: Log()))
    last.frame = Rect(x: 0, y: 900, width: 40, height: 40)
    set.scroll.contentView.addSubview(first)
    set.scroll.contentView.addSubview(last)
    set.scroll.resignFirstResponder()
    set.harness.press(.tab)
    #expect(first.isFirstResponder)
    set.harness.press(.tab)
    set.harness.settle()
    #expect(last.isFirstResponder && set.y == 748, "with room for the ring")
    set.harness.press(.pageUp)
    set.harness.settle()
    #expect(set.y == 588, "keys that it does not use scroll")
  }

  @Test func `the focus ring is seen inside the scroll view only`() {
    let control = ProbeControl("c", frame: Rect(x: 30, y: 100, width: 40, height: 40), log: Log())
    set.scroll.contentView.addSubview(control)
    set.scroll.frame = Rect(x: 0, y: 50, width: 100, height: 100)
    set.harness.frame()
    set.harness.press(.tab)
    set.harness.settle()
    set.scroll.contentOffset = Point(x: 0, y: 122)
    set.harness.frame()
    #expect(set.harness.shown[50, 49] == 0xff00_0000 && set.harness.shown[27, 55] == 0xff0f_766e)
    set.scroll.contentOffset = Point(x: 0, y: 400)
    set.harness.frame()
    #expect(set.harness.shown[27, 55] != 0xff0f_766e)
  }

  // MARK: Indicators

  private var bars: [View] {
    self.set.scroll.subviews.filter { $0 !== set.scroll.contentView && !$0.bounds.isEmpty && $0.alpha > 0 }
  }

  @Test func `an indicator is shown while it scrolls and fades a moment after, with three wake-ups at most`() {
    #expect(bars.isEmpty)
    set.drag(50, 150, 50, 100, steps: 3, holds: true)
    #expect(bars.count == 1 && bars[0].frame.minX == 93 && bars[0].frame.minY == 11)
    set.harness.advance(by: .milliseconds(200))
    set.send(.ended, 50, 100)
    let wakes = set.harness.wakeCount
    set.harness.advance(by: .milliseconds(400))
    #expect(bars.count == 1)
    set.harness.advance(by: .seconds(2))
    #expect(bars.isEmpty && set.harness.wakeCount - wakes <= 3)
    #expect(set.harness.host.wakeTime == nil && !set.harness.root.needsFrame)
  }

  @Test func `from right to left the indicator is on the left; it can be switched off`() {
    set.harness.root.layoutDirection = .rightToLeft
    wheel(0, 30)
    #expect(bars.first?.frame.minX == 3)
    set.scroll.showsVerticalIndicator = false
    wheel(0, 30)
    #expect(bars.isEmpty)
  }

  @Test func `a scroll view begins at the left also where the layout runs from right to left`() {
    for direction in [LayoutDirection.leftToRight, .rightToLeft] {
      let harness = ControlHarness(size: Size(width: 100, height: 50))
      harness.root.layoutDirection = direction
      let scroll = ScrollView(frame: harness.root.bounds)
      let wide = View(frame: Rect(x: 0, y: 0, width: 400, height: 50))
      scroll.contentView.addSubview(wide)
      harness.root.addSubview(scroll)
      harness.frame()
      #expect(scroll.contentOffset == .zero && wide.windowFrame.minX == 0, "\(direction)")
    }
  }

  @Test func `K1: a scroll view from a file is the same, and its subviews are its content`() throws {
    let json = """
      {"type": "ScrollView", "frame": [0, 0, 100, 200], "isPagingEnabled": true, "subviews": [
        {"type": "View", "name": "a", "frame": [0, 0, 100, 300]}, {"type": "View", "name": "b", "anchors":
        {"top": 300, "left": 0, "right": 0, "height": 100}}]}
      """
    let view = LayoutView()
    try view.load(LayoutFile(text: json, name: "scroll.json"))
    let scroll = try #require(view.subviews.first as? ScrollView)
    scroll.layoutIfNeeded()
    #expect(scroll.contentView.subviews.map(\.name) == ["a", "b"] && scroll.isPagingEnabled)
    #expect(scroll.contentView.bounds.size == Size(width: 100, height: 400))
  }

  @Test func `who drags a slider in the content leaves the scroll view to other fingers`() {
    let set = ScrollSetting()
    let slider = Slider(frame: Rect(x: 0, y: 0, width: 100, height: 40))
    set.scroll.contentView.addSubview(slider)
    set.harness.frame()
    set.send(.began, 20, 20)
    set.send(.moved, 40, 20)
    set.send(.moved, 60, 20)
    #expect(slider.isTracking && set.y == 0)
    set.send(.began, 50, 180, finger: 1)
    for y in stride(from: 170.0, through: 80, by: -10) { set.send(.moved, 50, y, finger: 1) }
    #expect(set.y == 90 && slider.isTracking)
    let value = slider.value
    set.send(.moved, 70, 20)
    #expect(slider.value > value && set.y == 90)
    set.send(.ended, 70, 20)
    set.send(.ended, 50, 80, finger: 1)
    #expect(!slider.isTracking)
  }

  @Test func `a finger that holds a button in the content neither slows another one's scroll nor is taken away`() {
    let set = ScrollSetting()
    let button = Button(frame: Rect(x: 0, y: 0, width: 100, height: 40))
    var presses = 0
    button.addAction(for: .primaryActionTriggered) { _ in presses += 1 }
    set.scroll.contentView.addSubview(button)
    set.harness.frame()
    set.send(.began, 20, 20)
    set.harness.advance(by: .milliseconds(400))
    #expect(button.isTracking)
    set.send(.began, 50, 180, finger: 1)
    for y in stride(from: 170.0, through: 165, by: -5) { set.send(.moved, 50, y, finger: 1) }
    #expect(set.y == 5 && button.isTracking, "each point of the finger counts beyond the first ten")
    set.send(.moved, 50, 160, finger: 1)
    #expect(set.y == 10)
    set.send(.ended, 20, 15)
    #expect(presses == 1)
    set.send(.ended, 50, 160, finger: 1)
  }

  @Test func `a finger that a range slider refuses scrolls what is around it`() {
    let set = ScrollSetting { $0.contentSize = Size(width: 300, height: 200) }
    let range = RangeSlider(frame: Rect(x: 0, y: 0, width: 100, height: 40))
    (range.lowerValue, range.upperValue) = (0.5, 0.9)
    set.scroll.contentView.addSubview(range)
    set.harness.frame()
    set.drag(18, 20, 0, 20)
    #expect(set.scroll.contentOffset.x > 0 && range.lowerValue == 0.5)
    set.harness.settle()
    set.scroll.contentOffset = .zero
    set.drag(50, 20, 30, 20)
    #expect(set.scroll.contentOffset.x == 0 && range.lowerValue < 0.5)
  }

  @Test func `a text that changes in the content damages the text, with anchors too`() {
    for isAnchored in [false, true] {
      let set = ScrollSetting(rows: 0)
      let (label, other) = (Label(), Label())
      (label.text, other.text) = ("1234567", "other")
      label.frame = Rect(x: 0, y: 0, width: 80, height: 30)
      other.frame = Rect(x: 0, y: 400, width: 80, height: 30)
      if isAnchored {
        var anchors = LayoutAnchors()
        (anchors.left, anchors.top) = (0, 0)
        label.anchors = anchors
      }
      for view in [label, other] { set.scroll.contentView.addSubview(view) }
      set.harness.frame()
      #expect(set.scroll.contentView.bounds.height == 430)
      label.text = "1234568"
      set.harness.frame()
      #expect((1..<80 * 30).contains(set.harness.lastDamage.area), "less than the label, and not the content")
    }
  }

  @Test func `content with anchors is as large as they make it, in each room`() {
    let set = ScrollSetting(rows: 0) { $0.scrollsHorizontally = false }
    let (wide, low) = (ProbeView(), ProbeView(frame: Rect(x: 0, y: 0, width: 20, height: 300)))
    var anchors = LayoutAnchors()
    (anchors.left, anchors.right, anchors.top, anchors.height) = (10, 10, 0, 50)
    wide.anchors = anchors
    for view in [wide, low] { set.scroll.contentView.addSubview(view) }
    set.harness.frame()
    #expect(wide.frame == Rect(x: 10, y: 0, width: 80, height: 50))
    #expect(set.scroll.contentView.bounds.height == 300)
    set.scroll.frame.size.width = 60
    set.harness.frame()
    #expect(wide.frame == Rect(x: 10, y: 0, width: 40, height: 50))
  }
}
