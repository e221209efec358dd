import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of what a driver commands: fingers and keys to lines, with and without the dead-man's lever.
@MainActor @Suite(.serialized) struct DriveOutputTests {
  @Test func `two fingers command gear, throttle and steering; what moves together is one line`() throws {
    let desk = try DriveDesk()
    #expect(desk.lines.isEmpty && desk.line.state == .ready)
    desk.takeLever(to: .forward(7))
    desk.takeWheel(degrees: 45)
    #expect(desk.line.command == DriveCommand(gear: 7, throttle: 0.7, steering: 0.1, isHeld: true))
    #expect(desk.line.state == .driving && desk.line.reason == .none)
    let before = desk.line.sequence
    let (lever, rim) = (desk.scene.lever(.forward(3)), desk.scene.rim(-45))
    desk.stage.seat.touchMotion(1, lever.x, lever.y)
    desk.stage.seat.touchMotion(2, rim.x, rim.y)
    desk.stage.seat.touchFrame()
    desk.settle()
    #expect(desk.line.sequence == before + 1)
    #expect(desk.line.command == DriveCommand(gear: 3, throttle: 0.3, steering: -0.1, isHeld: true))
    desk.end()
  }

  @Test func `while something is held lines come at the steady rate, also with nothing to draw`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(2))
    let before = desk.lines.count
    let start = desk.stage.clock.now
    desk.pass(.seconds(1))
    let passed = (desk.stage.clock.now - start).inSeconds
    #expect(abs(Double(desk.lines.count - before) - passed * 50) <= 1)
    #expect(zip(desk.lines, desk.lines.dropFirst()).allSatisfy { $1.sequence == $0.sequence + 1 && $1.time >= $0.time })
    // The sender's thread hears that the loop lives, often enough.
    #expect(desk.sink.beats >= 15)
    desk.end()
  }

  @Test func `with the dead-man's lever a lifted finger is N at once, and the last one is safe`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    desk.takeWheel(degrees: 45)
    desk.lift(1)
    #expect(desk.line.state == .driving && desk.line.command.gear == 0 && desk.line.command.steering == 0.1)
    #expect(desk.scene.gearbox.gear == .neutral)
    desk.lift(2)
    #expect(desk.line.state == .safe && desk.line.reason == .lift && desk.line.command == .neutral)
    // The wheel's picture swings back; the line has been straight all the time.
    #expect(desk.scene.wheel.angle > 20)
    let count = desk.lines.count
    desk.pass(.seconds(1))
    #expect(abs(desk.scene.wheel.angle) < 0.5)
    #expect(desk.lines[count...].allSatisfy { $0.command == .neutral && $0.reason == .lift })
    #expect(desk.lines.count >= count + 49)
    desk.end()
  }

  @Test func `without it the lever latches and the line follows the wheel's swing`() throws {
    let desk = try DriveDesk(isDeadMan: false)
    desk.takeLever(to: .forward(5))
    desk.lift(1)
    desk.pass(.seconds(1))
    #expect(desk.line.command == DriveCommand(gear: 5, throttle: 0.5, steering: 0) && desk.line.state == .driving)
    desk.takeWheel(degrees: 90)
    desk.pass(.milliseconds(300))
    desk.lift(2)
    for _ in 0..<6 { desk.refresh() }
    #expect(desk.line.command.steering > 0.01 && desk.line.command.steering < 0.2)
    desk.pass(.seconds(2))
    #expect(desk.line.command.steering == 0 && desk.line.command.gear == 5)
    desk.end()
  }

  @Test func `keys drive for as long as they are held`() throws {
    let desk = try DriveDesk()
    desk.stage.seat.keyboardEnter()
    desk.settle()
    desk.stage.seat.key(StageKeymap.Code.up, true)
    desk.settle()
    #expect(desk.line.command == DriveCommand(gear: 1, throttle: 0.1, steering: 0, isHeld: true))
    desk.stage.seat.key(StageKeymap.Code.up, false)
    desk.settle()
    #expect(desk.line.reason == .lift && desk.scene.gearbox.gear == .neutral)
    desk.stage.seat.key(StageKeymap.Code.left, true)
    desk.pass(.milliseconds(500))
    #expect(desk.line.state == .driving && desk.line.command.steering < -0.01 && desk.line.command.gear == 0)
    desk.stage.seat.key(StageKeymap.Code.left, false)
    desk.settle()
    #expect(desk.line.command == .neutral && desk.line.reason == .lift)
    desk.end()
  }

  @Test func `the horn sounds in the line without driving anything`() throws {
    let desk = try DriveDesk()
    let center = desk.scene.horn.windowFrame.center
    desk.stage.seat.touchDown(4, center.x, center.y)
    desk.stage.seat.touchFrame()
    desk.settle()
    #expect(desk.line.command.horn && desk.line.state == .ready && !desk.line.command.isHeld)
    desk.lift(4)
    #expect(!desk.line.command.horn)
    desk.end()
  }

  @Test func `a gear that code sets does not drive: neither at the start nor in between`() throws {
    for isDeadMan in [true, false] {
      let desk = try DriveDesk(isDeadMan: isDeadMan)
      desk.scene.gearbox.gear = .forward(9)
      desk.pass(.milliseconds(300))
      #expect(desk.line.command == .neutral && desk.line.state == .ready)
      desk.end()
    }
  }

  @Test func `a lever that is disabled while it is held drives again when it is taken anew, from neutral`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(4))
    desk.scene.gearbox.isEnabled = false
    desk.settle()
    desk.refresh()
    #expect(desk.line.state == .safe && desk.line.reason == .sceneChanged)
    desk.scene.gearbox.isEnabled = true
    desk.lift(1)
    #expect(desk.line.command == .neutral && desk.scene.gearbox.gear == .neutral)
    desk.takeLever(to: .forward(4))
    #expect(desk.line.command.gear == 4)
    desk.end()
  }

  // MARK: What is shown is what is sent

  /// True while the wheel is marked as one that is not obeyed.
  private func isWheelMarked(_ desk: DriveDesk) -> Bool {
    desk.scene.lossDisplay?.subviews.contains { ($0 as? IgnoredMark)?.isRound == true && !$0.isHidden } ?? false
  }

  @Test(arguments: [true, false]) func `a wheel that does not spring back is straight when the line says so`(
    isDeadMan: Bool
  ) throws {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    desk.scene.wheel.springsBack = false
    desk.takeWheel(degrees: 60)
    desk.pass(.milliseconds(100))
    desk.lift(2)
    desk.pass(.milliseconds(100))
    // Without the dead-man's rule it stays, on the screen and in the line.
    let angle = isDeadMan ? 0.0 : desk.scene.wheel.angle
    #expect(desk.scene.wheel.angle == angle && desk.scene.cluster.steering.degrees == angle)
    #expect(abs(desk.line.command.steering - angle / 450) < 0.0001 && !isWheelMarked(desk))
    desk.takeLever(to: .forward(1))
    #expect(abs(desk.line.command.steering - angle / 450) < 0.0001)
    // A loss straightens it in any case.
    desk.stage.seat.touchCancel()
    desk.settle()
    #expect(desk.scene.wheel.angle == 0 && desk.line.command == .neutral)
    desk.takeLever(3, to: .forward(1))
    #expect(desk.line.command.steering == 0 && desk.line.command.gear == 1)
    desk.end()
  }

  @Test func `a wheel that swings back, or that a sensor turns before the first touch, is marked`() throws {
    let desk = try DriveDesk()
    #expect(!isWheelMarked(desk))
    desk.takeWheel(degrees: 60)
    #expect(!isWheelMarked(desk))
    desk.lift(2)
    // The frame of the last motion is on its way: the next one has the mark.
    desk.refresh()
    #expect(desk.scene.wheel.angle > 20 && isWheelMarked(desk))
    desk.pass(.seconds(2))
    #expect(!isWheelMarked(desk))
    desk.relay.record(.tilt(90, isLost: false)) { desk.scene.wheel.steer(toward: 90) }
    desk.pass(.seconds(1))
    #expect(desk.line.command == .neutral && desk.scene.wheel.angle > 80 && isWheelMarked(desk))
    desk.takeLever(to: .forward(1))
    #expect(desk.line.command.steering > 0.15 && !isWheelMarked(desk))
    desk.end()
  }
}
