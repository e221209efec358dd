import CockpitControls
import ControlHarness
import Controls
import Testing
import UICore

/// What a gamepad does to a lever and a wheel by themselves, beside fingers.
@MainActor @Suite struct GamepadHoldTests {
  private static let origin = ValueOrigin.input(nil)

  @Test func `a pedal scales the gear's throttle, in both directions`() {
    var model = GearboxModel()
    var time = MonotonicTime(nanoseconds: 1)
    model.press(0.5, by: Self.origin)
    #expect(model.throttle == 0 && model.isPressed)
    for _ in 0..<4 { model.shiftUp(at: time, by: Self.origin) }
    #expect(model.throttle == 0.2)
    for (value, wanted) in [(2.0, 0.4), (-1, 0), (.nan, 0), (1, 0.4)] {
      model.press(value, by: Self.origin)
      #expect(model.throttle == wanted)
    }
    model.brake(at: time)
    time = time + .seconds(1)
    model.shiftDown(at: time, by: Self.origin)
    #expect(model.gear == .reverse && model.throttle == -1)
    model.press(0.25, by: Self.origin)
    #expect(model.throttle == -0.25)
  }

  @Test(arguments: [ReleasePolicy.neutral, .latch]) func `a pedal that is let go never leaves throttle`(
    policy: ReleasePolicy
  ) {
    var model = GearboxModel()
    model.releasePolicy = policy
    model.press(1, by: Self.origin)
    model.shiftUp(at: .zero, by: Self.origin)
    model.letGo(at: .zero)
    #expect(model.throttle == 0 && !model.isPressed && model.gear == (policy == .neutral ? .neutral : .forward(1)))
    model.press(1, by: Self.origin)
    model.shiftUp(at: .zero, by: Self.origin)
    model.loseGrip(at: .zero)
    #expect(model.gear == .neutral && model.throttle == 0)
  }

  @Test func `a lever that a pedal left in gear has its throttle again by another hand alone`() {
    var model = GearboxModel()
    model.press(1, by: Self.origin)
    model.shiftUp(at: .zero, by: Self.origin)
    model.letGo(at: .zero)
    #expect(model.throttle == 0)
    model.shiftUp(at: .zero, by: Self.origin)
    #expect(model.gear == .forward(2) && model.throttle == 0.2, "a key is a hand")
  }

  @Test func `while a pedal holds the lever fingers and requests get nothing`() {
    var model = GearboxModel()
    model.press(1, by: Self.origin)
    model.shiftUp(at: .zero, by: Self.origin)
    #expect(!model.grab(y: 100, at: .zero) && !model.isHeld)
    #expect(model.ask(for: .forward(9), at: .zero) == .held)
    #expect(model.gear == .forward(1))
  }

  @Test func `a wheel that a gamepad holds is where it says at once, and swings back when it is let go`() {
    let harness = ControlHarness(size: Size(width: 300, height: 300))
    let wheel = SteeringWheel(frame: Rect(x: 0, y: 0, width: 300, height: 300))
    harness.root.addSubview(wheel)
    #expect(wheel.turn(to: 0.5, by: Self.origin) && wheel.angle == 225 && wheel.origin == Self.origin)
    wheel.steer(toward: -90)
    wheel.steer(.left)
    #expect(wheel.angle == 225 && !wheel.followsSensor)
    wheel.turn(to: -7, by: Self.origin)
    #expect(wheel.steering == -1)
    wheel.steer(toward: nil)
    wheel.turn(to: nil, by: Self.origin)
    #expect(!wheel.isTurned)
    wheel.turn(to: 1, by: Self.origin)
    wheel.isEnabled = false
    #expect(!wheel.isTurned && !wheel.turn(to: 1, by: Self.origin))
  }
}
