import ControlHarness
import Controls
import ControlsUI
import Testing

/// Tests that a view stays as long as its place does, with what users do there.
@MainActor @Suite(.serialized) struct IdentityTests {
  private let pump = Pump()
  private let evaluations = Evaluations()

  @Test func `a finger stays on a slider while another property changes`() throws {
    let harness = shown(PumpPanel(pump: pump, evaluations: evaluations))
    let slider = try #require(harness.view("slider", Controls.Slider.self))
    let start = slider.windowFrame.center
    harness.drag(from: start, to: start + Point(x: 20, y: 0), steps: 2, holds: true)
    let before = slider.value
    (pump.name, pump.mode) = ("Pomp", "High")
    harness.frame()
    #expect(slider.isTracking && harness.view("slider") === slider && slider.value == before)
    harness.touch(.moved, at: start + Point(x: 80, y: 0))
    #expect(slider.value > before && pump.speed == slider.value)
    harness.touch(.ended, at: start + Point(x: 80, y: 0))
  }

  @Test func `the focus and a draft stay while another property changes`() throws {
    let harness = shown(PumpPanel(pump: pump, evaluations: evaluations))
    let field = try #require(harness.view("note", Controls.TextField.self))
    harness.tap(field)
    harness.type("dr")
    (pump.name, pump.speed) = ("Pomp", 1)
    harness.frame()
    #expect(field.isFirstResponder && field.draft == "dr" && pump.note.isEmpty)
    harness.press(.enter)
    #expect(pump.note == "dr")
  }

  @Test func `an animation goes on while another property changes`() throws {
    let harness = shown(PumpPanel(pump: pump, evaluations: evaluations))
    pump.isRunning = false
    harness.frame()
    #expect(harness.root.isAnimating, "the knob moves on its spring")
    pump.name = "Pomp"
    harness.frame()
    #expect(harness.root.isAnimating)
    harness.settle()
  }

  @Test func `the branches of an if are places of their own`() {
    let harness = shown(PumpNames(pump: pump))
    let runs = harness.view("runs")
    #expect(runs != nil && harness.view("stands") == nil)
    pump.isRunning = false
    harness.frame()
    #expect(harness.view("runs") == nil && harness.view("stands") != nil)
    #expect(runs?.superview == nil)
  }

  @Test func `an element that moves keeps its view and its state, and one that goes loses them`() throws {
    let harness = shown(PumpNames(pump: pump))
    let view = try #require(harness.view("b", Controls.Button.self))
    harness.tap(view)
    #expect(view.title == "b 1")
    pump.names = ["c", "b", "d"]
    harness.frame()
    #expect(harness.view("b") === view && view.title == "b 1" && harness.view("a") == nil)
    let shown = view.superview?.subviews.map(\.name) ?? []
    #expect(shown == ["runs", "c", "b", "d", ""])
    pump.names = ["a"]
    harness.frame()
    pump.names = ["b"]
    harness.frame()
    #expect(harness.view("b", Controls.Button.self)?.title == "b 0" && view.superview == nil)
  }

  @Test func `a finger stays on an element that moves`() throws {
    let harness = shown(PumpNames(pump: pump))
    let view = try #require(harness.view("b", Controls.Button.self))
    harness.touch(.began, at: view.windowFrame.center)
    pump.names = ["b", "x", "c"]
    harness.frame()
    #expect(view.isTracking)
    harness.touch(.ended, at: view.windowFrame.center)
    #expect(view.title == "b 1")
  }

  @Test func `two elements of one identity are one fault, and the first is shown`() {
    var faults: [String] = []
    let harness = shown(PumpNames(pump: pump))
    harness.root.onFault = { faults.append($0) }
    pump.names = ["a", "a", "b"]
    harness.frame()
    pump.names = ["a", "a", "c"]
    harness.frame()
    #expect(faults == ["two elements of a ForEach have the identity a: the first is shown"])
    #expect(harness.view("c") != nil)
  }

  @Test func `another id is another place`() throws {
    let host = HostingView(rootView: Counter(name: "x").id(1))
    let harness = ControlHarness(host, size: Size(width: 200, height: 60))
    let view = try #require(harness.view("x", Controls.Button.self))
    harness.tap(view)
    host.rootView = Counter(name: "x").id(1)
    harness.frame()
    #expect(harness.view("x") === view && view.title == "x 1")
    host.rootView = Counter(name: "x").id(2)
    harness.frame()
    #expect(harness.view("x") !== view && harness.view("x", Controls.Button.self)?.title == "x 0")
  }

  @Test func `what is no longer described is freed, and watches nothing`() {
    weak var view: Controls.View?
    do {
      let harness = shown(PumpPanel(pump: pump, evaluations: evaluations))
      view = harness.view("slider")
      #expect(view != nil)
      for host in harness.root.subviews { host.removeFromSuperview() }
    }
    #expect(view == nil)
    evaluations.reset()
    pump.name = "Pomp"
    #expect(evaluations.counts.isEmpty)
  }
}
