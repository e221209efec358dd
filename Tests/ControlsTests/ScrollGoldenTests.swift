import ControlHarness
import Controls
import Testing

/// A column of lines to look at.
private final class Lines: View {
  override func draw(_ canvas: Canvas) {
    for line in 0..<24 {
      let y = Double(line) * 28
      canvas.draw(
        "Line \(line + 1)", at: Point(x: 60, y: y + 14), font: theme.font(.caption), theme.label, anchor: .center)
      canvas.fill(Path(rect: Rect(x: 12, y: y + 27, width: bounds.width - 12, height: 1)), theme.hairline)
    }
  }
}

@MainActor @Suite(.serialized) struct ScrollGoldenTests {
  private func scroll(_ size: Size, at offset: Point) -> ScrollView {
    let scroll = ScrollView()
    let lines = Lines(frame: Rect(origin: .zero, size: size))
    lines.isUserInteractionEnabled = false
    scroll.contentView.addSubview(lines)
    scroll.contentOffset = offset
    scroll.backgroundColor = Color(white: 0.5, alpha: 0.12)
    scroll.flashIndicators()
    return scroll
  }

  @Test func `content and indicators at the start, in the middle, at the end, and both ways`() {
    ControlHarness.expectSheets("scroll") {
      let sheet = ScreenshotSheet(columns: 4)
      let (tall, size) = (Size(width: 120, height: 672), Size(width: 120, height: 140))
      sheet.add("start", scroll(tall, at: .zero), size: size)
      sheet.add("middle", scroll(tall, at: Point(x: 0, y: 250)), size: size)
      sheet.add("end", scroll(tall, at: Point(x: 0, y: 9999)), size: size)
      sheet.add("both ways", scroll(Size(width: 300, height: 672), at: Point(x: 60, y: 180)), size: size)
      return sheet
    }
  }
}
