import ControlHarness
import Testing

@testable import Controls

/// Tests of pans and of the arithmetic under them.
@MainActor @Suite(.serialized) struct PanTests {
  private let set = GestureSetting()

  @Test func `a drag begins 10 points from where the finger came down, and nothing jumps`() {
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    set.send((.began, 50, 50, 0))
    set.send((.moved, 50, 59, 0))
    #expect(set.log.lines.isEmpty)
    set.send((.moved, 50, 60, 0))
    #expect(set.log.take() == ["pan began"] && pan.translation == .zero)
    set.send((.moved, 47, 75, 0))
    #expect(set.log.take() == ["pan changed"] && pan.translation == Point(x: -3, y: 15))
    set.send((.ended, 47, 75, 0))
    #expect(set.log.take() == ["pan ended"])
  }

  @Test func `a first move that goes far counts but for the 10 points`() {
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    set.send((.began, 50, 50, 0))
    set.send((.moved, 80, 90, 0))
    #expect(pan.translation == Point(x: 24, y: 32))
    pan.setTranslation(Point(x: 1, y: 2))
    set.send((.moved, 81, 90, 0))
    #expect(pan.translation == Point(x: 2, y: 2))
    pan.setTranslation(Point(x: Double.nan, y: 0))
    #expect(pan.translation == Point(x: 2, y: 2))
    set.send((.ended, 81, 90, 0))
    set.send((.began, 50, 50, 0))
    #expect(pan.translation == .zero)
  }

  @Test func `a finger that does not go far enough drags nothing`() {
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    set.harness.drag(from: Point(x: 50, y: 50), to: Point(x: 56, y: 56))
    #expect(set.log.take().isEmpty && pan.state == .possible)
  }

  @Test(arguments: [
    (Axes.horizontal, Point(x: 20, y: 19), true), (.horizontal, Point(x: 19, y: 20), false),
    (.vertical, Point(x: 19, y: -20), true), (.vertical, Point(x: -20, y: 19), false),
    (.both, Point(x: 20, y: 0), true), (Axes(), Point(x: 20, y: 0), false),
  ])
  func `it begins along its axes only`(axes: Axes, way: Point, begins: Bool) {
    let pan = PanGestureRecognizer()
    pan.axes = axes
    set.watch(pan, as: "pan")
    set.send((.began, 50, 50, 0))
    set.send((.moved, 50 + way.x, 50 + way.y, 0))
    set.send((.ended, 50 + way.x, 50 + way.y, 0))
    #expect(set.log.take() == (begins ? ["pan began", "pan ended"] : []))
  }

  @Test func `fingers that come and go move nothing by themselves`() {
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    set.send((.began, 50, 50, 0))
    set.send((.moved, 50, 80, 0))
    #expect(pan.translation == Point(x: 0, y: 20))
    set.send((.began, 150, 80, 1))
    set.send((.moved, 50, 90, 0), (.moved, 150, 90, 1))
    #expect(pan.translation == Point(x: 0, y: 30))
    set.send((.ended, 50, 90, 0))
    set.send((.moved, 150, 95, 1))
    #expect(pan.translation == Point(x: 0, y: 35))
    set.send((.ended, 150, 95, 1))
    #expect(set.log.take().last == "pan ended")
  }

  @Test func `with two fingers at least, one alone drags nothing, and the drag ends with the first that goes up`() {
    set.watch(PanGestureRecognizer(), as: "pan").minimumNumberOfTouches = 2
    set.send((.began, 50, 50, 0))
    set.send((.moved, 50, 55, 0))
    set.send((.began, 90, 50, 1))
    set.send((.moved, 70, 55, 0), (.moved, 110, 50, 1))
    #expect(set.log.take() == ["pan began"])
    set.send((.ended, 70, 55, 0))
    #expect(set.log.take() == ["pan ended"])
    set.send((.moved, 110, 150, 1))
    set.send((.ended, 110, 150, 1))
    #expect(set.log.take().isEmpty)
  }

  @Test func `with one finger at most, a second one before it begins ends it`() {
    set.watch(PanGestureRecognizer(), as: "pan").maximumNumberOfTouches = 1
    set.send((.began, 50, 50, 0))
    set.send((.began, 90, 50, 1))
    set.send((.moved, 50, 90, 0))
    set.send((.ended, 50, 90, 0), (.ended, 90, 50, 1))
    #expect(set.log.take().isEmpty)
  }

  @Test func `its speed is that of the last moments, and none after a rest`() {
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    set.send((.began, 10, 50, 0))
    set.harness.move(from: Point(x: 10, y: 50), to: Point(x: 170, y: 50), steps: 10)
    #expect(abs(pan.velocity.x - 960) < 10 && pan.velocity.y == 0)
    set.send((.ended, 170, 50, 0))
    #expect(abs(pan.velocity.x) < 1e-9, "forgotten with the gesture")
    var last = Point.zero
    pan.addAction { if $0.state == .ended { last = $0.velocity } }
    set.harness.drag(from: Point(x: 10, y: 50), to: Point(x: 170, y: 50))
    #expect(abs(last.x - 960) < 10)
    set.harness.drag(from: Point(x: 10, y: 50), to: Point(x: 170, y: 50), holds: true)
    set.wait(100)
    set.send((.ended, 170, 50, 0))
    #expect(last == .zero)
  }

  @Test func `a drag on a control that is made for such drags is the control's, any other the recogniser's`() {
    let pan = set.watch(PanGestureRecognizer(), as: "pan")
    let slider = AxisControl(frame: Rect(x: 20, y: 20, width: 100, height: 40))
    set.view.addSubview(slider)
    set.harness.drag(from: Point(x: 40, y: 40), to: Point(x: 90, y: 45))
    #expect(set.log.take().isEmpty && slider.heard == ["begin", "end"])
    slider.heard = []
    set.harness.drag(from: Point(x: 40, y: 40), to: Point(x: 45, y: 90))
    #expect(set.log.take().first == "pan began" && slider.heard == ["begin", "cancel"])
    set.watch(LongPressGestureRecognizer(), as: "press")
    set.send((.began, 40, 40, 0))
    set.wait(1000)
    #expect(set.log.take().isEmpty, "nor does a press take what is held")
    set.send((.ended, 40, 40, 0))
    slider.isEnabled = false
    set.harness.drag(from: Point(x: 40, y: 40), to: Point(x: 90, y: 45))
    #expect(set.log.take().first == "pan began", "a disabled one holds nothing")
    _ = pan
  }

  @Test func `the model: travel, translation and the way beyond the slop`() {
    var model = PanModel()
    model.move(to: Point(x: 5, y: 5), at: .zero)
    #expect(model.travel == .zero, "no finger, no way")
    model.setFingers(middle: .zero)
    model.move(to: Point(x: 6, y: 0), at: .zero)
    #expect(!model.isFarEnough)
    model.move(to: Point(x: 12, y: 16), at: MonotonicTime(nanoseconds: 10_000_000))
    #expect(model.isFarEnough && model.translation == .zero)
    model.recognize()
    #expect(model.translation == Point(x: 6, y: 8))
    #expect(model.velocity(at: MonotonicTime(nanoseconds: 10_000_000)) == Point(x: 600, y: 1600))
    model.setFingers(middle: nil)
    model.move(to: Point(x: 500, y: 500), at: MonotonicTime(nanoseconds: 11_000_000))
    #expect(model.translation == Point(x: 6, y: 8))
  }

  @Test func `the speed is bounded, and a clock that runs backwards is survived`() {
    var tracker = VelocityTracker()
    func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }
    #expect(tracker.velocity(at: at(0)) == .zero)
    tracker.add(.zero, at: at(10))
    #expect(tracker.velocity(at: at(10)) == .zero)
    tracker.add(Point(x: 1000, y: -10), at: at(20))
    #expect(tracker.velocity(at: at(20)) == Point(x: 8000, y: -1000))
    tracker.add(Point(x: 0, y: 0), at: at(5))
    #expect(tracker.velocity(at: at(5)) == .zero)
    tracker.add(Point(x: 8, y: 0), at: at(85))
    #expect(tracker.velocity(at: at(85)) == Point(x: 100, y: 0))
    #expect(tracker.velocity(at: at(166)) == .zero)
  }
}

/// A control that is dragged sideways.
final class AxisControl: Control {
  var heard: [String] = []
  override var dragAxes: Axes { isEnabled ? .horizontal : [] }
  override func beginTracking(_ touch: Touch) -> Bool {
    heard.append("begin")
    return true
  }
  override func endTracking(_ touch: Touch) { heard.append("end") }
  override func cancelTracking(_ touch: Touch?) { heard.append("cancel") }
}
