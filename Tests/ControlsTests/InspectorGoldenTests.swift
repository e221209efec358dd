import ControlHarness
import ControlTools
import Controls
import Testing

/// Pictures of what the inspector is made of.
@MainActor @Suite(.serialized) struct InspectorGoldenTests {
  private static func list(_ probe: InspectableProbe, width: Double) -> View {
    let list = PropertyList()
    list.includes = { $0.group != "View" }
    list.target = probe
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
    // At a scale of 2 the same controls are in the catalogue's sheets; this one is the largest.
    ControlHarness.expectSheets("property-list", scales: [.one, Scale(1.5)]) {
      let sheet = ScreenshotSheet(columns: 2)
      sheet.add("wide", Self.list(probe, width: 360))
      sheet.add("narrow", Self.list(probe, width: 220))
      return sheet
    }
  }

  private static func outline(selecting item: Int) -> OutlineList {
    let list = OutlineList()
    list.items = [
      OutlineItem(
        id: 1, title: "CockpitPanel", detail: "“panel”",
        children: [
          OutlineItem(id: 2, title: "Backdrop", detail: "“backdrop”"),
          OutlineItem(
            id: 3, title: "InstrumentCluster", detail: "“cluster”",
            children: [OutlineItem(id: 4, title: "Speedometer"), OutlineItem(id: 5, title: "Beacon", isDimmed: true)]),
          OutlineItem(id: 6, title: "SteeringWheelWithAVeryLongName", detail: "“wheel of the car”"),
        ])
    ]
    list.open(levels: 1)
    list.selection = item
    return list
  }

  @Test func `outlines`() {
    ControlHarness.expectSheets("outline-list") {
      let sheet = ScreenshotSheet(columns: 2)
      let size = Size(width: 270, height: 270)
      sheet.add("closed", Self.outline(selecting: 3), size: size)
      sheet.add("open", Self.outline(selecting: 4), size: size)
      sheet.add("scrolled", Self.outline(selecting: 6), size: Size(width: 270, height: 100))
      sheet.add("narrow", Self.outline(selecting: 5), size: Size(width: 150, height: 270))
      return sheet
    }
  }
}
