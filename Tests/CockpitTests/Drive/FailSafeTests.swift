import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// A kind of loss of input, and the reason that the line must give.
nonisolated enum Loss: String, CaseIterable, Sendable {
  case lift, cancel, capability, seat, seatWithoutWord, hidden, starved, hangUp, protocolError, closed, keyboardLeave

  var reason: DriveReason {
    switch self {
    case .lift: .lift
    case .cancel: .touchCancelled
    case .capability, .seat, .seatWithoutWord: .deviceLost
    case .hidden, .starved: .hidden
    case .hangUp, .protocolError: .compositorLost
    case .closed: .closed
    case .keyboardLeave: .keyboardLeft
    }
  }

  /// Losses after which the same window takes a finger again.
  static let passing: [Loss] = [.lift, .cancel, .capability, .hidden, .hangUp, .protocolError, .keyboardLeave]

  /// Begins to drive by the input that will be lost: by keys, or by a finger on the lever and one on the wheel.
  @MainActor func prepare(_ desk: DriveDesk) {
    guard self == .keyboardLeave else {
      desk.takeLever(to: .forward(6))
      return desk.takeWheel(degrees: 60)
    }
    desk.stage.seat.keyboardEnter()
    desk.settle()
    desk.stage.seat.key(StageKeymap.Code.up, true)
    desk.settle()
  }

  @MainActor func happen(on desk: DriveDesk) {
    let stage = desk.stage
    switch self {
    case .lift:
      for finger: Int32 in [1, 2] { stage.seat.touchUp(finger) }
      stage.seat.touchFrame()
    case .cancel: stage.seat.touchCancel()
    case .capability: stage.seat.capabilities = [.pointer, .keyboard]
    case .seat: stage.remove(stage.seat)
    case .seatWithoutWord: stage.remove(stage.seat, notifiesDevices: false)
    case .hidden: stage.toplevel.suspend()
    case .starved: stage.starve(stage.toplevel.surface, true)
    case .hangUp: stage.clients.last?.hangUp()
    case .protocolError:
      desk.toleratesEnd = true
      stage.postProtocolError(code: 4, "for the test")
    case .closed: stage.toplevel.close()
    case .keyboardLeave: stage.seat.keyboardLeave()
    }
  }
}

@MainActor @Suite(.serialized) struct FailSafeTests {
  @Test(arguments: [true, false], [Duration.milliseconds(210), .seconds(5)])
  func `a process that was stopped as a whole is safe before anything else, and the same hand commands nothing`(
    isHeld: Bool, pause: Duration
  ) throws {
    let desk = try DriveDesk(isDeadMan: isHeld, mailbox: { try MailboxSink($0, clock: $1) })
    desk.takeLever(to: .forward(5))
    if !isHeld { desk.lift(1) }
    desk.pass(.seconds(1))
    try #require(desk.line.state == .driving && desk.line.command.gear == 5)
    desk.forgetLines()
    // Loop, sender and compositor stand still; then the loop's timer is the first to run.
    desk.stage.clock.advance(by: pause)
    desk.output.wake(at: desk.stage.clock.now)
    desk.pass(.seconds(1))
    #expect(desk.lines.first?.reason == .loopHung)
    #expect(desk.lines.allSatisfy { $0.state == .safe && $0.command == .neutral })
    #expect(desk.scene.gearbox.gear == .neutral)
    if isHeld {
      desk.move(1, to: desk.scene.lever(.forward(7)))
      #expect(desk.line.state == .safe, "the finger of before is no new touch")
      desk.lift(1)
    }
    desk.takeLever(to: .forward(3))
    #expect(desk.line.state == .driving && desk.line.command.gear == 3)
    desk.end()
  }

  /// A desk that drives, by two fingers or, where keys are lost, by keys.
  private func drivingDesk(_ loss: Loss, isDeadMan: Bool = true) throws -> DriveDesk {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    loss.prepare(desk)
    #expect(desk.line.state == .driving && desk.line.command.gear > 0 && desk.line.command.isHeld)
    return desk
  }

  @Test(arguments: Loss.allCases.filter { $0 != .starved })
  func `whatever takes input away commands neutral and centre at once, with its reason`(loss: Loss) throws {
    let desk = try drivingDesk(loss)
    let time = desk.stage.clock.now
    loss.happen(on: desk)
    // The clock stands still: the line needs no timer, no frame and no second event.
    desk.settle()
    let line = try #require(desk.lines.last { $0.state == .safe })
    #expect(line.reason == loss.reason && line.command == .neutral && line.time == time)
    // On the way there was no other command than the one before and neutral.
    #expect(desk.line.state == .safe)
    #expect(desk.scene.gearbox.gear == .neutral && !desk.scene.gearbox.isTracking && !desk.scene.wheel.isTracking)
    if loss != .closed { desk.end() }
  }

  @Test(arguments: [Loss.cancel, .capability, .seat, .hidden, .hangUp, .protocolError, .closed])
  func `a lever that latches falls into neutral as well`(loss: Loss) throws {
    let desk = try drivingDesk(loss, isDeadMan: false)
    loss.happen(on: desk)
    desk.settle()
    #expect(desk.line.state == .safe && desk.line.reason == loss.reason && desk.line.command == .neutral)
    if loss != .closed { desk.end() }
  }

  @Test(arguments: [Loss.capability, .hidden, .hangUp])
  func `also when nobody holds it any more`(loss: Loss) throws {
    let desk = try drivingDesk(loss, isDeadMan: false)
    desk.lift(1)
    desk.lift(2)
    desk.pass(.seconds(2))
    #expect(desk.line.state == .driving && desk.line.command.gear == 6)
    loss.happen(on: desk)
    desk.settle()
    #expect(desk.line.state == .safe && desk.line.reason == loss.reason && desk.line.command == .neutral)
    desk.end()
  }

  @Test func `a compositor that stops answering is noticed within a second`() throws {
    let stage = Stage(globals: .weston10)
    let desk = try DriveDesk(stage: stage)
    desk.takeLever(to: .forward(6))
    desk.scene.cluster.beacon.isEnabled = true
    desk.refresh()
    Loss.starved.happen(on: desk)
    let start = stage.clock.now
    while desk.line.state == .driving, stage.clock.now - start < .seconds(3) { desk.refresh() }
    #expect(desk.line.reason == .hidden && stage.clock.now - start < .milliseconds(1200))
    desk.end()
  }

  @Test(arguments: Loss.passing)
  func `the safe line is repeated at the steady rate, and nothing resumes by itself`(loss: Loss) throws {
    let desk = try drivingDesk(loss)
    loss.happen(on: desk)
    desk.settle()
    let count = desk.lines.count
    let start = desk.stage.clock.now
    desk.pass(.seconds(1))
    let passed = (desk.stage.clock.now - start).inSeconds
    #expect(abs(Double(desk.lines.count - count) - passed * 50) <= 1)
    #expect(desk.lines[count...].allSatisfy { $0.command == .neutral && $0.reason == loss.reason })

    // The loss ends. Fingers that were down all the time go on moving, and are ignored.
    if loss == .capability { desk.stage.seat.capabilities = [.pointer, .keyboard, .touch] }
    if loss == .hidden { desk.stage.toplevel.resume() }
    desk.pass(.milliseconds(200))
    if loss == .hidden {
      desk.move(1, to: desk.scene.lever(.forward(9)))
      desk.move(2, to: desk.scene.rim(20))
      desk.stage.seat.touchUp(1)
      desk.stage.seat.touchUp(2)
      desk.stage.seat.touchFrame()
    }
    if loss == .keyboardLeave {
      desk.stage.seat.keyboardEnter([StageKeymap.Code.up])
      desk.settle()
      desk.stage.seat.key(StageKeymap.Code.up, false)
    }
    desk.pass(.milliseconds(200))
    #expect(desk.line.state == .safe && desk.line.command == .neutral && desk.scene.gearbox.gear == .neutral)
    // A new touch drives.
    desk.takeLever(7, to: .forward(3))
    #expect(desk.line.state == .driving && desk.line.command.gear == 3)
    desk.end()
  }

  @Test func `a finger that stays down through a cancelled gesture of others drives no more until it comes down again`()
    throws
  {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    desk.session.reportLoss(.sensorLost)
    desk.settle()
    #expect(desk.line.state == .safe && desk.line.reason == .sensorLost && desk.scene.gearbox.gear == .neutral)
    desk.move(1, to: desk.scene.lever(.forward(8)))
    #expect(desk.line.command == .neutral && desk.scene.gearbox.gear == .neutral)
    desk.lift(1)
    desk.takeLever(1, to: .forward(8))
    #expect(desk.line.command.gear == 8)
    desk.end()
  }

  @Test(arguments: [true, false])
  func `a finger that comes down in the event of the loss is no new touch`(isDeadMan: Bool) throws {
    let desk = try drivingDesk(.cancel, isDeadMan: isDeadMan)
    // The end of the second finger got lost: the same id comes down anew, and the old one is cancelled with it.
    let rim = desk.scene.rim(90)
    desk.stage.seat.touchDown(2, rim.x, rim.y)
    desk.stage.seat.touchFrame()
    desk.settle()
    #expect(desk.line.state == .safe && desk.line.reason == .touchCancelled)
    desk.forgetLines()
    desk.pass(.seconds(2))
    #expect(desk.lines.allSatisfy { $0.state == .safe && $0.command == .neutral })
    desk.lift(2)
    desk.takeWheel(5, degrees: 40)
    #expect(desk.line.state == .driving)
    desk.end()
  }

  @Test func `fingers that came while the loop hung are no new touches`() throws {
    let desk = try drivingDesk(.cancel, isDeadMan: false)
    desk.lift(2)
    desk.sink.hang(desk.output.stream, at: desk.stage.clock.now + .milliseconds(200))
    desk.stage.clock.advance(by: .milliseconds(300))
    let rim = desk.scene.rim(90)
    desk.stage.seat.touchDown(7, rim.x, rim.y)
    desk.stage.seat.touchFrame()
    // The event waits in the socket when the loop goes on.
    desk.stage.step()
    desk.settle()
    desk.forgetLines()
    desk.pass(.seconds(2))
    #expect(desk.line.reason == .loopHung, "\(desk.line.reason)")
    #expect(desk.lines.allSatisfy { $0.state == .safe && $0.command == .neutral })
    desk.end()
  }

  @Test func `after the loop hung the controls follow what was said meanwhile`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    let hangTime = desk.stage.clock.now + .milliseconds(200)
    desk.sink.hang(desk.output.stream, at: hangTime)
    desk.stage.clock.advance(by: .milliseconds(400))
    desk.move(1, to: desk.scene.lever(.forward(8)))
    #expect(desk.line.state == .safe && desk.line.reason == .loopHung && desk.scene.gearbox.gear == .neutral)
    #expect(!desk.scene.gearbox.isTracking)
    desk.lift(1)
    desk.takeLever(1, to: .forward(8))
    #expect(desk.line.command.gear == 8)
    desk.end()
  }

  @Test func `input of others takes nobody's control away`() throws {
    let desk = try DriveDesk()
    let other = desk.stage.addSeat(capabilities: [.touch, .keyboard, .pointer])
    desk.refresh()
    desk.takeLever(to: .forward(5))
    other.touchDown(1, 240, 10)
    other.touchFrame()
    other.touchCancel()
    other.capabilities = []
    desk.settle()
    desk.stage.remove(other)
    desk.stage.seat.capabilities = [.touch]
    desk.settle()
    #expect(desk.line.state == .driving && desk.line.command.gear == 5)
    desk.end()
  }
}
