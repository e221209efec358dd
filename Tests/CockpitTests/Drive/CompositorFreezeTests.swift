import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of a compositor that stops answering during a drive: when it is noticed, what follows, what ends it.
@MainActor @Suite(.serialized) struct CompositorFreezeTests {
  /// The compositor's answers stay away; the cockpit has its turns, a millisecond apart.
  private func freeze(_ desk: DriveDesk, for milliseconds: Int) {
    for _ in 0..<milliseconds {
      desk.stage.clock.advance(by: .milliseconds(1))
      try? desk.application.step()
    }
  }

  private func stage(base: Int32 = 6) -> Stage {
    var globals = StageGlobals.everything
    globals.windowBase = base
    return Stage(globals: globals)
  }

  @Test(arguments: [Int32(3), 5, 6], [true, false])
  func `a compositor that freezes takes both fingers away within 350 ms, and nothing resumes without a new touch`(
    base: Int32, hasBeacon: Bool
  ) throws {
    let desk = try DriveDesk(stage: stage(base: base))
    desk.scene.cluster.beacon.isEnabled = hasBeacon
    desk.takeLever(to: .forward(6))
    desk.takeWheel(degrees: 60)
    desk.pass(.seconds(1))
    #expect(desk.line.state == .driving && desk.line.command.isHeld && desk.line.command.gear == 6)
    let frozenAt = desk.stage.clock.now
    freeze(desk, for: 350)
    let line = try #require(desk.lines.first { $0.reason == .compositorFrozen })
    #expect(line.time - frozenAt <= .milliseconds(310) && line.command == .neutral && line.state == .safe)
    #expect(desk.line.state == .safe && desk.scene.gearbox.gear == .neutral)
    #expect(!desk.scene.gearbox.isTracking && !desk.scene.wheel.isTracking)
    // Six seconds more: on old compositors the window counts as hidden by then, and the reason stays the one that came first.
    desk.forgetLines()
    freeze(desk, for: 6000)
    #expect(desk.lines.allSatisfy { $0.state == .safe && !$0.command.isHeld && $0.reason == .compositorFrozen })

    // Meanwhile the fingers moved, one was lifted and put down again, and a third came: all of it is delivered by the thaw.
    let rim = desk.scene.rim(30)
    desk.stage.seat.touchMotion(2, rim.x, rim.y)
    desk.stage.seat.touchFrame()
    desk.stage.seat.touchUp(1)
    desk.stage.seat.touchFrame()
    let lever = desk.scene.lever(.neutral)
    for finger: Int32 in [1, 3] {
      desk.stage.seat.touchDown(finger, lever.x, lever.y)
      desk.stage.seat.touchFrame()
    }
    desk.forgetLines()
    desk.pass(.seconds(1))
    let top = desk.scene.lever(.forward(8))
    for finger: Int32 in [1, 3] { desk.move(finger, to: top) }
    desk.pass(.seconds(1))
    #expect(desk.lines.allSatisfy { $0.state == .safe && !$0.command.isHeld && $0.command == .neutral })
    #expect(desk.scene.gearbox.gear == .neutral && !desk.scene.gearbox.isTracking && !desk.scene.wheel.isTracking)

    // They are lifted; a new touch drives.
    for finger: Int32 in [1, 2, 3] { desk.lift(finger) }
    desk.pass(.milliseconds(100))
    #expect(desk.line.state == .safe && desk.line.reason == .compositorFrozen)
    desk.takeLever(4, to: .forward(3))
    #expect(desk.line.state == .driving && desk.line.command.gear == 3 && desk.line.command.isHeld)
    desk.end()
  }

  @Test func `a latched lever that nobody holds is lost as well, and so are keys`() throws {
    for byKeys in [false, true] {
      let desk = try DriveDesk(isDeadMan: byKeys)
      if byKeys {
        desk.stage.seat.keyboardEnter()
        desk.settle()
        desk.stage.seat.key(StageKeymap.Code.up, true)
        desk.settle()
      } else {
        desk.takeLever(to: .forward(6))
        desk.lift(1)
      }
      desk.pass(.seconds(2))
      #expect(desk.line.state == .driving && desk.line.command.gear > 0)
      freeze(desk, for: 320)
      #expect(desk.line.state == .safe && desk.line.reason == .compositorFrozen && desk.line.command == .neutral)
      // A key press that had queued up is no new touch.
      desk.stage.seat.key(StageKeymap.Code.up, false)
      desk.stage.seat.key(StageKeymap.Code.up, true)
      desk.pass(.seconds(1))
      #expect(desk.line.state == .safe && desk.scene.gearbox.gear == .neutral)
      desk.stage.seat.keyboardEnter()
      desk.stage.seat.key(StageKeymap.Code.up, false)
      desk.settle()
      desk.stage.seat.key(StageKeymap.Code.up, true)
      desk.settle()
      #expect(desk.line.state == .driving)
      desk.end()
    }
  }

  @Test func `the horn alone ends as well`() throws {
    let desk = try DriveDesk()
    let horn = desk.scene.horn.windowFrame.center
    desk.stage.seat.touchDown(5, horn.x, horn.y)
    desk.stage.seat.touchFrame()
    desk.pass(.seconds(1))
    #expect(desk.line.command.horn && desk.line.state == .ready)
    freeze(desk, for: 320)
    #expect(!desk.line.command.horn && !desk.scene.horn.isSounding && desk.line.reason == .compositorFrozen)
    desk.end()
  }

  @Test func `nobody is asked at rest, at most ten times a second while driving, and not after a loss`() throws {
    let desk = try DriveDesk()
    var before = desk.stage.questions
    desk.pass(.seconds(5))
    #expect(desk.stage.questions == before)
    desk.takeLever(to: .forward(2))
    before = desk.stage.questions
    desk.pass(.seconds(5))
    #expect((40...50).contains(desk.stage.questions - before))
    desk.stage.seat.touchCancel()
    desk.settle()
    before = desk.stage.questions
    desk.pass(.seconds(5))
    #expect(desk.stage.questions == before && desk.line.reason == .touchCancelled)
    desk.end()
  }

  @Test func `nothing is asked any more once the loop hung and the sender took the drive over`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(2))
    desk.sink.hang(desk.output.stream, at: desk.stage.clock.now + .milliseconds(200))
    desk.pass(.milliseconds(200))
    #expect(desk.line.reason == .loopHung)
    let before = desk.stage.questions
    desk.pass(.seconds(2))
    #expect(desk.stage.questions == before)
    desk.end()
  }

  @Test(arguments: [(100, 45), (300, 180), (600, 480)])
  func `a compositor that is late by less than what is left of the limit after a question keeps the driver`(
    limit: Int, late: Int
  ) throws {
    let desk = try DriveDesk()
    desk.application.answerLimit = .milliseconds(limit)
    desk.takeLever(to: .forward(4))
    let finger = desk.scene.lever(.forward(4))
    for round in 0..<8 {
      // A third of the limit, at most 100 ms, may have passed before the compositor stops.
      freeze(desk, for: late)
      // Its events after that show the window too: a frame callback, and the finger that still moves.
      desk.stage.seat.touchMotion(1, finger.x + Double(round % 2), finger.y)
      desk.stage.seat.touchFrame()
      desk.refresh()
      #expect(desk.line.state == .driving, "round \(round)")
    }
    freeze(desk, for: limit + 20)
    #expect(desk.line.state == .safe && desk.line.reason == .compositorFrozen)
    desk.end()
  }

  @Test func `a frozen compositor that then goes is lost, and the next one takes touches at once`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(4))
    freeze(desk, for: 320)
    #expect(desk.line.reason == .compositorFrozen)
    desk.stage.clients.last?.hangUp()
    desk.pass(.seconds(1))
    #expect(desk.line.reason == .compositorLost)
    desk.takeLever(to: .forward(4))
    #expect(desk.line.state == .driving && desk.line.command.gear == 4)
    desk.end()
  }
}
