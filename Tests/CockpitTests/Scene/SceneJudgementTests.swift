import CockpitControls
import ControlHarness
import Controls
import DriveLink
import ScreenJudging
import ScreenshotTesting
import Testing
import UICore

@testable import cockpit

/// Judges the scene as its reader would, by its pixels: at seven sizes, by day and at night, at rest, driving, in reverse and
/// after a loss, with a vehicle's lamp and emergency stop too, in both languages, both directions and at two scales.
@MainActor @Suite(.serialized) struct SceneJudgementTests {
  /// A moment of the scene.
  nonisolated enum Moment: String, CaseIterable, Sendable {
    case rest, driving, reverse, loss
    /// A vehicle is driven, its link is lost, and the emergency stop is pressed.
    case stopped
  }

  nonisolated static let sizes = [
    (480, 320), (400, 640), (800, 480), (1280, 720), (1280, 800), (800, 1280), (3440, 1440),
  ]
  .map { Size(width: Double($0.0), height: Double($0.1)) }

  /// A language, a direction and a scale.
  nonisolated struct Setting: Sendable, CustomTestStringConvertible {
    var language = Language.english
    var direction = LayoutDirection.leftToRight
    var scale = Scale.one

    var testDescription: String { "\(language.code) \(direction) at \(scale)" }

    static let others = [
      Setting(language: .chinese), Setting(direction: .rightToLeft), Setting(scale: Scale(2)),
    ]
  }

  /// The scene of `size` in `look` at `moment`.
  private func harness(_ size: Size, _ look: SceneLook, _ moment: Moment, scale: Scale = .one) -> ControlHarness {
    let scene = CockpitScene()
    scene.adopt(look)
    scene.car.followsTelemetry = true
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
    case .stopped:
      scene.cluster.speedometer.isKnown = false
      scene.drivesVehicle = true
      scene.cluster.beacon.status = .noLink
      scene.stop?.press()
      scene.showLoss(LossNotice(reason: .emergencyStop, isStopped: true), ignored: [])
    }
    scene.car.showControls()
    let harness = ControlHarness(size: size, scale: scale, root: scene, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    // Until the motions of a start have ended.
    harness.advance(by: .seconds(3))
    return harness
  }

  @Test(arguments: sizes, SceneGoldenTests.Look.all)
  func `everything can be read, seen and hit`(size: Size, look: SceneGoldenTests.Look) throws {
    try judge(size, look, Setting())
  }

  @Test(arguments: sizes, Setting.others)
  func `so it can in Chinese, from right to left and at scale 2`(size: Size, setting: Setting) throws {
    for look in SceneGoldenTests.Look.all.prefix(2) { try judge(size, look, setting) }
  }

  private func judge(_ size: Size, _ look: SceneGoldenTests.Look, _ setting: Setting) throws {
    defer { (Language.current, Language.direction) = (.english, .leftToRight) }
    (Language.current, Language.direction) = (setting.language, setting.direction)
    var limits: ScreenJudge.Limits = look.look.hasHighContrast ? .highContrast : .init()
    // Half a point, for eyes that see points and not pixels.
    limits.offset *= setting.scale.factor
    // At a pixel a point the strokes of 12-point characters are thinner than a pixel: none has the whole colour of the text.
    if setting.language.code == .chinese, setting.scale == .one { limits.textContrast = 3 }
    for moment in Moment.allCases {
      let harness = harness(size, look.look, moment, scale: setting.scale)
      let judged = ScreenshotFonts.use(ControlHarness.screenFonts) {
        ScreenJudge(harness.root, picture: harness.shown, limits: limits)?.findings
      }
      let findings = try #require(judged)
      #expect(
        findings.isEmpty,
        """
        \(Int(size.width))x\(Int(size.height)) \(look.name) \(setting.testDescription), \(moment.rawValue): \(findings.count) findings
        \(findings.map(\.description).joined(separator: "\n"))
        """)
    }
  }

  /// A screen with many sizes of text looks restless, and none of them means anything: gear, speed, angle and letters of the gate, labels, and the
  /// letter on the knob. The card of a loss may add its cause's, an emergency stop its sign's.
  @Test(arguments: sizes) func `a screen has few sizes of text`(size: Size) throws {
    for moment in Moment.allCases {
      let harness = harness(size, SceneLook(), moment)
      let record = try #require(ScreenshotFonts.use(ControlHarness.screenFonts) { harness.root.record() })
      let found = record.marks.compactMap { mark -> Double? in
        if case .text(_, let points, _) = mark.kind { (points * 2).rounded() / 2 } else { nil }
      }
      let most = 5 + (moment == .loss ? 1 : moment == .stopped ? 2 : 0)
      #expect(Set(found).count <= most, "\(size) \(moment.rawValue): \(Set(found).sorted())")
    }
  }

  @Test(arguments: SceneGoldenTests.Look.all)
  func `the ring around an ignored control stands out from every ground, and by its hue from the rim`(
    look: SceneGoldenTests.Look
  ) {
    let palette = CockpitTheme.matching(look.look.theme)
    let ring = palette.ignored
    for ground in palette.sky + palette.dashboard + [palette.plate] {
      #expect(Contrast.ratio(ring, ground) >= 3, "\(ground)")
    }
    // Brown has less red, slate less difference.
    #expect(ring.red >= 0.65 && ring.red - ring.blue >= 0.55, "\(ring)")
  }

  /// The pixels of `view` in a scene of 800 x 480.
  private func picture(_ look: SceneLook, of view: (CockpitScene) -> View, _ change: (CockpitScene) -> Void) throws
    -> Snapshot
  {
    let harness = harness(Size(width: 800, height: 480), look, .rest)
    let scene = try #require(harness.root as? CockpitScene)
    change(scene)
    scene.car.showControls()
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
