import ControlHarness
import Controls
import Testing

/// Tests of taps.
@MainActor @Suite(.serialized) struct TapTests {
  private let set = GestureSetting()
  private let place = Point(x: 50, y: 50)

  private func tap(taps: Int = 1, touches: Int = 1, _ name: String = "tap") -> TapGestureRecognizer {
    let tap = TapGestureRecognizer()
    tap.numberOfTapsRequired = taps
    tap.numberOfTouchesRequired = touches
    return set.watch(tap, as: name)
  }

  @Test func `a tap is recognised when the finger goes up, once, and the recogniser is ready again`() {
    let tap = tap()
    set.send((.began, 50, 60, 0))
    #expect(set.log.lines.isEmpty && tap.state == .possible)
    set.send((.ended, 52, 61, 0))
    #expect(set.log.take() == ["tap ended"])
    #expect(tap.state == .possible && tap.numberOfTouches == 0)
    #expect(tap.location(in: nil) == Point(x: 52, y: 61))
    set.harness.tap(place)
    #expect(set.log.take() == ["tap ended"])
    #expect(set.harness.host.wakeTime == nil, "nothing is waited for")
  }

  @Test(arguments: [(10.0, true), (10.1, false), (-60, false)])
  func `a finger that strays more than 10 points is no tap`(distance: Double, isTap: Bool) {
    _ = tap()
    set.send((.began, 80, 80, 0))
    set.send((.moved, 80 + distance, 80, 0))
    set.send((.moved, 80, 80, 0))
    set.send((.ended, 80, 80, 0))
    #expect(set.log.take() == (isTap ? ["tap ended"] : []))
  }

  @Test(arguments: [(740, true), (760, false)])
  func `a finger that rests more than 750 ms is no tap`(milliseconds: Int, isTap: Bool) {
    _ = tap()
    set.send((.began, 80, 80, 0))
    set.wait(milliseconds)
    set.send((.ended, 80, 80, 0))
    #expect(set.log.take() == (isTap ? ["tap ended"] : []))
  }

  @Test func `the device's clock counts: a tap that arrives late is one, a press that does is none`() {
    _ = tap()
    let id = ControlHarness.touchID(0)
    func send(_ phase: TouchPoint.Phase, _ milliseconds: Int64) {
      set.harness.root.handle(
        .touches([
          TouchPoint(
            id: id, phase: phase, location: place, time: MonotonicTime(nanoseconds: milliseconds * 1_000_000))
        ]))
    }
    send(.began, 5000)
    send(.ended, 5751)
    #expect(set.log.take().isEmpty)
    send(.began, 6000)
    set.wait(700)
    send(.ended, 6100)
    #expect(set.log.take() == ["tap ended"])
    send(.began, 0)
    set.wait(100)
    send(.ended, 0)
    #expect(set.log.take() == ["tap ended"], "a device without a clock")
  }

  @Test(arguments: [(100, 0.0, true), (340, 40, true), (360, 0, false), (100, 45, false)])
  func `two taps within 350 ms and 44 points are a double tap`(pause: Int, apart: Double, isDouble: Bool) {
    _ = tap(taps: 2)
    set.harness.tap(place)
    #expect(set.log.lines.isEmpty)
    set.wait(pause)
    set.harness.tap(Point(x: place.x + apart, y: place.y))
    #expect(set.log.take() == (isDouble ? ["tap ended"] : []))
    set.wait(2000)
    #expect(set.harness.host.wakeTime == nil)
    set.harness.tap(place)
    set.harness.tap(place)
    #expect(set.log.take() == ["tap ended"], "after whatever came before")
  }

  @Test func `three taps are not two double taps`() {
    _ = tap(taps: 2)
    for _ in 0..<3 { set.harness.tap(place) }
    #expect(set.log.take() == ["tap ended"])
    set.wait(400)
    for _ in 0..<4 { set.harness.tap(place) }
    #expect(set.log.take() == ["tap ended", "tap ended"])
  }

  @Test func `two fingers tap when both were down together`() {
    _ = tap(touches: 2)
    set.harness.tap(place)
    #expect(set.log.take().isEmpty)
    set.send((.began, 50, 50, 0))
    set.send((.began, 90, 50, 1))
    set.send((.ended, 50, 50, 0))
    #expect(set.log.lines.isEmpty)
    set.send((.ended, 90, 50, 1))
    #expect(set.log.take() == ["tap ended"])
    set.send((.began, 50, 50, 0), (.began, 90, 50, 1), (.began, 90, 90, 2))
    set.send((.ended, 50, 50, 0), (.ended, 90, 50, 1), (.ended, 90, 90, 2))
    #expect(set.log.take().isEmpty, "three are not two")
    set.send((.began, 50, 50, 0))
    set.send((.began, 90, 50, 1))
    set.send((.ended, 50, 50, 0))
    set.send((.began, 50, 50, 0))
    set.send((.ended, 50, 50, 0), (.ended, 90, 50, 1))
    #expect(set.log.take().isEmpty, "one that comes back is no tap of two")
  }

  @Test func `a tap with up and down in one frame counts`() {
    _ = tap()
    set.send((.began, 50, 50, 0), (.ended, 50, 50, 0))
    #expect(set.log.take() == ["tap ended"])
    set.send((.began, 50, 50, 0), (.ended, 50, 50, 0), (.began, 50, 50, 0), (.ended, 50, 50, 0))
    #expect(set.log.take() == ["tap ended", "tap ended"])
  }

  @Test func `a single tap waits for a double tap to fail if it is told to, and comes at once if not`() {
    let double = tap(taps: 2, "double")
    let single = tap("single")
    set.harness.tap(place)
    #expect(set.log.take() == ["single ended"])
    set.wait(500)
    single.require(toFail: double)
    set.harness.tap(place)
    #expect(set.log.lines.isEmpty)
    set.wait(400)
    #expect(set.log.take() == ["single ended"])
    #expect(single.state == .possible && double.state == .possible)
    set.harness.tap(place)
    set.harness.tap(place)
    set.wait(1000)
    #expect(set.log.take() == ["double ended"])
    set.send((.began, 50, 50, 0))
    set.wait(800)
    set.send((.ended, 50, 50, 0))
    set.wait(800)
    #expect(set.log.take().isEmpty, "a long press is neither")
    set.harness.tap(place)
    set.send((.began, 150, 50, 0))
    #expect(set.log.take() == ["single ended"], "a second tap elsewhere settles it")
    set.send((.ended, 150, 50, 0))
  }

  @Test func `K17: a picture with a tap and a switch: switched off, a tap does nothing`() {
    let tap = tap()
    tap.isEnabled = false
    set.harness.tap(place)
    #expect(set.log.take().isEmpty)
    tap.isEnabled = true
    set.harness.tap(place)
    #expect(set.log.take() == ["tap ended"])
    set.send((.began, 50, 50, 0))
    tap.isEnabled = false
    tap.isEnabled = true
    set.send((.ended, 50, 50, 0))
    #expect(set.log.take().isEmpty, "switched off in between")
  }

  @Test func `a tap on a control inside is the control's; one on the control itself is the recogniser's`() {
    _ = tap("outer")
    let control = ProbeControl("c", frame: Rect(x: 20, y: 20, width: 60, height: 60), log: set.log)
    control.pressable = true
    control.logEvents()
    set.view.addSubview(control)
    set.harness.tap(place)
    #expect(set.log.take() == ["c begin", "c touchDown", "c end", "c upInside", "c primary"])
    let own = set.watch(TapGestureRecognizer(), as: "own", on: control)
    set.harness.tap(place)
    #expect(set.log.take() == ["c begin", "c touchDown", "c cancel", "c touchCancel", "own ended"])
    own.cancelsTouchesInView = false
    set.harness.tap(place)
    #expect(set.log.take() == ["c begin", "c touchDown", "own ended", "c end", "c upInside", "c primary"])
    control.isEnabled = false
    set.harness.tap(place)
    #expect(set.log.take().isEmpty)
  }

  @Test func `a slow tap that waits for a double tap to fail is recognised when that has failed`() {
    let double = tap(taps: 2, "double")
    tap("single").require(toFail: double)
    for milliseconds in [390, 500, 700, 740] {
      set.send((.began, 50, 50, 0))
      set.wait(milliseconds)
      set.send((.ended, 50, 50, 0))
      #expect(set.log.lines.isEmpty)
      set.wait(1000)
      #expect(set.log.take() == ["single ended"], "\(milliseconds) ms")
    }
  }
}
