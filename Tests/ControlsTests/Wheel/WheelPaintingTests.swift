import CockpitControls
import ControlHarness
import Controls
import ScreenJudging
import ScreenshotTesting
import TestSupport
import Testing

/// Tests of a wheel painted right into the window: whatever cuts through it, no pixel differs from painting all.
@MainActor @Suite(.serialized) struct WheelPaintingTests {
  /// The harness compares every frame with one in which everything is painted.
  @Test(arguments: [Scale.one, Scale(1.5), Scale(2)])
  func `damage of others that cuts through spokes leaves them as they were`(scale: Scale) {
    let root = RootView()
    root.backgroundColor = Color(hex: 0x7f5a33)
    let harness = ControlHarness(size: Size(width: 140, height: 140), scale: scale, root: root)
    let wheel = SteeringWheel(frame: Rect(x: 10, y: 10, width: 120, height: 120))
    let patch = View(frame: Rect(x: 0, y: 0, width: 30, height: 22))
    root.addSubview(wheel)
    root.addSubview(patch)
    harness.frame()
    var random = Random(7)
    for step in 0..<60 {
      if step % 3 != 0 { wheel.angle = random.number(-450, 450) }
      if step % 4 != 0 {
        patch.frame.origin = Point(
          x: random.number(0, 110), y: random.number(0, 110))
        patch.backgroundColor = Color(hex: 0x224466).withAlpha(random.number(0, 0.8))
      }
      harness.frame()
    }
    #expect(harness.frameCount > 50)
  }

  @Test func `two wheels in one window both have their spokes`() {
    let harness = ControlHarness(size: Size(width: 240, height: 120))
    for x in [0.0, 120] { harness.root.addSubview(SteeringWheel(frame: Rect(x: x, y: 0, width: 120, height: 120))) }
    harness.frame()
    let shown = harness.shown
    let differences = (0..<120).reduce(0) { sum, y in
      sum + (0..<120).count { shown[$0, y] != shown[$0 + 120, y] }
    }
    #expect(differences == 0)
  }

  @Test func `a wheel in a clipped, moved or fading view is painted like any other`() {
    let harness = ControlHarness(size: Size(width: 140, height: 140))
    let holder = View(frame: Rect(x: 20, y: 20, width: 100, height: 100))
    let wheel = SteeringWheel(frame: Rect(x: -20.25, y: -30, width: 120, height: 120))
    holder.addSubview(wheel)
    harness.root.addSubview(holder)
    harness.frame()
    for step in 0..<24 {
      wheel.angle = Double(step) * 13
      if step % 5 == 4 { holder.frame.origin.x += 0.75 }
      if step % 6 == 5 { holder.alpha = step % 4 == 1 ? 0.6 : 1 }
      if step == 15 { wheel.isEnabled = false }
      if step == 20 { wheel.isEnabled = true }
      harness.frame()
    }
    #expect(wheel.angle == 299)
  }

  @Test(arguments: [Theme.dark, .light])
  func `a hub without a horn has a cap, lit from above, with a middle that is lit the other way round`(theme: Theme) {
    let harness = ControlHarness(size: Size(width: 180, height: 180))
    harness.root.theme = theme
    let wheel = SteeringWheel(frame: Rect(x: 10, y: 10, width: 160, height: 160))
    harness.root.addSubview(wheel)
    harness.frame()
    let radius = wheel.geometry.hubRadius
    func light(_ distance: Double) -> Double { Contrast.luminance(harness.shown[90, 90 + Int(distance * radius)]) }
    #expect(light(-0.8) > light(0.8) * 1.2 && light(-0.5) * 1.1 < light(0.5))
  }
}
