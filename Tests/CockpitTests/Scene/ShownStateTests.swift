import CockpitControls
import ControlHarness
import Controls
import ScreenshotTesting
import TestSupport
import Testing
import UICore
import Witnessing

@testable import cockpit

/// The scene's own pixels, read by the witness' reader: in every size, scale, look, language and direction the instruments are recognised,
/// and each kind of fault is found.
@MainActor @Suite(.serialized) struct ShownStateTests {
  nonisolated struct Window: Sendable, CustomTestStringConvertible {
    let width, height: Int
    var testDescription: String { "\(width)x\(height)" }

    static let all = [
      (480, 320), (640, 360), (800, 480), (1024, 600), (1280, 720), (1280, 800), (1920, 1080), (2560, 1080), (600, 600),
      (1000, 800),
      (400, 640), (720, 1280), (3840, 2160), (480, 440), (920, 320), (840, 360),
    ].map { Window(width: $0.0, height: $0.1) }
  }

  static let looks = [false, true].flatMap { isLight in
    [false, true].map { SceneLook(isLight: isLight, hasHighContrast: $0) }
  }
  private static let states: [(ShownState, speed: Double?)] = [
    (ShownState(gear: .neutral, lamp: .ready), nil), (ShownState(gear: .forward(7), lamp: .driving), 83),
    (ShownState(gear: .reverse, lamp: .driving), 6), (ShownState(gear: .neutral, lamp: .stopped), 0),
    (ShownState(gear: .forward(10), lamp: .noLink), 108), (ShownState(gear: .forward(3), lamp: .taken), 47.6),
  ]

  func harness(_ window: Window, _ scale: Double) -> ControlHarness {
    let scene = CockpitScene()
    scene.drivesVehicle = true
    let size = Size(width: Double(window.width), height: Double(window.height))
    let harness = ControlHarness(size: size, scale: Scale(scale), root: scene, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    return harness
  }

  /// Shows `state` in the scene of `harness`, and returns the cells that the witness gets for it.
  func show(_ state: ShownState, speed: Double?, in harness: ControlHarness) throws -> [Cell] {
    let scene = try #require(harness.root as? CockpitScene)
    scene.gearbox.gear = state.gear
    (scene.cluster.speedometer.isKnown, scene.cluster.speedometer.speed) = (speed != nil, speed ?? 0)
    scene.cluster.beacon.status = state.lamp
    scene.car.showControls()
    harness.frame()
    return scene.cluster.cells(showing: state, factor: scene.scale.factor)
  }

  func faults(_ cells: [Cell], _ picture: Snapshot, _ reader: inout Reader) -> [String] {
    let shape = FrameShape(width: picture.size.width, height: picture.size.height, stride: picture.size.width)
    return cells.compactMap { cell in
      let reading = reader.read(cell, in: picture.pixels.span, shape)
      return reading == .right ? nil : "\(cell.subject) \(cell.text): \(reading)"
    }
  }

  @Test(arguments: Window.all) func `every instrument is read as what it shows`(window: Window) throws {
    defer { (Language.current, Language.direction) = (.english, .leftToRight) }
    var reader = Reader()
    var turn = 0
    for scale in window.width * window.height > 2_000_000 ? [1.0] : [1, 1.5, 2] {
      for (language, direction) in [
        (Language.english, LayoutDirection.leftToRight), (.chinese, .leftToRight), (.english, .rightToLeft),
      ] {
        (Language.current, Language.direction) = (language, direction)
        let harness = harness(window, scale)
        // Every state in every size, scale and language, the looks in turn.
        for (index, (state, speed)) in Self.states.enumerated() {
          let look = Self.looks[(index + turn) % Self.looks.count]
          (harness.root as? CockpitScene)?.adopt(look)
          let cells = try show(state, speed: speed, in: harness)
          #expect(cells.count == 4)
          let found = faults(cells, harness.shown, &reader)
          #expect(found == [], "\(window) at \(scale), \(language.code), \(look), \(state)")
        }
        turn += 1
      }
    }
  }

  @Test func `each kind of fault is found`() throws {
    let harness = harness(Window(width: 800, height: 480), 1)
    let (state, speed) = Self.states[1]
    let cells = try show(state, speed: speed, in: harness)
    let good = harness.shown
    var reader = Reader()
    #expect(faults(cells, good, &reader) == [])
    // Another state, or speed, than is commanded: each of its cells is named.
    let (scene, other) = (try #require(harness.root as? CockpitScene), Self.states[3].0)
    let claimed = scene.cluster.cells(showing: other, factor: 1)
    #expect(
      faults(claimed, good, &reader) == [
        "gear N: other(Optional(\"7\"))", "state STOPPED: other(Optional(\"DRIVING\"))", "brake BRAKE: otherLight",
      ])
    let slow = try show(state, speed: 88, in: harness)
    #expect(faults(slow, good, &reader).count == 1)
    // Faults of memory, in each cell.
    var generator = Random(40)
    for cell in cells {
      let area = cell.area
      func spoiled(_ change: (Int, Int, UInt32) -> UInt32) -> Snapshot {
        var picture = good
        for y in area.y..<area.y + area.height {
          for x in area.x..<area.x + area.width {
            picture.pixels[y * good.size.width + x] = change(x, y, good[x, y])
          }
        }
        return picture
      }
      let ground = good[area.x, area.y]
      for (name, picture) in [
        ("empty", spoiled { _, _, _ in 0 }), ("one colour", spoiled { _, _, _ in ground }),
        ("the left half covered", spoiled { x, _, old in x < area.x + area.width / 2 ? ground : old }),
        ("a row too low", spoiled { x, y, _ in good[x, y - 1] }),
        ("mirrored", spoiled { x, y, _ in good[2 * area.x + area.width - 1 - x, y] }),
        ("noise", spoiled { _, _, old in generator.below(3) == 0 ? ~old : old }),
        ("faint", spoiled { _, _, old in (old >> 3 & 0x1f1f1f) + 0x404040 }),
      ] {
        if name == "mirrored", cell.text == "--" { continue }
        #expect(!faults([cell], picture, &reader).isEmpty, "\(cell.subject): \(name)")
      }
    }
  }

  @Test func `hidden instruments, and scenes without them, give nothing to read`() throws {
    let harness = harness(Window(width: 800, height: 480), 1)
    let scene = try #require(harness.root as? CockpitScene)
    scene.cluster.brake.isHidden = true
    #expect(try show(Self.states[0].0, speed: nil, in: harness).map(\.subject) == [.gear, .speed, .state])
    scene.cluster.isHidden = true
    #expect(try show(Self.states[0].0, speed: nil, in: harness).isEmpty)
  }
}
