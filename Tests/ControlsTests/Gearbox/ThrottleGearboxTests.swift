import CockpitControls
import ControlHarness
import Controls
import Testing

/// Tests of the gearbox in use: fingers, keys, events, what is lost.
@MainActor @Suite(.serialized) struct ThrottleGearboxTests {
  let log = Log()

  /// A gearbox of the article's size in a window of its own, that writes down what it says.
  func shown(gear: Gear = .neutral) -> (ControlHarness, ThrottleGearbox) {
    let box = ThrottleGearbox()
    box.gear = gear
    let harness = ControlHarness(size: GearboxGeometry.articleSize)
    harness.checksDamage = false
    box.frame = Rect(origin: .zero, size: GearboxGeometry.articleSize)
    harness.root.addSubview(box)
    harness.frame()
    box.addAction(for: .editingDidBegin) { [log] _ in log.add("begin") }
    box.addAction(for: .valueChanged) { [log] in log.add("gear \($0.gear)") }
    box.addAction(for: .editingDidEnd) { [log] _ in log.add("end") }
    box.addAction(for: .editingDidCancel) { [log] _ in log.add("cancel") }
    return (harness, box)
  }

  @Test func `G-D9, K1: every initialiser begins in neutral, and with the article's defaults`() {
    for box in [ThrottleGearbox(), ThrottleGearbox(frame: Rect(x: 5, y: 20, width: 200, height: 580))] {
      #expect(box.gear == .neutral && box.throttle == 0 && box.gearCount == 10)
      #expect(box.releasePolicy == .latch && box.cancelPolicy == .neutral)
    }
  }

  @Test func `G27, G28, G-D1: a touch says begin, each gear once, and end; the gear latches`() {
    let (harness, box) = shown()
    harness.drag(from: Point(x: 100, y: 195), to: Point(x: 100, y: 155), steps: 20)
    #expect(log.take() == ["begin", "gear 1", "gear 2", "gear 3", "end"])
    #expect(box.gear == .forward(3) && box.throttle == 0.3)
    harness.advance(by: .seconds(5))
    #expect(box.gear == .forward(3))
  }

  @Test(arguments: [(Key.home, Key.space), (.space, .home)])
  func `both Home and Space brake, alone, together, and while a finger holds the lever`(first: Key, second: Key) {
    let (harness, box) = shown(gear: .forward(5))
    box.becomeFirstResponder()
    harness.press(first)
    #expect(box.gear == .neutral && log.take() == ["gear N"])
    box.gear = .forward(5)
    harness.key(.down, first)
    box.gear = .forward(5)
    harness.key(.repeated, first)
    #expect(box.gear == .forward(5), "a brake is pressed, not held")
    harness.key(.down, second)
    #expect(box.gear == .neutral && log.take() == ["gear N", "gear N"])
    harness.key(.up, first)
    harness.key(.up, second)
    harness.touch(.began, at: Point(x: 100, y: 90))
    #expect(box.gear != .neutral)
    _ = log.take()
    harness.key(.down, first)
    #expect(box.gear == .neutral && log.take() == ["gear N"])
    harness.touch(.moved, at: Point(x: 100, y: 92))
    #expect(box.gear == .neutral, "a finger that rests on the lever does not take the brake back")
    harness.touch(.ended, at: Point(x: 100, y: 92))
    harness.key(.up, first)
  }

  @Test func `G-D1: setting the gear in code says nothing`() {
    let (_, box) = shown()
    box.gear = .forward(7)
    box.gear = .forward(99)
    #expect(box.gear == .forward(10))
    box.gear = .reverse
    #expect(log.take() == [])
  }

  @Test func `G26, G-D3: a touch on the knob's height takes it across the whole width, and it stays under the finger`()
  {
    for x in [1.0, 100, 199] {
      let (harness, box) = shown(gear: .forward(7))
      harness.drag(from: Point(x: x, y: 94), to: Point(x: x, y: 86), steps: 4)
      #expect(log.take() == ["begin", "end"])
      #expect(box.gear == .forward(7))
    }
  }

  @Test(arguments: [
    (100.0, 0.0, true), (0, 290, true), (199.9, 295.9, true), (200, 100, false), (-1, 100, false), (100, 296, false),
    (100, 400, false), (100, 579, false),
  ])
  func `G-D4: what isn't drawn commands nothing`(x: Double, y: Double, isInside: Bool) {
    let (harness, box) = shown()
    #expect(box.point(inside: Point(x: x, y: y)) == isInside)
    harness.tap(Point(x: x, y: y))
    #expect(log.take().isEmpty != isInside)
  }

  @Test func `G-D4: the place that takes touches can be made larger, inside the bounds, and smaller`() {
    let (_, box) = shown()
    box.touchOutset = 20
    #expect(box.point(inside: Point(x: 100, y: 315)))
    #expect(!box.point(inside: Point(x: 100, y: 317)))
    #expect(!box.point(inside: Point(x: 201, y: 100)))
    box.touchOutset = .nan
    #expect(box.touchOutset == 20)
    box.touchOutset = -10
    #expect(!box.point(inside: Point(x: 5, y: 100)))
    #expect(box.point(inside: Point(x: 15, y: 100)))
  }

  @Test func `G-D6: a swipe from top to bottom brakes, and never reverses`() {
    let (harness, box) = shown(gear: .forward(10))
    harness.drag(from: Point(x: 100, y: 20), to: Point(x: 100, y: 290), steps: 8)
    #expect(box.gear == .neutral)
    harness.advance(by: .milliseconds(200))
    harness.tap(Point(x: 100, y: 285))
    #expect(box.gear == .reverse)
  }

  @Test func `G-D6: a drag that stays in N goes on to R`() {
    let (harness, box) = shown(gear: .forward(3))
    harness.drag(from: Point(x: 100, y: 160), to: Point(x: 100, y: 240), steps: 5, holds: true)
    #expect(box.gear == .neutral)
    harness.advance(by: .milliseconds(150))
    harness.move(from: Point(x: 100, y: 240), to: Point(x: 100, y: 285), steps: 3)
    #expect(box.gear == .reverse && box.throttle == -1)
  }

  @Test func `G-D7: a dead-man's lever returns to neutral when the finger lifts`() {
    let (harness, box) = shown()
    box.releasePolicy = .neutral
    harness.tap(Point(x: 100, y: 20))
    #expect(log.take() == ["begin", "gear 10", "gear N", "end"])
  }

  @Test func `G-D7: whatever takes the finger away, the lever goes to neutral`() {
    let losses: [(String, (ControlHarness, ThrottleGearbox) -> Void)] = [
      ("the system", { harness, _ in harness.touch(.cancelled, at: Point(x: 100, y: 20)) }),
      ("the background", { harness, _ in harness.enterBackground() }),
      ("losing the window's attention", { harness, _ in harness.root.handle(.willResignActive) }),
      ("being disabled", { _, box in box.isEnabled = false }),
      ("being hidden", { _, box in box.isHidden = true }),
      ("being removed", { _, box in box.removeFromSuperview() }),
    ]
    for (name, lose) in losses {
      let (harness, box) = shown()
      harness.touch(.began, at: Point(x: 100, y: 20))
      #expect(log.take() == ["begin", "gear 10"])
      lose(harness, box)
      #expect(log.take() == ["gear N", "cancel"], "\(name)")
      #expect(box.gear == .neutral && !box.isTracking && !box.isHighlighted, "\(name)")
    }
  }

  @Test func `G-D7: a latching cancel policy is possible, and then nothing changes`() {
    let (harness, box) = shown()
    box.cancelPolicy = .latch
    harness.touch(.began, at: Point(x: 100, y: 20))
    harness.enterBackground()
    #expect(log.take() == ["begin", "gear 10", "cancel"])
  }

  @Test func `a second finger on the lever does nothing`() {
    let (harness, box) = shown()
    harness.touch(.began, at: Point(x: 100, y: 20), finger: 0)
    harness.touch(.began, at: Point(x: 100, y: 200), finger: 1)
    harness.touch(.ended, at: Point(x: 100, y: 200), finger: 1)
    #expect(log.take() == ["begin", "gear 10"])
    #expect(box.isTracking && box.gear == .forward(10))
  }

  @Test func `G-D2: what changes no gear needs no frame, and many changes need one`() {
    let (harness, box) = shown()
    harness.touch(.began, at: Point(x: 100, y: 20))
    let before = harness.frameCount
    for step in 0..<20 { harness.touch(.moved, at: Point(x: 100 + Double(step), y: 20 + Double(step % 9))) }
    #expect(harness.frameCount == before)
    for gear in 1...9 { box.gear = .forward(gear) }
    harness.frameIfNeeded()
    #expect(harness.frameCount == before + 1)
  }

  @Test func `G29: ten marks in a turn are one drawing, none is none, and a frame that is run draws at once`() {
    let (harness, box) = shown()
    var draws = 0
    box.knobDrawing = { _, _, _ in draws += 1 }
    harness.frame()
    draws = 0
    for _ in 0..<10 { box.setNeedsDisplay() }
    #expect(draws == 0, "marking draws nothing")
    harness.frame()
    #expect(draws == 1)
    harness.frame()
    #expect(draws == 1, "nothing is marked any more")
    for gear in 1...10 { box.gear = .forward(gear) }
    harness.frameIfNeeded()
    #expect(draws == 2)
    for _ in 0..<2 {
      box.setNeedsDisplay()
      harness.frame()
    }
    #expect(draws == 4)
  }

  @Test func `G24, G25: another palette on a shown gearbox shows with the next frame`() {
    let (harness, box) = shown(gear: .forward(5))
    harness.checksDamage = true
    let line = (x: 60, y: 60)
    #expect(harness.shown[line.x, line.y] == 0xffff_ffff)
    box.palette.unlit = Color(hex: 0x2040ff)
    harness.frameIfNeeded()
    #expect(harness.shown[line.x, line.y] == 0xff20_40ff)
    box.palette = GearboxPalette()
    harness.frameIfNeeded()
    #expect(harness.shown[line.x, line.y] == 0xffff_ffff)
    let frames = harness.frameCount
    box.palette = GearboxPalette()
    harness.frameIfNeeded()
    #expect(harness.frameCount == frames, "the same palette changes nothing")
  }

  @Test func `keys shift and brake, and a held key stops at N`() {
    let (harness, box) = shown(gear: .forward(1))
    box.becomeFirstResponder()
    harness.press(.up)
    harness.press(.up)
    #expect(log.take() == ["gear 2", "gear 3"])
    harness.key(.down, .down)
    for _ in 0..<10 {
      harness.advance(by: .milliseconds(200))
      harness.key(.repeated, .down)
    }
    harness.key(.up, .down)
    #expect(log.take() == ["gear 2", "gear 1", "gear N"])
    harness.press(.down)
    #expect(box.gear == .reverse)
    harness.press(.space)
    #expect(box.gear == .neutral)
  }

  @Test func `keys with Control or Alt are other commands`() {
    let (harness, box) = shown(gear: .forward(1))
    box.becomeFirstResponder()
    harness.press(.up, .control)
    harness.press(.space, .alt)
    #expect(box.gear == .forward(1) && log.take() == [])
  }

  @Test func `steps of a person say so, by the window's clock; a disabled lever takes none, but the brake`() {
    let (harness, box) = shown(gear: .forward(1))
    box.shiftDown()
    box.shiftDown()
    #expect(box.gear == .neutral)
    harness.advance(by: .milliseconds(130))
    box.shiftDown(isRepeat: true)
    #expect(box.gear == .neutral)
    box.shiftDown()
    #expect(log.take() == ["gear N", "gear R"])
    box.shiftUp()
    box.brake()
    #expect(log.take() == ["gear N"])
    box.gear = .forward(4)
    box.isEnabled = false
    box.shiftUp()
    #expect(log.take() == [] && box.gear == .forward(4))
    box.brake()
    #expect(log.take() == ["gear N"])
  }

  @Test func `fewer gears, another size and another fit keep the gear and the touches right`() {
    let (harness, box) = shown(gear: .forward(10))
    box.gearCount = 5
    #expect(box.gear == .forward(5) && box.throttle == 1)
    box.fit = .filling
    harness.resize(to: Size(width: 150, height: 480), scale: .one)
    box.frame = harness.root.bounds
    harness.frameIfNeeded()
    for row in 0..<7 {
      box.gear = .neutral
      harness.tap(Point(x: 75, y: box.geometry.y(ofRow: row)))
      #expect(box.gear == box.geometry.gear(atRow: row))
    }
    box.gearCount = 0
    #expect(box.gearCount == 1)
  }

  @Test func `G9: at its place in the article, 200 x 580 at (5, 20), a point is one of the article's`() {
    let box = ThrottleGearbox(frame: Rect(x: 5, y: 20, width: 200, height: 580))
    let harness = ControlHarness(size: Size(width: 320, height: 640))
    harness.root.addSubview(box)
    harness.frame()
    // Row 3's band of the gate is 70 to 90 points below the control's top.
    harness.tap(Point(x: 5 + 150, y: 20 + 80))
    #expect(box.gear == .forward(7))
    harness.resize(to: Size(width: 900, height: 700), scale: .one)
    #expect(box.frame == Rect(x: 5, y: 20, width: 200, height: 580))
  }

  @Test func `K8: its size keeps the article's proportions, and a filling gate takes all`() {
    let box = ThrottleGearbox()
    #expect(box.sizeThatFits(Size(width: 1000, height: 290)) == Size(width: 100, height: 290))
    #expect(box.sizeThatFits(Size(width: .infinity, height: 1)) == GearboxGeometry.articleSize)
    box.fit = .filling
    #expect(box.sizeThatFits(Size(width: 300, height: 310)) == Size(width: 300, height: 310))
  }

  @Test func `G-D12: what it is set to is readable`() {
    let (harness, box) = shown(gear: .reverse)
    #expect(box.inspection.values["gear"] == .string("R"))
    #expect(box.inspection.values["throttle"] == .number(-1))
    harness.touch(.began, at: Point(x: 100, y: 280))
    #expect(box.inspection.state == ["highlighted"])
  }
}

extension ThrottleGearboxTests {
  /// Sends a finger's change with a time of the event's own clock.
  private func send(_ harness: ControlHarness, _ phase: TouchPoint.Phase, y: Double, at time: MonotonicTime) {
    let point = TouchPoint(
      id: ControlHarness.touchID(0), phase: phase, location: Point(x: 100, y: y), time: time)
    harness.root.handle(.touches([point]))
  }

  @Test(arguments: [0.0, -7_000_000, 5_000_000])
  func `G-D6: events that count time from another start neither open nor shut R`(start: Double) {
    let (harness, box) = shown(gear: .forward(5))
    func event(_ milliseconds: Int64) -> MonotonicTime {
      harness.host.now + .milliseconds(Int64(start) + milliseconds)
    }
    // Both arrive at once, after a stall: the finger's own clock says how long it stayed.
    send(harness, .began, y: 100, at: event(0))
    send(harness, .moved, y: 240, at: event(20))
    send(harness, .moved, y: 290, at: event(60))
    #expect(box.gear == .neutral)
    send(harness, .moved, y: 240, at: event(80))
    send(harness, .moved, y: 290, at: event(220))
    #expect(box.gear == .reverse)
    send(harness, .ended, y: 290, at: event(230))
    box.gear = .forward(5)
    box.brake()
    // Rest is counted on the window's clock, whatever the events say.
    send(harness, .began, y: 290, at: event(10_000))
    #expect(box.gear == .neutral)
    send(harness, .ended, y: 290, at: event(10_010))
    harness.advance(by: .milliseconds(150))
    send(harness, .began, y: 290, at: event(10_020))
    #expect(box.gear == .reverse)
  }

  @Test func `G-D6: events without a time count from when they come`() {
    let (harness, box) = shown(gear: .forward(5))
    send(harness, .began, y: 100, at: .zero)
    send(harness, .moved, y: 240, at: .zero)
    send(harness, .moved, y: 290, at: .zero)
    #expect(box.gear == .neutral)
    send(harness, .moved, y: 240, at: .zero)
    harness.advance(by: .milliseconds(150))
    send(harness, .moved, y: 290, at: .zero)
    #expect(box.gear == .reverse)
  }
}
