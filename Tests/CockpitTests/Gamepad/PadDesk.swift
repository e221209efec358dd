import DriveLink
import Gamepad
import PlayedGamepads
import Shell
import Testing
import UICore

@testable import cockpit

/// The cockpit that drives, on the stage, with gamepads.
@MainActor final class PadDesk {
  let desk: DriveDesk
  let part: GamepadPart
  let pads: [PlayedPad]
  private let commands: GamepadCommands
  var pad: PlayedPad { pads[0] }
  var line: DriveStream.Line { desk.line }

  init(
    _ devices: [DeviceDescription] = [.pad], isDeadMan: Bool = true, shaping: DriveShaping = .none,
    vigilance: Duration? = nil, vehicle: VehicleFile? = nil,
    sink: ((DriveStream, any MonotonicClock) throws -> MailboxSink)? = nil,
    prepare: @escaping (DriveDesk, MonotonicTime) throws -> Void = { _, _ in }
  ) throws {
    pads = devices.enumerated().map { PlayedPad($1, path: "pad \($0)") }
    var made: (GamepadPart, GamepadCommands)?
    desk = try DriveDesk(
      isDeadMan: isDeadMan, shaping: shaping, vehicle: vehicle, mailbox: sink,
      prepare: { desk, start in
        let commands = GamepadCommands(scene: desk.scene)
        let part = GamepadPart(
          commands, relay: desk.relay, output: desk.output, loop: desk.application.loop,
          isFrozen: { [unowned application = desk.application] in application.isCompositorFrozen })
        made = (part, commands)
        desk.relay.parts.append(part)
        desk.session.vigilance = vigilance.map { Vigilance(limit: $0, output: desk.output, at: start) }
        try prepare(desk, start)
      })
    (part, commands) = try #require(made)
    for pad in pads { part.add(try #require(GamepadReader(playing: pad, seat: part.nextSeat))) }
  }

  /// The pad reports, and the cockpit reacts; the clock stands still.
  func report(_ axes: [UInt16: Int32] = [:], keys: [UInt16: Bool] = [:], of number: Int = 0, age: Duration = .zero) {
    pads[number].report(axes, keys: keys, at: desk.stage.clock.now - age)
    desk.settle()
  }

  /// A press of a button.
  func press(_ code: UInt16, of number: Int = 0) {
    report(keys: [code: true], of: number)
    report(keys: [code: false], of: number)
  }

  /// Drives in `gear`, with the trigger at its end.
  func drive(gear: Int, of number: Int = 0) {
    report([InputCode.rz: 255], of: number)
    for _ in 0..<gear { press(InputCode.rightShoulder, of: number) }
  }
}
