import ControlHarness
import Controls
import Testing

/// A responder that handles the chosen events.
private final class Link: View {
  let log: Log
  var handles = false
  var detour: View?

  init(_ name: String, log: Log) {
    self.log = log
    super.init(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    self.name = name
  }

  override var next: View? { detour ?? super.next }
  override var canBecomeFirstResponder: Bool { true }

  override func touchesBegan(_ touches: [Touch]) { note("began") { super.touchesBegan(touches) } }
  override func touchesMoved(_ touches: [Touch]) { note("moved") { super.touchesMoved(touches) } }
  override func touchesEnded(_ touches: [Touch]) { note("ended") { super.touchesEnded(touches) } }
  override func touchesCancelled(_ touches: [Touch]) { note("cancelled") { super.touchesCancelled(touches) } }
  override func handleKey(_ event: KeyEvent) -> Bool {
    note("key") {}
    return handles
  }
  override func handleScroll(at point: Point, dx: Double, dy: Double) -> Bool {
    note("scroll") {}
    return handles
  }

  /// Notes an event, and passes on what it does not handle.
  private func note(_ what: String, passOn: () -> Void) {
    log.add("\(name) \(what)")
    if !handles { passOn() }
  }
}

@MainActor @Suite(.serialized) struct ResponderTests {
  private let log = Log()
  private let harness = ControlHarness(size: Size(width: 100, height: 100))
  private let links: [Link]
  private let place = Point(x: 50, y: 50)

  init() {
    links = [Link("a", log: log), Link("b", log: log), Link("c", log: log)]
    harness.root.addSubview(links[0])
    links[0].addSubview(links[1])
    links[1].addSubview(links[2])
    harness.frame()
  }

  /// All four phases, a key and the wheel, on the innermost view.
  private func everything() {
    links[2].becomeFirstResponder()
    harness.touch(.began, at: place)
    harness.touch(.moved, at: place)
    harness.touch(.ended, at: place)
    harness.touch(.began, at: place)
    harness.touch(.cancelled, at: place)
    harness.press(.home)
    harness.root.handle(.scroll(ControlHarness.seat, at: place, dx: 0, dy: 1))
  }

  @Test func `K10: what nobody handles goes up the whole chain, in all four phases`() {
    everything()
    let expected = ["began", "moved", "ended", "began", "cancelled", "key", "scroll"].flatMap { what in
      ["c \(what)", "b \(what)", "a \(what)"]
    }
    #expect(log.take() == expected)
  }

  @Test func `K10: what a view handles goes no further`() {
    links[1].handles = true
    everything()
    let expected = ["began", "moved", "ended", "began", "cancelled", "key", "key", "scroll"]
    // The key's way up again goes straight to who took it.
    var ways = expected.flatMap { ["c \($0)", "b \($0)"] }
    ways.remove(at: ways.lastIndex(of: "c key") ?? 0)
    #expect(log.take() == ways)
  }

  @Test func `K10: a view may name another next`() {
    let apart = Link("apart", log: log)
    apart.handles = true
    harness.root.insertSubview(apart, at: 0)
    links[2].detour = apart
    harness.tap(place)
    #expect(log.take() == ["c began", "apart began", "c ended", "apart ended"])
  }

  @Test func `K10: without interaction a view gets none of the four`() {
    links[1].isUserInteractionEnabled = false
    harness.tap(place)
    #expect(log.take() == ["a began", "a ended"])
    links[1].isUserInteractionEnabled = true
    harness.touch(.began, at: place)
    _ = log.take()
    links[1].isUserInteractionEnabled = false
    #expect(log.take() == ["c cancelled", "b cancelled", "a cancelled"])
    harness.touch(.moved, at: place)
    harness.touch(.ended, at: place)
    #expect(log.take().isEmpty)
  }

  @Test func `K10: the first responder is next to nobody when it leaves`() {
    #expect(links[2].becomeFirstResponder() && links[2].isFirstResponder)
    links[1].removeFromSuperview()
    #expect(harness.root.firstResponder == nil)
    harness.press(.home)
    #expect(log.take().isEmpty)
    #expect(!links[2].becomeFirstResponder(), "without a window there are no keys")
  }

  @Test func `inside a disabled control nothing takes keys or orders of assistive technology`() {
    final class Composite: Control {}
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    let composite = Composite(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let slider = Slider(frame: Rect(x: 0, y: 0, width: 100, height: 40))
    composite.addSubview(slider)
    harness.root.addSubview(composite)
    harness.frame()
    #expect(harness.root.keyStops.contains { $0 === slider } && slider.becomeFirstResponder())
    composite.isEnabled = false
    #expect(!slider.isFirstResponder && !slider.becomeFirstResponder())
    #expect(!harness.root.keyStops.contains { $0 === slider } && slider.isAccessibilityDisabled)
    #expect(throws: AccessibilityRefusal.self) { try slider.carryOut(.setValue(1)) }
    #expect(slider.value == 0)
    composite.isEnabled = true
    slider.alpha = 0.005
    #expect(!harness.root.keyStops.contains { $0 === slider }, "nor can a finger hit it")
  }
}
