import ControlHarness
import Controls
import Testing

/// Pictures of the slider and the switch in all their states.
@MainActor @Suite(.serialized) struct SliderGoldenTests {
  private func slider(_ value: Double, _ set: (Slider) -> Void = { _ in }) -> Slider {
    let slider = Slider(frame: Rect(x: 0, y: 0, width: 200, height: 31))
    slider.value = value
    set(slider)
    return slider
  }

  private func toggle(_ isOn: Bool, _ set: (Switch) -> Void = { _ in }) -> Switch {
    let view = Switch(frame: Rect(x: 0, y: 0, width: 51, height: 31))
    view.isOn = isOn
    set(view)
    return view
  }

  private func sliders() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 3)
    for (name, value) in [("at the minimum", 0.0), ("a little", 0.02), ("half", 0.5), ("at the maximum", 1)] {
      sheet.add(name, slider(value))
    }
    sheet.add("held", slider(0.5) { $0.isHighlighted = true })
    sheet.add("disabled", slider(0.5) { $0.isEnabled = false })
    sheet.add("square", slider(0.3) { $0.curvaceousness = 0 })
    sheet.add(
      "colours of its own",
      slider(0.7) {
        $0.trackTintColor = Color(hex: 0x3b2f63)
        $0.trackHighlightTintColor = Color(hex: 0xffb020)
        $0.thumbTintColor = Color(hex: 0x6d4aff)
      })
    let upright = Slider(frame: Rect(x: 0, y: 0, width: 31, height: 110))
    upright.orientation = .vertical
    upright.value = 0.3
    sheet.add("upright", upright)
    return sheet
  }

  private func switches() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 4)
    for isOn in [false, true] {
      let name = isOn ? "on" : "off"
      sheet.add(name, toggle(isOn))
      sheet.add("\(name), held", toggle(isOn) { $0.isHighlighted = true })
      sheet.add("\(name), disabled", toggle(isOn) { $0.isEnabled = false })
      sheet.add(
        "\(name), coloured",
        toggle(isOn) {
          $0.onTintColor = Color(hex: 0x6d4aff)
          $0.offTintColor = Color(hex: 0xffb020)
          $0.knobTintColor = Color(hex: 0xfff3d6)
        })
    }
    let large = Switch(frame: Rect(x: 0, y: 0, width: 84, height: 51))
    large.isOn = true
    sheet.add("large", large)
    return sheet
  }

  @Test func `the slider in all its states`() {
    ControlHarness.expectSheets("slider") { sliders() }
  }

  @Test func `the switch in all its states`() {
    ControlHarness.expectSheets("switch") { switches() }
  }

  @Test func `both with the keyboard's focus`() {
    for (theme, name) in [(Theme.light, "light"), (.dark, "dark")] {
      for scale in [1.0, 1.5, 2] {
        let root = RootView()
        root.theme = theme
        root.backgroundColor = theme.background
        let harness = ControlHarness(size: Size(width: 330, height: 56), scale: Scale(scale), root: root)
        let slider = slider(0.4)
        slider.frame = Rect(x: 16, y: 12, width: 200, height: 31)
        root.addSubview(slider)
        let toggle = toggle(true)
        toggle.frame = Rect(x: 250, y: 12, width: 51, height: 31)
        root.addSubview(toggle)
        harness.frame()
        harness.press(.tab)
        harness.expectGolden("slider-focused-\(name)@\(scale)", tolerance: 2)
        harness.press(.tab)
        harness.expectGolden("switch-focused-\(name)@\(scale)", tolerance: 2)
      }
    }
  }
}
