import ControlHarness
import Controls
import Testing

/// Pictures of page views.
@MainActor @Suite(.serialized) struct PageGoldenTests {
  private func pages(_ index: Int, _ set: (PageView) -> Void = { _ in }) -> PageView {
    let view = PageView(frame: Rect(x: 0, y: 0, width: 240, height: 120))
    for name in ["Settings", "Network"] {
      let label = Label("The page \(name)")
      label.name = name
      view.contentHost.addSubview(label)
    }
    view.selectedIndex = index
    set(view)
    return view
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 2)
    sheet.add("the first page", pages(0))
    sheet.add("the second", pages(1))
    sheet.add("without a bar", pages(1) { $0.showsBar = false })
    return sheet
  }

  @Test func `page views`() {
    ControlHarness.expectSheets("pages", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }
}
