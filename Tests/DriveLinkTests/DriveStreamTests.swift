import Testing
import UICore

@testable import DriveLink

/// Milliseconds after the start of the tests' clock.
/// Tests of the lines and their times, as tables on simulated time.
func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: 1_000_000_000 + milliseconds * 1_000_000) }

@Suite struct DriveStreamTests {
  private let fast = DriveCommand(gear: 7, throttle: 0.7, steering: -0.25, isHeld: true)

  private func stream() -> DriveStream { DriveStream(rate: 50, at: at(0)) }

  /// The lines due by a time.
  private func due(_ stream: inout DriveStream, until time: MonotonicTime) -> [DriveStream.Line] {
    var lines: [DriveStream.Line] = []
    while let line = stream.nextSteady(until: time) { lines.append(line) }
    return lines
  }

  @Test func `it begins with one neutral line and is silent`() {
    var stream = stream()
    #expect(stream.line.sequence == 1 && stream.line.command == .neutral)
    #expect(stream.line.state == .ready && stream.line.reason == .start)
    #expect(stream.nextSteadyTime == nil && due(&stream, until: at(100_000)).isEmpty)
  }

  @Test func `a change is a line, the same again is none`() throws {
    var stream = stream()
    let first = stream.update(fast, holdCount: 1, at: at(5))
    let line = try #require(first)
    #expect(line.sequence == 2 && line.time == at(5) && line.state == .driving && line.reason == .none)
    #expect(stream.update(fast, holdCount: 1, at: at(6)) == nil)
    // Less than a line can say is no change.
    let tremble = DriveCommand(gear: 7, throttle: 0.70001, steering: -0.250004, isHeld: true)
    #expect(stream.update(tremble, holdCount: 1, at: at(7)) == nil)
  }

  @Test func `steady lines carry the time when they were due, however late they are asked for`() {
    var stream = stream()
    _ = stream.update(fast, holdCount: 1, at: at(5))
    #expect(due(&stream, until: at(24)).isEmpty)
    #expect(due(&stream, until: at(90)).map(\.time) == [at(25), at(45), at(65), at(85)])
    _ = stream.update(DriveCommand(gear: 6, throttle: 0.6, steering: 0, isHeld: true), holdCount: 1, at: at(90))
    #expect(stream.nextSteadyTime == at(110))
  }

  @Test func `nothing is driven that nobody has touched: at first, after rest, after a loss`() {
    var stream = stream()
    #expect(stream.update(fast, holdCount: 0, at: at(1)) == nil)
    #expect(stream.update(fast, holdCount: 1, at: at(2)) != nil)
    #expect(stream.update(.neutral, holdCount: 1, at: at(3))?.state == .ready)
    #expect(stream.update(fast, holdCount: 1, at: at(4)) == nil)
    #expect(stream.update(fast, holdCount: 2, at: at(5)) != nil)
    #expect(stream.enterSafeState(.hidden, at: at(6))?.command == .neutral)
    #expect(stream.update(fast, holdCount: 2, at: at(7)) == nil)
    #expect(stream.line.state == .safe && stream.line.command == .neutral)
    #expect(stream.update(fast, holdCount: 3, at: at(8))?.command == fast)
  }

  @Test func `a loss is told at the steady rate for a minute, then once a second`() {
    var stream = stream()
    _ = stream.update(fast, holdCount: 1, at: at(0))
    let line = stream.enterSafeState(.deviceLost, at: at(10))
    #expect(line?.state == .safe && line?.reason == .deviceLost && line?.command == .neutral)
    let minute = due(&stream, until: at(60_010))
    #expect(minute.count == 3000 && minute.allSatisfy { $0.reason == .deviceLost && $0.command == .neutral })
    #expect(due(&stream, until: at(65_010)).count == 5)
  }

  @Test func `of several reasons the gravest is told`() {
    var stream = stream()
    _ = stream.update(fast, holdCount: 1, at: at(0))
    #expect(stream.enterSafeState(.touchCancelled, at: at(1)) != nil)
    #expect(stream.enterSafeState(.lift, at: at(2)) == nil)
    #expect(stream.enterSafeState(.hidden, at: at(3))?.reason == .hidden)
    #expect(stream.enterSafeState(.touchCancelled, at: at(4)) == nil)
    #expect(stream.enterSafeState(.terminated, at: at(5))?.reason == .terminated)
    #expect(stream.enterSafeState(.compositorLost, at: at(6)) == nil)
  }

  @Test func `the horn sounds in every state, and takes nobody out of safety`() {
    var stream = stream()
    let horn = DriveCommand(gear: 3, throttle: 0.3, steering: 1, horn: true)
    let first = stream.update(horn, holdCount: 0, at: at(1))
    #expect(first?.command == DriveCommand(gear: 0, throttle: 0, steering: 0, horn: true) && first?.state == .ready)
    #expect(stream.nextSteadyTime == at(21))
    #expect(stream.update(.neutral, holdCount: 0, at: at(2))?.command.horn == false)
    #expect(stream.nextSteadyTime == nil)
    _ = stream.update(fast, holdCount: 1, at: at(3))
    _ = stream.enterSafeState(.lift, at: at(4))
    let second = stream.update(horn, holdCount: 1, at: at(5))
    #expect(second?.command.horn == true && second?.command.gear == 0)
    #expect(second?.state == .safe && second?.reason == .lift)
  }

  @Test func `time never goes back`() {
    var stream = stream()
    _ = stream.update(fast, holdCount: 1, at: at(50))
    #expect(stream.enterSafeState(.hidden, at: at(40))?.time == at(50))
  }

  @Test func `a copy goes on as the original would`() {
    var stream = stream()
    _ = stream.update(fast, holdCount: 1, at: at(0))
    var copy = stream
    #expect(due(&stream, until: at(200)) == due(&copy, until: at(200)))
    #expect(stream.enterSafeState(.loopHung, at: at(210)) == copy.enterSafeState(.loopHung, at: at(210)))
  }

  @Test(arguments: [(4, 5), (0, 5), (-3, 5), (30, 30), (200, 200), (9999, 200)])
  func `the rate stays in its range`(asked: Int, rate: Int) {
    #expect(DriveStream(rate: asked, at: .zero).period == .nanoseconds(1_000_000_000 / Int64(rate)))
  }

  @Test func `lever and throttle can't contradict each other, and no number breaks a command`() {
    let bad: [(Int, Double, Double)] = [
      (0, 1, 0), (3, -1, 0), (-1, 1, 2), (5, .infinity, -.infinity), (5, .nan, .nan), (Int.max, 9, 9),
      (Int.min, -9, -9),
    ]
    for (gear, throttle, steering) in bad {
      let command = DriveCommand(gear: gear, throttle: throttle, steering: steering)
      #expect((-1...1).contains(command.throttle) && (-1...1).contains(command.steering))
      #expect(command.gear > 0 || command.throttle <= 0)
      #expect(command.gear < 0 || command.throttle >= 0)
      #expect(command.gear != 0 || (command.throttle == 0 && command.brake))
    }
    #expect(DriveCommand(gear: 5, throttle: .nan, steering: 0.5) == DriveCommand(gear: 0, throttle: 0, steering: 0.5))
  }
}

/// Whose lines they are, and what follows an emergency stop.
@Suite struct DriveIdentifierTests {
  private let start = MonotonicTime.zero + .seconds(1000)
  private let first = DriveIdentifier("00000001")
  private let second = DriveIdentifier("00000002")

  @Test func `a release is repeated for a second, then there is silence`() throws {
    var stream = DriveStream(rate: 30, identifier: first, at: start)
    _ = stream.stop(at: start)
    let released = try #require({ stream.releaseStop(at: start) }())
    #expect(released.state == .ready && released.reason == .released && released.press == nil)
    var lines: [DriveStream.Line] = []
    while let line = stream.nextSteady(until: start + .seconds(60)) { lines.append(line) }
    #expect((30...31).contains(lines.count) && lines.allSatisfy { $0.reason == .released && $0.command == .neutral })
    // A touch ends it at once, and needs no further release.
    _ = stream.update(
      DriveCommand(gear: 1, throttle: 0.1, steering: 0, isHeld: true), holdCount: 1, at: start + .seconds(61))
    #expect(stream.line.state == .driving)
  }

  @Test func `a release is said for a second and not again, whatever the horn does`() throws {
    let horn = DriveCommand(gear: 0, throttle: 0, steering: 0, horn: true)
    for isByHand in [true, false] {
      var stream = DriveStream(rate: 30, identifier: first, at: start)
      _ = stream.stop(at: start)
      _ = stream.releaseStop(at: start)
      if isByHand { _ = stream.lift(at: start) }
      #expect({ stream.update(horn, holdCount: 0, at: start + .milliseconds(500)) }()?.reason == .released)
      var lines: [DriveStream.Line] = []
      while let line = stream.nextSteady(until: start + .seconds(3)) { lines.append(line) }
      #expect(lines.allSatisfy { $0.command.horn && ($0.reason == .released) == ($0.time <= start + .seconds(1)) })
      #expect({ stream.update(.neutral, holdCount: 0, at: start + .seconds(3)) }()?.reason == DriveReason.none)
      // Long after the lines of a release have ended.
      var quiet = DriveStream(rate: 30, identifier: first, at: start)
      _ = quiet.lift(at: start)
      while quiet.nextSteady(until: start + .seconds(60)) != nil {}
      let late = try #require({ quiet.update(horn, holdCount: 0, at: start + .seconds(60)) }())
      #expect(late.state == .ready && late.reason == DriveReason.none && late.command.horn)
    }
  }

  @Test func `a new identifier comes with the next line, and its presses count from one`() throws {
    let (first, second) = (try #require(first), try #require(second))
    var stream = DriveStream(rate: 30, identifier: first, at: start)
    _ = stream.stop(at: start)
    _ = stream.releaseStop(at: start)
    _ = stream.enterSafeState(.lift, at: start)
    stream.renew(second)
    #expect(stream.line.identifier == second && stream.followingIdentifier == second)
    #expect({ stream.stop(at: start) }()?.press == 1)
    // A stream without one, of an old record, gets none.
    var old = DriveStream(rate: 30, at: start)
    old.renew(second)
    #expect(old.line.identifier == nil)
  }

  @Test func `an emergency stop keeps its owner until it is released, and the release has a second line of the next`()
    throws
  {
    let (first, second) = (try #require(first), try #require(second))
    var stream = DriveStream(rate: 30, identifier: first, at: start)
    _ = stream.stop(at: start)
    stream.renew(second)
    #expect(stream.line.identifier == first)
    _ = stream.nextSteady(until: start + .seconds(1))
    #expect(stream.line.identifier == first && stream.line.press == 1)
    _ = stream.releaseStop(at: start + .seconds(2))
    #expect(stream.line.identifier == first && stream.line.reason == .released)
    var lines: [DriveStream.Line] = []
    while let line = stream.nextSteady(until: start + .seconds(60)) { lines.append(line) }
    #expect(lines.dropLast().allSatisfy { $0.identifier == first && $0.reason == .released })
    #expect(lines.last?.identifier == second && lines.last?.state == .ready && lines.last?.reason == DriveReason.none)
  }
}
