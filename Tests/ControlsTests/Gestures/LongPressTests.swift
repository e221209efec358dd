import ControlHarness
import Controls
import Testing

/// Tests of long presses, and of the waking that they need.
@MainActor @Suite(.serialized) struct LongPressTests {
  private let set = GestureSetting()

  @Test func `a finger that rests for half a second presses, without a frame in between`() {
    let press = set.watch(LongPressGestureRecognizer(), as: "press")
    let frames = set.harness.frameCount
    set.send((.began, 50, 50, 0))
    set.wait(490)
    #expect(set.log.lines.isEmpty)
    set.wait(20)
    #expect(set.log.take() == ["press began"])
    #expect(set.harness.frameCount == frames, "waiting draws nothing")
    #expect(set.harness.wakeCount == 1, "and wakes once")
    set.send((.moved, 90, 50, 0))
    #expect(press.location(in: set.view) == Point(x: 90, y: 50))
    set.send((.ended, 90, 50, 0))
    #expect(set.log.take() == ["press changed", "press ended"])
    set.wait(1000)
    #expect(set.harness.wakeCount == 1 && set.harness.host.wakeTime == nil)
  }

  @Test(arguments: [(10.0, true), (10.5, false)])
  func `a finger that strays too far before is no long press`(distance: Double, isPress: Bool) {
    set.watch(LongPressGestureRecognizer(), as: "press")
    set.send((.began, 50, 50, 0))
    set.send((.moved, 50, 50 + distance, 0))
    #expect((set.harness.host.wakeTime != nil) == isPress, "what failed waits for nothing")
    set.wait(600)
    set.send((.ended, 50, 50 + distance, 0))
    #expect(set.log.take() == (isPress ? ["press began", "press ended"] : []))
  }

  @Test func `a finger that goes up early is no long press, and nobody is woken for it`() {
    set.watch(LongPressGestureRecognizer(), as: "press")
    set.harness.tap(Point(x: 50, y: 50))
    #expect(set.harness.host.wakeTime == nil)
    set.wait(1000)
    #expect(set.log.take().isEmpty && set.harness.wakeCount == 0)
  }

  @Test func `two fingers, another time and another movement are its settings`() {
    let press = LongPressGestureRecognizer()
    press.numberOfTouchesRequired = 2
    press.minimumPressDuration = .seconds(1)
    press.allowableMovement = 30
    set.watch(press, as: "press")
    set.send((.began, 50, 50, 0))
    set.wait(3000)
    set.send((.began, 90, 50, 1))
    set.send((.moved, 115, 50, 1))
    set.wait(990)
    #expect(set.log.lines.isEmpty)
    set.wait(20)
    #expect(set.log.take() == ["press began"])
    set.send((.ended, 50, 50, 0))
    #expect(set.log.take() == ["press ended"])
    set.send((.ended, 90, 50, 1))
    set.send((.began, 10, 10, 0), (.began, 20, 10, 1), (.began, 30, 10, 2))
    set.wait(1200)
    #expect(set.log.take().isEmpty, "three are not two")
  }

  @Test func `behaviour 1: a press is cancelled with its finger, and in the background nothing is woken`() {
    set.watch(LongPressGestureRecognizer(), as: "press")
    set.send((.began, 50, 50, 0))
    set.wait(600)
    set.send((.cancelled, 50, 50, 0))
    #expect(set.log.take() == ["press began", "press cancelled"])
    set.send((.began, 50, 50, 0))
    set.harness.enterBackground()
    #expect(set.harness.host.wakeTime == nil)
    set.wait(600)
    #expect(set.log.take().isEmpty)
    set.harness.enterForeground()
    set.wait(600)
    #expect(set.log.take().isEmpty, "the finger is lost")
  }

  @Test func `a press ends with the finger that it needs, not with one that comes and goes beside it`() {
    set.watch(LongPressGestureRecognizer(), as: "press")
    set.send((.began, 50, 50, 0))
    set.wait(600)
    set.send((.began, 90, 50, 1))
    set.send((.ended, 90, 50, 1))
    #expect(set.log.take() == ["press began"])
    set.send((.ended, 50, 50, 0))
    #expect(set.log.take() == ["press ended"])
  }
}

@MainActor @Suite(.serialized) struct WakeUpTests {
  private let log = Log()

  @Test func `what waits is called once, in order of time, and the window is asked for the earliest only`() {
    let harness = ControlHarness(size: Size(width: 50, height: 50))
    let root = harness.root
    let start = root.now
    root.wake(at: start + .seconds(3)) { log.add("3") }
    let two = root.wake(at: start + .seconds(2)) { log.add("2") }
    root.wake(at: start + .seconds(1)) { log.add("1") }
    #expect(harness.host.wakeTime == start + .seconds(1))
    harness.advance(by: .milliseconds(1500))
    #expect(log.take() == ["1"])
    two.cancel()
    #expect(!two.isWaiting && harness.host.wakeTime == start + .seconds(3))
    harness.advance(by: .seconds(5))
    #expect(log.take() == ["3"])
    #expect(harness.host.wakeTime == nil && harness.wakeCount == 2 && !root.needsFrame)
  }

  @Test func `one may add and cancel others`() {
    let harness = ControlHarness(size: Size(width: 50, height: 50))
    let root = harness.root
    let due = root.now + .seconds(1)
    var second: WakeUp?
    root.wake(at: due) {
      log.add("first")
      second?.cancel()
      root.wake(at: due) { log.add("third") }
    }
    second = root.wake(at: due) { log.add("second") }
    harness.advance(by: .seconds(2))
    #expect(log.take() == ["first", "third"])
  }

  @Test func `in the background nothing is woken; what became due is called after it`() {
    let harness = ControlHarness(size: Size(width: 50, height: 50))
    harness.root.wake(at: harness.root.now + .seconds(1)) { log.add("now") }
    harness.enterBackground()
    #expect(harness.host.wakeTime == nil)
    harness.advance(by: .seconds(5))
    #expect(log.lines.isEmpty)
    harness.enterForeground()
    harness.advance(by: .milliseconds(1))
    #expect(log.take() == ["now"])
  }

  @Test func `a root that moves to another window is woken by that one`() {
    let harness = ControlHarness(size: Size(width: 50, height: 50))
    harness.root.wake(at: harness.root.now + .seconds(1)) { log.add("now") }
    let other = ManualHost()
    harness.root.host = other
    #expect(harness.host.wakeTime == nil && other.wakeTime == MonotonicTime(nanoseconds: 2_000_000_000))
  }
}
