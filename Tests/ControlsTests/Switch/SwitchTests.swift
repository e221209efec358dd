import ControlHarness
import Testing

@testable import Controls

/// Tests of the switch: taps, drags, keys, the knob's way.
@MainActor @Suite(.serialized) struct SwitchTests {
  let log = Log()

  /// A switch of 51 x 31 at (30, 40); its knob's middle goes from 45.5 to 65.5.
  private func shown(direction: LayoutDirection = .leftToRight, isOn: Bool = false) -> (ControlHarness, Switch) {
    let root = RootView()
    root.layoutDirection = direction
    let harness = ControlHarness(size: Size(width: 120, height: 110), root: root)
    let view = Switch(frame: Rect(x: 30, y: 40, width: 51, height: 31))
    view.isOn = isOn
    root.addSubview(view)
    harness.frame()
    view.addAction(for: .valueChanged) { [log] in log.add($0.isOn ? "on" : "off") }
    return (harness, view)
  }

  @Test func `a tap changes it, and the knob goes to the other end within a quarter of a second`() {
    let (harness, view) = shown()
    harness.tap(view)
    #expect(view.isOn && log.take() == ["on"])
    var places: [Double] = []
    for _ in 0..<15 {
      harness.advance(by: harness.frameInterval)
      places.append(view.knobFraction)
    }
    #expect(places.contains { $0 > 0.1 && $0 < 0.9 } && places[14] == 1)
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }, "never back")
    #expect(!harness.root.needsFrame && view.knob.windowFrame.midX == 65.5)
    harness.tap(view)
    harness.settle()
    #expect(!view.isOn && log.take() == ["off"] && view.knobFraction == 0)
  }

  @Test(arguments: [(12.0, true), (9, false), (100, true), (-50, false)])
  func `a drag takes the knob along, and the nearer end counts when it is let go`(travel: Double, isOn: Bool) {
    let (harness, view) = shown()
    let start = Point(x: 40, y: 55)
    harness.drag(from: start, to: start.offsetBy(dx: travel, dy: 30), steps: 4, holds: true)
    #expect(abs(view.knobFraction - min(max(travel / 20, 0), 1)) < 1e-9, "under the finger")
    #expect(log.lines.isEmpty && !view.isOn, "nothing is chosen before it is let go")
    harness.touch(.ended, at: start.offsetBy(dx: travel, dy: 30))
    harness.settle()
    #expect(view.isOn == isOn && view.knobFraction == (isOn ? 1 : 0) && log.take() == (isOn ? ["on"] : []))
  }

  @Test func `from right to left, on is left`() {
    let (harness, view) = shown(direction: .rightToLeft)
    #expect(view.knob.windowFrame.midX == 65.5)
    harness.drag(from: Point(x: 65, y: 55), to: Point(x: 50, y: 55), steps: 3)
    harness.settle()
    #expect(view.isOn && view.knob.windowFrame.midX == 45.5)
    view.becomeFirstResponder()
    harness.press(.right)
    #expect(!view.isOn)
    harness.press(.left)
    #expect(view.isOn && log.take() == ["on", "off", "on"])
  }

  @Test func `whatever takes the finger away, the knob goes back`() {
    for loss in FingerLoss.allCases {
      let (harness, view) = shown()
      harness.drag(from: Point(x: 42, y: 55), to: Point(x: 60, y: 55), steps: 3, holds: true)
      #expect(view.knobFraction > 0.8)
      loss.happen(to: view, at: Point(x: 60, y: 55), in: harness)
      harness.settle()
      #expect(
        !view.isOn && view.knobFraction == 0 && log.take().isEmpty && !view.knob.look.isHighlighted, "\(loss.rawValue)")
    }
  }

  @Test func `a knob on its way is where it should be when the window comes back`() {
    let (harness, view) = shown()
    harness.tap(view)
    harness.advance(by: .milliseconds(40))
    harness.enterBackground()
    #expect(view.knobFraction == 1)
    harness.enterForeground()
    #expect(view.knob.windowFrame.midX == 65.5 && !harness.root.needsFrame)
  }

  @Test func `a finger stops the knob on its way, and a tap sends it back`() {
    let (harness, view) = shown()
    harness.tap(view)
    harness.advance(by: .milliseconds(60))
    harness.touch(.began, at: view.windowFrame.center)
    let place = view.knobFraction
    #expect(place > 0.05 && place < 0.95)
    harness.advance(by: .milliseconds(100))
    #expect(view.knobFraction == place)
    harness.touch(.ended, at: view.windowFrame.center)
    harness.settle()
    #expect(!view.isOn && view.knobFraction == 0 && log.take() == ["on", "off"])
  }

  @Test func `keys: Space and Enter change it when they go up, arrows choose`() {
    let (harness, view) = shown()
    harness.press(.tab)
    #expect(view.isFocused)
    harness.key(.down, .space)
    #expect(!view.isOn && view.knob.look.isHighlighted)
    harness.key(.repeated, .space)
    harness.key(.up, .space)
    #expect(view.isOn && !view.knob.look.isHighlighted)
    harness.press(.enter)
    #expect(!view.isOn)
    harness.press(.right)
    harness.press(.right)
    harness.press(.down)
    #expect(log.take() == ["on", "off", "on", "off"])
    harness.key(.down, .space)
    view.isEnabled = false
    #expect(log.take().isEmpty && !view.knob.look.isHighlighted, "a key that is taken away triggers nothing")
    harness.press(.space)
    view.isEnabled = true
    harness.press(.space, .control)
    #expect(log.take().isEmpty)
  }

  @Test func `code sets it silently; without a window, or with less motion wanted, at once`() {
    let view = Switch(frame: Rect(x: 0, y: 0, width: 51, height: 31))
    view.isOn = true
    #expect(view.knobFraction == 1 && view.isSelected)
    let (harness, other) = shown()
    other.isOn = true
    #expect(other.knobFraction == 0 && harness.root.isAnimating && log.take().isEmpty)
    harness.settle()
    harness.root.prefersReducedMotion = true
    other.isSelected = false
    #expect(other.knobFraction == 0 && !other.isOn && !harness.root.isAnimating)
  }

  @Test func `isOn is a property to files and inspectors, isSelected is not there twice`() throws {
    let view = Switch()
    #expect(view.inspectable(named: "isSelected") == nil)
    let property = try #require(view.inspectable(named: "isOn"))
    var count = 0
    let token = view.observe(property) { count += 1 }
    try property.set(.bool(true), on: view)
    view.isOn = true
    #expect(view.isOn && count == 1 && property.json(of: view) == .bool(true))
    token.remove()
    #expect(view.inspection.values["isOn"] == .bool(true) && view.inspection.state == ["selected"])
  }

  @Test(arguments: [
    (Size(width: 51, height: 31), Rect(x: 0, y: 0, width: 51, height: 31)),
    (Size(width: 200, height: 31), Rect(x: 74.5, y: 0, width: 51, height: 31)),
    (Size(width: 51, height: 100), Rect(x: 0, y: 34.5, width: 51, height: 31)),
    (Size(width: 102, height: 62), Rect(x: 0, y: 0, width: 102, height: 62)), (Size.zero, Rect.zero),
    (Size(width: .nan, height: 31), Rect.zero),
  ])
  func `it keeps its proportions in the middle of any bounds`(size: Size, track: Rect) {
    let geometry = TrackGeometry(switchOf: size)
    #expect(geometry.track == track)
    let (off, on) = (geometry.axis.start, geometry.axis.start + geometry.axis.extent)
    #expect(geometry.thumb(at: off).minX == track.minX && geometry.thumb(at: on).maxX == track.maxX)
    let other = TrackGeometry(switchOf: size, direction: .rightToLeft)
    #expect(other.thumb(at: other.axis.start) == geometry.thumb(at: on))
  }

  @Test func `a knob under a finger stays there when code changes the switch, and goes where it belongs afterwards`() {
    let (harness, view) = shown()
    harness.touch(.began, at: Point(x: 45, y: 55))
    view.isOn = true
    harness.advance(by: .milliseconds(300))
    #expect(view.knobFraction == 0)
    harness.touch(.moved, at: Point(x: 49, y: 55))
    #expect(abs(view.knobFraction - 0.2) < 0.01, "it goes as far as the finger")
    harness.touch(.cancelled, at: Point(x: 49, y: 55))
    harness.settle()
    #expect(view.isOn && view.knobFraction == 1)
  }
}
