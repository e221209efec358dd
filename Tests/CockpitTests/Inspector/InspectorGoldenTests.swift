import ControlHarness
import Controls
import Testing
import UICore

@testable import cockpit

/// The inspector open beside and over the cockpit.
@MainActor @Suite(.serialized) struct InspectorGoldenTests {
  private func open(_ size: Size, _ scale: Double = 1, _ page: String = "Properties") throws -> ControlHarness {
    var options = Options()
    options.steeringDegrees = -35
    options.showsBeacon = false
    let scene = CockpitScene()
    scene.apply(options)
    let harness = ControlHarness(size: size, scale: Scale(scale), root: scene, fonts: ControlHarness.screenFonts)
    scene.inspector.open()
    let panel = try #require(scene.inspector.panel)
    panel.chosenView = scene.wheel
    harness.settle()
    let pages = try #require(panel.view(named: "pages") as? ChoiceControl)
    // Narrow panels have pages with short names.
    let names = ["Views": "Tree", "Properties": "Edit", "State": "State", "Events": "Log"]
    pages.selectedIndex = try #require(pages.titles.firstIndex { $0 == page || $0 == names[page] })
    pages.sendActions(for: .valueChanged)
    harness.advance(by: .seconds(2))
    return harness
  }

  @Test(arguments: [1.0, 1.5]) func `beside the scene`(scale: Double) throws {
    try open(Size(width: 1280, height: 720), scale).expectGolden("inspector-1280x720@\(scale)", tolerance: 2)
  }

  @Test(arguments: ["Views", "Properties", "State"]) func `over the smallest scene`(page: String) throws {
    try open(Size(width: 480, height: 320), 1, page)
      .expectGolden("inspector-480x320-\(page.lowercased())@1.0", tolerance: 2)
  }

  @Test func `below an upright scene`() throws {
    try open(Size(width: 500, height: 900), 1, "State").expectGolden("inspector-500x900@1.0", tolerance: 2)
  }

  @Test func `events while a finger steers`() throws {
    let harness = try open(Size(width: 1280, height: 720), 1, "Events")
    let scene = try #require(harness.root as? CockpitScene)
    let start = scene.rim(0)
    harness.drag(from: start, to: scene.rim(20), holds: true)
    harness.advance(by: .milliseconds(300))
    harness.expectGolden("inspector-events-1280x720@1.0", tolerance: 2)
  }
}
