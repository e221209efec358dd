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
    desk.pass(.milliseconds(400))
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
    desk.desk.pass(.milliseconds(400))
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

  @Test func `a dialog of the scene's file that lies beside lever and wheel, or leaves them the input, drives nothing`()
    throws
  {
    for isModal in [true, false] {
      let desk = try DriveDesk()
      let dialog = Dialog("Sure?", answers: ["No", "Yes"])
      dialog.isModal = isModal
      dialog.frame = desk.scene.cluster.frame
      desk.scene.content.addSubview(dialog)
      desk.refresh()
      desk.takeLever(to: .forward(4))
      #expect(desk.line.state == .driving && desk.line.command.gear == 4)
      dialog.isOpen = true
      desk.refresh()
      #expect(desk.line.state == .safe && desk.line.command == .neutral && desk.scene.gearbox.gear == .neutral)
      desk.lift(1)
      desk.forgetLines()
      desk.takeLever(to: .forward(2))
      desk.takeWheel(degrees: 60)
      #expect(desk.lines.allSatisfy { $0.command == .neutral } && desk.line.state == .safe, "\(isModal)")
      desk.lift(1)
      desk.lift(2)
      dialog.isOpen = false
      desk.pass(.milliseconds(400))
      desk.takeLever(to: .forward(2))
      #expect(desk.line.state == .driving && desk.line.command.gear == 2)
      desk.end()
    }
  }

  @Test func `the emergency stop is drawn over a dialog, and pressed there it stops and leaves the question`() throws {
    let desk = try DriveDesk(arrange: { $0.drivesVehicle = true })
    let stop = try #require(desk.scene.stop)
    let place = stop.frame
    desk.takeLever(to: .forward(4))
    let dialog = ask(desk)
    desk.refresh()
    #expect(desk.scene.subviews.last === stop && stop.frame == place && stop.isShown)
    desk.stage.seat.touchDown(5, place.midX, place.midY)
    desk.stage.seat.touchFrame()
    desk.refresh()
    #expect(stop.isPressed && desk.output.stream.isStopped && dialog.isOpen)
    desk.end()
  }

  @Test func `a sheet that is dragged away and a toast move nothing, and a toast takes no finger from the lever`()
    throws
  {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(3))
    Toast.show("Saved", over: desk.scene)
    desk.pass(.milliseconds(500))
    #expect(desk.line.state == .driving && desk.line.command.gear == 3)
    let sheet = Sheet()
    sheet.present(over: desk.scene)
    desk.pass(.milliseconds(400))
    #expect(desk.line.state == .safe && desk.scene.gearbox.gear == .neutral)
    desk.forgetLines()
    desk.lift(1)
    let top = try #require(sheet.contentHost.superview).windowFrame
    desk.stage.seat.touchDown(4, top.midX, top.minY + 10)
    desk.stage.seat.touchFrame()
    desk.refresh()
    for y in stride(from: top.minY + 20, to: 310, by: 20) { desk.move(4, to: Point(x: top.midX, y: y)) }
    desk.lift(4)
    desk.pass(.milliseconds(400))
    #expect(!sheet.isOpen && desk.scene.viewInFront == nil)
    #expect(desk.lines.allSatisfy { $0.command == .neutral } && desk.scene.gearbox.gear == .neutral)
    desk.end()
  }

  @Test(arguments: [true, false])
  func `a page with the lever that is left ends the drive, and comes back in N`(isDeadMan: Bool) throws {
    let pages = PageView()
    let desk = try DriveDesk(
      isDeadMan: isDeadMan,
      arrange: { scene in
        pages.frame = Rect(x: 0, y: 0, width: 240, height: 320)
        let (one, two) = (View(), View())
        for page in [one, two] { pages.contentHost.addSubview(page) }
        scene.gearbox.anchors = nil
        scene.gearbox.frame = Rect(x: 10, y: 5, width: 180, height: 255)
        two.addSubview(scene.gearbox)
        scene.content.addSubview(pages)
        pages.selectedIndex = 1
      })
    desk.pass(.milliseconds(600))
    desk.takeLever(to: .forward(3))
    #expect(desk.line.state == .driving && desk.line.command.gear == 3)
    if !isDeadMan { desk.lift(1) }
    pages.pop()
    desk.pass(.milliseconds(800))
    #expect(desk.line.command == .neutral && desk.line.state == .safe && !desk.scene.gearbox.isTracking)
    pages.selectedIndex = 1
    desk.pass(.milliseconds(800))
    #expect(desk.line.command == .neutral && desk.scene.gearbox.gear == .neutral)
    desk.end()
  }

  @Test func `a window that is hidden behind a dialog drives nothing when it comes back`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(4))
    let dialog = ask(desk)
    desk.scene.handle(.willResignActive)
    desk.scene.handle(.didBecomeActive)
    desk.move(1, to: desk.scene.lever(.forward(5)))
    #expect(dialog.isOpen && desk.scene.modalView === dialog)
    #expect(desk.line.command == .neutral && desk.scene.gearbox.gear == .neutral)
    desk.end()
  }

  @Test func `the cross of a gamepad moves no focus in the cockpit`() throws {
    let desk = try PadDesk()
    desk.desk.scene.moveFocus(.right)
    let focus = desk.desk.scene.firstResponder
    #expect(focus != nil)
    for value in [Int32(-1), 0, 1, 0] { desk.report([InputCode.hat0X: value]) }
    for value in [Int32(-1), 0, 1, 0] { desk.report([InputCode.hat0Y: value]) }
    #expect(desk.desk.scene.firstResponder === focus && desk.line.command == .neutral)
    desk.desk.end()
  }
}
