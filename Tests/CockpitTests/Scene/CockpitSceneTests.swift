import ControlHarness
import Controls
import Testing
import UICore

@testable import cockpit

@MainActor @Suite(.serialized) struct CockpitSceneTests {
  private let scene = CockpitScene()
  private let harness: ControlHarness
  private let keys: KeyCommands

  init() {
    harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    keys = KeyCommands(scene: scene)
    harness.frameIfNeeded()
  }

  @Test func `G1: two fingers drive: gearbox and wheel move together, and lifting one leaves the other`() {
    harness.send([(.began, scene.lever(.neutral), 4), (.began, scene.rim(0), 9)])
    for step in 1...10 {
      let up = scene.lever(.neutral).y + (scene.lever(.forward(6)).y - scene.lever(.neutral).y) * Double(step) / 10
      harness.send([(.moved, Point(x: scene.lever(.neutral).x, y: up), 4), (.moved, scene.rim(Double(step) * 3), 9)])
      harness.advance(by: harness.frameInterval)
    }
    #expect(scene.gearbox.gear == .forward(6))
    #expect(abs(scene.wheel.angle - 30) < 1)
    harness.touch(.ended, at: scene.lever(.forward(6)), finger: 4)
    #expect(scene.wheel.isTracking && abs(scene.wheel.angle - 30) < 1)
    #expect(scene.gearbox.gear == .forward(6))
    #expect(scene.car.vehicle.speed > 0)
    harness.touch(.cancelled, at: scene.rim(30), finger: 9)
    harness.checksDamage = false
    harness.advance(by: .seconds(3))
    #expect(abs(scene.wheel.angle) < 0.1)
  }

  @Test func `G2: the instruments say what the controls do`() {
    #expect(scene.cluster.brake.isLit && scene.cluster.speedometer.gear == "N")
    harness.tap(scene.lever(.forward(3)))
    #expect(!scene.cluster.brake.isLit && scene.cluster.speedometer.gear == "3")
    harness.advance(by: .milliseconds(300))
    harness.checksDamage = false
    harness.advance(by: .seconds(2))
    #expect(scene.cluster.speedometer.speed > 5)
    harness.press(.space)
    #expect(scene.cluster.brake.isLit)
    scene.cluster.beacon.isEnabled = false
    harness.checksDamage = false
    harness.advance(by: .seconds(20))
    #expect(scene.cluster.speedometer.speed == 0)
    #expect(!scene.needsFrame, "a car that stands costs no frames")
  }

  @Test func `K13, K-D4: the beacon stops in the background, and didBecomeActive twice starts it once`() {
    #expect(scene.cluster.beacon.isPulsing)
    harness.enterBackground()
    #expect(!scene.cluster.beacon.isPulsing && !scene.isAnimating)
    #expect(harness.advance(by: .seconds(5)) <= 1, "no frames in the background")
    harness.enterForeground()
    #expect(scene.cluster.beacon.isPulsing)
    harness.advance(by: .milliseconds(700))
    harness.frame()
    let before = harness.shown
    scene.handle(.didBecomeActive)
    harness.frame()
    #expect(harness.shown.difference(from: before).count == 0, "the pulse goes on where it was")
  }

  @Test func `keys: gears, brake, steering while held, horn`() {
    harness.press(.up)
    harness.press(.up)
    #expect(scene.gearbox.gear == .forward(2))
    harness.press(.down)
    #expect(scene.gearbox.gear == .forward(1))
    harness.key(.down, .right)
    harness.advance(by: .milliseconds(200))
    harness.checksDamage = false
    harness.advance(by: .milliseconds(300))
    let held = scene.wheel.angle
    #expect(held > 10)
    harness.key(.cancelled, .right)
    harness.checksDamage = false
    harness.advance(by: .seconds(3))
    #expect(abs(scene.wheel.angle) < 0.1)
    harness.key(.down, .character("h"))
    #expect(scene.horn.isSounding)
    harness.key(.up, .character("h"))
    #expect(!scene.horn.isSounding)
  }

  @Test func `keys: of two steering keys, and of two keyboards, the latest steers until it is let go or goes`() {
    harness.checksDamage = false
    func key(_ phase: KeyEvent.Phase, _ key: Key, of seat: UInt32) {
      scene.handle(.key(KeyEvent(seat: SeatID(seat), phase: phase, key: key, time: harness.host.now)))
      harness.advance(by: .milliseconds(600))
    }
    key(.down, .left, of: 1)
    let left = scene.wheel.angle
    #expect(left < -5)
    key(.down, .right, of: 1)
    #expect(scene.wheel.angle > left)
    key(.down, .left, of: 2)
    let before = scene.wheel.angle
    key(.up, .left, of: 1)
    #expect(scene.wheel.angle < before, "the other keyboard's key is still down")
    scene.handle(.keyboardFocus(SeatID(2), false))
    harness.advance(by: .seconds(9))
    #expect(scene.wheel.steering > 0.99, "with the keyboard its key is gone")
    scene.handle(.keyboardFocus(SeatID(1), false))
    harness.advance(by: .seconds(5))
    #expect(abs(scene.wheel.angle) < 0.1)
  }

  @Test func `space brakes wherever the focus is, and sounds no horn`() {
    harness.tap(scene.lever(.forward(5)))
    for _ in 0..<4 {
      harness.press(.tab)
      if scene.firstResponder === scene.horn { break }
    }
    #expect(scene.firstResponder === scene.horn)
    harness.key(.down, .space)
    #expect(scene.gearbox.gear == .neutral && !scene.horn.isSounding)
    harness.key(.up, .space)
  }

  @Test func `G7: F11, Escape and Ctrl+Q reach the window`() {
    harness.press(.f11)
    #expect(harness.host.isFullscreen)
    harness.press(.escape)
    #expect(!harness.host.isFullscreen)
    harness.press(.character("q"))
    #expect(!harness.host.isClosed)
    harness.press(.character("q"), .control)
    #expect(harness.host.isClosed)
  }

  @Test func `a wheel's turn damages less than 12 % of the surface`() {
    scene.cluster.beacon.isEnabled = false
    harness.resize(to: Size(width: 1280, height: 720), scale: .one)
    harness.touch(.began, at: scene.rim(0))
    harness.frameIfNeeded()
    harness.touch(.moved, at: scene.rim(5))
    #expect(harness.lastDamage.area > 0)
    #expect(Double(harness.lastDamage.area) < 0.12 * 1280 * 720)
  }
}
