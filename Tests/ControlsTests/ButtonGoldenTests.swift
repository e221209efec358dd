import ControlHarness
import Controls
import Testing

/// Pictures of buttons: states, styles, pictures and alignment, under every theme, direction and scale.
@MainActor @Suite(.serialized) struct ButtonGoldenTests {
  /// A fan of three blades: a sign of one opacity.
  private static let fan = Picture(size: Size(width: 20, height: 20), scale: Scale(2)) { canvas in
    for blade in 0..<3 {
      canvas.saved {
        canvas.rotate(Double(blade) * 2 * .pi / 3 + 0.3, around: Point(x: 10, y: 10))
        canvas.fill(Path(ellipseIn: Rect(x: 7.4, y: 1, width: 5.2, height: 8.4)), .black)
      }
    }
    canvas.fill(Path(circleAt: Point(x: 10, y: 10), radius: 2), .black)
  }

  private static func button(_ title: String, _ style: ButtonStyle = .standard, _ set: (Button) -> Void = { _ in })
    -> Button
  {
    let button = Button(title, style: style)
    set(button)
    return button
  }

  @Test("K16: states and styles")
  func states() {
    ControlHarness.expectSheets("button-states") {
      let sheet = ScreenshotSheet(columns: 5)
      let states: [(String, Control.State)] = [
        ("normal", .normal), ("pressed", .highlighted), ("selected", .selected),
        ("selected, pressed", [.selected, .highlighted]), ("disabled", .disabled),
      ]
      for style in ButtonStyle.allCases {
        for (caption, state) in states {
          let button = Self.button("Defrost", style) { button in
            button.images[.normal].picture = Self.fan
            button.tintsImage = true
            button.isSelected = state.contains(.selected)
            button.isHighlighted = state.contains(.highlighted)
            button.isEnabled = !state.contains(.disabled)
          }
          sheet.add(
            state == .normal ? style.rawValue : caption, button, size: Size(width: 132, height: 44))
        }
      }
      return sheet
    }
  }

  @Test("K17: picture and title, alignment, insets")
  func layouts() {
    ControlHarness.expectSheets("button-layouts") {
      let sheet = ScreenshotSheet(columns: 4)
      for placement in ImagePlacement.allCases {
        let button = Self.button("Fan") { button in
          button.images[.normal].picture = Self.fan
          button.tintsImage = true
          button.imagePlacement = placement
        }
        sheet.add(placement.rawValue, button, size: Size(width: 120, height: 68))
      }
      for alignment in [HorizontalAlignment.leading, .center, .trailing, .left] {
        let button = Self.button("Fan") { button in
          button.images[.normal].picture = Self.fan
          button.tintsImage = true
          button.horizontalAlignment = alignment
        }
        sheet.add(alignment.rawValue, button, size: Size(width: 120, height: 44))
      }
      sheet.add(
        "title inset",
        Self.button("Fan") { button in
          button.images[.normal].picture = Self.fan
          button.tintsImage = true
          button.titleInsets = EdgeInsets(left: 14)
        }, size: Size(width: 120, height: 44))
      sheet.add("long title", Self.button("Rear window heating"), size: Size(width: 120, height: 44))
      sheet.add(
        "own colours",
        Self.button("Stop") { button in
          button.fillColors[.normal] = Color(hex: 0xd02b20)
          button.titleColors[.normal] = .white
          button.fontWeight = .bold
        }, size: Size(width: 120, height: 44))
      sheet.add(
        "round",
        Self.button("") { button in
          button.images[.normal].picture = Self.fan
          button.tintsImage = true
          button.cornerRadius = 22
        }, size: Size(width: 44, height: 44))
      return sheet
    }
  }
}
