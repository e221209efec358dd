import PlayedGamepads
import TestSupport
import Testing
import UICore

@testable import Gamepad

/// The rules by which a gamepad's reports become what a driver asks for.
@Suite struct GamepadModelTests {
  @Test func `a trigger is throttle from its dead zone to its end`() throws {
    let pad = try ReadPad(.pad)
    #expect(pad.report([5: 5]) == nil, "noise")
    #expect(pad.report([5: 20]) == nil, "no press yet")
    let pressed = try #require(pad.report([5: 128]))
    #expect(abs(pressed.throttle - (128.0 / 255 - 0.08) / 0.92) < 0.001)
    #expect(pad.report([5: 255])?.throttle == 1)
    #expect(pad.report([5: 25])?.throttle ?? 0 > 0, "a hold lasts into the first part of the way")
    #expect(pad.report([5: 10]) == GamepadState())
    #expect(pad.report([2: 255])?.brake == 1)
  }

  @Test func `a stick steers while the device is held, and not otherwise`() throws {
    let pad = try ReadPad(.pad)
    #expect(pad.report([0: 30000]) == nil)
    let held = try #require(pad.report(keys: [InputCode.south: true]))
    #expect(held.buttons == .grip && held.steering > 0.85)
    #expect(pad.report([0: -32768])?.steering == -1)
    #expect(pad.report([0: 32767])?.steering == 1)
    #expect(pad.report(keys: [InputCode.south: false]) == GamepadState())
  }

  @Test func `what was down when the device came counts once it was let go`() throws {
    var device = DeviceDescription.pad
    device.pressed = [InputCode.south, InputCode.rightShoulder, InputCode.east]
    device.axes[5]?.value = 255
    let pad = try ReadPad(device)
    #expect(pad.report([0: 20000, 5: 250]) == nil)
    #expect(pad.report(keys: [InputCode.south: false, InputCode.east: false]) == nil)
    #expect(pad.report([5: 100]) == nil, "still pressed")
    #expect(pad.report([5: 0]) == nil)
    #expect(pad.report([5: 250])?.throttle ?? 0 > 0.9)
    #expect(pad.model.state.buttons == [], "the shoulder button was never let go")
    #expect(pad.report(keys: [InputCode.rightShoulder: false]) == nil)
    #expect(pad.report(keys: [InputCode.rightShoulder: true])?.buttons == .shiftUp)
  }

  @Test func `a report that waited too long asks for nothing, and what it holds must be let go`() throws {
    let pad = try ReadPad(.pad)
    #expect(pad.report([5: 200], age: .milliseconds(201)) == nil)
    #expect(pad.report([5: 210]) == nil, "the same press")
    pad.report([5: 0])
    #expect(pad.report([5: 200], age: .milliseconds(199))?.isHeld == true)
    #expect(pad.report([5: 255], age: .milliseconds(300)) == GamepadState())
    #expect(pad.model.hasLostInput)
    #expect(pad.report([5: 255]) == nil)
    #expect(pad.report(keys: [InputCode.east: true], age: .seconds(9))?.buttons == .stop, "a stop is never too old")
  }

  @Test func `a brake that must be let go first brakes on, and holds nothing`() throws {
    let pad = try ReadPad(.pad)
    pad.report([2: 0, 5: 0])
    #expect(pad.report([2: 255])?.isHeld == true)
    pad.cancel()
    let pressed = try #require(pad.report([5: 255]))
    #expect(pressed.throttle == 1 && pressed.brake == 0 && pressed.handbrake == 1)
    #expect(pad.report([5: 0])?.isHeld == false)
    #expect(pad.report([2: 0]) == GamepadState())
    var device = DeviceDescription.pad
    device.axes[2]?.value = 200
    let stuck = try ReadPad(device)
    #expect(stuck.report([5: 255])?.handbrake == 0, "it has never been let go: perhaps it cannot be")
  }

  @Test func `where events were dropped everything that is down must be let go first`() throws {
    let pad = try ReadPad(.pad)
    pad.report([5: 200], keys: [InputCode.south: true])
    pad.drop()
    // The trigger's release and its next press are among what is missing.
    #expect(pad.report([5: 220]) == GamepadState() && pad.model.hasLostInput)
    #expect(pad.report([5: 230]) == nil)
    #expect(pad.report([5: 0], keys: [InputCode.south: false]) == nil)
    #expect(pad.report([5: 230])?.isHeld == true && !pad.model.hasLostInput)
  }

  @Test func `while the window is not in use only the stop counts`() throws {
    let pad = try ReadPad(.pad)
    #expect(pad.report([5: 200], keys: [InputCode.south: true], counts: false) == nil)
    #expect(pad.report([5: 201]) == nil)
    #expect(pad.report(keys: [InputCode.east: true], counts: false)?.buttons == .stop)
  }

  // MARK: Rests

  @Test(arguments: [0, 0.05, 0.1, 0.15, 0.19], [1.0, -1])
  func `a stick that rests beside its middle steers nothing at rest`(
    drift: Double, side: Double
  ) throws {
    let pad = try ReadPad(.pad)
    let rest = Int32(drift * side * 32767)
    for number in 0..<400 { #expect(pad.report([0: rest + Int32(number % 5) * 60]) == nil) }
    #expect(pad.report([5: 255])?.steering == 0)
    for number in 0..<100 { #expect(pad.report([0: rest + Int32(number % 5) * 60]) == nil) }
    #expect(pad.report([0: side < 0 ? -32768 : 32767])?.steering == side)
  }

  @Test func `a dead zone that was measured does not shrink`() throws {
    let pad = try ReadPad(.pad)
    pad.report([0: 5000])
    pad.report([0: 0], after: .seconds(4))
    pad.report([0: 40], after: .seconds(30))
    #expect(pad.report([0: 5000, 5: 255])?.steering == 0)
  }

  @Test func `touchpads and motion sensors are none, whatever else they have`() {
    for property: UInt16 in [0, 2, 6] {
      var part = DeviceDescription.pad
      part.properties = [property]
      #expect(GamepadLayout(part) == nil)
    }
    for key in [InputCode.touch, InputCode.toolFinger] {
      var part = DeviceDescription.pad
      part.keys.insert(key)
      #expect(GamepadLayout(part) == nil)
    }
  }

  @Test func `a finger that holds the stick over before the hold begins is no rest`() throws {
    let pad = try ReadPad(.pad)
    pad.report([0: 16000])
    pad.report(after: .seconds(10))
    let held = try #require(pad.report([5: 255]))
    #expect(abs(held.steering - (16000.0 / 32767 - 0.08) / 0.92) < 0.001)
  }

  @Test func `noise at rest is never told`() throws {
    var device = DeviceDescription.pad
    device.axes[5]?.value = 30
    let pad = try ReadPad(device)
    var random = Random(7)
    for _ in 0..<20_000 {
      let noise = { (width: Int32) in Int32(random.below(Int(width) * 2 + 1)) - width }
      #expect(pad.report([0: noise(6000), 1: noise(6000), 2: max(0, noise(12)), 5: 30 + noise(10)]) == nil)
    }
  }

  @Test(arguments: [true, false]) func `a wheel's pedals count once both were seen let go`(restsAtGreatest: Bool) throws
  {
    let (rest, floor): (Int32, Int32) = restsAtGreatest ? (255, 0) : (0, 255)
    let wheel = try ReadPad(.wheel)
    // Nothing is known of a device before its first report, and then the throttle is pressed.
    #expect(!wheel.model.knowsRests)
    #expect(wheel.report([0: 32768, 1: rest, 2: floor, 5: rest]) == nil)
    #expect(!wheel.model.knowsRests && wheel.report([2: floor == 0 ? 3 : 252]) == nil)
    #expect(wheel.report([2: rest]) == nil && wheel.model.knowsRests)
    #expect(wheel.report([2: floor])?.throttle == 1)
    #expect(wheel.report([1: floor])?.throttle == 0, "the clutch takes it away")
    #expect(wheel.report([1: rest])?.throttle == 1)
    #expect(wheel.report([0: 65535])?.steering == 1)
    #expect(wheel.report([2: rest]) == GamepadState())
    #expect(wheel.report([5: floor])?.brake == 1)
  }

  @Test func `pedals that were both pressed at first are doubted once both are let go, and learnt anew by a long rest`()
    throws
  {
    let wheel = try ReadPad(.wheel)
    // Both on the floor look like both let go.
    wheel.report([2: 0, 5: 0])
    #expect(wheel.model.knowsRests && wheel.model.state == GamepadState())
    // Both are let go: neither counts any more, also if one is pressed again.
    #expect(wheel.report([2: 255, 5: 255]) == nil && !wheel.model.knowsRests)
    #expect(wheel.report([2: 0], after: .seconds(4)) == nil && wheel.report([5: 0]) == nil)
    #expect(wheel.report([5: 255]) == nil && wheel.report([2: 255]) == nil && !wheel.model.knowsRests)
    // A long rest is the truth. The press that ends it counts once it was let go.
    #expect(wheel.report([2: 0], after: .seconds(6)) == nil && wheel.model.knowsRests)
    #expect(wheel.report([2: 255]) == nil)
    #expect(wheel.report([2: 0])?.throttle == 1)
    #expect(wheel.report([2: 255]) == GamepadState())
  }

  @Test func `both pedals pressed wholly during a hold end it, and pressing them again drives nothing`() throws {
    let wheel = try ReadPad(.wheel)
    wheel.report([2: 255, 5: 255])
    #expect(wheel.report([2: 0])?.throttle == 1)
    #expect(wheel.report([5: 0]) == GamepadState() && wheel.model.hasLostInput)
    #expect(wheel.report([5: 255]) == nil && wheel.report([2: 255]) == nil && wheel.report([2: 0]) == nil)
  }

  @Test func `an axis that counts backwards steers and presses the right way`() throws {
    var device = DeviceDescription.pad
    device.axes[0] = DeviceDescription.Axis(255, 0, value: 128)
    device.axes[5] = DeviceDescription.Axis(1023, 0, value: 1023)
    let pad = try ReadPad(device)
    #expect(pad.report([5: 0])?.throttle == 1)
    #expect(pad.report([0: 0])?.steering == 1)
    #expect(pad.report([0: 255])?.steering == -1)
    #expect(pad.report([5: 1023]) == GamepadState())
  }

  @Test func `axes without a range command nothing`() throws {
    var device = DeviceDescription.pad
    for code: UInt16 in [0, 2, 5] { device.axes[code] = DeviceDescription.Axis(0, 0) }
    let pad = try ReadPad(device)
    #expect(pad.report([0: 7, 2: 7, 5: 7]) == nil)
  }

  @Test func `extreme values stay in their ranges`() throws {
    let pad = try ReadPad(.pad)
    pad.report(keys: [InputCode.south: true])
    for value in [Int32.min, .max, -1, 0, 1] {
      pad.report([0: value, 2: value, 5: value])
      let state = pad.model.state
      #expect(-1...1 ~= state.steering && 0...1 ~= state.throttle && 0...1 ~= state.brake)
    }
  }
}
