import ControlHarness
import Glibc
import Testing

@testable import CockpitControls
@testable import Controls

/// Tests of the steering wheel in use: hands, keys, the way back, what it says and repaints.
@MainActor @Suite(.serialized) struct SteeringWheelTests {
  let log = Log()

  /// A wheel of 160 points around (90, 90), in a window of 180, that writes down what it says.
  func shown() -> (ControlHarness, SteeringWheel) {
    let harness = ControlHarness(size: Size(width: 180, height: 180))
    let wheel = SteeringWheel(frame: Rect(x: 10, y: 10, width: 160, height: 160))
    harness.root.addSubview(wheel)
    harness.frame()
    wheel.addAction(for: .editingDidBegin) { [log] _ in log.add("begin") }
    wheel.addAction(for: .valueChanged) { [log] _ in
      if log.lines.last != "turn" { log.add("turn") }
    }
    wheel.addAction(for: .editingDidEnd) { [log] _ in log.add("end") }
    wheel.addAction(for: .editingDidCancel) { [log] _ in log.add("cancel") }
    return (harness, wheel)
  }

  /// The window's point at `degrees` (clockwise from the right) and `radius` from the wheel's centre.
  func at(_ degrees: Double, radius: Double = 72) -> Point {
    Point(x: 90 + radius * cos(degrees * .pi / 180), y: 90 + radius * sin(degrees * .pi / 180))
  }

  /// Moves a finger that is down along the rim, a frame every 6 degrees.
  func turn(_ harness: ControlHarness, from: Double, to: Double, finger: Int = 0) {
    let steps = max(1, Int(abs(to - from) / 6))
    for step in 1...steps {
      harness.advance(by: harness.frameInterval)
      harness.touch(.moved, at: at(from + (to - from) * Double(step) / Double(steps)), finger: finger)
    }
  }

  func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-6 }

  @Test func `K1: a new wheel is straight and springs back`() {
    let wheel = SteeringWheel()
    #expect(wheel.angle == 0 && wheel.steering == 0 && wheel.lock == 450 && wheel.springsBack)
    #expect(wheel.isMultipleTouchEnabled)
  }

  @Test func `G5: the wheel follows the finger, says so, and swings back when let go`() {
    let (harness, wheel) = shown()
    harness.touch(.began, at: at(200))
    #expect(wheel.angle == 0 && wheel.isHighlighted)
    turn(harness, from: 200, to: 290)
    #expect(isNear(wheel.angle, 90) && isNear(wheel.steering, 0.2))
    harness.advance(by: .milliseconds(200))
    #expect(isNear(wheel.angle, 90))
    harness.touch(.ended, at: at(290))
    #expect(!wheel.isHighlighted)
    let frames = harness.settle()
    #expect(wheel.angle == 0)
    #expect(frames > 20 && frames < 90)
    #expect(log.take() == ["begin", "turn", "end", "turn"])
    #expect(!harness.root.needsFrame)
  }

  @Test func `a swing begins with the hand's speed`() {
    let (harness, wheel) = shown()
    harness.touch(.began, at: at(200))
    turn(harness, from: 200, to: 260)
    harness.touch(.ended, at: at(260))
    harness.advance(by: harness.frameInterval)
    #expect(wheel.angle > 62)
    harness.settle()
    #expect(wheel.angle == 0)
  }

  @Test func `a hand takes hold of a swinging wheel where it is seen, and no frame more is due`() {
    let (harness, wheel) = shown()
    wheel.springsBack = true
    harness.touch(.began, at: at(200))
    turn(harness, from: 200, to: 320)
    harness.advance(by: .milliseconds(200))
    harness.touch(.ended, at: at(320))
    harness.advance(by: .milliseconds(150))
    let seen = wheel.angle
    #expect(seen > 20 && seen < 115)
    harness.touch(.began, at: at(90))
    #expect(wheel.angle == seen)
    #expect(harness.advance(by: .milliseconds(500)) == 0)
    harness.touch(.moved, at: at(92))
    #expect(isNear(wheel.angle, seen + 2))
  }

  @Test func `behaviour 6: two hands turn it by their average, and each may leave`() {
    let (harness, wheel) = shown()
    harness.send([(.began, at(180), 4), (.began, at(0), 9)])
    for step in 1...10 {
      harness.send([(.moved, at(180 + Double(step) * 4), 4), (.moved, at(Double(step) * 2), 9)])
    }
    #expect(isNear(wheel.angle, 30))
    harness.touch(.ended, at: at(220), finger: 4)
    harness.advance(by: .milliseconds(300))
    #expect(isNear(wheel.angle, 30))
    turn(harness, from: 20, to: 32, finger: 9)
    #expect(isNear(wheel.angle, 42))
    harness.touch(.ended, at: at(32), finger: 9)
    harness.settle()
    #expect(log.take() == ["begin", "turn", "end", "turn"])
  }

  @Test func `K20, K21: rim and spokes take a finger, gaps and hub pass it on, as the wheel stands`() {
    let (harness, wheel) = shown()
    let behind = ProbeControl("behind", frame: harness.root.bounds, log: log)
    harness.root.insertSubview(behind, at: 0)
    func hit(_ point: Point) -> View? { harness.root.hitTest(point) }
    #expect(hit(at(270)) === wheel && hit(at(0, radius: 40)) === wheel && hit(at(90, radius: 40)) === wheel)
    #expect(
      hit(at(270, radius: 40)) === behind && hit(at(0, radius: 10)) === behind && hit(Point(x: 12, y: 12)) === behind)
    wheel.angle = 90
    #expect(hit(at(270, radius: 40)) === wheel && hit(at(0, radius: 40)) === behind)
  }

  @Test func `the lock resists and gives back`() {
    let (harness, wheel) = shown()
    wheel.lock = 90
    wheel.springsBack = false
    harness.touch(.began, at: at(0))
    turn(harness, from: 0, to: 130)
    #expect(wheel.angle > 100 && wheel.angle < 114 && wheel.steering == 1)
    harness.advance(by: .milliseconds(300))
    harness.touch(.ended, at: at(130))
    harness.settle()
    #expect(wheel.angle == 90)
  }

  @Test func `without springing back it stays and asks for no frame`() {
    let (harness, wheel) = shown()
    wheel.springsBack = false
    harness.touch(.began, at: at(0))
    turn(harness, from: 0, to: 60)
    harness.touch(.ended, at: at(60))
    #expect(harness.advance(by: .seconds(1)) <= 1)
    #expect(isNear(wheel.angle, 60))
  }

  @Test func `code turns it silently, and ends a swing`() {
    let (harness, wheel) = shown()
    harness.touch(.began, at: at(0))
    turn(harness, from: 0, to: 60)
    harness.touch(.ended, at: at(60))
    harness.advance(by: .milliseconds(100))
    _ = log.take()
    wheel.angle = 25
    harness.settle()
    #expect(wheel.angle == 25)
    wheel.angle = .nan
    wheel.angle = 9999
    #expect(wheel.angle == 450)
    #expect(log.take() == [])
  }

  @Test func `K13: in the background it is straight, and nothing is animated`() {
    let (harness, wheel) = shown()
    harness.touch(.began, at: at(0))
    turn(harness, from: 0, to: 60)
    harness.enterBackground()
    #expect(wheel.angle == 0 && !wheel.isTracking && !harness.root.isAnimating)
    #expect(log.take() == ["begin", "turn", "cancel", "turn"])
  }

  @Test func `whatever takes the hands away, it swings back without speed`() {
    let losses: [(String, (ControlHarness, SteeringWheel) -> Void)] = [
      ("the system", { harness, _ in harness.touch(.cancelled, at: Point(x: 100, y: 20)) }),
      ("losing the window's attention", { harness, _ in harness.root.handle(.willResignActive) }),
      ("being disabled", { _, wheel in wheel.isEnabled = false }),
    ]
    for (name, lose) in losses {
      let (harness, wheel) = shown()
      harness.touch(.began, at: at(0))
      turn(harness, from: 0, to: 60)
      lose(harness, wheel)
      harness.advance(by: harness.frameInterval)
      #expect(wheel.angle > 0 && wheel.angle < 60, "\(name)")
      harness.settle()
      #expect(wheel.angle == 0, "\(name)")
      #expect(log.take() == ["begin", "turn", "cancel", "turn"], "\(name)")
    }
  }

  @Test func `keys steer while held, from a small correction to the lock, and let it return`() {
    let (harness, wheel) = shown()
    wheel.becomeFirstResponder()
    harness.key(.down, .right)
    harness.advance(by: .milliseconds(50))
    #expect(wheel.angle > 0 && wheel.angle < 10)
    harness.key(.repeated, .right)
    harness.advance(by: .milliseconds(450))
    #expect(wheel.angle > 100 && wheel.angle < 300)
    harness.settle()
    #expect(wheel.angle == 450)
    harness.key(.up, .right)
    harness.settle()
    #expect(wheel.angle == 0)
  }

  @Test func `a key of the other side takes over, and the first one's release doesn't let go`() {
    let (harness, wheel) = shown()
    wheel.becomeFirstResponder()
    harness.key(.down, .right)
    harness.advance(by: .milliseconds(300))
    harness.key(.down, .left)
    harness.key(.up, .right)
    harness.advance(by: .seconds(1))
    #expect(wheel.angle < -50)
    harness.root.handle(.keyboardFocus(ControlHarness.seat, false))
    harness.settle()
    #expect(wheel.angle == 0)
  }

  @Test func `a hand is stronger than a key, which takes over when it leaves`() {
    let (harness, wheel) = shown()
    wheel.steer(.left)
    harness.advance(by: .milliseconds(300))
    harness.touch(.began, at: at(0))
    let held = wheel.angle
    #expect(harness.advance(by: .milliseconds(300)) == 0)
    #expect(wheel.angle == held)
    harness.touch(.ended, at: at(0))
    harness.advance(by: .milliseconds(300))
    #expect(wheel.angle < held)
    wheel.steer(nil)
    harness.settle()
    #expect(wheel.angle == 0)
  }

  @Test func `many turns before a frame are one repaint of spokes and mark, not of the square`() {
    let (harness, wheel) = shown()
    harness.touch(.began, at: at(0))
    let before = harness.frameCount
    for step in 1...8 {
      harness.root.handle(
        .touches([
          TouchPoint(
            id: ControlHarness.touchID(0), phase: .moved, location: at(Double(step) / 4), time: harness.host.now)
        ]))
    }
    harness.frameIfNeeded()
    #expect(isNear(wheel.angle, 2) && harness.frameCount == before + 1)
    #expect(harness.lastDamage.rects.count < 60)
    #expect(harness.lastDamage.area < 160 * 160 * 28 / 100)
    // Rectangles near each other are joined where that is cheaper than one more; the upper gaps are far from both spokes.
    #expect(!harness.lastDamage.contains(x: 90, y: 60) && !harness.lastDamage.contains(x: 70, y: 60))
  }

  @Test func `every turn repaints enough, at every scale and place`() {
    // The harness compares the repaired picture with a whole one, byte for byte, after each frame.
    for (index, factor) in [1.0, 1.25, 1.5, 2].enumerated() {
      let harness = ControlHarness(size: Size(width: 100, height: 90), scale: Scale(factor))
      let wheel = SteeringWheel(frame: Rect(x: 3.3, y: 2.6, width: 95, height: 80.5))
      harness.root.addSubview(wheel)
      harness.frame()
      for angle in [0.4, 3, 11, 45, 44, 90, 180, 200, -200, 450, 449.5, 0] {
        wheel.angle = angle + Double(index) * 0.37
        if angle == 45 { wheel.isHighlighted = true }
        if angle == 200 { wheel.isHighlighted = false }
        harness.frameIfNeeded()
      }
    }
  }

  @Test func `a wheel of no size is no trap`() {
    let (harness, wheel) = shown()
    wheel.frame = .zero
    harness.frameIfNeeded()
    wheel.angle = 30
    harness.frameIfNeeded()
    wheel.frame = Rect(x: 0, y: 0, width: 1, height: 1)
    wheel.angle = 60
    harness.frameIfNeeded()
    #expect(wheel.sizeThatFits(Size(width: 300, height: 200)) == Size(width: 200, height: 200))
    #expect(wheel.sizeThatFits(Size(width: .nan, height: 200)) == Size(width: 1, height: 1))
  }

  @Test func `what it is set to is readable`() {
    let (_, wheel) = shown()
    wheel.angle = -225
    #expect(wheel.inspection.values["angle"] == .number(-225))
    #expect(wheel.inspection.values["steering"] == .number(-0.5))
  }

  @Test func `a wheel that is disabled obeys no key any more, not even after the finger that was stronger`() {
    for holdsByFinger in [false, true] {
      let wheel = SteeringWheel()
      let harness = ControlHarness(wheel, size: Size(width: 200, height: 200))
      harness.checksDamage = false
      wheel.steer(.left)
      harness.advance(by: .milliseconds(300))
      #expect(wheel.angle < -5)
      if holdsByFinger { harness.touch(.began, at: Point(x: 100, y: 8)) }
      wheel.isEnabled = false
      harness.advance(by: .seconds(5))
      #expect(abs(wheel.angle) < 0.1 && !wheel.isTracking)
      wheel.isEnabled = true
      harness.advance(by: .seconds(1))
      #expect(abs(wheel.angle) < 0.1, "it steers again when the key is pressed anew")
    }
  }

  @Test(arguments: [KeyEvent.Phase.up, .cancelled])
  func `of two steering keys the latest steers, and letting it go gives the other its turn`(end: KeyEvent.Phase) {
    let wheel = SteeringWheel()
    let harness = ControlHarness(wheel, size: Size(width: 200, height: 200))
    harness.checksDamage = false
    wheel.becomeFirstResponder()
    harness.key(.down, .left)
    harness.advance(by: .milliseconds(300))
    let left = wheel.angle
    #expect(left < -5)
    harness.key(.down, .right)
    harness.advance(by: .milliseconds(900))
    let right = wheel.angle
    #expect(right > left)
    harness.key(end, .right)
    harness.advance(by: .milliseconds(900))
    #expect(wheel.angle < right && wheel.steering < 0)
    // The first of two that is let go of changes nothing.
    harness.key(.down, .right)
    harness.key(end, .left)
    harness.advance(by: .seconds(9))
    #expect(wheel.steering > 0.99)
    harness.key(end, .right)
    harness.advance(by: .seconds(5))
    #expect(abs(wheel.angle) < 0.1)
  }
}
