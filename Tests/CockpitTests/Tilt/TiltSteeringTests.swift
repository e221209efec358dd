import ControlHarness
import Controls
import Foundation
import Shell
import TestSupport
import Testing
import Tilt

@testable import cockpit

/// The scene steered by an accelerometer of files, through the real thread and loop.
@MainActor @Suite(.serialized) struct TiltSteeringTests {
  private let files: TemporaryFolder
  private var folder: String { files.path }
  private let scene = CockpitScene()
  private let harness: ControlHarness
  private let loop = EventLoop()

  init() throws {
    files = try TemporaryFolder()
    FontLibrary.shared = ControlHarness.fonts
    harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    try hold(0)
  }

  /// Holds the device upright, its right side down by `degrees`.
  private func hold(_ degrees: Double) throws {
    let turn = degrees * .pi / 180
    for (axis, value) in [("x", -sine(turn)), ("y", cosine(turn)), ("z", 0)] {
      let text = "\((value * Acceleration.gravity * 1000).rounded() / 1000)\n"
      try files.write(text, to: "in_accel_\(axis)_raw")
    }
  }

  private func sine(_ value: Double) -> Double { Foundation.sin(value) }
  private func cosine(_ value: Double) -> Double { Foundation.cos(value) }

  private func start() throws -> TiltSteering {
    try TiltSteering(scene: scene, loop: loop) { [folder = files.path] () throws(TiltError) in
      try Accelerometer(path: folder, udevFolder: folder)
    }
  }

  /// Turns the loop and shows frames until `isDone`, for ten seconds at most.
  private func wait(sourceLocation: SourceLocation = #_sourceLocation, _ isDone: () -> Bool) {
    let end = loop.clock.now + .seconds(10)
    while !isDone() {
      guard loop.clock.now < end else {
        Issue.record("it took too long", sourceLocation: sourceLocation)
        return
      }
      loop.turn(waits: true)
      harness.advance(by: .milliseconds(16))
      harness.frameIfNeeded()
    }
  }

  @Test func `a small lamp of tilting is touched in 44 by 44 points`() {
    let lamp = TiltLamp(frame: Rect(x: 50, y: 50, width: 10, height: 10))
    let root = RootView(frame: Rect(x: 0, y: 0, width: 110, height: 110))
    root.addSubview(lamp)
    for place in [Point(x: 33.5, y: 33.5), Point(x: 76.5, y: 76.5), Point(x: 55, y: 34)] {
      #expect(root.hitTest(place) === lamp, "\(place)")
    }
  }

  @Test func `G6: tilting the device turns the wheel; a tap on the lamp makes that the middle`() throws {
    let tilt = try start()
    defer { withExtendedLifetime(tilt) {} }
    harness.frame()
    wait { scene.wheel.followsSensor }
    #expect(abs(scene.wheel.angle) < 1, "how it is held at first is the middle")
    try hold(20)
    wait { scene.wheel.angle > 185 }
    let lamp = try #require(scene.cluster.tilt)
    #expect(lamp.windowFrame.height > 0 && !lamp.isLost)
    harness.touch(.began, at: lamp.windowFrame.center)
    harness.touch(.ended, at: lamp.windowFrame.center)
    wait { abs(scene.wheel.angle) < 1 }
  }

  @Test func `a lost sensor is the centre, and said; back again it begins from there`() throws {
    let tilt = try start()
    defer { withExtendedLifetime(tilt) {} }
    harness.frame()
    wait { scene.wheel.followsSensor }
    try hold(20)
    wait { scene.wheel.angle > 150 }
    try FileManager.default.removeItem(atPath: "\(folder)/in_accel_y_raw")
    wait { scene.cluster.tilt?.isLost == true }
    #expect(!scene.wheel.followsSensor && !tilt.isRunning)
    harness.settle()
    #expect(abs(scene.wheel.angle) < 0.1)
    try hold(30)
    wait { scene.cluster.tilt?.isLost == false }
    #expect(abs(scene.wheel.angle) < 0.1, "what it came back with is the middle")
  }

  @Test func `in the background it reads nothing, steers nothing and wakes nobody`() throws {
    let tilt = try start()
    defer { withExtendedLifetime(tilt) {} }
    wait { scene.wheel.followsSensor }
    try hold(20)
    wait { scene.wheel.angle > 150 }
    scene.handle(.willResignActive)
    scene.handle(.didEnterBackground)
    #expect(!tilt.isRunning && !scene.wheel.followsSensor)
    scene.handle(.willEnterForeground)
    scene.handle(.didBecomeActive)
    wait { scene.wheel.followsSensor }
    #expect(tilt.isRunning)
  }

  @Test func `without a sensor there is one clear line`() throws {
    try FileManager.default.removeItem(atPath: "\(folder)/in_accel_z_raw")
    let error = #expect(throws: TiltError.self) { try start() }
    #expect(error == .notASensor(path: folder) && !scene.cluster.showsTilt)
  }

  @Test(arguments: [Size(width: 480, height: 320), Size(width: 1280, height: 720), Size(width: 400, height: 640)])
  func `the lamp has its place beside the others`(size: Size) throws {
    scene.cluster.showsTilt = true
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    let lamp = try #require(scene.cluster.tilt)
    for other in [scene.cluster.beacon, scene.cluster.brake, scene.cluster.speedometer, scene.cluster.steering]
      as [View]
    {
      #expect(lamp.frame.intersection(other.frame).isEmpty, "\(other.name)")
    }
    #expect(scene.hitTest(lamp.windowFrame.center) === lamp)
    scene.cluster.showsTilt = false
    #expect(scene.cluster.tilt == nil && lamp.superview == nil)
  }
}
