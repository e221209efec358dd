import ControlHarness
import ControlTools
import Controls
import ScreenshotTesting
import Testing

/// The tests of docs/write-your-own-control.md. The page quotes this file; a test compares them.
@MainActor @Suite(.serialized) struct DialTests {
  @Test(
    arguments: [
      (0.5, [0, 27], 0.6), (0.5, [170, -170], 0.5 + 20 / 270), (0.9, [0, 100, 0], 0.9), (0.1, [0, -90], 0),
    ] as [(Double, [Double], Double)])
  func `a dial follows the finger's way`(start: Double, angles: [Double], value: Double) {
    var drag = DialDrag(value: start, angle: angles[0])
    var result = start
    for angle in angles.dropFirst() { result = drag.move(to: angle) }
    #expect(abs(result - value) < 1e-9)
  }

  @Test func `a drag says begin, each change, and end`() {
    let dial = Dial()
    let harness = ControlHarness(dial, size: Size(width: 100, height: 100))
    var events: [String] = []
    dial.addAction(for: .editingDidBegin) { _ in events.append("begin") }
    dial.addAction(for: .valueChanged) { events.append(String(Int(($0.value * 270).rounded()))) }
    dial.addAction(for: .editingDidEnd) { _ in events.append("end") }
    harness.touch(.began, at: Point(x: 50, y: 10))
    harness.touch(.moved, at: Point(x: 90, y: 50))
    harness.touch(.moved, at: Point(x: 90, y: 50))
    harness.touch(.ended, at: Point(x: 90, y: 50))
    #expect(events == ["begin", "90", "end"])
  }

  @Test func `whoever hears that it begins may take it away`() {
    let dial = Dial()
    let harness = ControlHarness(dial, size: Size(width: 100, height: 100))
    var events: [String] = []
    dial.addAction(for: .editingDidBegin) { $0.isEnabled = false }
    dial.addAction(for: .editingDidBegin) { _ in events.append("begin") }
    dial.addAction(for: .valueChanged) { _ in events.append("changed") }
    dial.addAction(for: [.editingDidEnd, .editingDidCancel]) { _ in events.append("end") }
    harness.drag(from: Point(x: 50, y: 10), to: Point(x: 90, y: 50))
    #expect(events == ["begin", "end"] && !dial.isTracking && !dial.isHighlighted)
    dial.isEnabled = true
    dial.becomeFirstResponder()
    harness.press(.up)
    #expect(events == ["begin", "end", "begin", "end"])
  }

  @Test func `arrow keys turn it, corners do not take fingers`() {
    let dial = Dial()
    let harness = ControlHarness(dial, size: Size(width: 100, height: 100))
    dial.becomeFirstResponder()
    harness.press(.up)
    #expect(abs(dial.value - 0.05) < 1e-9)
    harness.tap(Point(x: 3, y: 3))
    #expect(harness.root.hitTest(Point(x: 3, y: 3)) !== dial)
  }

  @Test func `a layout file makes one`() throws {
    var registry = ViewRegistry.controls
    registry.register(Dial.self) { Dial() }
    let file = try LayoutFile(
      text: ##"{"type": "Dial", "frame": [0, 0, 90, 90], "value": 0.25, "scaleTintColor": "#ffb020"}"##, name: "dial")
    let layout = LayoutView(registry: registry)
    try layout.load(file)
    #expect((layout.scene as? Dial)?.value == 0.25)
  }

  @Test func `it looks as it did`() throws {
    try verifyScreenshots(
      of: "dial", sizes: [Size(width: 120, height: 120)], scales: [.one, Scale(2)], themes: [.light, .dark],
      states: [
        .initial, ScreenshotState("half") { $0.value = 0.5 }, ScreenshotState("disabled") { $0.isEnabled = false },
      ]
    ) { Dial() }
  }
}
