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
    desk.session.lose(.sensorLost)
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
}
