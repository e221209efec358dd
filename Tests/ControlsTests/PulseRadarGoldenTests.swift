import ControlExercises
import ControlHarness
import Controls
import Testing

/// Pictures of the radar.
@MainActor @Suite(.serialized) struct PulseRadarGoldenTests {
  @Test func `alone, with elements, in another colour, small`() {
    ControlHarness.expectSheets("radar") {
      let sheet = ScreenshotSheet(columns: 4)
      let size = Size(width: 150, height: 150)
      sheet.add("rings", PulseRadar(), size: size)
      let found = PulseRadar(frame: Rect(origin: .zero, size: size))
      for number in 0..<5 {
        let dot = Dot(frame: Rect(x: 0, y: 0, width: 22, height: 22))
        dot.number = number
        found.addElement(dot)
      }
      sheet.add("five found", found, size: size)
      let amber = PulseRadar()
      amber.pulseColor = Color(hex: 0xf59e0b)
      amber.ringCount = 5
      sheet.add("five rings", amber, size: size)
      sheet.add("small", PulseRadar(), size: Size(width: 48, height: 48))
      return sheet
    }
  }
}

/// Something that was found.
private final class Dot: View {
  var number = 0
  override func draw(_ canvas: Canvas) {
    canvas.fill(Path(circleAt: bounds.center, radius: 10), theme.panel)
    canvas.stroke(Path(circleAt: bounds.center, radius: 10), theme.accent, width: 1.5)
    canvas.draw("\(number + 1)", at: bounds.center, font: theme.font(.caption), theme.label, anchor: .center)
  }
}
