import CockpitControls
import ControlHarness
import Controls
import Testing

/// Pictures of dials and lamps.
@MainActor @Suite(.serialized) struct GaugeGoldenTests {
  private func gauge(_ value: Double, side: Double = 180, _ set: (Gauge) -> Void = { _ in }) -> Gauge {
    let gauge = Gauge(frame: Rect(x: 0, y: 0, width: side, height: side))
    gauge.value = value
    set(gauge)
    return gauge
  }

  private func gauges() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 3)
    sheet.add("at rest", gauge(0))
    sheet.add("with a unit", gauge(64) { $0.unit = "KM/H" })
    sheet.add(
      "gear, parts in colours",
      gauge(87) {
        ($0.unit, $0.text, $0.textColor) = ("KM/H", "D", Color(hex: 0xffb020))
        $0.bands = [GaugeBand(60...80, Color(hex: 0xffb020)), GaugeBand(80...100, Color(hex: 0xff5147))]
      })
    sheet.add(
      "below zero",
      gauge(-12.5) {
        ($0.minimumValue, $0.maximumValue, $0.divisions, $0.fractionDigits) = (-40, 60, 5, 1)
        $0.tintColor = Color(hex: 0xd06fff)
      })
    sheet.add("nobody knows", gauge(50) { $0.isKnown = false })
    sheet.add("small", gauge(40, side: 90) { $0.unit = "V" })
    return sheet
  }

  @Test func `dials`() {
    ControlHarness.expectSheets("gauge", scales: [.one, Scale(1.5)], themes: .four) { gauges() }
  }

  private func lamp(_ text: String, _ isLit: Bool, _ color: UInt32? = nil, width: Double = 100) -> Lamp {
    let lamp = Lamp(text, tintColor: color.map { Color(hex: $0) })
    lamp.frame = Rect(x: 0, y: 0, width: width, height: 28)
    lamp.isLit = isLit
    return lamp
  }

  private func lamps() -> ScreenshotSheet {
    let sheet = ScreenshotSheet(columns: 3)
    sheet.add("off", lamp("READY", false))
    sheet.add("on", lamp("READY", true))
    sheet.add("red", lamp("BRAKE", true, 0xd02b20))
    sheet.add("amber", lamp("ABS", true, 0xffb020))
    sheet.add("green", lamp("GO", true, 0x34d058, width: 60))
    sheet.add("other letters", lamp("Ölstand", false, width: 110))
    return sheet
  }

  @Test func `lamps that are on and off`() {
    ControlHarness.expectSheets("lamp", scales: [.one, Scale(1.5)], themes: .four) { lamps() }
  }
}
