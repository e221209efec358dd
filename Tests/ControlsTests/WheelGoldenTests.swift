import CockpitControls
import ControlHarness
import Controls
import Testing

/// Pictures of steering wheel and horn: angles and states at three scales.
@MainActor @Suite(.serialized) struct WheelGoldenTests {
  nonisolated static let scales = [1.0, 1.5, 2]

  /// One picture for both directions: a car's controls are never mirrored.
  func expect(_ name: String, scale: Double, act: (ControlHarness, SteeringWheel, Horn) -> Void) {
    for (theme, direction) in ThemeAndDirection.all { expect(name, scale: scale, theme, direction, act: act) }
  }

  private func expect(
    _ name: String, scale: Double, _ theme: Theme, _ direction: LayoutDirection,
    act: (ControlHarness, SteeringWheel, Horn) -> Void
  ) {
    let root = RootView()
    root.backgroundColor = Color(hex: 0x10151c)
    root.theme = theme
    root.layoutDirection = direction
    let harness = ControlHarness(size: Size(width: 128, height: 128), scale: Scale(scale), root: root)
    let wheel = SteeringWheel(frame: Rect(x: 4, y: 4, width: 120, height: 120))
    root.addSubview(wheel)
    let horn = Horn(frame: wheel.hubFrame)
    root.addSubview(horn)
    harness.frame()
    act(harness, wheel, horn)
    harness.expectGolden("wheel-\(name)\(theme.isDark ? "" : "-light")@\(scale)")
  }

  @Test(arguments: [0.0, 45, -200, 450], scales)
  func `angles`(angle: Double, scale: Double) {
    expect("\(Int(angle))", scale: scale) { _, wheel, _ in wheel.angle = angle }
  }

  @Test(arguments: scales)
  func `states`(scale: Double) {
    expect("held", scale: scale) { harness, _, _ in harness.touch(.began, at: Point(x: 64, y: 8)) }
    expect("disabled", scale: scale) { _, wheel, horn in
      wheel.angle = 20
      wheel.isEnabled = false
      horn.isEnabled = false
    }
  }

  @Test(arguments: scales)
  func `a horn that sounds, 0.7 s after it was pressed`(scale: Double) {
    expect("horn", scale: scale) { harness, _, _ in
      harness.frameInterval = .milliseconds(350)
      harness.touch(.began, at: Point(x: 64, y: 64))
      harness.advance(by: .milliseconds(700))
    }
  }

  @Test(arguments: scales)
  func `a wheel without a horn`(scale: Double) {
    expect("bare", scale: scale) { _, wheel, horn in
      horn.isHidden = true
      wheel.angle = -30
    }
  }
}
