import ControlHarness
import Controls
import Testing

/// Pictures of the range slider in all its states.
@MainActor @Suite(.serialized) struct RangeSliderGoldenTests {
  /// A slider of 220 x 31 from 0.2 to 0.8, changed by `set`.
  private func slider(_ set: (RangeSlider) -> Void = { _ in }) -> RangeSlider {
    let slider = RangeSlider(frame: Rect(x: 0, y: 0, width: 220, height: 31))
    set(slider)
    return slider
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 3)
    sheet.add("from the first", slider())
    sheet.add("both at the ends", slider { ($0.lowerValue, $0.upperValue) = (0, 1) })
    sheet.add(
      "in one place",
      slider {
        $0.lowerValue = 0.4
        $0.upperValue = 0.4
      })
    sheet.add("disabled", slider { $0.isEnabled = false })
    sheet.add("square", slider { $0.curvaceousness = 0 })
    sheet.add("half round", slider { $0.curvaceousness = 0.5 })
    sheet.add(
      "colours of its own",
      slider {
        $0.trackTintColor = Color(hex: 0x3b2f63)
        $0.trackHighlightTintColor = Color(hex: 0xffb020)
        $0.thumbTintColor = Color(hex: 0x6d4aff)
      })
    sheet.add("no insets", slider { $0.insets = .zero })
    sheet.add("wide insets", slider { $0.insets = EdgeInsets(left: 50, right: 25) })
    let high = RangeSlider(frame: Rect(x: 0, y: 0, width: 220, height: 44))
    sheet.add("44 high", high)
    let upright = RangeSlider(frame: Rect(x: 0, y: 0, width: 31, height: 120))
    upright.orientation = .vertical
    upright.lowerValue = 0.1
    upright.upperValue = 0.6
    sheet.add("upright", upright)
    sheet.add("no room", RangeSlider(frame: Rect(x: 0, y: 0, width: 20, height: 31)))
    return sheet
  }

  @Test func `R3, R10: the range slider at rest`() {
    ControlHarness.expectSheets("range-slider") { sheet() }
  }

  @Test(arguments: [ScreenshotTheme.light, .dark])
  func `R11, O12: held by fingers, and with the keyboard's focus`(theme: ScreenshotTheme) {
    for scale in [1.0, 1.5, 2] {
      let root = RootView()
      root.theme = theme.theme
      root.backgroundColor = theme.theme.background
      let harness = ControlHarness(size: Size(width: 252, height: 190), scale: Scale(scale), root: root)
      let sliders = (0..<4).map { RangeSlider(frame: Rect(x: 16, y: 12 + 44 * Double($0), width: 220, height: 31)) }
      sliders.forEach(root.addSubview)
      harness.frame()
      sliders[3].focus(.lower)
      harness.press(.f11)
      // The focus ring goes with a touch, so the fingers are first.
      for (number, (slider, x)) in zip(sliders, [53.0, 110, 167]).enumerated() {
        root.handle(
          .touches([
            TouchPoint(
              id: ControlHarness.touchID(number), phase: .began,
              location: slider.frame.origin.offsetBy(dx: x, dy: 15), time: harness.host.now)
          ]))
      }
      harness.press(.f11)
      harness.expectGolden(
        "range-slider-held\(theme.name.isEmpty ? "" : "-" + theme.name)@\(scale)", tolerance: 2)
    }
  }
}
