import ControlHarness
import ControlTools
import Controls
import Testing

/// A control whose only initialiser is the superclass': what it needs is set up there.
private class PlainControl: Control {
  private(set) var setups = 0
  let mark = View()

  override init(frame: Rect = .zero) {
    super.init(frame: frame)
    setups += 1
    mark.isUserInteractionEnabled = false
    addSubview(mark)
  }

  override func layoutSubviews() { mark.frame = bounds.insetBy(dx: 2, dy: 2) }
}

/// A subclass with an initialiser of its own, which ends in the superclass'.
private final class NamedControl: PlainControl {
  init(named name: String) {
    super.init(frame: .zero)
    self.name = name
  }
}

@MainActor @Suite(.serialized) struct GuideTests {
  @Test func `K2: every way of making a control ends in one initialiser, which sets it up once`() throws {
    var registry = ViewRegistry()
    registry.register("PlainControl") { PlainControl() }
    let layout = LayoutView(registry: registry)
    try layout.load(LayoutFile(text: #"{"type": "PlainControl", "frame": [1, 2, 30, 40]}"#, name: "plain"))
    let fromFile = try #require(layout.scene as? PlainControl)
    for control in [
      PlainControl(), PlainControl(frame: Rect(x: 1, y: 2, width: 30, height: 40)), NamedControl(named: "a"), fromFile,
    ] {
      #expect(control.setups == 1)
      #expect(control.subviews.count == 1 && control.subviews[0] === control.mark)
    }
  }

  @Test func `K9: a size that is not known at the beginning is laid out when it comes`() {
    let control = PlainControl()
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    harness.root.addSubview(control)
    harness.frame()
    control.frame = Rect(x: 0, y: 0, width: 60, height: 20)
    harness.frame()
    #expect(control.mark.frame == Rect(x: 2, y: 2, width: 56, height: 16))
    control.frame = Rect(x: 0, y: 0, width: 20, height: 60)
    harness.frame()
    #expect(control.mark.frame == Rect(x: 2, y: 2, width: 16, height: 56))
  }

  @Test func `K11: what was drawn is kept until it is marked, however often things around it change`() {
    let (view, other) = (ProbeView(frame: Rect(x: 10, y: 10, width: 40, height: 40)), View())
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    harness.checksDamage = false
    harness.root.addSubview(view)
    harness.root.addSubview(other)
    harness.frame()
    let drawn = view.draws
    for step in 0..<20 {
      other.frame = Rect(x: Double(step), y: 20, width: 30, height: 9)
      other.backgroundColor = Color(hex: UInt32(step) * 1000)
      harness.frame()
    }
    #expect(view.draws == drawn)
    view.setNeedsDisplay()
    view.setNeedsDisplay()
    #expect(view.draws == drawn, "marking draws nothing yet")
    harness.frame()
    #expect(view.draws == drawn + 1)
  }
}
