import DriveLink
import Gamepad
import JSON
import TestSupport
import Testing
import UICore

@testable import cockpit

/// A session driven by a gamepad, written down and played again: the record has what the driver asked for, not the device's bytes.
@MainActor @Suite(.serialized) struct GamepadReplayTests {
  @Test(arguments: 0..<6) func `a replay gives the session's lines`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/record.jsonl"
    var recorder: Recorder?
    let isDeadMan = seed % 3 != 2
    let desk = try PadDesk(
      [.pad, .pad], isDeadMan: isDeadMan,
      prepare: { desk, start in
        var header = RecordedSession.Header()
        header.start = start
        (header.options.receiver, header.options.deadMan, header.options.driveRate) = (.standard, isDeadMan, 50)
        (header.options.gamepad, header.options.showsBeacon) = (.auto, false)
        let made = try Recorder(path: path, header: header)
        recorder = made
        desk.relay.parts.append(made)
      })
    var dice = Dice(seed: seed)
    var isDown: [Set<UInt16>] = [[], []]
    for _ in 0..<120 {
      let number = dice.roll(4) == 0 ? 1 : 0
      switch dice.roll(12) {
      case 0..<4: desk.report([InputCode.rz: [0, 120, 255][dice.roll(3)]], of: number)
      case 4: desk.report([InputCode.axisZ: [0, 90, 255][dice.roll(3)]], of: number)
      case 5, 6: desk.report([InputCode.x: Int32(dice.roll(65536)) - 32768], of: number)
      case 7..<10:
        let code = [InputCode.rightShoulder, InputCode.leftShoulder, InputCode.south][dice.roll(3)]
        let goesDown = isDown[number].insert(code).inserted
        if !goesDown { isDown[number].remove(code) }
        desk.report(keys: [code: goesDown], of: number)
      case 10:
        desk.pads[number].drop()
        desk.report([InputCode.rz: 0], of: number)
      default:
        desk.desk.stage.toplevel.set(.activated, dice.roll(3) != 0)
        desk.desk.settle()
      }
      desk.desk.pass(.milliseconds(Int64(dice.roll(3) * 30)))
    }
    if seed == 0 { desk.pads[0].unplug() }
    desk.desk.pass(.milliseconds(100))
    let made = try #require(recorder)
    made.note(.end, at: desk.desk.application.now)
    let replayer = try Replayer(try RecordedSession(contentsOf: path), name: "record")
    var lines: [DriveStream.Line] = []
    replayer.onLine = { lines.append($0) }
    replayer.playAll()
    let rest = Array(lines.dropFirst())
    #expect(rest == desk.desk.lines && rest.contains { $0.state == .driving })
    desk.desk.end()
  }

  @Test func `what a record of another program's making says of a gamepad is read or refused`() {
    func event(_ text: String) -> SessionEvent? {
      JSONValue(line: Array(text.utf8)).flatMap { SessionEvent.read($0, since: .zero) }
    }
    let state = GamepadState(steering: -0.5, throttle: 1, brake: 0.25, handbrake: 0, buttons: [.grip, .shiftUp])
    let wanted = GamepadEvent(
      seat: SeatID(0x8000_0001), phase: .changed, state: state, time: MonotonicTime(nanoseconds: 5))
    let written = SessionEvent.input(.gamepad(wanted)).fields(since: .zero)
    #expect(event("{\(written)}") == .input(.gamepad(wanted)))
    for (old, new) in [
      ("-0.5", "-1.5"), ("-0.5", "null"), (",1.0,", ",1.1,"), (",3,", ",64,"), ("changed", "moved"), (",0.25,", ",-1,"),
      (",5]", ",5,6]"),
    ] {
      let text = written.replacing(old, with: new)
      #expect(text != written && event("{\(text)}") == nil, "\(text)")
    }
    #expect(event("{\"lost\":[\"gamepadLost\",7]}") == .input(.lost(InputLoss(.deviceLost(.gamepad), seat: SeatID(7)))))
  }
}
