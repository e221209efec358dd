import CockpitControls
import ControlHarness
import Controls
import DriveLink
import Glibc
import TestSupport
import Testing
import UICore
import Witnessing

@testable import cockpit

/// A right screen is never called wrong: random states of the drive in every size, scale, look, language and direction.
extension ShownStateTests {
  /// How many frames are read; COCKPIT_WITNESS_FRAMES asks for more. From 20,000 on, every setting of a window is among them.
  nonisolated private static let frameCount =
    getenv("COCKPIT_WITNESS_FRAMES").flatMap { Int(String(cString: $0)) } ?? 500

  /// A window, and how the scene looks in it.
  private struct Setting {
    let window: Window
    let scale: Double
    let look: SceneLook
    let language: Language
    let direction: LayoutDirection

    /// The settings of the largest windows get the fewest frames.
    var weight: Double {
      1 / max(Double(window.width * window.height) * scale * scale, 250_000)
    }

    func speak() { (Language.current, Language.direction) = (language, direction) }

    static let all = Window.all.flatMap { window in
      [1, 1.5, 2].flatMap { scale in
        looks.flatMap { look in
          [
            (Language.english, LayoutDirection.leftToRight), (.chinese, .leftToRight), (.english, .rightToLeft),
          ].map {
            Setting(window: window, scale: scale, look: look, language: $0.0, direction: $0.1)
          }
        }
      }
    }
  }

  private struct State {
    let shown: ShownState
    let speed: Double?
    let angle: Double

    init(_ random: inout Random) {
      let gear = random.below(12)
      shown = ShownState(
        gear: gear == 0 ? .reverse : gear == 1 ? .neutral : .forward(gear - 1),
        lamp: DriveLamp.allCases[random.below(DriveLamp.allCases.count)])
      speed = random.below(8) == 0 ? nil : random.number(0, random.below(4) == 0 ? 230 : 120)
      angle = random.number(-120, 120)
    }
  }

  private static func telemetry(_ random: inout Random) -> TelemetryPanel.Content {
    var content = TelemetryPanel.Content(nil, isStale: random.below(4) == 0, isRefused: random.below(8) == 0)
    content.battery = random.below(4) == 0 ? nil : random.below(101)
    content.link = random.below(4) == 0 ? nil : 10 * random.below(1000)
    content.warnings = random.below(4) == 0 ? ["motor hot"] : []
    return content
  }

  private static func notice(_ random: inout Random) -> LossNotice? {
    guard random.below(2) == 0 else { return nil }
    return LossNotice(
      reason: DriveReason.allCases[random.below(DriveReason.allCases.count)], isStillHeld: random.below(2) == 0)
  }

  @Test func `no frame of a whole window is called wrong`() throws {
    defer { (Language.current, Language.direction) = (.english, .leftToRight) }
    var random = Random(Self.frameCount)
    var reader = Reader()
    var (frames, read, covered, wrong) = (0, 0, 0, 0)
    let step = max(20_000 / Self.frameCount, 1)
    let settings = Setting.all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    let sum = settings.reduce(0) { $0 + $1.weight }
    for setting in settings {
      setting.speak()
      let harness = harness(setting.window, setting.scale)
      let scene = try #require(harness.root as? CockpitScene)
      scene.adopt(setting.look)
      for _ in 0..<Int((Double(Self.frameCount) * setting.weight / sum).rounded(.up)) {
        let state = State(&random)
        scene.wheel.angle = state.angle
        if random.below(8) == 0 { scene.cluster.showTelemetry(Self.telemetry(&random)) }
        if random.below(8) == 0 { scene.showLoss(Self.notice(&random), ignored: random.below(4) == 0 ? .lever : []) }
        let cells = try show(state.shown, speed: state.speed, in: harness)
        // While nothing is driven a card may lie over the instruments: such a frame is not judged.
        guard !scene.cluster.isOverlaid(on: scene.content) else {
          covered += 1
          continue
        }
        let found = faults(cells, harness.shown, &reader)
        frames += 1
        read += cells.count
        wrong += found.count
        #expect(
          found == [],
          "\(setting.window.testDescription) at \(setting.scale), \(setting.look), \(setting.language.code), \(setting.direction), \(state)"
        )
      }
    }
    #expect(covered * 4 < frames && read >= 3 * frames)
    print(
      "display: \(frames) frames in \(settings.count) settings, \(read) cells, \(wrong) called wrong; \(covered) covered"
    )
  }

  @Test func `no instrument of a window of any size is called wrong`() throws {
    defer { (Language.current, Language.direction) = (.english, .leftToRight) }
    var random = Random(Self.frameCount + 1)
    var reader = Reader()
    var (windows, read, wrong) = (0, 0, 0)
    let least = CockpitLayout.minimumSize
    while read < 20 * Self.frameCount {
      let setting = Setting.all[random.below(Setting.all.count)]
      setting.speak()
      let scale = [1, 1.25, 1.5, 1.75, 2, 3][random.below(6)]
      let window = Window(
        width: Int(least.width) + random.below(random.below(4) == 0 ? 1500 : 500),
        height: Int(least.height) + random.below(random.below(4) == 0 ? 1000 : 400))
      let harness = harness(window, scale)
      let scene = try #require(harness.root as? CockpitScene)
      scene.adopt(setting.look)
      if random.below(2) == 0 { scene.cluster.showTelemetry(Self.telemetry(&random)) }
      for _ in 0..<50 {
        let state = State(&random)
        scene.wheel.angle = state.angle
        let cells = try show(state.shown, speed: state.speed, in: harness)
        let found = faults(cells, harness.shown, &reader)
        read += cells.count
        wrong += found.count
        #expect(found == [], "\(window) at \(scale), \(setting.look), \(setting.language.code), \(state)")
      }
      windows += 1
    }
    print("display: \(windows) windows of any size, \(read) cells, \(wrong) called wrong")
  }
}
