import BenchScenes
import ControlHarness
import Controls
import Testing

@testable import cockpit_bench

/// Tests of the scenes of LVGL's benchmark: that they move, and the same way each time.
@MainActor @Suite(.serialized) struct SceneTests {
  private static let size = Size(width: 800, height: 480)

  private func frames(_ scene: BenchScene) -> (harness: ControlHarness, damage: [Region]) {
    let stage = SceneStage(scene, size: Self.size)
    let harness = ControlHarness(size: Self.size, root: stage.root)
    var damage: [Region] = []
    for _ in 0..<12 {
      harness.host.now = harness.host.now + harness.frameInterval
      harness.frame()
      damage.append(harness.lastDamage)
    }
    withExtendedLifetime(stage) {}
    return (harness, damage)
  }

  @Test(arguments: BenchScene.allCases) func `a scene changes pixels in each frame, and the same ones in each run`(
    scene: BenchScene
  ) {
    let (first, second) = (frames(scene), frames(scene))
    #expect(first.harness.shown == second.harness.shown && first.damage == second.damage)
    // Things that stand at their turning point, or move by less than a point, stay for a frame.
    #expect(first.damage.dropFirst().count { !$0.isEmpty } >= 9, "\(first.damage.map(\.area))")
  }

  @Test func `the scenes have as many things as LVGL's on a display of this size`() {
    for (scene, count) in [
      (BenchScene.singleRectangle, 1), (.multipleRectangles, 9), (.opaqueImages, 18), (.clearImages, 18),
      (.rotatedImages, 18), (.multipleLabels, 28), (.multipleArcs, 18), (.containers, 6), (.containersWithOverlay, 7),
    ] {
      #expect(SceneStage(scene, size: Self.size).root.subviews.count == count, "\(scene)")
    }
  }

  @Test func `a card whose parts fade by themselves is another picture than one that fades as a whole`() {
    let (parts, whole) = (frames(.containersWithOpacity).harness, frames(.containersInLayers).harness)
    #expect(parts.shown != whole.shown)
  }

  @Test func `the table has a row for each scene, and says what differs`() {
    var figures = Figures()
    figures.record(1234, "instructions a frame", "", client: "Controls", scene: "Empty screen")
    let lines = SceneTable.text(figures).split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("| ") }.count == 17)
    #expect(lines.contains { $0.hasPrefix("| Empty screen | the colour of the whole screen | 1,234 |") })
    #expect(lines.contains { $0.hasPrefix("- Rotated ARGB images: ") })
  }
}
