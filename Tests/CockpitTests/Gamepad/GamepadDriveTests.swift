import CockpitControls
import Controls
import DriveLink
import Gamepad
import PlayedGamepads
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of driving by gamepad: what its controls command, who keeps what, and what ends it.
@MainActor @Suite(.serialized) struct GamepadDriveTests {
  @Test func `a trigger is the throttle of the gear that the shoulder buttons choose, one a press`() throws {
    let desk = try PadDesk()
    desk.report([InputCode.rz: 255])
    #expect(desk.line.state == .driving && desk.line.command.isHeld && desk.line.command.throttle == 0)
    for gear in 1...3 {
      desk.press(InputCode.rightShoulder)
      #expect(desk.line.command.gear == gear && desk.line.command.throttle == Double(gear) / 10)
    }
    desk.report([InputCode.rz: 128])
    let part = (128.0 / 255 - 0.08) / 0.92
    #expect(abs(desk.line.command.throttle - 0.3 * part) < 0.001 && desk.line.command.gear == 3)
    #expect(desk.desk.scene.cluster.speedometer.gear == "3")
    desk.press(InputCode.leftShoulder)
    #expect(desk.line.command.gear == 2)
    desk.desk.end()
  }

  @Test func `a stick steers at once while the trigger or the dead-man's button is held`() throws {
    for hold: ([UInt16: Int32], [UInt16: Bool]) in [([5: 255], [:]), ([:], [InputCode.south: true])] {
      let desk = try PadDesk()
      desk.report([0: 32767])
      #expect(desk.line.state == .ready && desk.desk.lines.isEmpty)
      desk.report(hold.0, keys: hold.1)
      #expect(desk.line.command.steering == 1)
      desk.report([0: -32768])
      #expect(desk.line.command.steering == -1 && desk.desk.scene.wheel.steering == -1)
      desk.report([0: 0])
      #expect(desk.line.command.steering == 0)
      desk.desk.end()
    }
  }

  @Test func `limits, curve and ramp apply as for a finger`() throws {
    let desk = try PadDesk(shaping: DriveShaping(limit: 0.5, ramp: 2, trim: 0.1, expo: 0.5))
    desk.drive(gear: 10)
    #expect(desk.line.command.gear == 10 && desk.line.command.throttle < 0.05, "the ramp")
    desk.desk.pass(.seconds(2))
    #expect(desk.line.command.throttle == 0.5)
    desk.report([0: Int32(32767 * 0.54)])
    // Half of the way: 0.5 * (1 - 0.5) + 0.5^3 * 0.5, and the trim.
    let curved = 0.25 + 0.0625 + 0.1
    #expect(abs(desk.line.command.steering - curved) < 0.01)
    desk.desk.end()
  }

  @Test func `without a hold nothing is commanded and nothing is said`() throws {
    let desk = try PadDesk()
    for _ in 0..<5 { desk.press(InputCode.rightShoulder) }
    for value: Int32 in [-32768, 32767, 0] { desk.report([0: value]) }
    desk.desk.pass(.seconds(1))
    #expect(desk.desk.lines.isEmpty && desk.desk.scene.gearbox.gear == .neutral && desk.line.state == .ready)
    desk.desk.end()
  }

  @Test func `R opens only after a rest in N`() throws {
    let desk = try PadDesk()
    desk.drive(gear: 1)
    desk.press(InputCode.leftShoulder)
    desk.press(InputCode.leftShoulder)
    #expect(desk.line.command.gear == 0, "N was just engaged")
    desk.desk.pass(.milliseconds(200))
    desk.press(InputCode.leftShoulder)
    #expect(desk.line.command.gear == -1 && desk.line.command.throttle == -1)
    desk.report([InputCode.rz: 0], keys: [InputCode.south: true])
    #expect(desk.line.command.gear == -1 && desk.line.command.throttle == 0)
    desk.desk.end()
  }

  @Test
  func `the brake takes throttle away, and from half its way puts the lever in N, and the stick goes on steering`()
    throws
  {
    let desk = try PadDesk()
    desk.drive(gear: 10)
    desk.report([0: 32767])
    desk.report([InputCode.axisZ: 80])
    let part = (80.0 / 255 - 0.08) / 0.92
    #expect(abs(desk.line.command.throttle - (1 - part)) < 0.001 && desk.line.command.gear == 10)
    desk.report([InputCode.axisZ: 200])
    #expect(desk.line.command.gear == 0 && desk.line.command.brake && desk.line.command.steering == 1)
    desk.press(InputCode.rightShoulder)
    #expect(desk.line.command.gear == 0, "braked")
    desk.report([InputCode.rz: 0])
    #expect(desk.line.command.steering == 1 && desk.line.state == .driving, "a foot on the brake is one on the device")
    desk.report([InputCode.axisZ: 0])
    #expect(desk.line.state == .safe && desk.line.reason == .lift)
    desk.desk.end()
  }

  @Test func `a handbrake brakes whoever drives, and drives nothing`() throws {
    let desk = try PadDesk([.pad, .handbrake])
    desk.report([InputCode.throttle: 10], of: 1)
    desk.drive(gear: 5)
    desk.report([InputCode.throttle: 4000], of: 1)
    #expect(desk.line.command.gear == 0 && desk.line.command.isHeld)
    desk.press(InputCode.rightShoulder)
    #expect(desk.line.command.gear == 0)
    desk.report([InputCode.throttle: 10], of: 1)
    desk.press(InputCode.rightShoulder)
    #expect(desk.line.command.gear == 1)
    desk.report([InputCode.rz: 0])
    desk.report([InputCode.throttle: 4000], of: 1)
    #expect(desk.line.state == .safe && !desk.line.command.isHeld)
    desk.desk.end()
  }

  @Test func `the horn sounds while its button is held`() throws {
    let desk = try PadDesk()
    desk.report(keys: [InputCode.north: true])
    #expect(desk.line.command.horn && !desk.line.command.isHeld)
    desk.report(keys: [InputCode.north: false])
    #expect(!desk.line.command.horn)
    desk.report(keys: [InputCode.north: true])
    desk.pad.unplug()
    desk.desk.settle()
    #expect(!desk.line.command.horn, "a lost device holds nothing")
    desk.desk.end()
  }

  // MARK: What ends it

  @Test func `letting go is a lift, neutral and straight`() throws {
    let desk = try PadDesk()
    desk.drive(gear: 4)
    desk.report([0: 20000])
    desk.report([InputCode.rz: 0])
    #expect(desk.line.state == .safe && desk.line.reason == .lift && desk.line.command == .neutral)
    #expect(desk.desk.scene.gearbox.gear == .neutral)
    #expect(desk.desk.scene.lossDisplay?.banner.notice?.means == .gamepad)
    desk.drive(gear: 2)
    #expect(desk.line.state == .driving && desk.line.command.gear == 2)
    desk.desk.end()
  }

  /// What may happen to a driving pad, and the reason that the line must give.
  nonisolated enum End: CaseIterable, Sendable {
    case unplugged, dropped, inactive, unfocused, hidden, closed, stopped

    var reason: DriveReason {
      switch self {
      case .unplugged, .dropped: .deviceLost
      case .inactive, .unfocused: .keyboardLeft
      case .hidden: .hidden
      case .closed: .closed
      case .stopped: .emergencyStop
      }
    }

    @MainActor func happen(on desk: PadDesk) {
      switch self {
      case .unplugged: desk.pad.unplug()
      case .dropped:
        desk.pad.drop()
        desk.report([InputCode.rz: 254])
      case .inactive, .unfocused:
        desk.desk.stage.toplevel.set(.activated, false)
        if self == .unfocused { desk.desk.stage.seat.keyboardLeave() }
      case .hidden: desk.desk.stage.toplevel.suspend()
      case .closed: desk.desk.stage.toplevel.close()
      case .stopped: desk.report(keys: [InputCode.east: true])
      }
    }
  }

  @Test(arguments: End.allCases, [true, false])
  func `whatever takes a gamepad's input away commands neutral and centre at once, with its reason`(
    end: End, isDeadMan: Bool
  ) throws {
    let desk = try PadDesk(isDeadMan: isDeadMan)
    if end == .unfocused { desk.desk.stage.seat.keyboardEnter() }
    desk.desk.settle()
    desk.drive(gear: 6)
    desk.report([0: 32767])
    try #require(desk.line.state == .driving && desk.line.command.gear == 6 && desk.line.command.steering == 1)
    desk.desk.forgetLines()
    let time = desk.desk.stage.clock.now
    end.happen(on: desk)
    desk.desk.settle()
    let line = try #require(desk.desk.lines.first)
    #expect(line.state == .safe && line.reason == end.reason && line.command == .neutral && line.time == time)
    #expect(desk.line.state == .safe && desk.desk.scene.gearbox.gear == .neutral)
    #expect(!desk.desk.scene.gearbox.isPressed && !desk.desk.scene.wheel.isTurned)
    #expect(desk.pad.rumbles == 1)
    // The same hand, which never let go, commands nothing more.
    guard end != .closed else { return }
    if end == .hidden { desk.desk.stage.toplevel.resume() }
    if end == .inactive || end == .unfocused { desk.desk.stage.toplevel.set(.activated, true) }
    desk.desk.pass(.milliseconds(100))
    desk.report([0: -32768, InputCode.rz: 200])
    desk.press(InputCode.rightShoulder)
    #expect(desk.line.state == .safe && desk.line.command == .neutral)
    desk.desk.end()
  }

  @Test(arguments: [End.dropped, .inactive, .hidden]) func `after a loss a new hold drives`(end: End) throws {
    let desk = try PadDesk()
    desk.drive(gear: 3)
    end.happen(on: desk)
    desk.desk.settle()
    desk.report([InputCode.rz: 0])
    if end == .hidden { desk.desk.stage.toplevel.resume() }
    if end == .inactive { desk.desk.stage.toplevel.set(.activated, true) }
    desk.desk.pass(.milliseconds(200))
    desk.drive(gear: 2)
    #expect(desk.line.state == .driving && desk.line.command.gear == 2)
    desk.desk.end()
  }

  @Test func `STOP by a button stops, and only the screen or a key releases it`() throws {
    let desk = try PadDesk([.pad, .pad])
    desk.drive(gear: 3)
    desk.press(InputCode.east, of: 1)
    #expect(desk.line.reason == .emergencyStop && desk.desk.scene.stop?.isPressed == true)
    desk.report([InputCode.rz: 0])
    desk.drive(gear: 2)
    desk.report(keys: [InputCode.east: true])
    desk.desk.pass(.seconds(2))
    #expect(desk.desk.scene.stop?.isPressed == true && desk.line.state == .safe)
    desk.desk.end()
  }

  @Test func `a window that is not in use lets nothing but the stop through`() throws {
    let desk = try PadDesk()
    desk.desk.stage.toplevel.set(.activated, false)
    desk.desk.settle()
    desk.drive(gear: 3)
    desk.desk.pass(.milliseconds(100))
    #expect(desk.desk.lines.isEmpty && desk.line.state == .ready)
    desk.press(InputCode.east)
    #expect(desk.line.reason == .emergencyStop)
    desk.desk.end()
  }

  @Test func `while the compositor is frozen a new hold drives nothing`() throws {
    let desk = try PadDesk()
    desk.drive(gear: 3)
    for _ in 0..<350 {
      desk.desk.stage.clock.advance(by: .milliseconds(1))
      try? desk.desk.application.step()
    }
    #expect(desk.line.reason == .compositorFrozen)
    desk.desk.forgetLines()
    for (axes, keys) in [([5: 0], [:]), ([5: 255], [:]), ([:], [InputCode.rightShoulder: true])]
      as [([UInt16: Int32], [UInt16: Bool])]
    {
      desk.pad.report(axes, keys: keys, at: desk.desk.stage.clock.now)
      for _ in 0..<4 { try? desk.desk.application.step() }
    }
    #expect(desk.desk.lines.allSatisfy { $0.state == .safe } && desk.line.command == .neutral)
    // The compositor answers again, and the press of meanwhile is no new one.
    desk.desk.pass(.seconds(1))
    desk.report([5: 250])
    #expect(desk.line.state == .safe)
    desk.report([5: 0])
    desk.drive(gear: 1)
    #expect(desk.line.state == .driving)
    desk.desk.end()
  }

  @Test func `what waited while the whole process stood still drives nothing`() throws {
    let desk = try PadDesk(sink: { try MailboxSink($0, clock: $1) })
    // Pressed, shifted and pressed further while nobody read.
    let time = desk.desk.stage.clock.now
    desk.desk.stage.clock.advance(by: .milliseconds(700))
    for (axes, keys) in [([5: 255], [:]), ([:], [InputCode.rightShoulder: true]), ([0: 32767], [:])]
      as [([UInt16: Int32], [UInt16: Bool])]
    {
      desk.pad.report(axes, keys: keys, at: time)
    }
    desk.desk.settle()
    #expect(desk.desk.lines.allSatisfy { $0.command == .neutral } && desk.line.state == .ready)
    desk.report([0: 30000, 5: 250])
    #expect(desk.line.command == .neutral)
    desk.report([5: 0], keys: [InputCode.rightShoulder: false])
    desk.drive(gear: 1)
    #expect(desk.line.state == .driving && desk.line.command.gear == 1)
    desk.desk.end()
  }

  @Test func `a pad that falls silent under a held trigger is a loss where that is watched`() throws {
    let desk = try PadDesk(vigilance: .seconds(1))
    desk.drive(gear: 3)
    for step: Int32 in 1...4 {
      desk.desk.pass(.milliseconds(800))
      #expect(desk.line.state == .driving)
      desk.report([5: 255 - step * 4])
    }
    desk.desk.pass(.milliseconds(1100))
    #expect(desk.line.state == .safe && desk.line.reason == .inputSilent)
    desk.desk.end()
  }

  @Test func `without the dead-man's switch a gear stays without throttle, and a pad that is gone is a loss`() throws {
    let desk = try PadDesk(isDeadMan: false)
    desk.drive(gear: 3)
    desk.report([5: 0])
    #expect(desk.line.state == .driving && desk.line.command.gear == 3 && desk.line.command.throttle == 0)
    desk.desk.pass(.seconds(1))
    #expect(desk.line.command.throttle == 0 && desk.line.command.steering == 0)
    desk.report([5: 255])
    #expect(desk.line.command.throttle == 0.3)
    desk.report([5: 0])
    desk.pad.unplug()
    desk.desk.settle()
    #expect(desk.line.state == .safe && desk.line.reason == .deviceLost)
    desk.desk.end()
  }

  // MARK: Several hands

  @Test func `of two pads the first keeps lever and wheel, and the second must let go before it can take them`() throws
  {
    let desk = try PadDesk([.pad, .pad])
    desk.drive(gear: 3)
    desk.report([0: 32767, 5: 255], of: 1)
    desk.press(InputCode.rightShoulder, of: 1)
    #expect(desk.line.command.gear == 3 && desk.line.command.steering == 0)
    desk.report([5: 0])
    #expect(desk.line.reason == .lift, "the other pad's press of before takes nothing over")
    desk.report([0: 30000, 5: 250], of: 1)
    #expect(desk.line.state == .safe)
    desk.report([5: 0], of: 1)
    desk.drive(gear: 2, of: 1)
    #expect(desk.line.state == .driving && desk.line.command.gear == 2)
    desk.pads[0].unplug()
    desk.desk.settle()
    #expect(desk.line.state == .driving, "the other pad drives nothing, so its loss is none")
    desk.pads[1].unplug()
    desk.desk.settle()
    #expect(desk.line.reason == .deviceLost)
    desk.desk.end()
  }

  @Test func `a finger on the lever keeps it, and the pad has the wheel`() throws {
    let desk = try PadDesk()
    desk.desk.takeLever(to: .forward(4))
    desk.report([0: 32767, 5: 255])
    desk.press(InputCode.rightShoulder)
    #expect(desk.line.command.gear == 4 && desk.line.command.throttle == 0.4 && desk.line.command.steering == 1)
    desk.desk.lift(1)
    #expect(desk.line.state == .driving && desk.line.command.gear == 0 && desk.line.command.steering == 1)
    desk.report([5: 0])
    #expect(desk.line.reason == .lift)
    desk.desk.end()
  }

  @Test func `fingers and keys get nothing of what a pad holds`() throws {
    let desk = try PadDesk()
    desk.desk.stage.seat.keyboardEnter()
    desk.drive(gear: 3)
    desk.report([0: 16000])
    let command = desk.line.command
    desk.desk.takeLever(to: .forward(8))
    desk.desk.takeWheel(degrees: 90)
    for key in [StageKeymap.Code.up, StageKeymap.Code.left] { desk.desk.stage.seat.key(key, true) }
    desk.desk.pass(.milliseconds(500))
    #expect(desk.line.command == command)
    desk.report([5: 0])
    #expect(desk.line.state == .safe && desk.line.reason == .lift && desk.desk.scene.gearbox.gear == .neutral)
    desk.desk.end()
  }

  @Test(arguments: [true, false]) func `what no device made drives nothing`(isDeadMan: Bool) throws {
    let desk = try PadDesk(isDeadMan: isDeadMan)
    let seat = SeatID(77)
    func send(_ state: GamepadState) {
      desk.desk.relay.handle(
        .gamepad(GamepadEvent(seat: seat, phase: .changed, state: state, time: desk.desk.relay.now)))
      desk.desk.refresh()
    }
    send(GamepadState(steering: 1, throttle: 1, buttons: .shiftUp))
    send(GamepadState(steering: 1, throttle: 1))
    send(GamepadState(steering: 1, throttle: 1, buttons: .shiftUp))
    #expect(desk.line.state == .ready && desk.desk.scene.gearbox.gear == .neutral && desk.desk.scene.wheel.angle == 0)
    desk.desk.end()
  }

  @Test func `a scene that changes under a pad ends its hold`() throws {
    let desk = try PadDesk()
    desk.drive(gear: 5)
    desk.desk.relay.record(.wake) { desk.desk.scene.gearbox.gearCount = 3 }
    #expect(desk.line.reason == .sceneChanged && desk.line.command == .neutral)
    desk.press(InputCode.rightShoulder)
    #expect(desk.line.state == .safe)
    desk.desk.end()
  }

  // MARK: Noise

  @Test func `a pad at rest that trembles drives nothing and adds no line`() throws {
    var worn = DeviceDescription.pad
    worn.axes[5]?.value = 25
    let desk = try PadDesk([worn])
    var dice = Dice(seed: 3)
    for _ in 0..<2000 {
      desk.pad.report(
        [
          0: 4000 + Int32(dice.roll(1500)), 1: Int32(dice.roll(9000)), 2: Int32(dice.roll(10)),
          5: 20 + Int32(dice.roll(12)),
        ],
        at: desk.desk.stage.clock.now)
      try? desk.desk.application.step()
      desk.desk.stage.clock.advance(by: .milliseconds(4))
    }
    desk.desk.settle()
    #expect(desk.desk.lines.isEmpty && desk.line.state == .ready)
    // The drift that was measured steers nothing under a hold either.
    desk.report([0: 5490, 5: 255])
    #expect(desk.line.command.isHeld && desk.line.command.steering == 0)
    desk.desk.end()
  }
}
