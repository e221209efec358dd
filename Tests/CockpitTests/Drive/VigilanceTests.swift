import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of holds that give no sign, and of the throttle between gears.
@MainActor @Suite(.serialized) struct VigilanceTests {
  private func desk() throws -> DriveDesk {
    try DriveDesk(
      prepare: { desk, start in
        desk.session.vigilance = Vigilance(limit: .seconds(2), output: desk.output, at: start)
      })
  }

  @Test func `a held finger that gives no sign for so long is a loss, and each motion is a sign`() throws {
    let desk = try desk()
    desk.takeLever(to: .forward(5))
    for _ in 0..<3 {
      desk.pass(.milliseconds(1800))
      #expect(desk.line.state == .driving)
      desk.move(1, to: desk.scene.lever(.forward(5)))
    }
    desk.pass(.milliseconds(2100))
    #expect(desk.line.state == .safe && desk.line.reason == .inputSilent && desk.line.command == .neutral)
    // The finger that rests there counts for nothing until it is lifted.
    desk.move(1, to: desk.scene.lever(.forward(3)))
    #expect(desk.line.state == .safe)
    desk.lift(1)
    desk.takeLever(to: .forward(2))
    #expect(desk.line.state == .driving && desk.line.command.gear == 2)
    desk.end()
  }

  @Test func `a finger on an empty place and a key's repeats are no sign`() throws {
    let desk = try desk()
    desk.stage.seat.keyboardEnter()
    desk.stage.seat.key(StageKeymap.Code.left, true)
    desk.refresh()
    #expect(desk.line.state == .driving && desk.line.command.isHeld)
    for _ in 0..<5 {
      desk.pass(.milliseconds(500))
      desk.stage.seat.touchDown(7, 1, 1)
      desk.stage.seat.touchUp(7)
      desk.stage.seat.touchFrame()
    }
    #expect(desk.line.state == .safe && desk.line.reason == .inputSilent)
    desk.end()
  }

  @Test func `an arrow key that another control takes is no sign`() throws {
    let desk = try desk()
    let slider = Slider(frame: Rect(x: 130, y: 300, width: 140, height: 20))
    desk.scene.addSubview(slider)
    desk.stage.seat.keyboardEnter()
    desk.takeLever(to: .forward(5))
    #expect(slider.becomeFirstResponder())
    for _ in 0..<5 {
      desk.pass(.milliseconds(500))
      desk.stage.seat.key(StageKeymap.Code.right, true)
      desk.stage.seat.key(StageKeymap.Code.right, false)
      desk.settle()
    }
    #expect(slider.value > 0, "the slider took them")
    #expect(desk.line.state == .safe && desk.line.reason == .inputSilent)
    desk.end()
  }

  @Test func `a lever that nobody holds has no signs to give`() throws {
    let desk = try DriveDesk(
      isDeadMan: false,
      prepare: { desk, start in
        desk.session.vigilance = Vigilance(limit: .seconds(2), output: desk.output, at: start)
      })
    desk.takeLever(to: .forward(5))
    desk.lift(1)
    desk.pass(.seconds(5))
    #expect(desk.line.state == .driving && desk.line.command.gear == 5)
    desk.end()
  }

  @Test func `by the lever's place, throttle lies between the gears while a finger has it`() throws {
    let desk = try DriveDesk()
    desk.scene.gearbox.followsFinger = true
    desk.takeLever(to: .forward(5))
    #expect(desk.line.command.gear == 5 && desk.line.command.throttle == 0.5)
    let (low, high) = (desk.scene.lever(.forward(5)), desk.scene.lever(.forward(6)))
    desk.move(1, to: Point(x: low.x, y: low.y + (high.y - low.y) * 0.25))
    #expect(desk.line.command.gear == 5 && desk.line.command.throttle == 0.525)
    desk.move(1, to: Point(x: low.x, y: low.y + (high.y - low.y) * 0.75))
    #expect(desk.line.command.gear == 6 && desk.line.command.throttle == 0.575)
    desk.lift(1)
    #expect(desk.line.command == .neutral)
    desk.end()
  }

  @Test func `without the dead-man's switch, a lift leaves the throttle between the gears as it is`() throws {
    let desk = try DriveDesk(isDeadMan: false)
    desk.scene.gearbox.followsFinger = true
    desk.takeLever(to: .forward(5))
    let (low, high) = (desk.scene.lever(.forward(5)), desk.scene.lever(.forward(6)))
    desk.move(1, to: Point(x: low.x, y: low.y + (high.y - low.y) * 0.25))
    desk.lift(1)
    desk.pass(.seconds(1))
    #expect(desk.line.state == .driving && desk.line.command.throttle == 0.525, "neither moved nor a loss")
    desk.stage.seat.keyboardEnter()
    desk.stage.seat.key(StageKeymap.Code.up, true)
    desk.settle()
    #expect(desk.line.command.gear == 6 && desk.line.command.throttle == 0.6, "a key shifts to a whole gear")
    desk.end()
  }
}
