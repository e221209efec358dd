import ControlHarness
import Controls
import Testing

/// Pictures of labels: sizes, weights, sides, lines and scripts, under every theme, direction and scale.
@MainActor @Suite(.serialized) struct LabelGoldenTests {
  private static func label(_ text: String, _ set: (Label) -> Void = { _ in }) -> Label {
    let label = Label(text)
    set(label)
    return label
  }

  @Test func `styles, sides, lines, dots and scripts`() {
    // Chinese letters come from a font that stands in.
    ControlHarness.expectSheets("label", fonts: ControlHarness.chineseFonts) {
      let sheet = ScreenshotSheet(columns: 3)
      let size = Size(width: 150, height: 34)
      sheet.add("title", Self.label("412 km") { $0.textStyle = .title }, size: size)
      sheet.add("body", Self.label("Climate") { _ in }, size: size)
      sheet.add("caption", Self.label("Last service") { $0.textStyle = .caption }, size: size)
      sheet.add("bold", Self.label("Climate") { $0.fontWeight = .bold }, size: size)
      sheet.add(
        "own size and colour",
        Self.label("Brake") { label in
          label.fontSize = 22
          label.textColor = Color(hex: 0xe5484d)
        }, size: size)
      sheet.add("digits", Self.label("1.234.567 km") { $0.fontWeight = .semibold }, size: size)
      for (caption, alignment) in [("natural", HorizontalAlignment.leading), ("center", .center), ("right", .right)] {
        let label = Self.label("Seat heating") { $0.textAlignment = alignment }
        label.backgroundColor = Color(hex: 0x808890, alpha: 0.2)
        sheet.add(caption, label, size: size)
      }
      for truncation in [TextTruncation.tail, .middle, .head] {
        let label = Self.label("Rear window heating") { $0.truncation = truncation }
        label.backgroundColor = Color(hex: 0x808890, alpha: 0.2)
        sheet.add(truncation.rawValue, label, size: size)
      }
      let lines = "Hold the lever in N before you engage reverse gear; the car must stand still."
      for (caption, count) in [("as many lines as fit", 0), ("two lines", 2)] {
        sheet.add(
          caption,
          Self.label(lines) { label in
            label.numberOfLines = count
            label.textStyle = .caption
          }, size: Size(width: 150, height: 66))
      }
      sheet.add(
        "centred lines",
        Self.label("Brake\nto\nneutral") { label in
          label.numberOfLines = 3
          label.textAlignment = .center
          label.textStyle = .caption
        }, size: Size(width: 150, height: 66))
      sheet.add("Chinese", Self.label("方向盘加热"), size: size)
      sheet.add("Arabic", Self.label("مرحبا بالعالم"), size: size)
      sheet.add("both directions", Self.label("سرعة 120 km/h"), size: size)
      return sheet
    }
  }
}
