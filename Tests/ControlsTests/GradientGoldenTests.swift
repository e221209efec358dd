import ControlExercises
import ControlHarness
import Controls
import Testing

/// Pictures of gradients: angles, modes and stops under every theme, direction and scale.
@MainActor @Suite(.serialized) struct GradientGoldenTests {
  @Test("L1, L3, L-D3: angles in both modes, and stops")
  func sheets() {
    ControlHarness.expectSheets("gradient") {
      let sheet = ScreenshotSheet(columns: 4)
      let (first, last) = (Color(hex: 0x0ea5a0), Color(hex: 0x1e3a8a))
      let size = Size(width: 88, height: 44)
      for (mode, angles) in [(GradientAngleMode.unitSquare, [270.0, 0, 45, 120]), (.trueAngle, [270, 0, 45, 120])] {
        for angle in angles {
          let view = GradientView(from: first, to: last, angle: angle)
          view.angleMode = mode
          sheet.add("\(mode == .trueAngle ? "true " : "")\(Int(angle))°", view, size: size)
        }
      }
      let clear = GradientView(from: Color(hex: 0xf59e0b), to: nil, angle: 0)
      sheet.add("to clear", clear, size: size)
      let ramp = GradientView(from: nil, to: nil, angle: 0)
      ramp.stops = [0xf2c602, 0xf18a02, 0xed5002, 0xff0000].enumerated().map {
        .init(Double($0.offset) / 3, Color(hex: $0.element))
      }
      sheet.add("four stops", ramp, size: size)
      let steps = GradientView(from: nil, to: nil, angle: 0)
      steps.stops = [.init(0, first), .init(0.5, first), .init(0.5, last), .init(1, last)]
      sheet.add("a step", steps, size: size)
      sheet.add("no colours", GradientView(), size: size)
      return sheet
    }
  }
}
