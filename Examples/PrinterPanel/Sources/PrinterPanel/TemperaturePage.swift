import ControlsUI

/// The temperatures with their targets, and the fan.
struct TemperaturePage: View {
  @Bindable var printer: Printer

  var body: some View {
    VStack(spacing: 16) {
      TemperatureChart(heaters: printer.heaters).accessibilityLabel("Temperatures").grow()
      ForEach(printer.heaters) { HeaterRow(heater: $0) }
      LabelledSlider(
        title: "Fan", text: "\(Int((printer.fan * 100).rounded())) %", value: $printer.fan, limits: 0...1, step: 0.05)
    }
  }
}

/// A heater's target, which a slider sets.
struct HeaterRow: View {
  @Bindable var heater: Heater

  var body: some View {
    LabelledSlider(
      title: heater.id, text: heater.target > 0 ? "\(Int(heater.target))°" : "off", value: $heater.target,
      limits: 0...heater.limit, step: 5)
  }
}

/// A name, a slider and the value as a text.
struct LabelledSlider: View {
  let title: String
  let text: String
  let value: Binding<Double>
  let limits: ClosedRange<Double>
  let step: Double

  var body: some View {
    HStack(spacing: 12) {
      Text(title).frame(width: 72)
      Slider(value: value, in: limits, step: step).accessibilityLabel(title).grow()
      Text(text).multilineTextAlignment(.trailing).frame(width: 72)
    }
  }
}
