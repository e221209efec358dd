import ControlHarness
import Controls
import TestSupport
import Testing

/// Tests of who wins between gestures, what views hear of fingers that gestures take, and how gestures end.
@MainActor @Suite(.serialized) struct ArbitrationTests {
  private let set = GestureSetting()
  private let inner = ProbeView(frame: Rect(x: 20, y: 20, width: 100, height: 100))

  private func drag(holds: Bool = false) {
    set.harness.drag(from: Point(x: 50, y: 50), to: Point(x: 90, y: 50), steps: 2, holds: holds)
  }

  private func addInner() {
    inner.takesTouches = true
    inner.name = "inner"
    inner.log = set.log
    set.view.addSubview(inner)
  }

  @Test func `a recogniser sees fingers of views inside; the inner view's wins`() {
    addInner()
    inner.log = nil
    set.watch(PanGestureRecognizer(), as: "outer")
    drag()
    #expect(set.log.take() == ["outer began", "outer changed", "outer ended"])
    set.watch(PanGestureRecognizer(), as: "inner", on: inner)
    drag()
    #expect(set.log.take() == ["inner began", "inner changed", "inner ended"])
  }

  @Test func `both are recognised where either allows it`() {
    addInner()
    inner.log = nil
    let outer = set.watch(PanGestureRecognizer(), as: "outer")
    let own = set.watch(PanGestureRecognizer(), as: "inner", on: inner)
    own.shouldAllowSimultaneous = { $0 === outer }
    drag()
    #expect(set.log.take().prefix(2) == ["inner began", "outer began"])
    own.shouldAllowSimultaneous = nil
    outer.shouldAllowSimultaneous = { _ in true }
    drag()
    #expect(set.log.take().prefix(2) == ["inner began", "outer began"])
  }

  @Test func `one that must wait for another to fail comes after it, or not at all`() {
    let pan = PanGestureRecognizer()
    let press = LongPressGestureRecognizer()
    press.allowableMovement = 1000
    press.minimumPressDuration = .milliseconds(200)
    pan.require(toFail: press)
    press.require(toFail: pan)
    set.watch(pan, as: "pan")
    set.watch(press, as: "press")
    drag(holds: true)
    #expect(set.log.lines.isEmpty)
    set.wait(300)
    set.send((.ended, 90, 50, 0))
    #expect(set.log.take() == ["press began", "press ended"])
    press.allowableMovement = 20
    drag()
    #expect(set.log.take() == ["pan began", "pan ended"])
    press.isEnabled = false
    drag()
    #expect(set.log.take() == ["pan began", "pan changed", "pan ended"], "one that does not watch holds nobody up")
  }

  @Test func `shouldBegin and shouldReceive say no`() {
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    pan.shouldBegin = { false }
    drag()
    #expect(set.log.take().isEmpty)
    pan.shouldBegin = nil
    pan.shouldReceive = { $0.windowLocation.x > 60 }
    drag()
    #expect(set.log.take().isEmpty)
    pan.shouldReceive = { $0.windowLocation.x < 60 }
    drag()
    #expect(set.log.take().first == "pan began")
  }

  @Test func `a recognised gesture takes the finger from its view, unless it is told not to`() {
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    set.logTouches()
    drag()
    #expect(set.log.take() == ["view began 1", "view cancelled 1", "pan began", "pan changed", "pan ended"])
    pan.cancelsTouchesInView = false
    drag()
    #expect(
      set.log.take() == [
        "view began 1", "pan began", "view moved 1", "pan changed", "view moved 1", "pan ended", "view ended 1",
      ])
  }

  @Test func `the phase of a touch that was taken is cancelled for the view, and what it was for everybody else`() {
    let view = PhaseView(frame: Rect(x: 0, y: 0, width: 200, height: 200))
    set.view.addSubview(view)
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    var seen: [TouchPoint.Phase] = []
    pan.addAction { seen += $0.touches.map(\.phase) }
    drag()
    #expect(view.phases == [.began, .cancelled] && seen == [.moved, .moved])
  }

  @Test func `a view that waits hears everything in order when the gesture fails, nothing when it is recognised`() {
    let pan = PanGestureRecognizer()
    pan.delaysTouchesBegan = true
    pan.axes = .horizontal
    set.watch(pan, as: "pan")
    set.logTouches()
    drag()
    #expect(set.log.take() == ["pan began", "pan changed", "pan ended"])
    set.send((.began, 50, 50, 0))
    set.send((.moved, 50, 55, 0))
    #expect(set.log.lines.isEmpty)
    set.send((.moved, 50, 90, 0))
    #expect(set.log.take() == ["view began 1", "view moved 1"])
    set.send((.ended, 50, 90, 0))
    #expect(set.log.take() == ["view ended 1"])
    set.send((.began, 50, 50, 0))
    set.send((.ended, 50, 50, 0))
    #expect(set.log.take() == ["view began 1", "view ended 1"], "a tap is none")
    set.send((.began, 50, 50, 0))
    set.send((.cancelled, 50, 50, 0))
    #expect(set.log.take().isEmpty, "what it never heard of is not cancelled either")
  }

  @Test func `a view that waited sees where the finger came down`() {
    let pan = PanGestureRecognizer()
    pan.delaysTouchesBegan = true
    pan.axes = .vertical
    let place = PhaseView(frame: Rect(x: 0, y: 0, width: 200, height: 200))
    set.watch(pan, as: "pan")
    set.view.addSubview(place)
    set.send((.began, 50, 50, 0))
    set.send((.moved, 95, 52, 0))
    #expect(place.places == [Point(x: 50, y: 50), Point(x: 95, y: 52)] && place.phases == [.began, .moved])
    set.send((.ended, 95, 52, 0))
    #expect(place.phases == [.began, .moved, .ended])
  }

  @Test func `a double tap may have the view wait beyond the first tap`() {
    let double = TapGestureRecognizer()
    double.numberOfTapsRequired = 2
    double.delaysTouchesBegan = true
    set.watch(double, as: "double")
    set.logTouches()
    set.harness.tap(Point(x: 50, y: 50))
    #expect(set.log.lines.isEmpty)
    set.wait(400)
    #expect(set.log.take() == ["view began 1", "view ended 1"])
    set.harness.tap(Point(x: 50, y: 50))
    set.harness.tap(Point(x: 50, y: 50))
    #expect(set.log.take() == ["double ended"])
    set.wait(1000)
    #expect(set.log.take().isEmpty)
  }

  @Test func `a second finger on a view that takes one is seen by gestures only`() {
    set.watch(PinchGestureRecognizer(), as: "pinch")
    set.logTouches()
    set.send((.began, 50, 50, 0))
    set.send((.began, 150, 50, 1))
    set.send((.moved, 120, 50, 1))
    set.send((.ended, 120, 50, 1), (.ended, 50, 50, 0))
    #expect(set.log.take() == ["view began 1", "view cancelled 1", "pinch began", "pinch ended"])
  }

  @Test(arguments: ["cancelled", "recogniser removed", "disabled recogniser", "view removed", "hidden", "inactive"])
  func `behaviour 1: a gesture on its way is cancelled once, whatever breaks it off`(way: String) {
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    drag(holds: true)
    _ = set.log.take()
    switch way {
    case "cancelled": set.send((.cancelled, 90, 50, 0))
    case "recogniser removed": set.view.removeGestureRecognizer(pan)
    case "disabled recogniser": pan.isEnabled = false
    case "view removed": set.view.removeFromSuperview()
    case "hidden": set.view.isHidden = true
    default: set.harness.root.handle(.willResignActive)
    }
    #expect(set.log.take() == ["pan cancelled"])
    set.send((.moved, 100, 90, 0))
    set.send((.ended, 100, 90, 0))
    #expect(set.log.take().isEmpty && pan.state == .possible && pan.numberOfTouches == 0)
    pan.isEnabled = true
    set.view.addGestureRecognizer(pan)
    set.view.isHidden = false
    set.harness.root.addSubview(set.view)
    drag()
    #expect(set.log.take() == ["pan began", "pan changed", "pan ended"], "ready again")
  }

  @Test func `a gesture of a view around goes on when the view under the finger is removed`() {
    addInner()
    let control = ProbeControl("c", frame: Rect(x: 0, y: 0, width: 60, height: 60), log: set.log)
    control.pressable = true
    inner.addSubview(control)
    inner.log = nil
    set.watch(PanGestureRecognizer(), as: "pan")
    set.watch(PanGestureRecognizer(), as: "own", on: inner).isEnabled = false
    set.send((.began, 50, 50, 0))
    inner.removeFromSuperview()
    #expect(set.log.take() == ["c begin", "c cancel"])
    set.harness.move(from: Point(x: 50, y: 50), to: Point(x: 90, y: 50), steps: 2)
    set.send((.ended, 90, 50, 0))
    #expect(set.log.take() == ["pan began", "pan changed", "pan ended"])
  }

  @Test func `an action may take the view away in the middle of it all`() {
    let tap = set.watch(TapGestureRecognizer(), as: "tap")
    let other = set.watch(TapGestureRecognizer(), as: "other")
    other.shouldAllowSimultaneous = { _ in true }
    tap.addAction { [view = set.view] _ in view.removeFromSuperview() }
    set.harness.tap(Point(x: 50, y: 50))
    #expect(set.log.take() == ["tap ended"])
    set.harness.root.addSubview(set.view)
    set.view.removeGestureRecognizer(tap)
    set.harness.tap(Point(x: 50, y: 50))
    #expect(set.log.take() == ["other ended"])
  }

  @Test func `behaviour 3: a finger that comes down twice cancels the gesture of the first`() {
    set.watch(PanGestureRecognizer(), as: "pan")
    drag(holds: true)
    _ = set.log.take()
    set.send((.began, 50, 50, 0))
    #expect(set.log.take() == ["pan cancelled"])
    set.send((.moved, 90, 50, 0))
    #expect(set.log.take() == ["pan began"])
  }

  @Test func `a recogniser watches one view, and its action can be removed`() {
    addInner()
    inner.log = nil
    let tap = TapGestureRecognizer()
    let token = tap.addAction { [log = set.log] _ in log.add("tap") }
    set.view.addGestureRecognizer(tap)
    inner.addGestureRecognizer(tap)
    #expect(set.view.gestureRecognizers.isEmpty && inner.gestureRecognizers.count == 1 && tap.view === inner)
    set.harness.tap(Point(x: 50, y: 50))
    #expect(set.log.take() == ["tap"])
    token.remove()
    set.harness.tap(Point(x: 50, y: 50))
    #expect(set.log.take().isEmpty)
  }

  @Test(arguments: 0..<12)
  func `whatever fingers do, gestures begin and end in order, and are ready when all is over`(seed: Int) {
    var random = Random(seed)
    addInner()
    inner.log = nil
    var states: [ObjectIdentifier: [GestureRecognizer.State]] = [:]
    let recognizers: [GestureRecognizer] = [
      TapGestureRecognizer(), LongPressGestureRecognizer(), PanGestureRecognizer(), PinchGestureRecognizer(),
      RotationGestureRecognizer(), TapGestureRecognizer(), PanGestureRecognizer(),
    ]
    (recognizers[0] as? TapGestureRecognizer)?.numberOfTapsRequired = 2
    recognizers[5].require(toFail: recognizers[0])
    recognizers[2].require(toFail: recognizers[1])
    recognizers[6].delaysTouchesBegan = true
    for (index, recognizer) in recognizers.enumerated() {
      recognizer.addAction { states[ObjectIdentifier($0), default: []].append($0.state) }
      (index < 3 ? inner : set.view).addGestureRecognizer(recognizer)
      if random.below(3) == 0 { recognizer.shouldAllowSimultaneous = { _ in true } }
    }
    let phases: [TouchPoint.Phase] = [.began, .began, .moved, .moved, .moved, .ended, .cancelled]
    for _ in 0..<400 {
      let phase = phases[random.below(random.below(4) == 0 ? 7 : 6)]
      let place = Point(x: Double(random.below(200)), y: Double(random.below(200)))
      set.harness.touch(phase, at: place, finger: random.below(4))
      if random.below(3) == 0 { set.wait(random.below(300)) }
      if random.below(60) == 0 {
        inner.removeFromSuperview()
        set.view.addSubview(inner)
      }
    }
    for finger in 0..<4 { set.harness.touch(.ended, at: .zero, finger: finger) }
    set.wait(2000)
    for recognizer in recognizers {
      #expect(recognizer.state == .possible && recognizer.numberOfTouches == 0, "seed \(seed)")
      var before = GestureRecognizer.State.ended
      for state in states[ObjectIdentifier(recognizer)] ?? [] {
        let isActive = before == .began || before == .changed
        #expect(isActive == (state == .changed || state == .cancelled || (state == .ended && isActive)), "seed \(seed)")
        before = state
      }
      #expect(before == .ended || before == .cancelled, "seed \(seed)")
    }
    #expect(set.harness.host.wakeTime == nil)
  }

  @Test(arguments: [true, false])
  func `a gesture that the view ends when it loses its finger is told once, as it ended`(isWaking: Bool) {
    final class Leaver: View {
      override func touchesBegan(_ touches: [Touch]) {}
      override func touchesMoved(_ touches: [Touch]) {}
      override func touchesEnded(_ touches: [Touch]) {}
      override func touchesCancelled(_ touches: [Touch]) { removeFromSuperview() }
    }
    let leaver = Leaver(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    set.view.addSubview(leaver)
    set.watch(isWaking ? LongPressGestureRecognizer() : PanGestureRecognizer(), as: "gesture", on: leaver)
    set.send((.began, 50, 50, 0))
    if isWaking { set.wait(600) } else { set.send((.moved, 80, 50, 0)) }
    set.send((.ended, 80, 50, 0))
    #expect(set.log.take() == ["gesture cancelled"])
  }

  @Test func `a recogniser that shouldBegin switches off recognises nothing`() {
    let press = set.watch(LongPressGestureRecognizer(), as: "press")
    press.shouldBegin = { [unowned press] in
      press.isEnabled = false
      return true
    }
    set.send((.began, 50, 50, 0))
    set.wait(600)
    set.send((.ended, 50, 50, 0))
    #expect(set.log.take() == [] && press.state == .possible)
  }
}

/// A view that notes the phases and places of its touches as they are when it hears of them.
private final class PhaseView: View {
  var phases: [TouchPoint.Phase] = []
  var places: [Point] = []

  private func note(_ touches: [Touch]) {
    phases += touches.map(\.phase)
    places += touches.map { $0.location(in: self) }
  }

  override func touchesBegan(_ touches: [Touch]) { note(touches) }
  override func touchesMoved(_ touches: [Touch]) { note(touches) }
  override func touchesEnded(_ touches: [Touch]) { note(touches) }
  override func touchesCancelled(_ touches: [Touch]) { note(touches) }
}
