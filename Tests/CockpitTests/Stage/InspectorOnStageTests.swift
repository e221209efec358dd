import ControlHarness
import Controls
import Glibc
import Shell
import Stage
import Testing
import UICore

@testable import cockpit

/// The test of the inspector in a real window: from the finger on its button to the text that other programs paste.
@MainActor @Suite(.serialized) struct InspectorOnStageTests {
  private let scene = CockpitScene()
  private let relay: ContentRelay
  private let keys: KeyCommands
  private let window: StageWindow
  private var stage: Stage { window.stage }

  init() throws {
    relay = ContentRelay(scene: scene)
    keys = KeyCommands(scene: scene)
    window = try StageWindow(relay, size: Size(width: 1280, height: 720))
  }

  private func refresh() { window.refresh() }

  private func tap(_ view: View) {
    let place = view.windowFrame.center
    stage.seat.touchDown(1, place.x, place.y)
    stage.seat.touchFrame()
    refresh()
    stage.seat.touchUp(1)
    stage.seat.touchFrame()
    refresh()
  }

  private func paste(_ copy: StageCopy) throws -> String {
    guard let paste = copy.paste(as: try #require(copy.types.first)) else { return "" }
    var bytes: [UInt8] = []
    for _ in 0..<200 where !paste.isComplete {
      refresh()
      bytes += paste.read()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `F12, a tap on the wheel, a tap on Copy as JSON: others paste the wheel as a scene file's part`() throws {
    stage.seat.keyboardEnter()
    for isDown in [true, false] { stage.seat.key(StageKeymap.Code.f12, isDown) }
    for _ in 0..<30 { refresh() }
    let panel = try #require(scene.inspector.panel)
    scene.wheel.lock = 270
    panel.chosenView = scene.wheel
    for _ in 0..<5 { refresh() }
    tap(try #require(panel.view(named: "copyAsJSON")))
    let text = try paste(try #require(stage.clipboard))
    #expect(text.contains("\"SteeringWheel\"") && text.contains("270"), "\(text)")
    window.end()
  }
}
