import ControlHarness
import Controls
import TestSupport
import Testing

/// Tests of fingers: who owns them, and every way in which they end.
@MainActor @Suite(.serialized) struct TouchTests {
  private let log = Log()

  private func two() -> (ControlHarness, ProbeControl, ProbeControl) {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let a = ProbeControl("a", frame: Rect(x: 0, y: 0, width: 40, height: 40), log: log)
    let b = ProbeControl("b", frame: Rect(x: 50, y: 0, width: 40, height: 40), log: log)
    harness.root.addSubview(a)
    harness.root.addSubview(b)
    harness.frame()
    return (harness, a, b)
  }

  @Test func `a finger belongs to the control it began on, wherever it goes`() {
    let (harness, a, b) = two()
    a.logEvents()
    harness.touch(.began, at: Point(x: 10, y: 10))
    harness.touch(.moved, at: Point(x: 60, y: 10))
    harness.touch(.moved, at: Point(x: 20, y: 10))
    harness.touch(.moved, at: Point(x: 500, y: -500))
    harness.touch(.ended, at: Point(x: 500, y: -500))
    #expect(
      log.take() == [
        "a begin", "a touchDown", "a continue", "a dragExit", "a dragOutside", "a continue", "a dragEnter",
        "a dragInside", "a continue", "a dragExit", "a dragOutside", "a end", "a upOutside",
      ])
    #expect(!a.isTracking && !a.isHighlighted && !b.isTracking)
  }

  @Test func `behaviours 6, 7: each finger drives its own control, and one going up leaves the other alone`() {
    let (harness, a, b) = two()
    harness.send([(.began, Point(x: 10, y: 10), 3), (.began, Point(x: 60, y: 10), 7)])
    #expect(a.isTracking && b.isTracking)
    harness.send([(.moved, Point(x: 11, y: 10), 3), (.moved, Point(x: 61, y: 10), 7)])
    #expect(log.take() == ["a begin", "b begin", "a continue", "b continue"])
    harness.touch(.ended, at: Point(x: 60, y: 10), finger: 7)
    #expect(a.isTracking && a.isHighlighted && !b.isTracking && !b.isHighlighted)
    harness.touch(.moved, at: Point(x: 12, y: 10), finger: 3)
    harness.touch(.ended, at: Point(x: 12, y: 10), finger: 3)
    #expect(log.take() == ["b end", "a continue", "a end"])
  }

  @Test func `behaviour 5: a frame is atomic: every finger has moved before anyone is told`() {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let view = ProbeView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    view.isMultipleTouchEnabled = true
    view.takesTouches = true
    view.name = "v"
    view.log = log
    harness.root.addSubview(view)
    harness.send([(.began, Point(x: 1, y: 1), 0), (.began, Point(x: 2, y: 2), 1)])
    harness.send([(.moved, Point(x: 3, y: 3), 0), (.ended, Point(x: 2, y: 2), 1)])
    #expect(log.take() == ["v began 2", "v moved 1", "v ended 1"])
  }

  @Test func `a second finger on a control is ignored, unless it wants several`() {
    let (harness, a, _) = two()
    harness.touch(.began, at: Point(x: 10, y: 10), finger: 0)
    harness.touch(.began, at: Point(x: 12, y: 10), finger: 1)
    harness.touch(.moved, at: Point(x: 30, y: 10), finger: 1)
    harness.touch(.ended, at: Point(x: 30, y: 10), finger: 1)
    #expect(log.take() == ["a begin"])
    #expect(a.isTracking)
    a.isMultipleTouchEnabled = true
    harness.touch(.began, at: Point(x: 12, y: 10), finger: 1)
    #expect(a.trackedTouches.map(\.id) == [ControlHarness.touchID(0), ControlHarness.touchID(1)])
    harness.touch(.ended, at: Point(x: 10, y: 10), finger: 0)
    #expect(a.isTracking && a.isHighlighted)
    harness.touch(.ended, at: Point(x: 10, y: 10), finger: 1)
    #expect(!a.isTracking && !a.isHighlighted)
    #expect(log.take() == ["a begin", "a end", "a end"])
  }

  @Test func `behaviour 4: what unknown fingers do is ignored`() {
    let (harness, _, _) = two()
    harness.touch(.moved, at: Point(x: 10, y: 10), finger: 5)
    harness.touch(.ended, at: Point(x: 10, y: 10), finger: 5)
    harness.touch(.cancelled, at: Point(x: 10, y: 10), finger: 5)
    harness.touch(.began, at: Point(x: Double.nan, y: 10), finger: 5)
    harness.touch(.moved, at: Point(x: 10, y: 10), finger: 5)
    #expect(log.take() == [])
  }

  @Test func `behaviour 3: a finger that comes down twice was cancelled in between`() {
    let (harness, a, b) = two()
    a.logEvents()
    harness.touch(.began, at: Point(x: 10, y: 10))
    harness.touch(.began, at: Point(x: 60, y: 10))
    #expect(log.take() == ["a begin", "a touchDown", "a cancel", "a touchCancel", "b begin"])
    #expect(!a.isTracking && b.isTracking)
  }

  @Test func `up and down of one finger within one frame are two touches`() {
    let (harness, _, _) = two()
    harness.touch(.began, at: Point(x: 10, y: 10))
    harness.send([(.ended, Point(x: 10, y: 10), 0), (.began, Point(x: 60, y: 10), 0)])
    #expect(log.take() == ["a begin", "a end", "b begin"])
  }

  @Test(arguments: [
    "cancelled", "removed", "parent removed", "disabled", "hidden", "no interaction", "inactive", "background",
  ])
  func `behaviour 1: every way to lose a finger is cancelTracking, once, and nothing is triggered`(way: String) {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let holder = View(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let a = ProbeControl("a", log: log)
    a.pressable = true
    holder.addSubview(a)
    harness.root.addSubview(holder)
    a.logEvents()
    let point = Point(x: 10, y: 10)
    harness.touch(.began, at: point)
    _ = log.take()
    switch way {
    case "cancelled": harness.touch(.cancelled, at: point)
    case "removed": a.removeFromSuperview()
    case "parent removed": holder.removeFromSuperview()
    case "disabled": a.isEnabled = false
    case "hidden": holder.isHidden = true
    case "no interaction": holder.isUserInteractionEnabled = false
    case "inactive": harness.root.handle(.willResignActive)
    default: harness.enterBackground()
    }
    #expect(log.take() == ["a cancel", "a touchCancel"])
    #expect(!a.isTracking && !a.isHighlighted && !a.isTouchInside)
    harness.touch(.moved, at: point)
    harness.touch(.ended, at: point)
    #expect(log.take() == [])
  }

  @Test func `a control that takes itself away while told is not told more`() {
    let (harness, a, _) = two()
    a.logEvents()
    a.addAction(for: .touchDragInside) { $0.removeFromSuperview() }
    harness.touch(.began, at: Point(x: 10, y: 10))
    _ = log.take()
    harness.touch(.moved, at: Point(x: 11, y: 10))
    harness.touch(.ended, at: Point(x: 11, y: 10))
    #expect(log.take() == ["a continue", "a dragInside", "a cancel", "a touchCancel"])
  }

  @Test func `O12: a control that refuses a finger passes it on; K10: unhandled touches go up the chain`() {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let outer = ProbeView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    outer.name = "outer"
    outer.log = log
    outer.takesTouches = true
    let a = ProbeControl("a", log: log)
    a.begins = false
    outer.addSubview(a)
    harness.root.addSubview(outer)
    harness.tap(Point(x: 10, y: 10))
    harness.drag(from: Point(x: 10, y: 10), to: Point(x: 20, y: 20), steps: 1)
    harness.touch(.began, at: Point(x: 10, y: 10))
    harness.touch(.cancelled, at: Point(x: 10, y: 10))
    #expect(
      log.take() == [
        "a begin", "outer began 1", "outer ended 1", "a begin", "outer began 1", "outer moved 1", "outer ended 1",
        "a begin", "outer began 1", "outer cancelled 1",
      ])
    #expect(!a.isTracking && !a.isHighlighted)
  }

  @Test func `continueTracking can end tracking`() {
    let (harness, a, _) = two()
    a.continues = false
    harness.touch(.began, at: Point(x: 10, y: 10))
    harness.touch(.moved, at: Point(x: 11, y: 10))
    #expect(!a.isTracking && !a.isHighlighted)
    harness.touch(.moved, at: Point(x: 12, y: 10))
    harness.touch(.ended, at: Point(x: 12, y: 10))
    #expect(log.take() == ["a begin", "a continue"])
  }

  @Test func `a touch knows where it is, was and began, in any view`() {
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let a = ProbeControl("a", frame: Rect(x: 20, y: 30, width: 40, height: 40), log: log)
    harness.root.addSubview(a)
    harness.touch(.began, at: Point(x: 25, y: 35))
    harness.touch(.moved, at: Point(x: 26, y: 37))
    harness.touch(.moved, at: Point(x: Double.nan, y: 37))
    let touch = a.trackedTouches[0]
    #expect(touch.location(in: a) == Point(x: 6, y: 7))
    #expect(touch.startLocation(in: a) == Point(x: 5, y: 5))
    #expect(touch.startLocation(in: nil) == Point(x: 25, y: 35))
    harness.touch(.moved, at: Point(x: 27, y: 37))
    #expect(touch.previousLocation(in: nil) == Point(x: 26, y: 37))
  }

  @Test(arguments: 0..<30) func `a monkey with eight fingers leaves nothing pressed`(seed: Int) {
    var random = Random(seed)
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    harness.checksDamage = seed < 4
    var controls: [ProbeControl] = []
    for index in 0..<6 {
      let frame = Rect(x: random.number(0, 70), y: random.number(0, 70), width: 40, height: 40)
      let control = ProbeControl("c\(index)", frame: frame, log: log)
      control.isMultipleTouchEnabled = random.below(2) == 0
      control.begins = random.below(4) > 0
      controls.append(control)
      (random.below(2) == 0 ? harness.root : controls[random.below(controls.count)]).addSubview(control)
    }
    let phases: [TouchPoint.Phase] = [.began, .moved, .moved, .ended, .cancelled]
    for _ in 0..<200 {
      harness.send(
        (0..<(1 + random.below(3))).map { _ in (phases[random.below(5)], random.point(100), random.below(8)) })
      let control = controls[random.below(6)]
      switch random.below(12) {
      case 0: control.isEnabled.toggle()
      case 1: control.isHidden.toggle()
      case 2: control.removeFromSuperview()
      case 3: harness.root.addSubview(control)
      case 4: harness.root.handle(.willResignActive)
      default: break
      }
      for control in controls {
        #expect(control.isTracking || !control.isHighlighted, "seed \(seed)")
        #expect(!control.isTracking || (control.root != nil && control.isEnabled), "seed \(seed)")
        #expect(control.isMultipleTouchEnabled || control.trackedTouches.count <= 1, "seed \(seed)")
      }
    }
    harness.root.handle(.willResignActive)
    #expect(controls.allSatisfy { !$0.isTracking && !$0.isHighlighted }, "seed \(seed)")
    let begun = log.lines.filter { $0.hasSuffix("begin") }.count
    #expect(begun > 0)
  }

  @Test(arguments: ["removed", "disabled", "hidden"], [TouchPoint.Phase.ended, .cancelled])
  func `a finger that goes in one frame with another, whose action takes its control away, is cancelled`(
    way: String, phase: TouchPoint.Phase
  ) {
    let (harness, a, b) = two()
    b.pressable = true
    b.logEvents()
    a.addAction(for: [.touchUpInside, .touchCancel]) { _ in
      switch way {
      case "removed": b.removeFromSuperview()
      case "disabled": b.isEnabled = false
      default: b.isHidden = true
      }
    }
    harness.send([(.began, Point(x: 10, y: 10), 0), (.began, Point(x: 60, y: 10), 1)])
    _ = log.take()
    harness.send([(phase, Point(x: 10, y: 10), 0), (phase, Point(x: 60, y: 10), 1)])
    #expect(log.take().filter { $0.hasPrefix("b") } == ["b cancel", "b touchCancel"])
    #expect(!b.isTracking && !b.isHighlighted)
  }

  @Test func `of two fingers that leave a control in one frame, the second is cancelled where the first disabled it`() {
    let (harness, a, _) = two()
    a.isMultipleTouchEnabled = true
    a.logEvents()
    a.addAction(for: .touchUpInside) { $0.isEnabled = false }
    harness.send([(.began, Point(x: 10, y: 10), 0), (.began, Point(x: 20, y: 10), 1)])
    _ = log.take()
    harness.send([(.ended, Point(x: 10, y: 10), 0), (.ended, Point(x: 20, y: 10), 1)])
    #expect(log.take() == ["a end", "a upInside", "a cancel", "a touchCancel"])
    #expect(!a.isTracking && !a.isHighlighted)
  }

  @Test func `a drag goes on where a view inside is removed in the frame in which its own finger lifts`() {
    let (harness, a, b) = two()
    let around = ProbeView(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    harness.root.addSubview(around)
    around.addSubview(b)
    around.addSubview(a)
    let pan = PanGestureRecognizer { [log] in log.add("\($0.state)") }
    pan.cancelsTouchesInView = false
    around.addGestureRecognizer(pan)
    harness.frame()
    a.addAction(for: .touchUpInside) { _ in b.removeFromSuperview() }
    harness.touch(.began, at: Point(x: 10, y: 80), finger: 2)
    harness.touch(.moved, at: Point(x: 40, y: 80), finger: 2)
    harness.send([(.began, Point(x: 10, y: 10), 0), (.began, Point(x: 60, y: 10), 1)])
    harness.send([(.ended, Point(x: 10, y: 10), 0), (.ended, Point(x: 60, y: 10), 1)])
    harness.touch(.moved, at: Point(x: 60, y: 80), finger: 2)
    harness.touch(.ended, at: Point(x: 60, y: 80), finger: 2)
    #expect(log.take().filter { !$0.hasPrefix("a") && !$0.hasPrefix("b ") } == ["began", "changed", "ended"])
  }
}
