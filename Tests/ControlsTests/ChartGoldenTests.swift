import ControlHarness
import Controls
import Glibc
import Testing

/// Pictures of charts.
@MainActor @Suite(.serialized) struct ChartGoldenTests {
  private func chart(_ set: (Chart) -> Void) -> Chart {
    let chart = Chart(frame: Rect(x: 0, y: 0, width: 240, height: 130))
    set(chart)
    return chart
  }

  private func wave(_ count: Int, _ period: Double, _ height: Double) -> [Double] {
    (0..<count).map { height * sin(Double($0) / period * 2 * .pi) }
  }

  private func sheet() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 2)
    sheet.add("no numbers", chart { $0.addSeries() })
    sheet.add(
      "a few",
      chart {
        $0.addSeries()
        $0.append(contentsOf: [3, 5, 4, 8, 7, 12, 9])
      })
    sheet.add(
      "two lines",
      chart {
        $0.addSeries("a")
        $0.addSeries("b")
        $0.append(contentsOf: wave(120, 60, 40), to: 0)
        $0.append(contentsOf: wave(120, 35, 25).map { $0 + 10 }, to: 1)
      })
    sheet.add(
      "area",
      chart {
        $0.style = .area
        $0.addSeries()
        $0.append(contentsOf: wave(100, 50, 1).map { $0 + 0.4 })
      })
    sheet.add(
      "half a million, one peak",
      chart {
        $0.addSeries()
        var values = wave(500_000, 90, 1)
        for index in 200_000..<300_000 { values[index] *= 0.2 }
        values[130_000] = 6
        $0.append(contentsOf: values)
      })
    sheet.add(
      "a gap, limits of its own",
      chart {
        ($0.minimumValue, $0.maximumValue) = (0, 100)
        $0.addSeries(color: Color(hex: 0x6d4aff))
        $0.append(contentsOf: [20, 30, 60, .nan, 50, 90, 130, 80])
      })
    return sheet
  }

  @Test func `charts of few and of many numbers`() {
    ControlHarness.expectSheets("chart", scales: [.one, Scale(1.5)], themes: .four) { sheet() }
  }
}
