// Owns the pictures of what the inspector is made of.
// Must not test what fingers and keys do.

import ControlHarness
import Controls
import Testing

@MainActor @Suite(.serialized) struct InspectorGoldenTests {
  private static func list(_ probe: InspectableProbe, width: Double) -> View {
    let list = PropertyList(of: probe)
    list.includes = { $0.group != "View" }
    list.reload()
    let ground = View(frame: Rect(origin: .zero, size: list.sizeThatFits(Size(width: width, height: 0))))
    list.frame = ground.bounds
    ground.addSubview(list)
    return ground
  }

  @Test func `properties of every kind, wide and narrow`() {
    let probe = InspectableProbe()
    probe.labelText = "Speed"
    probe.trackTintColor = Color(hex: 0x2dd4bf)
    probe.trackCount = 5
    probe.hole = Rect(x: 4, y: 4.5, width: 12, height: 80)
    ControlHarness.expectSheets("property-list") {
      let sheet = ScreenshotSheet(columns: 2)
      sheet.add("wide", Self.list(probe, width: 360))
      sheet.add("narrow", Self.list(probe, width: 220))
      return sheet
    }
  }
}
