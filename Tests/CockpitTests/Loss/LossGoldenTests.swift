import ControlHarness
import Controls
import DriveLink
import ScreenshotTesting
import Testing
import UICore

@testable import cockpit

/// Pictures of every reason, a tenth of a second after the loss: the card as it lies in the scene, in each language, by day and
/// at night.
@MainActor @Suite(.serialized) struct LossGoldenTests {
  /// The size, language and theme of an image.
  nonisolated struct Look: Sendable, CustomTestStringConvertible {
    let size: Size
    let isChinese: Bool
    let isLight: Bool

    var testDescription: String { name }
    var name: String {
      "\(Int(size.width))x\(Int(size.height))-\(isChinese ? "zh" : "en")-\(isLight ? "light" : "dark")"
    }
  }

  nonisolated static let looks: [Look] = [(480, 320), (1280, 800)].flatMap { size in
    [false, true].flatMap { isChinese in
      [false, true].map { Look(size: Size(width: size.0, height: size.1), isChinese: isChinese, isLight: $0) }
    }
  }

  /// A scene in `look` that loses its driver by `reason`, a tenth of a second ago.
  private func lost(
    _ reason: DriveReason, _ look: Look, scale: Scale = .one, contrast: Bool = false
  ) -> ControlHarness {
    Language.current = look.isChinese ? .chinese : .english
    let scene = CockpitScene()
    scene.adopt(SceneLook(isLight: look.isLight, hasHighContrast: contrast, reducesMotion: false))
    scene.cluster.beacon.isEnabled = false
    let harness = ControlHarness(size: look.size, scale: scale, root: scene, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    let output = DriveOutput(
      scene: scene, isDeadMan: true, stream: DriveStream(rate: 50, at: harness.host.now), sink: nil)
    let finger = TouchID(seat: SeatID(0), contact: .finger(1))
    func touch(_ phase: TouchPoint.Phase, _ place: Point) {
      let event = InputEvent.touches([TouchPoint(id: finger, phase: phase, location: place, time: harness.host.now)])
      output.note(event)
      scene.handle(event)
      output.flush(at: harness.host.now)
    }
    touch(.began, scene.lever(.neutral))
    touch(.moved, scene.lever(.forward(3)))
    #expect(output.stream.line.state == .driving)
    output.noteLoss(reason)
    output.flush(at: harness.host.now)
    touch(.ended, scene.lever(.forward(3)))
    harness.host.now = harness.host.now + .milliseconds(100)
    harness.frame()
    withExtendedLifetime(output) {}
    return harness
  }

  @Test(arguments: looks) func `every reason, a tenth of a second after the loss`(look: Look) throws {
    defer { Language.current = .english }
    let slot = CockpitLayout(size: look.size).notice
    let margin = 8.0
    let area = PixelRect(
      x: Int(slot.minX - margin), y: Int(slot.minY - margin), width: Int(slot.width + 2 * margin),
      height: Int(slot.height + 2 * margin))
    let columns = look.size.width > 600 ? 2 : 3
    let rows = (LossNotice.reasons.count + columns - 1) / columns
    var sheet = Snapshot(size: PixelSize(width: area.width * columns, height: area.height * rows))
    for (index, reason) in LossNotice.reasons.enumerated() {
      let shown = lost(reason, look).shown
      for y in 0..<area.height {
        let target = ((index / columns) * area.height + y) * sheet.size.width + (index % columns) * area.width
        for x in 0..<area.width { sheet.pixels[target + x] = shown[area.x + x, area.y + y] }
      }
    }
    try ScreenshotReferences(besideFile: #filePath, folderName: "Goldens").verify(
      sheet, named: "losses-\(look.name)@1.0", tolerance: Tolerance(levels: 2))
  }

  @Test func `whole scenes after a loss`() {
    defer { Language.current = .english }
    let small = Look(size: Size(width: 480, height: 320), isChinese: false, isLight: false)
    lost(.lift, small).expectGolden("scene-lost-480x320@1.0", tolerance: 2)
    let large = Look(size: Size(width: 1280, height: 800), isChinese: true, isLight: true)
    lost(.compositorFrozen, large).expectGolden("scene-lost-1280x800-zh-light@1.0", tolerance: 2)
    let upright = Look(size: Size(width: 400, height: 640), isChinese: false, isLight: false)
    lost(.sensorLost, upright).expectGolden("scene-lost-400x640@1.0", tolerance: 2)
  }

  @Test func `a finger that is still down is shown as not obeyed`() {
    let scene = CockpitScene()
    scene.cluster.beacon.isEnabled = false
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene, fonts: ControlHarness.screenFonts)
    scene.showLoss(LossNotice(reason: .displayFault, isStillHeld: true), ignored: [.lever, .wheel])
    harness.frame()
    harness.expectGolden("scene-ignored-480x320@1.0", tolerance: 2)
  }
}
