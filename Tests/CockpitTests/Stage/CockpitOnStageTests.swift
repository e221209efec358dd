import ControlHarness
import Controls
import Shell
import Stage
import Testing
import UICore

@testable import cockpit

/// The real scene in a real window on the stage, which checks every request and the pixels of every commit.
@MainActor @Suite(.serialized) struct CockpitOnStageTests {
  private let scene = CockpitScene()
  private let window: StageWindow
  private var stage: Stage { window.stage }

  init() throws {
    window = try StageWindow(scene, size: Size(width: 480, height: 320))
  }

  private func refresh() { window.refresh() }

  @Test func `two fingers at once turn the wheel and shift, and lifting one leaves the other`() {
    let (start, top) = (scene.lever(.neutral), scene.lever(.forward(7)))
    stage.seat.touchDown(3, start.x, start.y)
    stage.seat.touchDown(8, scene.rim(0).x, scene.rim(0).y)
    stage.seat.touchFrame()
    refresh()
    for step in 1...12 {
      let share = Double(step) / 12
      stage.seat.touchMotion(3, start.x, start.y + (top.y - start.y) * share)
      stage.seat.touchMotion(8, scene.rim(40 * share).x, scene.rim(40 * share).y)
      stage.seat.touchFrame()
      refresh()
    }
    #expect(scene.gearbox.gear == .forward(7))
    #expect(abs(scene.wheel.angle - 40) < 1)
    #expect(scene.cluster.speedometer.gear == "7")
    stage.seat.touchUp(3)
    stage.seat.touchFrame()
    refresh()
    #expect(!scene.gearbox.isTracking && scene.gearbox.gear == .forward(7))
    #expect(scene.wheel.isTracking && abs(scene.wheel.angle - 40) < 1)
    stage.seat.touchCancel()
    for _ in 0..<120 { refresh() }
    #expect(!scene.wheel.isTracking && abs(scene.wheel.angle) < 0.5)
    window.end()
  }

  @Test func `behaviour 6: a finger keeps the control that it began on, over other controls and outside the window`() {
    let lever = scene.lever(.neutral)
    stage.seat.touchDown(0, lever.x, lever.y)
    stage.seat.touchFrame()
    refresh()
    // Up into the forward gears, then across to the wheel and round on its rim, and out of the window.
    for step in 0...20 {
      let place = step <= 10 ? scene.lever(.forward(5)) : scene.rim(Double(step - 10) * 9)
      stage.seat.touchMotion(0, place.x, place.y)
      stage.seat.touchFrame()
      refresh()
    }
    stage.seat.touchMotion(0, -500, 4000)
    stage.seat.touchFrame()
    refresh()
    #expect(scene.gearbox.isTracking && !scene.wheel.isTracking && scene.wheel.angle == 0)
    // The wheel is free for another finger, which the first one's coming up leaves alone.
    stage.seat.touchDown(1, scene.rim(0).x, scene.rim(0).y)
    stage.seat.touchFrame()
    refresh()
    stage.seat.touchMotion(1, scene.rim(30).x, scene.rim(30).y)
    stage.seat.touchUp(0)
    stage.seat.touchFrame()
    refresh()
    #expect(!scene.gearbox.isTracking && scene.wheel.isTracking && abs(scene.wheel.angle - 30) < 1)
    stage.seat.touchUp(1)
    stage.seat.touchFrame()
    refresh()
    window.end()
  }

  @Test func `in the background nothing is committed or animated, and the app starts its beacon again`() {
    #expect(scene.cluster.beacon.isPulsing)
    stage.toplevel.suspend()
    refresh()
    stage.toplevel.surface.forgetCommits()
    for _ in 0..<60 { refresh() }
    #expect(stage.toplevel.surface.contentCommits.isEmpty && !scene.isAnimating)
    stage.toplevel.resume()
    refresh()
    for _ in 0..<20 { refresh() }
    #expect(scene.cluster.beacon.isPulsing && !stage.toplevel.surface.contentCommits.isEmpty)
    window.end()
  }

  @Test func `with the beacon off a standing car commits nothing and asks for no frame`() {
    scene.cluster.beacon.isEnabled = false
    for _ in 0..<6 { refresh() }
    stage.toplevel.surface.forgetCommits()
    for _ in 0..<60 { refresh() }
    #expect(stage.toplevel.surface.contentCommits.isEmpty)
    window.end()
  }

  @Test func `F12 opens the inspector, again closes it, and then nothing is committed any more`() throws {
    let keys = KeyCommands(scene: scene)
    scene.cluster.beacon.isEnabled = false
    stage.seat.keyboardEnter()
    refresh()
    for isOpen in [true, false] {
      stage.toplevel.surface.forgetCommits()
      stage.seat.key(StageKeymap.Code.f12, true)
      stage.seat.key(StageKeymap.Code.f12, false)
      for _ in 0..<12 { refresh() }
      #expect((scene.inspector.panel != nil) == isOpen)
      #expect(!stage.toplevel.surface.contentCommits.isEmpty)
    }
    stage.toplevel.surface.forgetCommits()
    for _ in 0..<60 { refresh() }
    #expect(stage.toplevel.surface.contentCommits.isEmpty)
    withExtendedLifetime(keys) {}
    window.end()
  }
}
