import ControlHarness
import Controls
import DriveLink
import ScreenshotTesting
import Testing
import UICore

@testable import cockpit

/// Judges the scene as a person who reads it would, by its pixels: at six sizes, by day and at night, at rest, driving, in reverse
/// and after a loss.
@MainActor @Suite(.serialized) struct SceneJudgementTests {
  /// A moment of the scene.
  nonisolated enum Moment: String, CaseIterable, Sendable {
    case rest, driving, reverse, loss
  }

  nonisolated static let sizes = [(480, 320), (400, 640), (800, 480), (1280, 720), (800, 1280), (3440, 1440)].map {
    Size(width: Double($0.0), height: Double($0.1))
  }

  /// The scene of `size` in `look` at `moment`.
  private func harness(_ size: Size, _ look: SceneLook, _ moment: Moment) -> ControlHarness {
    let scene = CockpitScene()
    scene.adopt(look)
    scene.drive.followsTelemetry = true
    switch moment {
    case .rest: break
    case .driving:
      scene.gearbox.gear = .forward(7)
      scene.wheel.angle = 40
      scene.cluster.speedometer.speed = 83
    case .reverse:
      scene.gearbox.gear = .reverse
      scene.wheel.angle = -160
      scene.cluster.speedometer.speed = 6
    case .loss: scene.showLoss(LossNotice(reason: .lift), ignored: [.lever, .wheel])
    }
    scene.drive.showControls()
    let harness = ControlHarness(size: size, root: scene, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    // Until the motions of a start have ended.
    harness.advance(by: .seconds(3))
    return harness
  }

  @Test(arguments: sizes, SceneGoldenTests.Look.all)
  func `everything can be read, seen and hit`(size: Size, look: SceneGoldenTests.Look) throws {
    for moment in Moment.allCases {
      let harness = harness(size, look.look, moment)
      let judged = ScreenshotFonts.use(ControlHarness.screenFonts) {
        ScreenJudge(harness.root, picture: harness.shown, limits: look.look.hasHighContrast ? .highContrast : .init())?
          .findings
      }
      let findings = try #require(judged)
      #expect(
        findings.isEmpty,
        """
        \(Int(size.width))x\(Int(size.height)) \(look.name), \(moment.rawValue): \(findings.count) findings
        \(findings.map(\.description).joined(separator: "\n"))
        """)
    }
  }

  /// The pixels of `view` in a scene of 800 x 480.
  private func picture(_ look: SceneLook, of view: (CockpitScene) -> View, _ change: (CockpitScene) -> Void) throws
    -> Snapshot
  {
    let harness = harness(Size(width: 800, height: 480), look, .rest)
    let scene = try #require(harness.root as? CockpitScene)
    change(scene)
    scene.drive.showControls()
    harness.advance(by: .seconds(1))
    let box = Scale.one.pixelRect(covering: view(scene).windowFrame)
    var part = Snapshot(size: PixelSize(width: box.width, height: box.height))
    for y in 0..<box.height {
      for x in 0..<box.width { part.pixels[y * box.width + x] = harness.shown[box.x + x, box.y + y] }
    }
    return part
  }

  @Test(arguments: [SceneLook(), SceneLook(isLight: true)])
  func `eyes without red or green tell states apart by their shapes`(look: SceneLook) throws {
    func gear(_ gear: Gear) throws -> Snapshot {
      try picture(look, of: \.cluster.speedometer) { $0.gearbox.gear = gear }
    }
    let pairs: [(String, Snapshot, Snapshot)] = [
      ("N and R", try gear(.neutral), try gear(.reverse)), ("R and 7", try gear(.reverse), try gear(.forward(7))),
      (
        "brake and no brake", try picture(look, of: \.cluster.brake) { $0.gearbox.gear = .neutral },
        try picture(look, of: \.cluster.brake) { $0.gearbox.gear = .forward(7) }
      ),
      (
        "beacon and no beacon", try picture(look, of: \.cluster.beacon) { $0.cluster.beacon.isEnabled = true },
        try picture(look, of: \.cluster.beacon) { $0.cluster.beacon.isEnabled = false }
      ),
    ]
    for vision in ColorVision.allCases {
      for (name, a, b) in pairs {
        let difference = SignShape(a, for: vision).difference(from: SignShape(b, for: vision))
        #expect(difference >= 0.03, "\(name) for \(vision): \(difference) of the shape differs")
      }
    }
  }
}
