import ControlHarness
import ControlTools
import Controls
import DriveLink
import ScreenJudging
import Testing
import UICore

@testable import cockpit

/// Tests of the banner's place and legibility: at every size, in every language, by day and at night.
@MainActor @Suite(.serialized) struct LossLayoutTests {
  /// Every notice that there may be.
  nonisolated static let notices: [LossNotice] =
    LossNotice.reasons.flatMap { reason in
      LossNotice.Means.allCases.flatMap { [($0, false), ($0, true)] }.map {
        LossNotice(reason: reason, means: $0.0, isStillHeld: $0.1)
      }
    }
    + LinkFault.allCases.map { fault in
      var notice = LossNotice(reason: .linkLost)
      (notice.isUnlinked, notice.fault) = (true, fault)
      return notice
    }

  /// The frames of controls and texts, in the window's coordinates.
  private func obstacles(_ scene: CockpitScene) -> [(String, Rect)] {
    let parts: [View] = [scene.gearbox, scene.wheel, scene.horn] + scene.cluster.subviews
    return parts.map { ($0.name, $0.windowFrame) }
  }

  private func expectFree(_ scene: CockpitScene, _ size: Size, _ notice: LossNotice) throws {
    let banner = try #require(scene.lossDisplay?.banner)
    let place = banner.windowFrame
    #expect(!banner.isHidden && !place.isEmpty)
    #expect(Rect(origin: .zero, size: size).union(place) == Rect(origin: .zero, size: size), "\(notice) at \(size)")
    for (name, part) in obstacles(scene) { #expect(!part.intersects(place), "\(notice) over \(name) at \(size)") }
    // The texts are whole, inside the card, and beside the sign.
    let text = banner.textFrame
    #expect(
      text.minY >= 2 && text.maxY <= banner.bounds.height - 2, "\(notice) at \(size): \(text) in \(banner.bounds)")
    #expect(text.maxX <= banner.bounds.width - 2, "\(notice) at \(size): \(text) in \(banner.bounds)")
  }

  @Test(arguments: CockpitLayoutTests.sizes)
  func `every notice is whole and covers neither a control nor another text, at any size`(size: Size) throws {
    defer { Language.current = .english }
    let scene = CockpitScene()
    let harness = ControlHarness(size: size, scale: Scale(0.25), root: scene, fonts: ControlHarness.chineseFonts)
    harness.checksDamage = false
    for language in [Language.english, .chinese] {
      Language.current = language
      for notice in Self.notices {
        scene.showLoss(notice, ignored: [])
        scene.prepareFrame(for: harness.host.now)
        try expectFree(scene, size, notice)
      }
    }
  }

  @Test(arguments: [Size(width: 1, height: 1), Size(width: 3, height: 900), Size(width: 32767, height: 1)])
  func `sizes below the minimum trap nowhere`(size: Size) {
    let scene = CockpitScene()
    scene.resize(to: size, scale: .one)
    scene.showLoss(LossNotice(reason: .hidden), ignored: [.lever, .wheel])
    scene.prepareFrame(for: .zero)
    #expect(scene.lossDisplay?.banner.isHidden == false)
  }

  @Test func `in a scene of other parts it covers no control either`() throws {
    let file = """
      {"type": "View", "subviews": [
        {"type": "ThrottleGearbox", "name": "gearbox", "anchors": {"right": 10, "top": 10, "width": 180, "height": 260}},
        {"type": "SteeringWheel", "name": "wheel", "anchors": {"left": 10, "top": 10, "width": 200, "height": 200}}]}
      """
    let scene = try CockpitScene(file: LayoutFile(text: file, name: "a scene"))
    let size = Size(width: 480, height: 320)
    scene.resize(to: size, scale: .one)
    scene.showLoss(LossNotice(reason: .lift), ignored: [])
    scene.prepareFrame(for: .zero)
    let place = try #require(scene.lossDisplay?.banner.windowFrame)
    #expect(
      !place.isEmpty && !place.intersects(scene.gearbox.windowFrame), "\(place) over \(scene.gearbox.windowFrame)")
    #expect(!place.intersects(scene.wheel.windowFrame), "\(place) over \(scene.wheel.windowFrame)")
    #expect(place.minX >= 0 && place.maxX <= size.width && place.minY >= 0 && place.maxY <= size.height)
  }

  @Test(arguments: [
    CockpitTheme.dark, .light, .matching(Theme.dark.withHighContrast), .matching(Theme.light.withHighContrast),
  ])
  func `texts have a contrast of 4.5, signs of 4.5 too, and the card's line of 3`(palette: CockpitTheme) {
    #expect(Contrast.ratio(palette.text, palette.panel) >= 4.5)
    #expect(Contrast.ratio(palette.onLamp, palette.amber) >= 4.5)
    #expect(Contrast.ratio(palette.amber, palette.panel) >= 3)
    for sky in palette.sky + palette.dashboard { #expect(Contrast.ratio(palette.amber, sky) >= 3, "marks on \(sky)") }
  }

  @Test func `each reason has words and a sign of its own`() {
    for language in [Language.english, .chinese] {
      let causes = LossNotice.reasons.map { LossNotice(reason: $0).cause(in: language) }
      #expect(Set(causes).count == causes.count && causes.count == 21)
    }
    let signs = LossNotice.reasons.map { reason in
      let sign = LossSign(reason)
      #expect(!sign.lines.isEmpty)
      #expect(
        Rect(x: 0, y: 0, width: 24, height: 24).union(sign.lines.bounds) == Rect(x: 0, y: 0, width: 24, height: 24))
      return sign.lines
    }
    #expect(Set(signs).count == signs.count)
  }
}
