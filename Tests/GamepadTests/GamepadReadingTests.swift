import PlayedGamepads
import Testing
import UICore

@testable import Gamepad

/// What an inspector is told of a gamepad.
@Suite struct GamepadReadingTests {
  private func look(_ device: DeviceDescription) throws -> (pad: PlayedPad, reader: GamepadReader) {
    let pad = PlayedPad(device)
    let reader = try #require(GamepadReader(playing: pad, seat: SeatID(1)))
    reader.onReading = {}
    return (pad, reader)
  }

  private func read(_ reader: GamepadReader, at time: MonotonicTime) {
    reader.read(now: { time }, counts: { true }) { _ in }
  }

  @Test func `each axis and button has the kernel's name, its value, and what it commands`() throws {
    let (pad, reader) = try look(.pad)
    let time = MonotonicTime(nanoseconds: 1_000_000_000)
    pad.report([0: 12000, 1: -300, 5: 20, 0x10: -1], keys: [InputCode.south: true, 0x13b: true], at: time)
    read(reader, at: time)
    let reading = try #require(reader.reading)
    #expect(
      reading.axes.map(\.name) == ["ABS_X", "ABS_Y", "ABS_Z", "ABS_RX", "ABS_RY", "ABS_RZ", "ABS_HAT0X", "ABS_HAT0Y"])
    #expect(reading.axes.map(\.value) == [12000, -300, 0, 0, 0, 20, -1, 0])
    #expect(reading.axes.map(\.role) == [.steering, nil, .brake, nil, nil, .throttle, nil, nil])
    #expect(reading.axes[1].deadZone == nil, "what commands nothing has none")
    let stick = try #require(reading.axes[0].deadZone)
    #expect(abs(stick.upperBound - 0.08 * 32767.5) < 2 && abs(stick.lowerBound + 0.08 * 32767.5) < 2)
    #expect(reading.axes[5].deadZone == 0...(0.08 * 255))
    #expect(reading.buttons.first?.name == "BTN_SOUTH" && reading.buttons.first?.role == .button(.grip))
    #expect(reading.buttons.filter(\.isDown).map(\.name) == ["BTN_SOUTH", "BTN_START"])
    #expect(reading.state.isHeld && reading.kind == .pad && reading.knowsRests)
    #expect(!reading.buttons.contains { $0.role == .channel })
    reader.tellsExtras = true
    let told = try #require(reader.reading)
    #expect(
      told.axes.filter { $0.role == .channel }.map(\.name) == ["ABS_RX", "ABS_RY", "ABS_HAT0X", "ABS_HAT0Y"],
      "a vehicle's file may give them channels")
    #expect(told.buttons.contains { $0.role == .channel } && told.axes[0].role == .steering)
  }

  @Test func `what must be let go first says so, and a learnt rest is told`() throws {
    var device = DeviceDescription.pad
    device.axes[5]?.value = 200
    device.pressed = [InputCode.south]
    let (pad, reader) = try look(device)
    var time = MonotonicTime(nanoseconds: 1_000_000_000)
    #expect(reader.reading?.axes[5].isBlocked == true && reader.reading?.buttons[0].isBlocked == true)
    #expect(reader.reading?.axes[0].rest == nil)
    pad.report([0: 3000, 5: 0], keys: [InputCode.south: false], at: time)
    read(reader, at: time)
    time = time + .seconds(4)
    pad.report([0: 3100], at: time)
    read(reader, at: time)
    let rest = try #require(reader.reading?.axes[0].rest)
    #expect(abs(rest.upperBound - 3000) < 2 && reader.reading?.axes[5].isBlocked == false)
    #expect((reader.reading?.axes[0].deadZone?.upperBound ?? 0) > rest.upperBound)
  }

  @Test func `a wheel's pedals have no dead zone until their rest is known`() throws {
    let (pad, reader) = try look(.wheel)
    #expect(reader.reading?.knowsRests == false && reader.reading?.axes[2].deadZone == nil)
    let time = MonotonicTime(nanoseconds: 1_000_000_000)
    pad.report([2: 255, 5: 255], at: time)
    read(reader, at: time)
    #expect(reader.reading?.axes[2].deadZone.map { $0.lowerBound > 230 && $0.upperBound == 255 } == true)
  }

  @Test func `a device tells of all its controls only while somebody looks`() throws {
    let pad = PlayedPad(.pad)
    let reader = try #require(GamepadReader(playing: pad, seat: SeatID(1)))
    #expect(!pad.isAskedForAll && reader.reading == nil)
    var count = 0
    reader.onReading = { count += 1 }
    #expect(pad.isAskedForAll && reader.reading != nil)
    let time = MonotonicTime(nanoseconds: 1_000_000_000)
    pad.report([1: 5], at: time)
    pad.report([1: 6], at: time)
    read(reader, at: time)
    #expect(count == 1, "once for all that had arrived")
    reader.onReading = nil
    #expect(!pad.isAskedForAll && reader.reading == nil)
  }

  @Test func `looking changes nothing that is commanded`() throws {
    let time = MonotonicTime(nanoseconds: 1_000_000_000)
    var states: [[GamepadState]] = []
    for looks in [false, true] {
      let pad = PlayedPad(.pad)
      let reader = try #require(GamepadReader(playing: pad, seat: SeatID(1)))
      if looks { reader.onReading = {} }
      var told: [GamepadState] = []
      for step: Int32 in 0..<60 {
        if looks, step % 7 == 0 { reader.onReading = step % 2 == 0 ? nil : {} }
        pad.report(
          [0: step * 500, 1: step * 70, 5: step * 4], keys: [0x13b: step % 3 == 0],
          at: time + .milliseconds(10 * Int(step)))
        reader.read(now: { time + .milliseconds(10 * Int(step)) }, counts: { true }) {
          if case .event(let event) = $0 { told.append(event.state) }
        }
      }
      states.append(told)
    }
    #expect(states[0] == states[1] && !states[0].isEmpty)
  }

  @Test(
    arguments: [
      (0x10, "ABS_HAT0X"), (0x15, "ABS_HAT2Y"), (0x28, "ABS_MISC"), (0x3f, "ABS_0x3f"),
    ] as [(UInt16, String)]) func `axes have the kernel's names`(code: UInt16, name: String)
  {
    #expect(InputCode.axisName(code) == name)
  }

  @Test(
    arguments: [
      (0x100, "BTN_0"), (0x120, "BTN_TRIGGER"), (0x130, "BTN_SOUTH"), (0x151, "BTN_GEAR_UP"),
      (0x2c0, "BTN_TRIGGER_HAPPY1"),
      (0x2e7, "BTN_TRIGGER_HAPPY40"), (0x1ff, "KEY_0x1ff"),
    ] as [(UInt16, String)]) func `buttons have the kernel's names`(code: UInt16, name: String)
  {
    #expect(InputCode.buttonName(code) == name)
  }
}
