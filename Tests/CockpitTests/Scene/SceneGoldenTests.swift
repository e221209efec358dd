import ControlHarness
import Controls
import Testing
import UICore

@testable import cockpit

/// The scene as people see it, at the sizes that it is composed for.
@MainActor @Suite(.serialized) struct SceneGoldenTests {
  /// What the vehicle does.
  nonisolated enum Moment: String {
    /// In neutral, at 0 km/h.
    case rest
    /// Gear 7 at 83 km/h, the wheel 40 degrees to the right.
    case driving
    /// In reverse at 6 km/h, the wheel far to the left.
    case reverse
  }

  nonisolated static let sizes: [(Size, Double)] = [
    (Size(width: 480, height: 320), 1), (Size(width: 400, height: 640), 1), (Size(width: 800, height: 480), 1),
    (Size(width: 1280, height: 720), 1), (Size(width: 1280, height: 800), 1), (Size(width: 800, height: 1280), 1),
    (Size(width: 1920, height: 1080), 2), (Size(width: 3440, height: 1440), 1),
  ]
  /// Those whose pictures are small enough to be kept for each theme.
  nonisolated static var smallSizes: [(Size, Double)] { sizes.filter { $0.0.width * $0.1 <= 1280 } }

  private func expect(
    _ moment: Moment, _ size: Size, _ scale: Double, _ look: SceneLook = SceneLook(), _ tag: String = ""
  ) {
    var options = Options()
    switch moment {
    case .rest: break
    case .driving: (options.gear, options.steeringDegrees) = (.forward(7), 40)
    case .reverse: (options.gear, options.steeringDegrees) = (.reverse, -160)
    }
    let scene = CockpitScene()
    scene.apply(options)
    scene.adopt(look)
    // The speed is a vehicle's: the built-in car would begin at rest.
    scene.drive.followsTelemetry = true
    scene.cluster.speedometer.speed = moment == .driving ? 83 : moment == .reverse ? 6 : 0
    let harness = ControlHarness(size: size, scale: Scale(scale), root: scene, fonts: ControlHarness.screenFonts)
    let name = "scene-\(Int(size.width))x\(Int(size.height))-\(moment)\(look.isLight ? "-light" : "")\(tag)@\(scale)"
    harness.expectGolden(name, tolerance: 2)
  }

  @Test(arguments: sizes) func `driving, at every size`(size: Size, scale: Double) {
    expect(.driving, size, scale)
  }

  @Test(arguments: smallSizes) func `driving by day`(size: Size, scale: Double) {
    expect(.driving, size, scale, SceneLook(isLight: true))
  }

  @Test(arguments: smallSizes) func `at rest`(size: Size, scale: Double) {
    expect(.rest, size, scale)
    expect(.rest, size, scale, SceneLook(isLight: true))
  }

  @Test(arguments: smallSizes.prefix(4)) func `in reverse`(size: Size, scale: Double) {
    expect(.reverse, size, scale)
    expect(.reverse, size, scale, SceneLook(isLight: true))
  }

  @Test(arguments: [Size(width: 480, height: 320), Size(width: 1280, height: 720), Size(width: 800, height: 1280)])
  func `with more contrast`(size: Size) {
    for isLight in [false, true] {
      expect(.driving, size, 1, SceneLook(isLight: isLight, hasHighContrast: true), "-contrast")
    }
  }

  @Test(arguments: [1.5, 2.0]) func `the smallest scene at other scales`(scale: Double) {
    expect(.driving, Size(width: 480, height: 320), scale)
    expect(.driving, Size(width: 480, height: 320), scale, SceneLook(isLight: true))
  }

  @Test func `in Chinese, and where people read from right to left`() {
    let former = (Language.current, Language.direction)
    defer { (Language.current, Language.direction) = former }
    Language.current = .chinese
    for size in [Size(width: 480, height: 320), Size(width: 1280, height: 800)] {
      expect(.driving, size, 1, SceneLook(), "-zh")
      expect(.rest, size, 1, SceneLook(isLight: true), "-zh")
    }
    Language.current = .english
    Language.direction = .rightToLeft
    expect(.driving, Size(width: 1280, height: 720), 1, SceneLook(), "-rtl")
    expect(.driving, Size(width: 480, height: 320), 1, SceneLook(isLight: true), "-rtl")
  }
}
