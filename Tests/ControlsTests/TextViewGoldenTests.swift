import ControlHarness
import Controls
import Testing

/// Pictures of text views: states, wrapping, selections, both directions of writing.
@MainActor @Suite(.serialized) struct TextViewGoldenTests {
  private func view(_ text: String, _ set: (TextView) -> Void = { _ in }) -> TextView {
    let view = TextView(frame: Rect(x: 0, y: 0, width: 200, height: 96))
    view.text = text
    view.placeholder = "A note"
    set(view)
    return view
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 2)
    let text = "A first line that is wrapped where it ends.\n\nEnter began this one."
    sheet.add("lines", view(text))
    sheet.add("empty", view(""))
    sheet.add("disabled", view(text) { $0.isEnabled = false })
    sheet.add("right to left", view("שלום עולם, זו שורה ארוכה למדי\nEnglish 120"))
    sheet.add("centred", view("one\nand two") { $0.textAlignment = .center })
    sheet.add("a long word", view(String(repeating: "letters", count: 9)))
    return sheet
  }

  @Test func `text views`() {
    ControlHarness.expectSheets("text-views", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }

  @Test(arguments: ["caret", "selected", "scrolled", "composing"]) func `edited`(name: String) {
    for scale in [1.0, 1.5] {
      let root = RootView()
      root.theme = .dark
      root.backgroundColor = Theme.dark.panel
      let harness = ControlHarness(
        size: Size(width: 220, height: 120), scale: Scale(scale), root: root, fonts: ControlHarness.chineseFonts)
      let view = view("A first line that is wrapped.\n\nab שלום cd\nlast\nof\nall")
      view.frame.origin = Point(x: 10, y: 12)
      root.addSubview(view)
      harness.press(.tab)
      switch name {
      case "caret": harness.press(.end)
      case "selected":
        for _ in 0..<3 { harness.press(.down, .shift) }
      case "scrolled": harness.press(.end, .control)
      default:
        harness.press(.end)
        harness.compose(TextEdit(seat: ControlHarness.seat, preedit: "你好吗", preeditSelection: 0..<6))
      }
      harness.expectGolden("text-view-\(name)@\(scale)", tolerance: 2)
    }
  }
}
