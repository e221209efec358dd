import ControlHarness
import Controls
import Testing

/// Pictures of tab views.
@MainActor @Suite(.serialized) struct TabGoldenTests {
  private func tabs(_ set: (TabView) -> Void = { _ in }) -> TabView {
    let tabs = TabView(frame: Rect(x: 0, y: 0, width: 260, height: 130))
    for name in ["Drive", "Link", "About"] {
      let label = Label("The page \(name)")
      label.name = name
      label.backgroundColor = nil
      tabs.contentHost.addSubview(label)
    }
    set(tabs)
    return tabs
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 2)
    sheet.add("the first page", tabs())
    sheet.add("the second", tabs { $0.selectedIndex = 1 })
    sheet.add("titles of its own", tabs { $0.choices = "A long title|Another one|C" })
    sheet.add("disabled", tabs { $0.isEnabled = false })
    return sheet
  }

  @Test func `tab views`() {
    ControlHarness.expectSheets("tabs", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }
}
