import ControlHarness
import Controls
import Testing

/// Tests of curves, springs, animations, frame observers and life in the background.
@MainActor @Suite(.serialized) struct AnimationTests {
  @Test(arguments: [
    (TimingCurve.linear, 0.25, 0.25), (.linear, 0.5, 0.5), (.easeInOut, 0.5, 0.5), (.easeInOut, 0.25, 0.12916),
    (.easeIn, 0.5, 0.31535), (.easeOut, 0.5, 0.68464), (TimingCurve(0.25, 0.1, 0.25, 1), 0.5, 0.80240),
    (.easeIn, -1, 0), (.easeIn, 2, 1), (TimingCurve(.nan, .nan, 5, 1), 0.5, 0.5),
  ])
  func `Bézier curves have the values that browsers have`(curve: TimingCurve, time: Double, progress: Double) {
    if curve == TimingCurve(.nan, .nan, 5, 1) {
      #expect(curve.progress(at: time).isFinite)
    } else {
      #expect(abs(curve.progress(at: time) - progress) < 1e-4)
    }
  }

  @Test(arguments: [0.3, 0.7, 1.0, 1.8]) func `a spring obeys its equation, whatever its damping`(damping: Double) {
    let spring = Spring(response: 0.4, dampingRatio: damping)
    let omega = 2 * Double.pi / 0.4
    let step = 1e-5
    for time in stride(from: 0.01, to: 1, by: 0.07) {
      let before = spring.motion(at: time - step, from: 10, to: 2, velocity: 30)
      let now = spring.motion(at: time, from: 10, to: 2, velocity: 30)
      let after = spring.motion(at: time + step, from: 10, to: 2, velocity: 30)
      let velocity = (after.value - before.value) / (2 * step)
      let force = (after.velocity - before.velocity) / (2 * step)
      #expect(abs(now.velocity - velocity) < 1e-3)
      #expect(abs(force + 2 * damping * omega * now.velocity + omega * omega * (now.value - 2)) < 0.05)
    }
    let start = spring.motion(at: 0, from: 10, to: 2, velocity: 30)
    #expect(start.value == 10 && start.velocity == 30)
    #expect(abs(spring.motion(at: 20, from: 10, to: 2, velocity: 30).value - 2) < 1e-6)
  }

  @Test func `a critically damped spring never passes its goal`() {
    let spring = Spring(response: 0.3)
    let values = stride(from: 0.0, to: 2, by: 0.01).map { spring.motion(at: $0, from: 1, to: 0).value }
    #expect(values.allSatisfy { $0 >= 0 })
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 >= $1 })
  }

  private func shown() -> (ControlHarness, ProbeView) {
    let harness = ControlHarness(size: Size(width: 20, height: 20))
    harness.frameInterval = .milliseconds(10)
    let view = ProbeView(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    harness.root.addSubview(view)
    harness.frame()
    return (harness, view)
  }

  @Test func `a value goes to its goals from where it is, again and again, and at once where that is asked for`() {
    let (harness, view) = shown()
    var told: [Double] = []
    let value = AnimatedValue(0, of: view, forKey: "a") { told.append($0) }
    for _ in 0..<3 {
      value.move(to: 1, duration: .milliseconds(20), curve: .linear)
      value.move(to: 1, duration: .milliseconds(500))
      harness.advance(by: .milliseconds(10))
      #expect(value.value == 0.5 && view.hasAnimation(forKey: "a"))
      value.move(to: 0, duration: .milliseconds(20), curve: .linear)
      harness.advance(by: .milliseconds(20))
      #expect(value.value == 0 && value.goal == 0 && !harness.root.isAnimating)
      value.move(to: 1, duration: .zero)
      #expect(value.value == 1 && !harness.root.isAnimating)
      value.move(to: 0, duration: .zero)
    }
    #expect(told == Array(repeating: [0.5, 0.25, 0, 1, 0], count: 3).flatMap(\.self))
    value.move(to: .nan)
    #expect(value.goal == 0)
    view.removeFromSuperview()
    value.move(to: 7)
    #expect(value.value == 7)
  }

  @Test func `a value on a spring keeps its speed when its goal changes, and jumps away from it`() {
    let (harness, view) = shown()
    let value = AnimatedValue(0, of: view, forKey: "a") { _ in }
    let spring = Spring(response: 0.3)
    value.move(to: 1, spring: spring)
    harness.advance(by: .milliseconds(100))
    let (reached, speed) = (value.value, view.animationMotion(forKey: "a")?.velocity ?? 0)
    #expect(value.isMoving && reached > 0 && reached < 1 && speed > 0)
    value.move(to: -1, spring: spring)
    harness.advance(by: .milliseconds(10))
    #expect(value.value > reached, "it goes on before it turns")
    harness.advance(by: .seconds(3))
    #expect(value.value == -1 && !value.isMoving)
    value.move(to: 5, spring: spring)
    value.jump(to: 2)
    #expect(value.value == 2 && value.goal == 2 && !value.isMoving && !harness.root.isAnimating)
  }

  @Test func `a step that sets off its own value again goes on`() {
    let (harness, view) = shown()
    var value: AnimatedValue?
    value = AnimatedValue(0, of: view, forKey: "a") { if $0 == 1 { value?.move(to: 0, duration: .milliseconds(20)) } }
    value?.move(to: 1, duration: .milliseconds(10))
    harness.advance(by: .milliseconds(10))
    #expect(value?.value == 1 && harness.root.isAnimating)
    harness.advance(by: .milliseconds(20))
    #expect(value?.value == 0 && !harness.root.isAnimating)
    // A released value has no step.
    value?.move(to: 1, duration: .milliseconds(20))
    value = nil
    harness.advance(by: .milliseconds(40))
    #expect(!harness.root.isAnimating)
  }

  @Test func `an animation runs on the frames' time, ends at its end, and then no frame is needed`() {
    let (harness, view) = shown()
    var values: [Double] = []
    var finished: [Bool] = []
    view.addAnimation(Animation(from: 0, to: 10, duration: .milliseconds(50), curve: .linear), forKey: "a") {
      values.append($0)
    } completion: {
      finished.append($0)
    }
    #expect(harness.root.needsFrame && harness.root.isAnimating)
    let frames = harness.advance(by: .milliseconds(200))
    #expect(frames == 5)
    #expect(values.map { ($0 * 1000).rounded() / 1000 } == [2, 4, 6, 8, 10])
    #expect(finished == [true])
    #expect(!harness.root.needsFrame && !harness.root.isAnimating)
  }

  @Test func `delays, repeats and ways back`() {
    let (harness, view) = shown()
    var values: [Double] = []
    let animation = Animation(
      from: 0, to: 4, duration: .milliseconds(20), curve: .linear, delay: .milliseconds(10), repeats: .times(2),
      autoreverses: true)
    view.addAnimation(animation, forKey: "a") { values.append(($0 * 1000).rounded() / 1000) }
    harness.advance(by: .milliseconds(200))
    #expect(values == [0, 2, 4, 2, 0, 2, 4, 2, 0])
  }

  @Test func `a spring settles exactly on its goal and goes on from where another one was`() {
    let (harness, view) = shown()
    var value = 0.0
    view.addAnimation(Animation(from: 0, to: 100, spring: Spring(response: 0.3)), forKey: "a") { value = $0 }
    harness.advance(by: .milliseconds(100))
    let motion = view.animationMotion(forKey: "a")
    #expect(motion?.value == value)
    #expect((motion?.velocity ?? 0) > 0)
    let before = value
    view.addAnimation(
      Animation(from: value, to: 0, spring: Spring(response: 0.3), velocity: motion?.velocity ?? 0), forKey: "a"
    ) { value = $0 }
    harness.advance(by: .milliseconds(10))
    #expect(value > before, "the velocity carries on")
    let frames = harness.settle()
    #expect(value == 0)
    #expect(frames < 120)
  }

  @Test func `K13, K-D4: endless animations end in the background, start again, and starting twice changes nothing`() {
    let (harness, view) = shown()
    var values: [Double] = []
    let pulse = Animation(
      from: 1, to: 0, duration: .seconds(1), repeats: .forever, autoreverses: true, removal: .reset)
    func start() { view.addAnimationIfAbsent(pulse, forKey: "pulse") { values.append($0) } }
    let token = harness.root.observeLifecycle { if $0 == .didBecomeActive { start() } }
    defer { withExtendedLifetime(token) {} }
    start()
    harness.advance(by: .milliseconds(300))
    let before = values.last
    start()
    harness.advance(by: .milliseconds(10))
    #expect(values.last.map { abs($0 - (before ?? 0)) < 0.1 } ?? false, "a second start did not begin anew")
    harness.advance(by: .seconds(20))
    #expect(harness.root.isAnimating)
    harness.enterBackground()
    #expect(!view.hasAnimation(forKey: "pulse") && !harness.root.isAnimating)
    #expect(values.last == 1)
    start()
    #expect(!view.hasAnimation(forKey: "pulse"), "nothing starts in the background")
    harness.enterForeground()
    #expect(view.hasAnimation(forKey: "pulse"))
    harness.root.handle(.didBecomeActive)
    let count = values.count
    harness.frame()
    #expect(values.count == count + 1, "one animation, not two")
  }

  @Test(arguments: [(Animation.Removal.finish, 10.0), (.reset, 2), (.keep, 6)])
  func `an animation removed early leaves its value where its policy says`(removal: Animation.Removal, value: Double) {
    for way in 0..<3 {
      let (harness, view) = shown()
      var now = -1.0
      var finished: Bool?
      view.addAnimation(
        Animation(from: 2, to: 10, duration: .milliseconds(100), curve: .linear, removal: removal), forKey: "a"
      ) {
        now = $0
      } completion: {
        finished = $0
      }
      harness.advance(by: .milliseconds(50))
      switch way {
      case 0: view.removeAnimation(forKey: "a")
      case 1: harness.enterBackground()
      default: view.removeFromSuperview()
      }
      #expect(abs(now - value) < 1e-9)
      #expect(finished == false)
    }
  }

  @Test func `a new animation under a key replaces the old one`() {
    let (harness, view) = shown()
    var (first, second) = (0, 0)
    var finished: Bool?
    view.addAnimation(Animation(duration: .seconds(1)), forKey: "a") { _ in
      first += 1
    } completion: {
      finished = $0
    }
    harness.advance(by: .milliseconds(20))
    view.addAnimation(Animation(duration: .milliseconds(30)), forKey: "a") { _ in second += 1 }
    #expect(finished == false)
    harness.advance(by: .milliseconds(100))
    #expect(first == 2 && second == 3)
  }

  @Test func `without a window an animation is at its end at once, and an endless one does not start`() {
    let view = View()
    var value = 0.0
    view.addAnimation(Animation(from: 1, to: 5, duration: .seconds(1)), forKey: "a") { value = $0 }
    #expect(value == 5)
    view.addAnimation(Animation(from: 1, to: 9, duration: .seconds(1), repeats: .forever), forKey: "a") { value = $0 }
    #expect(value == 5 && !view.hasAnimation(forKey: "a"))
  }

  @Test func `a frame observer says itself whether it needs another frame`() {
    let (harness, _) = shown()
    var left = 3
    var times: [MonotonicTime] = []
    let observer = harness.root.observeFrames {
      times.append($0)
      left -= 1
      return left > 0
    }
    #expect(harness.advance(by: .milliseconds(100)) == 3)
    #expect(times.count == 3 && times[1] - times[0] == .milliseconds(10))
    #expect(!harness.root.needsFrame)
    observer.setNeedsFrame()
    #expect(harness.root.needsFrame)
    #expect(harness.advance(by: .milliseconds(100)) == 1)
    observer.setNeedsFrame()
    harness.enterBackground()
    #expect(!harness.root.isAnimating)
    harness.enterForeground()
    observer.remove()
    observer.setNeedsFrame()
    #expect(!harness.root.needsFrame)
  }

  @Test func `an animation may begin itself again in its completion: without a window, in the background, after both`()
  {
    let (harness, _) = shown()
    let view = ProbeView(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    var (runs, steps) = (0, 0)
    func pulse() {
      runs += 1
      view.addAnimation(Animation(duration: .milliseconds(20)), forKey: "pulse") { _ in
        steps += 1
      } completion: { _ in
        pulse()
      }
    }
    pulse()
    #expect(runs == 2, "once more, and then it waits for a frame")
    harness.root.addSubview(view)
    harness.advance(by: .milliseconds(100))
    #expect(runs >= 5 && harness.root.isAnimating)
    harness.enterBackground()
    let (before, first) = (runs, steps)
    harness.advance(by: .seconds(1))
    #expect(runs == before && steps == first)
    harness.enterForeground()
    harness.advance(by: .milliseconds(100))
    #expect(runs >= before + 3)
    view.removeFromSuperview()
    harness.frame()
    #expect(!harness.root.isAnimating, "nothing is begun in the window that the view left")
    harness.root.addSubview(view)
    harness.advance(by: .milliseconds(100))
    #expect(harness.root.isAnimating)
  }

  @Test(arguments: ["key", "property"])
  func `an animation whose end begins another under its key leaves one of them`(way: String) {
    let (harness, view) = shown()
    var log: [String] = []
    func begin(_ name: String, then body: @escaping () -> Void = {}) {
      if way == "key" {
        view.addAnimation(Animation(duration: .milliseconds(30)), forKey: "a") { _ in
          log.append(name)
        } completion: {
          log.append("\(name) \($0)")
          body()
        }
      } else {
        view.animate(\View.alpha, to: name == "third" ? 0.2 : 0.6, duration: .milliseconds(30)) {
          log.append("\(name) \($0)")
          body()
        }
      }
    }
    begin("first") { begin("second") }
    begin("third")
    harness.advance(by: .milliseconds(100))
    #expect(!harness.root.isAnimating)
    if way == "key" {
      #expect(log == ["first false", "second", "third false", "second", "second", "second true"])
    } else {
      #expect(log == ["first false", "third false", "second true"] && view.alpha == 0.6)
    }
  }

  @Test(arguments: ["hidden", "hidden around", "faded around"])
  func `an endless animation that nobody can see asks for no frames, and goes on once it is seen`(way: String) {
    let (harness, outer) = shown()
    let view = ProbeView(frame: Rect(x: 0, y: 0, width: 5, height: 5))
    outer.addSubview(view)
    var steps = 0
    view.addAnimation(Animation(duration: .milliseconds(40), repeats: .forever), forKey: "a") { _ in steps += 1 }
    #expect(harness.advance(by: .milliseconds(100)) > 5 && steps > 5)
    switch way {
    case "hidden": view.isHidden = true
    case "hidden around": outer.isHidden = true
    default: outer.alpha = 0
    }
    harness.frameIfNeeded()
    #expect(!harness.root.needsFrame && view.hasAnimation(forKey: "a"))
    view.addAnimation(Animation(duration: .milliseconds(20)), forKey: "b") { _ in }
    harness.advance(by: .milliseconds(100))
    #expect(!view.hasAnimation(forKey: "b"), "one with an end comes to it")
    (view.isHidden, outer.isHidden, outer.alpha) = (false, false, 1)
    let before = steps
    harness.advance(by: .milliseconds(100))
    #expect(steps > before + 5)
  }

  @Test func `an endless animation may bring its own view into sight`() {
    let (harness, view) = shown()
    view.frame.origin.x = -10
    view.alpha = 0
    view.addAnimation(Animation(duration: .milliseconds(40), repeats: .forever), forKey: "a") { [unowned view] in
      view.frame.origin.x = $0 * 20 - 10
      view.alpha = $0
    }
    harness.advance(by: .milliseconds(100))
    #expect(view.alpha > 0 && harness.root.isAnimating)
  }
}
