import Controls
import DriveLink
import Shell
import Stage
import Testing
import UICore

@testable import cockpit

/// The screen during a drive: it is hidden, or it turns.
@MainActor @Suite(.serialized) struct ScreenTests {
  @Test func `a window that is covered ends a latched drive in two seconds, also where nothing on it moves`() throws {
    let desk = try DriveDesk(stage: Stage(globals: .weston10), isDeadMan: false)
    #expect(!desk.scene.cluster.beacon.isEnabled)
    desk.takeLever(to: .forward(4))
    desk.lift(1)
    let gear = desk.line.command.gear
    let surface = try #require(desk.stage.toplevels.first).surface
    // The needle rests when the car has its speed.
    func moves() -> Bool { (surface.contentCommits.last?.time ?? .zero) + .seconds(1) > desk.stage.clock.now }
    for _ in 0..<120 where moves() { desk.pass(.seconds(1)) }
    #expect(!moves() && desk.line.state == .driving)
    #expect(gear > 0 && desk.line.command.gear == gear)
    desk.stage.starve(surface, true)
    let covered = desk.stage.clock.now
    desk.pass(.milliseconds(2200))
    #expect(desk.line.state == .safe && desk.line.reason == .hidden && desk.line.command == .neutral)
    #expect((desk.lines.last { $0.state == .safe }?.time ?? .zero) > covered)
    desk.end()
  }

  @Test func `a window that is seen drives on for as long as the lever is latched`() throws {
    let desk = try DriveDesk(stage: Stage(globals: .weston10), isDeadMan: false)
    desk.takeLever(to: .forward(4))
    desk.lift(1)
    desk.pass(.seconds(20))
    #expect(desk.line.state == .driving && desk.lines.allSatisfy { $0.state != .safe })
    desk.end()
  }

  @Test func `a screen that turns under the fingers ends the drive before their places count again`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(3))
    desk.takeWheel(degrees: 60)
    #expect(desk.line.state == .driving && desk.line.command.gear == 3)
    let time = desk.stage.clock.now
    desk.stage.output.transform = .turned90
    desk.stage.output.announce()
    // A tremble of the finger, mapped by the new transform.
    let far = desk.scene.lever(.forward(10))
    desk.stage.seat.touchMotion(1, far.x, far.y)
    desk.stage.seat.touchFrame()
    desk.settle()
    #expect(desk.line.state == .safe && desk.line.reason == .screenTurned && desk.line.command == .neutral)
    #expect(desk.lines.last { $0.state == .safe }?.time == time)
    #expect(desk.lines.allSatisfy { $0.command.gear <= 3 })
    desk.end()
  }
}
