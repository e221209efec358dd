import ControlTools
import Controls
import Testing

/// Tables of colours by hue, saturation and brightness.
@Suite struct HSBColorTests {
  @Test(
    arguments: [
      ("#ff0000", 0.0, 1.0, 1.0), ("#ffff00", 60, 1, 1), ("#00ff00", 120, 1, 1), ("#00ffff", 180, 1, 1),
      ("#0000ff", 240, 1, 1), ("#ff00ff", 300, 1, 1), ("#000000", 0, 0, 0), ("#ffffff", 0, 0, 1),
      ("#808080", 0, 0, 128.0 / 255), ("#804040", 0, 0.5, 128.0 / 255), ("#ff8000", 30.117_647, 1, 1),
    ] as [(String, Double, Double, Double)]) func `a colour's parts`(
      text: String, hue: Double, saturation: Double, brightness: Double
    ) throws
  {
    let color = try #require(Color(text: text))
    let parts = HSBColor(color)
    #expect(abs(parts.hue - hue) < 1e-6 && abs(parts.brightness - brightness) < 1e-9)
    #expect(abs(parts.saturation - saturation) < 0.01)
    #expect(parts.color.hexString == text)
  }

  @Test func `every colour comes back`() {
    for red in stride(from: 0, through: 255, by: 17) {
      for green in stride(from: 0, through: 255, by: 17) {
        for blue in stride(from: 0, through: 255, by: 51) {
          let color = Color(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: 0.5)
          let back = HSBColor(color).color
          let far = [color.red - back.red, color.green - back.green, color.blue - back.blue, color.alpha - back.alpha]
          #expect(far.allSatisfy { abs($0) < 1e-12 }, "\(color)")
        }
      }
    }
  }

  @Test func `greys keep the hue, black the saturation too, and red the end that it was at`() {
    let teal = HSBColor(hue: 174, saturation: 0.8, brightness: 0.8)
    #expect(HSBColor(Color(white: 0.5), known: teal).hue == 174)
    #expect(HSBColor(Color(white: 0.5), known: teal).saturation == 0)
    let black = HSBColor(.black, known: teal)
    #expect(black.hue == 174 && black.saturation == 0.8 && black.brightness == 0)
    let red = Color(hex: 0xff0000)
    #expect(HSBColor(red, known: HSBColor(hue: 360, saturation: 1, brightness: 1)).hue == 360)
    #expect(HSBColor(red, known: teal).hue == 0)
  }

  @Test(
    arguments: [
      (-20.0, 0.0), (400, 360), (.nan, 0), (.infinity, 360),
    ] as [(Double, Double)]) func `parts out of range are clamped`(given: Double, hue: Double)
  {
    let color = HSBColor(hue: given, saturation: given, brightness: given, alpha: given)
    #expect(color.hue == hue)
    #expect(color.saturation == min(hue, 1) && color.brightness == min(hue, 1) && color.alpha == min(hue, 1))
  }
}
