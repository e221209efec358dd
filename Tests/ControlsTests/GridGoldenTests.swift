import ControlHarness
import Controls
import Testing

/// Pictures of grids.
@MainActor @Suite(.serialized) struct GridGoldenTests {
  private func grid(_ set: (Grid) -> Void) -> Grid {
    let grid = Grid(frame: Rect(x: 0, y: 0, width: 260, height: 164))
    grid.insets = EdgeInsets(8)
    set(grid)
    return grid
  }

  private func form() -> Grid {
    grid { grid in
      grid.columnWeights = [0, 1]
      let speed = Slider()
      speed.value = 0.6
      for (name, view) in [("Name", TextField()), ("Speed", speed), ("Lights", Switch())] as [(String, View)] {
        grid.addSubview(Label(name))
        grid.addSubview(view)
      }
    }
  }

  private func pad() -> Grid {
    grid { grid in
      grid.columnCount = 3
      for number in 1...3 { grid.addSubview(Button("\(number)")) }
      grid.addSubview(Button("wide"), columnSpan: 2)
      grid.addSubview(Button("tall"), columnSpan: 1, rowSpan: 2)
      for name in ["a", "b"] { grid.addSubview(Button(name)) }
    }
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 2)
    sheet.add("a form: names as wide as they are", form())
    sheet.add("buttons over several cells", pad())
    return sheet
  }

  @Test func `grids of a form and of buttons`() {
    ControlHarness.expectSheets("grid", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }
}
