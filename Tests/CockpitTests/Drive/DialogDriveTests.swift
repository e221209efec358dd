import CockpitControls
import ControlTools
import Controls
import DriveLink
import Gamepad
import PlayedGamepads
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of dialogs and of the focus in a scene that drives: what opens releases what is held, and a focus that moves drives nothing.
@MainActor @Suite(.serialized) struct DialogDriveTests {
  private func ask(_ desk: DriveDesk) -> Dialog {
    let dialog = Dialog("Sure?", answers: ["No", "Yes"])
    dialog.present(over: desk.scene)
    desk.settle()
    return dialog
  }

  private func press(_ desk: DriveDesk, _ code: UInt32) {
    for isDown in [true, false] {
      desk.stage.seat.key(code, isDown)
      desk.settle()
    }
  }

  @Test func `a dialog that opens lets go of lever and wheel, and fingers that stay down drive nothing`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(4))
    desk.takeWheel(degrees: 60)
    #expect(desk.line.state == .driving && desk.line.command.gear == 4 && desk.line.command.steering > 0)
    let dialog = ask(desk)
    desk.refresh()
    #expect(desk.line.state == .safe && desk.line.command == .neutral)
    #expect(desk.scene.gearbox.gear == .neutral && !desk.scene.gearbox.isTracking && !desk.scene.wheel.isTracking)
    desk.move(1, to: desk.scene.lever(.forward(6)))
    desk.move(2, to: desk.scene.rim(90))
    #expect(desk.line.command == .neutral && desk.line.state == .safe)
    dialog.isOpen = false
    desk.move(1, to: desk.scene.lever(.forward(3)))
    #expect(desk.line.command == .neutral, "the same finger takes nothing")
    desk.lift(1)
    desk.lift(2)
    desk.takeLever(to: .forward(2))
    #expect(desk.line.state == .driving && desk.line.command.gear == 2, "a new one does")
    desk.end()
  }

  @Test func `without a dead-man's switch a dialog that opens leaves the gear too`() throws {
    let desk = try DriveDesk(isDeadMan: false)
    desk.takeLever(to: .forward(4))
    desk.lift(1)
    #expect(desk.line.command.gear == 4 && desk.scene.gearbox.gear == .forward(4))
    _ = ask(desk)
    desk.refresh()
    #expect(desk.scene.gearbox.gear == .neutral && desk.line.command == .neutral)
    desk.end()
  }

  @Test func `a key that drives is let go by a dialog, and drives nothing behind it`() throws {
    let desk = try DriveDesk()
    desk.stage.seat.keyboardEnter()
    desk.settle()
    desk.stage.seat.key(StageKeymap.Code.up, true)
    desk.settle()
    #expect(desk.line.command.gear == 1)
    let dialog = ask(desk)
    desk.refresh()
    #expect(desk.line.command == .neutral && desk.scene.gearbox.gear == .neutral)
    desk.pass(.seconds(1))
    desk.stage.seat.key(StageKeymap.Code.up, false)
    desk.settle()
    for code in [StageKeymap.Code.up, StageKeymap.Code.left, StageKeymap.Code.right] { press(desk, code) }
    #expect(desk.line.command == .neutral && desk.scene.wheel.angle == 0 && dialog.isOpen)
    #expect(desk.scene.firstResponder?.isDescendant(of: dialog) == true)
    desk.end()
  }

  @Test func `a gamepad that drives is let go by a dialog, and takes nothing behind it`() throws {
    let desk = try PadDesk()
    desk.drive(gear: 3)
    #expect(desk.line.state == .driving && desk.line.command.gear == 3)
    let dialog = ask(desk.desk)
    desk.desk.refresh()
    #expect(desk.line.command == .neutral && desk.desk.scene.gearbox.gear == .neutral)
    desk.report([InputCode.rz: 0])
    desk.drive(gear: 2)
    #expect(desk.line.command == .neutral)
    dialog.isOpen = false
    desk.report([InputCode.rz: 200])
    #expect(desk.line.command == .neutral, "it must be let go first")
    desk.report([InputCode.rz: 0])
    desk.drive(gear: 2)
    #expect(desk.line.state == .driving && desk.line.command.gear == 2)
    desk.desk.end()
  }

  @Test func `the emergency stop stays in front of a dialog, for fingers, keys and assistive technology`() throws {
    let desk = try DriveDesk(arrange: { $0.drivesVehicle = true })
    let stop = try #require(desk.scene.stop)
    _ = ask(desk)
    desk.refresh()
    #expect(desk.scene.hitTest(stop.frame.center) === stop)
    #expect(desk.scene.accessibilityElements.contains { $0 === stop })
    desk.end()
  }

  @Test func `a focus that arrow keys move over the cockpit's own scene changes no value and drives nothing`() throws {
    let desk = try DriveDesk()
    let (scene, output) = (desk.scene, desk.output)
    desk.stage.seat.keyboardEnter()
    desk.settle()
    var reached: Set<String> = []
    for direction in [FocusDirection.right, .right, .down, .left, .left, .up, .right, .down, .up] {
      scene.moveFocus(direction)
      desk.refresh()
      reached.insert(scene.firstResponder?.name ?? "")
      #expect(scene.gearbox.gear == .neutral && scene.wheel.angle == 0 && !scene.horn.isSounding)
      #expect(desk.line.state == .ready && !desk.line.command.isHeld && !output.isHeld)
    }
    #expect(reached.isSuperset(of: ["gearbox", "wheel"]), "\(reached)")
    desk.end()
  }
}
