import Controls
import ControlsUI

/// A chart of the heaters' temperatures, which grows with them.
struct TemperatureChart: ViewRepresentable {
  let heaters: [Heater]

  func makeView(context: Context) -> Chart {
    let chart = Chart()
    chart.shownPointCount = 600
    (chart.minimumValue, chart.maximumValue) = (0, 300)
    for heater in heaters { chart.addSeries(heater.id) }
    return chart
  }

  func updateView(_ chart: Chart, context: Context) {
    for (number, heater) in heaters.enumerated() {
      chart.append(contentsOf: heater.readings.dropFirst(chart.pointCount(of: number)), to: number)
    }
  }
}
