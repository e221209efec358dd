import ControlTools
import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of which keys drive: those that lever and wheel take, and no others.
@MainActor @Suite(.serialized) struct DrivingKeysTests {
  private func press(_ desk: DriveDesk, _ code: UInt32, _ isDown: Bool) {
    desk.stage.seat.key(code, isDown)
    desk.settle()
  }

  /// A desk with the keyboard, and with a slider that has the focus.
  private func deskWithSlider() throws -> (desk: DriveDesk, slider: Slider) {
    let desk = try DriveDesk()
    let slider = Slider(frame: Rect(x: 130, y: 300, width: 140, height: 20))
    slider.value = 0.5
    desk.scene.addSubview(slider)
    desk.stage.seat.keyboardEnter()
    desk.settle()
    #expect(slider.becomeFirstResponder())
    return (desk, slider)
  }

  @Test func `an arrow key that another control takes is no grip: nothing leaves safe by it, and tilt steers nothing`()
    throws
  {
    let (desk, slider) = try deskWithSlider()
    desk.takeLever(to: .forward(4))
    desk.session.reportLoss(.sensorLost)
    desk.lift(1)
    #expect(desk.line.state == .safe)
    #expect(slider.becomeFirstResponder())
    desk.scene.wheel.steer(toward: 90)
    let before = slider.value
    for code in [StageKeymap.Code.left, StageKeymap.Code.left] {
      press(desk, code, true)
      desk.pass(.milliseconds(100))
      press(desk, code, false)
    }
    #expect(slider.value != before, "the slider took them")
    #expect(desk.scene.gearbox.gear == .neutral && desk.line.state == .safe && desk.line.reason == .sensorLost)
    #expect(desk.line.command == .neutral, "the wheel that tilt turned steers nothing")
    desk.end()
  }

  @Test func `before the first touch it is none either`() throws {
    let (desk, _) = try deskWithSlider()
    press(desk, StageKeymap.Code.right, true)
    #expect(desk.line.state == .ready && !desk.line.command.isHeld)
    desk.end()
  }

  @Test func `with the focus on lever or wheel they drive, and are let go wherever the focus is by then`() throws {
    let (desk, slider) = try deskWithSlider()
    #expect(desk.scene.gearbox.becomeFirstResponder())
    press(desk, StageKeymap.Code.up, true)
    #expect(desk.line.state == .driving && desk.line.command.gear == 1 && desk.line.command.isHeld)
    #expect(desk.scene.wheel.becomeFirstResponder())
    #expect(desk.line.command.gear == 1, "the key is down still")
    press(desk, StageKeymap.Code.left, true)
    desk.pass(.milliseconds(100))
    #expect(desk.line.command.steering < 0)
    #expect(slider.becomeFirstResponder())
    press(desk, StageKeymap.Code.left, false)
    press(desk, StageKeymap.Code.up, false)
    #expect(desk.line.state == .safe && desk.line.reason == .lift && desk.line.command == .neutral)
    desk.pass(.seconds(2))
    #expect(abs(desk.scene.wheel.angle) < 0.5, "nothing steers on")
    desk.end()
  }

  @Test func `a disabled control takes none`() throws {
    let desk = try DriveDesk()
    desk.stage.seat.keyboardEnter()
    desk.settle()
    desk.scene.gearbox.isEnabled = false
    press(desk, StageKeymap.Code.up, true)
    #expect(desk.line.state == .ready && !desk.line.command.isHeld)
    desk.end()
  }

  // MARK: Gears

  private func deskWithKeys(isDeadMan: Bool = true) throws -> DriveDesk {
    let desk = try DriveDesk(isDeadMan: isDeadMan)
    desk.stage.seat.keyboardEnter()
    desk.settle()
    return desk
  }

  @Test(arguments: [true, false]) func `a key that is held keeps its gear: one press is one gear`(isDeadMan: Bool)
    throws
  {
    let desk = try deskWithKeys(isDeadMan: isDeadMan)
    for code in [StageKeymap.Code.up, StageKeymap.Code.down] {
      press(desk, code, true)
      let gear = desk.line.command.gear
      #expect(gear == (code == StageKeymap.Code.up ? 1 : isDeadMan ? -1 : 0))
      desk.forgetLines()
      desk.pass(.seconds(3))
      #expect(desk.lines.allSatisfy { $0.command.gear == gear } && desk.line.command.gear == gear)
      press(desk, code, false)
      desk.pass(.milliseconds(200))
    }
    desk.end()
  }

  @Test func `with the dead-man's rule one key holds while the other steps, up to any gear and back`() throws {
    let desk = try deskWithKeys()
    press(desk, StageKeymap.Code.up, true)
    press(desk, StageKeymap.Code.down, true)
    #expect(desk.line.command.gear == 0 && desk.line.state == .driving, "down was pressed, and is held")
    for gear in 1...4 {
      press(desk, StageKeymap.Code.up, false)
      #expect(desk.line.command.gear == gear - 1 && desk.line.state == .driving, "the other one holds it")
      press(desk, StageKeymap.Code.up, true)
      #expect(desk.line.command.gear == gear)
      desk.pass(.seconds(1))
      #expect(desk.line.command.gear == gear)
    }
    press(desk, StageKeymap.Code.down, false)
    #expect(desk.line.command.gear == 4)
    press(desk, StageKeymap.Code.up, false)
    #expect(desk.line.state == .safe && desk.line.reason == .lift && desk.scene.gearbox.gear == .neutral)
    desk.end()
  }

  // MARK: Controls that are not shown

  @Test(arguments: ["missing", "hidden", "disabled"]) func `a control that is not there takes no key, and brakes`(
    state: String
  ) throws {
    let desk = try deskWithKeys(isDeadMan: false)
    switch state {
    case "missing":
      let file = try LayoutFile(text: "{\"type\": \"CockpitPanel\"}", name: "a scene")
      desk.relay.record(.wake) { try? desk.scene.load(file) }
    case "hidden":
      (desk.scene.gearbox.isHidden, desk.scene.wheel.isHidden, desk.scene.horn.isHidden) = (true, true, true)
    default:
      for control in [desk.scene.gearbox, desk.scene.wheel, desk.scene.horn] as [Control] { control.isEnabled = false }
    }
    func sound(_ phase: KeyEvent.Phase) {
      desk.relay.handle(.key(KeyEvent(seat: SeatID(0), phase: phase, key: .character("h"), time: desk.relay.now)))
    }
    for code in [StageKeymap.Code.up, StageKeymap.Code.left] { press(desk, code, true) }
    sound(.down)
    desk.pass(.seconds(1))
    #expect(desk.line.command == .neutral && desk.line.state == .ready)
    #expect(desk.scene.gearbox.gear == .neutral && desk.scene.wheel.angle == 0)
    sound(.up)
    for code in [StageKeymap.Code.up, StageKeymap.Code.left] { press(desk, code, false) }
    // Whatever state the lever is in, the brake works.
    desk.scene.gearbox.gear = .forward(5)
    press(desk, StageKeymap.Code.space, true)
    #expect(desk.scene.gearbox.gear == .neutral)
    desk.end()
  }

  @Test(arguments: ["space", "action", "assistance", "code"])
  func `a lever that is disabled in a gear stops at once, and every brake works`(brake: String) throws {
    let desk = try deskWithKeys(isDeadMan: false)
    let actions = SceneTypes.actions { [scene = desk.scene] in scene }
    desk.takeLever(to: .forward(5))
    desk.lift(1)
    #expect(desk.line.command.gear == 5)
    desk.scene.gearbox.isEnabled = false
    switch brake {
    case "space": press(desk, StageKeymap.Code.space, true)
    case "action": desk.relay.record(.wake) { actions["brake"]?(desk.scene.horn) }
    case "assistance": try desk.relay.carryOut(.perform("brake"), on: desk.scene.gearbox)
    default: desk.relay.record(.wake) {}
    }
    #expect(desk.scene.gearbox.gear == .neutral && desk.line.command == .neutral)
    #expect(desk.line.state == .safe && desk.line.reason == .sceneChanged)
    desk.end()
  }

  @Test func `a key that holds a gear loses it when the lever is disabled`() throws {
    let desk = try deskWithKeys()
    press(desk, StageKeymap.Code.up, true)
    desk.scene.gearbox.isEnabled = false
    desk.refresh()
    #expect(desk.line.state == .safe && desk.line.command == .neutral && desk.scene.gearbox.gear == .neutral)
    desk.end()
  }

  @Test func `the inspector does not open while a driving key is held`() throws {
    let stage = Stage(globals: .everything)
    let desk = try DriveDesk(stage: stage)
    desk.stage.toplevels.first?.configure(1280, 720)
    desk.scene.mustStayInSight = true
    desk.stage.seat.keyboardEnter()
    desk.pass(.milliseconds(100))
    press(desk, StageKeymap.Code.up, true)
    press(desk, StageKeymap.Code.f12, true)
    #expect(!desk.scene.isInspectorOpen && desk.line.command.gear == 1)
    press(desk, StageKeymap.Code.f12, false)
    press(desk, StageKeymap.Code.up, false)
    press(desk, StageKeymap.Code.f12, true)
    #expect(desk.scene.isInspectorOpen)
    desk.end()
  }
}
