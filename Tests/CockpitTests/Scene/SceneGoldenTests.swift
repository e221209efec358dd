import ControlHarness
import Controls
import Testing
import UICore

@testable import cockpit

@MainActor @Suite(.serialized) struct SceneGoldenTests {
  private func scene(_ size: Size, _ scale: Double, _ change: (inout Options) -> Void) -> ControlHarness {
    var options = Options()
    change(&options)
    let scene = CockpitScene()
    scene.apply(options)
    return ControlHarness(size: size, scale: Scale(scale), root: scene)
  }

  @Test(arguments: [1.0, 1.5, 2.0]) func `the smallest scene`(scale: Double) {
    scene(Size(width: 480, height: 320), scale) { options in
      options.gear = .forward(7)
      options.steeringDegrees = -35
    }.expectGolden("scene-480x320@\(scale)", tolerance: 2)
  }

  @Test func `the scene on a tablet, at rest`() {
    scene(Size(width: 1280, height: 800), 1) { _ in }.expectGolden("scene-1280x800-N@1.0", tolerance: 2)
  }

  @Test func `the scene upright, in reverse, without its beacon`() {
    scene(Size(width: 400, height: 640), 1) { options in
      options.gear = .reverse
      options.steeringDegrees = 200
      options.showsBeacon = false
    }.expectGolden("scene-400x640-R@1.0", tolerance: 2)
  }

  @Test(arguments: [1.0, 1.5, 2.0]) func `the smallest scene by day`(scale: Double) {
    scene(Size(width: 480, height: 320), scale) { options in
      options.gear = .forward(7)
      options.steeringDegrees = -35
      options.theme = .light
    }.expectGolden("scene-480x320-light@\(scale)", tolerance: 2)
  }

  @Test func `the scene on a tablet by day, at rest, and with more contrast`() {
    let harness = scene(Size(width: 1280, height: 800), 1) { $0.theme = .light }
    harness.expectGolden("scene-1280x800-N-light@1.0", tolerance: 2)
    harness.root.theme = Theme.light.withHighContrast
    harness.frame()
    harness.expectGolden("scene-1280x800-N-light-contrast@1.0", tolerance: 2)
    harness.root.theme = Theme.dark.withHighContrast
    harness.frame()
    harness.expectGolden("scene-1280x800-N-contrast@1.0", tolerance: 2)
  }

  @Test(arguments: [Size(width: 480, height: 320), Size(width: 1280, height: 800)])
  func `the scene while it drives: 83 km/h, 40 degrees to the right, gear 7`(size: Size) {
    for theme in [ThemeChoice.dark, .light] {
      let harness = scene(size, 1) { options in
        options.gear = .forward(7)
        options.steeringDegrees = 40
        options.theme = theme
      }
      let scene = harness.root as? CockpitScene
      // The speed comes by telemetry: the built-in car would begin at rest.
      scene?.drive.followsTelemetry = true
      scene?.cluster.speedometer.speed = 83
      harness.frame()
      let name = "scene-\(Int(size.width))x\(Int(size.height))-driving\(theme == .light ? "-light" : "")@1.0"
      harness.expectGolden(name, tolerance: 2)
    }
  }
}
