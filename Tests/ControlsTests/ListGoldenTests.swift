import ControlHarness
import Controls
import Testing

/// Pictures of lists.
@MainActor @Suite(.serialized) struct ListGoldenTests {
  private func list(_ set: (ListView) -> Void = { _ in }) -> ListView {
    let list = ListView(frame: Rect(x: 0, y: 0, width: 220, height: 176))
    list.texts = ["Battery", "Link", "A name that is too long for its row", "Speed", "Heading", "Warnings"]
    set(list)
    return list
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 2)
    sheet.add("nothing selected", list())
    sheet.add("the third", list { $0.selection = 2 })
    sheet.add(
      "values, no lines",
      list {
        $0.showsSeparators = false
        $0.showRow = { row, index in row.detail = ["71 %", "12 ms", "a value", "8 km/h", "270°", "2"][index] }
        $0.selection = 1
      })
    sheet.add("empty", list { $0.texts = [] })
    return sheet
  }

  private func sections() -> ScreenshotSheet {
    func list(_ set: (ListView) -> Void = { _ in }) -> ListView {
      self.list {
        $0.sections = [
          ListSection("Drive", rowCount: 2), ListSection("A title that is too long for its header", rowCount: 4),
        ]
        set($0)
      }
    }
    let sheet = ScreenshotSheet(columns: 2)
    sheet.add("two sections", list())
    sheet.add("scrolled, with a selection", list { $0.selection = 4 })
    sheet.add("a low header, no lines", list { ($0.headerHeight, $0.showsSeparators) = (20, false) })
    sheet.add("without a title", list { $0.headings = ": 1|Drive: 0|Camera" })
    return sheet
  }

  @Test func `sections with their headers`() {
    ControlHarness.expectSheets("list-sections", scales: [.one, Scale(1.5)], themes: .four) { sections() }
  }

  @Test func `lists with and without a selection`() {
    ControlHarness.expectSheets("list", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }
}
