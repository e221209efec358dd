import ControlHarness
import Controls
import Shell
import Stage
import Testing
import UICore

@testable import cockpit

/// The real scene, held by fingers and the pointer whose devices go away again and again.
@MainActor @Suite(.serialized) struct CapabilityStressTests {
  @Test func `behaviour 9: no control stays lit when its device goes, a thousand times`() throws {
    FontLibrary.shared = ControlHarness.fonts
    let stage = Stage(checks: false)
    let descriptor = try #require(stage.connectClient())
    let application = try Application(clock: stage.clock) { descriptor }
    let scene = CockpitScene()
    scene.cluster.beacon.isEnabled = false
    application.openWindow(
      content: scene, options: WindowOptions(title: "x", applicationID: "x", size: Size(width: 480, height: 320)))
    func pass() {
      for _ in 0..<4 {
        try? application.step()
        stage.step()
      }
    }
    for _ in 0..<4 {
      pass()
      stage.nextRefresh()
    }
    let (lever, rim, horn) = (scene.lever(.neutral), scene.rim(0), scene.horn.windowFrame.center)
    var objects: Set<Int> = []
    for round in 0..<1000 {
      stage.seat.touchDown(1, lever.x, lever.y)
      stage.seat.touchDown(2, rim.x, rim.y)
      stage.seat.touchFrame()
      stage.seat.pointerEnter(horn.x, horn.y)
      stage.seat.pointerButton(true)
      pass()
      let isHeld = scene.gearbox.isTracking && scene.wheel.isTracking && scene.horn.isSounding
      #expect(isHeld, "round \(round)")
      stage.seat.capabilities = []
      pass()
      let controls: [Control] = [scene.gearbox, scene.wheel, scene.horn]
      let stuck = controls.filter { $0.isTracking || $0.isHighlighted }
      #expect(stuck.isEmpty && !scene.horn.isSounding && scene.gearbox.gear == .neutral, "round \(round): \(stuck)")
      stage.seat.capabilities = [.pointer, .keyboard, .touch]
      pass()
      if round % 50 == 0 {
        for _ in 0..<3 {
          stage.nextRefresh()
          pass()
        }
        objects.insert(application.liveObjectCount)
      }
      guard isHeld, stuck.isEmpty else { break }
    }
    #expect((objects.max() ?? 0) - (objects.min() ?? 0) <= 3, "at most a frame's callback more or less: \(objects)")
    application.closeAll()
    pass()
    #expect(application.liveObjectCount == 0)
  }
}
