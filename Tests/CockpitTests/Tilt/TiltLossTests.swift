import Foundation
import Glibc
import Stage
import TestSupport
import Testing
import Tilt
import UICore

@testable import cockpit

/// Tests of what a lost or silent sensor does to a drive: the stage's clock, and a sensor of files that can hang.
@MainActor @Suite(.serialized) struct TiltLossTests {
  private let files: TemporaryFolder
  private var folder: String { files.path }
  private let desk: DriveDesk
  private let tilt: TiltSteering
  private let heard = Heard()

  /// The number of the sensor's events that reached the scene.
  @MainActor private final class Heard {
    var count = 0
  }

  init() throws {
    files = try TemporaryFolder()
    for (axis, value) in [("x", "0"), ("y", "9.807"), ("z", "0")] {
      try files.write("\(value)\n", to: "in_accel_\(axis)_raw")
    }
    desk = try DriveDesk()
    tilt = try TiltSteering(scene: desk.scene, loop: desk.application.loop) {
      [folder = files.path] () throws(TiltError) in
      try Accelerometer(path: folder, udevFolder: folder)
    }
    tilt.record = { [relay = desk.relay, heard] event, body in
      heard.count += 1
      relay.record(event, body)
    }
    desk.session.follow(tilt)
  }

  /// Waits for the sensor's thread, which lives in real time; the desk's clock stands still.
  private func wait(_ isDone: () -> Bool) throws {
    let deadline = MonotonicTime.system + .seconds(30)
    // A sample wakes the loop, as does a lost sensor; a real interval later the loop looks again by itself.
    let loop = desk.application.loop
    desk.settle()
    while !isDone() {
      try #require(MonotonicTime.system < deadline)
      loop.turn(waits: true)
      desk.settle()
    }
  }

  /// A finger on the lever, and tilt that steers.
  private func drive() throws {
    desk.takeLever(to: .forward(6))
    // The clock has gone on meanwhile: the silence counts from now.
    let before = heard.count
    try wait { desk.scene.wheel.followsSensor && heard.count > before + 1 }
    try #require(desk.line.state == .driving)
    desk.forgetLines()
  }

  /// Lets time pass in steps that the compositor answers in, with a refresh each: after a second without one the window counts as
  /// hidden, and the sensor is not read.
  private func pass(milliseconds: Int) {
    for _ in 0..<(milliseconds / 50) {
      desk.stage.clock.advance(by: .milliseconds(50))
      desk.stage.finishFrame()
      desk.settle()
    }
    desk.stage.clock.advance(by: .milliseconds(milliseconds % 50))
    desk.settle()
  }

  private func expectLoss() throws {
    let safe = try #require(desk.lines.first { $0.state == .safe })
    #expect(safe.reason == .sensorLost && safe.command.gear == 0 && safe.command.steering == 0)
    #expect(!desk.scene.wheel.followsSensor && desk.scene.cluster.tilt?.isLost == true)
    #expect(desk.scene.gearbox.gear == .neutral)
  }

  @Test func `a sensor that is lost while driving is a loss of input, and nothing resumes by itself`() throws {
    try drive()
    defer { desk.end() }
    try FileManager.default.removeItem(atPath: "\(folder)/in_accel_y_raw")
    try wait { desk.line.state == .safe }
    try expectLoss()
    // The sensor comes back; the finger is still down.
    try files.write("9.807\n", to: "in_accel_y_raw")
    pass(milliseconds: 1000)
    try wait { desk.scene.wheel.followsSensor }
    #expect(desk.line.state == .safe && desk.line.reason == .sensorLost)
    desk.lift(1)
    desk.takeLever(2, to: .forward(3))
    #expect(desk.line.state == .driving)
  }

  @Test func `a sensor that is lost while nobody drives is told on the screen only`() throws {
    try wait { desk.scene.wheel.followsSensor }
    defer { desk.end() }
    try FileManager.default.removeItem(atPath: "\(folder)/in_accel_y_raw")
    try wait { desk.scene.cluster.tilt?.isLost == true }
    #expect(desk.line.state == .ready && desk.lines.allSatisfy { $0.reason != .sensorLost })
  }

  @Test func `a sensor that says nothing for 300 ms is lost`() throws {
    try drive()
    defer { desk.end() }
    // A bus that hangs: the sensor's thread waits for a file that never gives a byte.
    let pipe = "\(folder)/hanging"
    try #require(mkfifo(pipe, 0o600) == 0 && rename(pipe, "\(folder)/in_accel_y_raw") == 0)
    var writer: Int32 = -1
    try wait {
      writer = open("\(folder)/in_accel_y_raw", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return writer >= 0
    }
    defer { close(writer) }
    desk.settle()
    pass(milliseconds: 299)
    #expect(desk.line.state == .driving && desk.scene.wheel.followsSensor)
    pass(milliseconds: 1)
    try expectLoss()
  }

  @Test func `a sensor that hangs while it is looked for holds nobody up, and steers once it answers`() throws {
    try wait { desk.scene.wheel.followsSensor }
    defer { desk.end() }
    let axis = "\(folder)/in_accel_y_raw"
    try FileManager.default.removeItem(atPath: axis)
    try wait { desk.scene.cluster.tilt?.isLost == true }
    // It is back, and its bus hangs: whoever reads the file waits.
    try #require(mkfifo(axis, 0o600) == 0)
    pass(milliseconds: 1000)
    desk.takeLever(to: .forward(3))
    desk.pass(.seconds(5))
    #expect(desk.line.state == .driving && desk.scene.cluster.tilt?.isLost == true)
    var writer: Int32 = -1
    try wait {
      writer = open(axis, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return writer >= 0
    }
    try "9.807\n".write(toFile: axis, atomically: true, encoding: .utf8)
    #expect(write(writer, "9.807\n", 6) == 6)
    close(writer)
    try wait { desk.scene.wheel.followsSensor }
    #expect(desk.scene.cluster.tilt?.isLost == false && abs(desk.scene.wheel.angle) < 0.1)
  }

  /// Lets some refreshes pass, each with a sample.
  private func steer(refreshes: Int) throws {
    for _ in 0..<refreshes {
      let before = heard.count
      try wait { heard.count > before }
      desk.refresh()
    }
  }

  @Test func `a screen that turns while tilt steers ends the drive, and steers anew from there`() throws {
    try drive()
    defer { desk.end() }
    // The right side is 30 degrees down.
    for (axis, value) in [("x", "-4.903"), ("y", "8.493")] {
      try files.write("\(value)\n", to: "in_accel_\(axis)_raw")
    }
    try steer(refreshes: 40)
    let steering = desk.line.command.steering
    #expect(steering > 0.5 && desk.line.state == .driving)
    desk.forgetLines()
    desk.stage.outputs[0].transform = .turned90
    desk.stage.outputs[0].announce()
    try wait { desk.line.state == .safe }
    #expect(desk.line.reason == .screenTurned && desk.line.command == .neutral)
    #expect(desk.lines.allSatisfy { (0...steering).contains($0.command.steering) }, "it never steers to the other side")
    try steer(refreshes: 40)
    #expect(abs(desk.scene.wheel.angle) < 5 && desk.scene.cluster.tilt?.isLost == false)
    desk.lift(1)
    desk.takeLever(2, to: .forward(3))
    #expect(desk.line.state == .driving && abs(desk.line.command.steering) < 0.05)
  }
}
