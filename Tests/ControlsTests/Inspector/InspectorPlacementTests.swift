import Testing
import UICore

@testable import ControlTools
@testable import Controls

/// Tables of where the inspector lies, and of what its log keeps.
@Suite struct InspectorPlacementTests {
  private typealias Kind = InspectorPlacement.Kind

  @Test(
    arguments: [
      (
        Size(width: 1280, height: 720), .beside, Rect(x: 922, y: 0, width: 358, height: 720),
        Size(width: 922, height: 720)
      ),
      (
        Size(width: 3840, height: 1080), .beside, Rect(x: 3420, y: 0, width: 420, height: 1080),
        Size(width: 3420, height: 1080)
      ),
      (
        Size(width: 800, height: 480), .beside, Rect(x: 480, y: 0, width: 320, height: 480),
        Size(width: 480, height: 480)
      ),
      (
        Size(width: 500, height: 900), .below, Rect(x: 0, y: 522, width: 500, height: 378),
        Size(width: 500, height: 522)
      ),
      (
        Size(width: 480, height: 320), .over, Rect(x: 220, y: 0, width: 260, height: 320), Size(width: 480, height: 320)
      ),
      (
        Size(width: 700, height: 400), .over, Rect(x: 350, y: 0, width: 350, height: 400), Size(width: 700, height: 400)
      ),
      (
        Size(width: 320, height: 480), .over, Rect(x: 0, y: 240, width: 320, height: 240), Size(width: 320, height: 480)
      ),
      (Size(width: 0, height: -4), .over, .zero, .zero),
    ] as [(Size, InspectorPlacement.Kind, Rect, Size)])
  func `places`(size: Size, kind: InspectorPlacement.Kind, panel: Rect, scene: Size) {
    let placement = InspectorPlacement(size: size, minimumScene: Size(width: 480, height: 320))
    #expect(placement.kind == kind && placement.panel == panel)
    #expect(placement.scene == Rect(origin: .zero, size: scene))
  }

  @Test func `from right to left the panel is at the left`() {
    let placement = InspectorPlacement(
      size: Size(width: 1280, height: 720), minimumScene: Size(width: 480, height: 320), direction: .rightToLeft)
    #expect(placement.panel.minX == 0 && placement.scene == Rect(x: 358, y: 0, width: 922, height: 720))
  }

  private func log(_ words: [(String, Int, Bool)]) -> [String] {
    var log = InspectorLog()
    for (index, word) in words.enumerated() {
      log.note(
        word.0, of: "view", view: word.1, at: MonotonicTime(nanoseconds: Int64(index)), goesOn: word.2)
    }
    return log.entries.map { "\($0.text) \($0.count)" }
  }

  @Test func `what goes on counts, what happens once begins anew`() {
    #expect(
      log([
        ("down", 1, false), ("moved", 1, true), ("changed", 1, true), ("moved", 1, true), ("moved", 2, true),
        ("changed", 1, true), ("up", 1, false), ("moved", 1, true), ("moved", 2, true),
      ]) == ["moved 1", "up 1", "moved 2", "changed 2", "moved 2", "down 1"])
  }

  @Test func `the latest fifty are kept, the latest first`() {
    let kept = log((0..<120).map { ("event \($0)", 1, false) })
    #expect(kept.count == 50 && kept.first == "event 119 1" && kept.last == "event 70 1")
  }
}
