import ControlHarness
import Controls
import Testing

/// Pictures of progress bar and spinner in all their states.
@MainActor @Suite(.serialized) struct ProgressGoldenTests {
  private func bar(_ progress: Double, height: Double = 6, _ set: (ProgressBar) -> Void = { _ in }) -> ProgressBar {
    let bar = ProgressBar(frame: Rect(x: 0, y: 0, width: 160, height: height))
    bar.progress = progress
    set(bar)
    return bar
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 3)
    for (name, value) in [("nothing", 0.0), ("a little", 0.02), ("half", 0.5), ("nearly all", 0.99), ("all", 1)] {
      sheet.add(name, bar(value))
    }
    sheet.add("thin", bar(0.5, height: 3))
    sheet.add("nobody knows", bar(0) { $0.isIndeterminate = true })
    sheet.add(
      "colours of its own",
      bar(0.7) {
        $0.trackTintColor = Color(hex: 0x3b2f63)
        $0.progressTintColor = Color(hex: 0xffb020)
      })
    for (name, side) in [("spinner", 28.0), ("small", 16), ("large", 64)] {
      sheet.add(name, Spinner(frame: Rect(x: 0, y: 0, width: side, height: side)))
    }
    let coloured = Spinner(frame: Rect(x: 0, y: 0, width: 28, height: 28))
    coloured.tintColor = Color(hex: 0xff5147)
    sheet.add("coloured", coloured)
    let stopped = Spinner(frame: Rect(x: 0, y: 0, width: 28, height: 28))
    (stopped.isSpinning, stopped.hidesWhenStopped) = (false, false)
    sheet.add("stopped", stopped)
    return sheet
  }

  @Test func `progress bar and spinner in all their states`() {
    ControlHarness.expectSheets("progress", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }
}
