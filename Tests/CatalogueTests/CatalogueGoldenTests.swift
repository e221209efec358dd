import ControlHarness
import Controls
import Testing
import UICore

@testable import cockpit_catalogue

/// Pictures of the catalogue.
@MainActor @Suite(.serialized) struct CatalogueGoldenTests {
  private func catalogue(_ type: String, _ size: Size, scale: Double = 1) -> ControlHarness {
    let scene = CatalogueScene()
    let harness = ControlHarness(size: size, scale: Scale(scale), root: scene, fonts: ControlHarness.screenFonts)
    scene.show(type)
    harness.frame()
    return harness
  }

  @Test func `the catalogue at night`() {
    catalogue("RangeSlider", Size(width: 1280, height: 720)).expectGolden("catalogue-1280x720@1.0", tolerance: 2)
  }

  @Test func `by day, from right to left, with the list's row focused`() throws {
    let harness = catalogue("SteeringWheel", Size(width: 1280, height: 720))
    for name in ["dark", "rightToLeft"] { harness.tap(try #require(harness.root.view(named: name))) }
    for _ in 0..<3 { harness.press(.tab) }
    harness.settle()
    harness.expectGolden("catalogue-1280x720-light-rtl@1.0", tolerance: 2)
  }

  @Test(arguments: [1.0, 2]) func `in the smallest window`(scale: Double) {
    catalogue("Button", Size(width: 480, height: 320), scale: scale)
      .expectGolden("catalogue-480x320@\(scale)", tolerance: 2)
  }
}
