import CockpitControls
import ControlHarness
import Controls
import Testing

/// Pictures of the gearbox: gears, states, numbers of gears and sizes at three scales.
@MainActor @Suite(.serialized) struct GearboxGoldenTests {
  nonisolated static let scales = [1.0, 1.5, 2]

  /// One picture for both themes and both directions: a car's controls keep their colours and are never mirrored.
  func expect(
    _ name: String, scale: Double, size: Size = Size(width: 200, height: 310), set: (ThrottleGearbox) -> Void
  ) {
    for (theme, direction) in ThemeAndDirection.all {
      expect(name, scale: scale, size: size, theme, direction, set: set)
    }
  }

  private func expect(
    _ name: String, scale: Double, size: Size, _ theme: Theme, _ direction: LayoutDirection,
    set: (ThrottleGearbox) -> Void
  ) {
    let root = RootView()
    root.backgroundColor = Color(hex: 0x10151c)
    root.theme = theme
    root.layoutDirection = direction
    let harness = ControlHarness(size: size, scale: Scale(scale), root: root)
    let box = ThrottleGearbox(frame: Rect(origin: .zero, size: size))
    // What lies below the gate is empty: the pictures leave it out.
    if size.height == 310 { box.frame = Rect(origin: .zero, size: GearboxGeometry.articleSize) }
    root.addSubview(box)
    set(box)
    // Only the slot has colours of the theme.
    let tag = box.showsSlot && !theme.isDark ? "-light" : ""
    harness.expectGolden("gearbox-\(name)\(tag)@\(scale)", tolerance: 2)
  }

  @Test(arguments: [Gear.neutral, .reverse, .forward(1), .forward(5), .forward(10)], scales)
  func `gears`(gear: Gear, scale: Double) {
    expect("\(gear)", scale: scale) { $0.gear = gear }
  }

  @Test(arguments: scales)
  func `states`(scale: Double) {
    expect("disabled", scale: scale) {
      $0.gear = .forward(5)
      $0.isEnabled = false
    }
    expect("highlighted", scale: scale) {
      $0.gear = .forward(5)
      $0.isHighlighted = true
    }
  }

  @Test(arguments: scales)
  func `the focus, around the whole control`(scale: Double) {
    let root = RootView()
    root.backgroundColor = Color(hex: 0x10151c)
    root.theme = .dark
    let harness = ControlHarness(size: Size(width: 170, height: 250), scale: Scale(scale), root: root)
    let box = ThrottleGearbox(frame: Rect(x: 10, y: 10, width: 150, height: 230))
    box.fit = .filling
    root.addSubview(box)
    harness.frame()
    harness.press(.tab)
    #expect(box.isFocused)
    harness.expectGolden("gearbox-focused@\(scale)", tolerance: 2)
  }

  @Test(arguments: scales)
  func `five gears, numbers and slot`(scale: Double) {
    expect("five", scale: scale, size: Size(width: 200, height: 200)) {
      $0.gearCount = 5
      $0.fit = .filling
      $0.gear = .forward(4)
    }
    expect("numbers", scale: scale) {
      $0.gear = .forward(7)
      $0.showsGearNumbers = true
      $0.showsSlot = true
    }
  }

  @Test(arguments: scales)
  func `other sizes`(scale: Double) {
    expect("small", scale: scale, size: Size(width: 110, height: 165)) {
      $0.fit = .filling
      $0.gear = .forward(8)
    }
    expect("high", scale: scale, size: Size(width: 200, height: 480)) {
      $0.fit = .filling
      $0.gear = .forward(3)
      $0.showsGearNumbers = true
      $0.showsSlot = true
    }
  }
}
