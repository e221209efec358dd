import Testing
import UICore

@testable import DriveLink

/// Tests of what becomes of lever and wheel on their way into a line, as tables.
@Suite struct DriveShapingTests {
  private func command(_ gear: Int, _ throttle: Double, _ steering: Double = 0) -> DriveCommand {
    DriveCommand(gear: gear, throttle: throttle, steering: steering, isHeld: true)
  }

  @Test func `limits scale the gears, each direction its own`() {
    let shaping = DriveShaping(limit: 0.3, reverseLimit: 0.1)
    for (gear, throttle, sent) in [(10, 1.0, 0.3), (5, 0.5, 0.15), (1, 0.1, 0.03), (0, 0, 0), (-1, -1, -0.1)] {
      let shaped = shaping.shaped(command(gear, throttle))
      #expect(shaped.throttle == sent && shaped.gear == gear && shaped.brake == (gear == 0))
    }
  }

  @Test func `expo is finer around the centre and the same at the lock, trim moves all of it within the lock`() {
    let table: [(expo: Double, trim: Double, steering: Double, sent: Double)] = [
      (0, 0, 0.5, 0.5), (1, 0, 0.5, 0.125), (0.4, 0, 0.5, 0.35), (0.4, 0, -0.5, -0.35), (1, 0, 1, 1), (1, 0, -1, -1),
      (0, 0.2, 0, 0.2), (0, -0.05, 0.5, 0.45), (0, 0.2, 0.9, 1), (0, -0.2, -0.9, -1), (1, 0.1, 0.5, 0.225),
    ]
    for row in table {
      let sent = DriveShaping(trim: row.trim, expo: row.expo).shaped(command(1, 0.1, row.steering)).steering
      #expect(sent == row.sent, "\(row)")
    }
  }

  @Test func `throttle rises by the ramp, from 0 where it turns round, and falls at once`() {
    let shaping = DriveShaping(ramp: 2)
    let table: [(from: Double, to: Double, milliseconds: Int, sent: Double)] = [
      (0, 1, 0, 0), (0, 1, 500, 0.25), (0.25, 1, 500, 0.5), (0.9, 1, 500, 1), (0.5, 0.5, 500, 0.5),
      (1, 0.2, 0, 0.2), (1, 0, 0, 0), (0, -1, 500, -0.25), (-0.5, -1, 500, -0.75), (-1, -0.2, 0, -0.2),
      (0.8, -1, 500, -0.25), (-0.8, 1, 500, 0.25), (0.5, 1, -500, 0.5),
    ]
    for row in table {
      #expect(
        shaping.throttle(from: row.from, to: row.to, over: .milliseconds(row.milliseconds)) == row.sent, "\(row)")
    }
    #expect(DriveShaping.none.throttle(from: 0, to: 1, over: .zero) == 1)
  }

  @Test func `numbers outside of their ranges are clamped`() {
    let wild = DriveShaping(limit: 9, reverseLimit: 0, ramp: 99, trim: -1, expo: .infinity)
    #expect(wild == DriveShaping(limit: 1, reverseLimit: 0.05, ramp: 30, trim: -0.2, expo: 1))
    let none = DriveShaping(limit: .nan, reverseLimit: .nan, ramp: .nan, trim: .nan, expo: .nan)
    #expect(none == DriveShaping(limit: 0.05, reverseLimit: 0.05, ramp: 0, trim: -0.2, expo: 0))
  }

  // MARK: In the stream

  private func stream(_ shaping: DriveShaping) -> DriveStream { DriveStream(rate: 50, shaping: shaping, at: at(0)) }

  @Test func `without any event the steady lines go on up the ramp, by their own times`() {
    var stream = stream(DriveShaping(ramp: 1))
    // An hour of silence is no time to rise in: the first line has that of one period.
    #expect(stream.update(command(10, 1), holdCount: 1, at: at(3_600_000))?.command.throttle == 0.02)
    var sent: [Double] = []
    while let line = stream.nextSteady(until: at(3_600_090)) { sent.append(line.command.throttle) }
    #expect(sent == [0.04, 0.06, 0.08, 0.1])
    // The same again is no line, though it is not reached yet.
    #expect(stream.update(command(10, 1), holdCount: 1, at: at(3_600_095)) == nil)
    #expect(stream.update(command(10, 1, 0.5), holdCount: 1, at: at(3_600_095))?.command.throttle == 0.115)
    while let line = stream.nextSteady(until: at(3_602_000)) { sent.append(line.command.throttle) }
    #expect(sent.last == 1)
    #expect(stream.update(command(3, 0.3), holdCount: 1, at: at(3_602_001))?.command.throttle == 0.3)
    #expect(stream.update(command(0, 0, 0.5), holdCount: 1, at: at(3_602_002))?.command.throttle == 0)
    #expect(stream.update(command(10, 1), holdCount: 1, at: at(3_602_003))?.command.throttle == 0.001)
  }

  @Test func `between two lines throttle rises by no more than their time and one period allow, whatever a hand does`()
  {
    for (rate, ramp) in [(30, 0.5), (200, 30.0), (5, 2)] {
      var stream = DriveStream(rate: rate, shaping: DriveShaping(ramp: ramp), at: at(0))
      var lines = [stream.line]
      var random = SystemRandomNumberGenerator()
      for step in 1...2000 {
        let time = at(Int64(step) * 7)
        while let line = stream.nextSteady(until: time) { lines.append(line) }
        let gear = step % 40 == 0 ? 0 : Int.random(in: -1...10, using: &random)
        let held = command(gear, gear < 0 ? -1 : Double(gear) / 10, Double.random(in: -1...1, using: &random))
        if let line = stream.update(held, holdCount: UInt64(step), at: time) { lines.append(line) }
        if step % 333 == 0, let line = stream.enterSafeState(.hidden, at: time) { lines.append(line) }
      }
      for (old, new) in zip(lines, lines.dropFirst()) {
        let begun = old.command.throttle * new.command.throttle > 0 ? old.command.throttle.magnitude : 0
        let allowed = min((new.time - old.time).inSeconds, 1 / Double(rate)) / ramp
        #expect(new.command.throttle.magnitude - begun <= allowed + 0.00101, "\(rate) \(ramp) \(old) \(new)")
      }
    }
  }

  @Test func `short times add up, though none of them is a step of a line`() {
    var stream = stream(DriveShaping(ramp: 30))
    _ = stream.update(command(10, 1), holdCount: 1, at: at(0))
    for step in 1...1000 {
      let time = at(Int64(step))
      _ = stream.nextSteady(until: time)
      _ = stream.update(command(10, 1, Double(step) / 1000), holdCount: 1, at: time)
    }
    #expect(stream.line.command.throttle == 0.033)
  }

  @Test func `trim is commanded while anything is, and a loss or rest is straight`() {
    var stream = stream(DriveShaping(trim: 0.05))
    #expect(stream.line.command.steering == 0)
    #expect(stream.update(command(0, 0), holdCount: 1, at: at(1))?.command.steering == 0.05)
    #expect(stream.update(.neutral, holdCount: 1, at: at(2))?.command.steering == 0)
    #expect(stream.update(command(4, 0.4), holdCount: 2, at: at(3))?.command.steering == 0.05)
    #expect(stream.enterSafeState(.lift, at: at(4))?.command == .neutral)
    // An untouched control stays at rest too.
    #expect(stream.update(command(4, 0.4), holdCount: 2, at: at(5)) == nil)
  }

  @Test func `after a hang the ramp begins anew`() {
    var stream = stream(DriveShaping(ramp: 1))
    _ = stream.update(command(10, 1), holdCount: 1, at: at(0))
    while stream.nextSteady(until: at(400)) != nil {}
    var other = stream
    _ = other.enterSafeState(.loopHung, at: at(410))
    #expect(other.update(command(10, 1), holdCount: 2, at: at(415))?.command.throttle == 0.005)
  }
}
