import CompositorLab
import Foundation
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// Gamepads in a cockpit's own process, on a weston: what the kernel's files do, and how soon.
  @Suite(.needs(.weston), .needs(.kwin)) struct GamepadProcessTests {
    private static let (trigger, up, stop): (UInt16, UInt16, UInt16) = (5, 0x137, 0x131)

    /// A cockpit that drives, and the devices that come to it.
    private final class Seat {
      let rig: DriveRig
      let input: PlayedInput

      init(_ choice: String = "auto", before: (PlayedInput) throws -> Void = { _ in }) throws {
        var made: PlayedInput?
        rig = try DriveRig(.weston, options: ["--gamepad", choice]) {
          let input = try PlayedInput($0)
          try before(input)
          made = input
          return try input.environment
        }
        input = try #require(made)
      }

      func add(_ number: Int, _ text: String = PlayedInput.pad) throws -> PlayedDevice {
        let device = try input.add(number, text)
        try device.awaitOpening()
        _ = try rig.cockpit.line { $0.contains("gamepad ") && $0.contains("event\(number)") }
        return device
      }

      /// Drives in the third gear.
      func drive(_ device: PlayedDevice) throws {
        device.axis(GamepadProcessTests.trigger, 255)
        for _ in 0..<3 { device.press(GamepadProcessTests.up) }
        _ = try rig.witness.line("\"gear\":\"3\"", "\"throttle\":0.300", "\"state\":\"driving\"")
      }

      /// Returns once the process has said nothing for half a second, as one that stands still; what was on its way comes before.
      func awaitSilence() throws {
        while (try? rig.witness.lines(1, within: .milliseconds(500))) != nil {}
      }

      func end() throws { #expect(try rig.cockpit.terminate() == .exited(0)) }
    }

    /// A device reports at its own pace, whatever the cockpit does.
    private static func pace(microseconds: UInt32) { usleep(microseconds) }

    private static func median(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }

    @Test func `a pad that is unplugged in mid-drive commands neutral within 10 ms, and one that comes drives again`()
      throws
    {
      let seat = try Seat()
      var times: [Duration] = []
      for number in 0..<9 {
        let pad = try seat.add(number)
        try seat.drive(pad)
        pad.axis(0, 32767)
        _ = try seat.rig.witness.line("\"steering\":1.0000")
        seat.rig.witness.forgetLines()
        let time = ContinuousClock.now
        pad.unplug()
        let (arrival, text) = try seat.rig.witness.line("\"state\":\"safe\"", "\"reason\":\"device-lost\"")
        times.append(arrival - time)
        let line = try DriveLine(text)
        #expect(line.gear == "N" && line.throttle == 0 && line.steering == 0)
      }
      print("gamepad: unplugged, neutral after \(times.map(\.inMilliseconds).joined(separator: ", "))")
      #expect(Self.median(times) < .milliseconds(10))
      try seat.end()
    }

    @Test func `a release that the kernel dropped leaves no hold`() throws {
      let seat = try Seat()
      let pad = try seat.add(4)
      try seat.drive(pad)
      // The trigger is at rest by now, and no event says so.
      try pad.drop(PlayedInput.pad)
      _ = try seat.rig.witness.line("\"gear\":\"N\"", "\"state\":\"safe\"", "\"reason\":\"device-lost\"")
      try seat.drive(pad)
      // It was let go and pressed again: nobody knows.
      try pad.drop(PlayedInput.pad.replacing("abs 5 0 255 0 0 0", with: "abs 5 0 255 0 0 200"))
      _ = try seat.rig.witness.line("\"gear\":\"N\"", "\"state\":\"safe\"", "\"reason\":\"device-lost\"")
      pad.axis(Self.trigger, 250)
      pad.press(Self.up)
      #expect(try seat.rig.witness.next(20).allSatisfy { $0.state == "safe" && $0.gear == "N" })
      pad.axis(Self.trigger, 0)
      try seat.drive(pad)
      try seat.end()
    }

    @Test func `what waited while the process stood still drives nothing`() throws {
      let seat = try Seat()
      let pad = try seat.add(0)
      kill(seat.rig.cockpit.id, SIGSTOP)
      pad.axis(Self.trigger, 255)
      for _ in 0..<3 { pad.press(Self.up) }
      try seat.awaitSilence()
      kill(seat.rig.cockpit.id, SIGCONT)
      _ = try seat.rig.witness.lines(6)
      pad.axis(Self.trigger, 240)
      pad.press(Self.up)
      _ = try seat.rig.witness.lines(9)
      #expect(!seat.rig.witness.heard.contains { $0.contains("\"gear\":\"1\"") || $0.contains("\"gear\":\"3\"") })
      pad.axis(Self.trigger, 0)
      try seat.drive(pad)
      // And in mid-drive: the release is among what waited.
      kill(seat.rig.cockpit.id, SIGSTOP)
      try seat.awaitSilence()
      pad.axis(0, 32767)
      kill(seat.rig.cockpit.id, SIGCONT)
      _ = try seat.rig.witness.line("\"gear\":\"N\"", "\"state\":\"safe\"", "\"reason\":\"loop-hung\"")
      #expect(try seat.rig.witness.next(20).allSatisfy { $0.state == "safe" && $0.steering == 0 })
      try seat.end()
    }

    @Test func `a pad that is held when the cockpit comes drives once it was let go`() throws {
      let seat = try Seat()
      let held = PlayedInput.pad.replacing("abs 5 0 255 0 0 0", with: "abs 5 0 255 0 0 255") + "down 304\n"
      let pad = try seat.add(2, held)
      pad.axis(Self.trigger, 254)
      pad.press(Self.up)
      _ = try seat.rig.witness.lines(6)
      #expect(!seat.rig.witness.heard.contains { $0.contains("\"gear\":\"1\"") })
      pad.axis(Self.trigger, 0)
      pad.key(304, false)
      try seat.drive(pad)
      try seat.end()
    }

    @Test func `of two pads the first keeps what it holds, and both may stop`() throws {
      let seat = try Seat()
      let (first, second) = (try seat.add(0), try seat.add(1))
      try seat.drive(first)
      second.axis(Self.trigger, 255)
      second.axis(0, -32768)
      second.press(Self.up)
      #expect(try seat.rig.witness.next(10).allSatisfy { $0.gear == "3" && $0.steering == 0 })
      second.press(Self.stop)
      _ = try seat.rig.witness.line("\"reason\":\"emergency-stop\"", "\"gear\":\"N\"")
      // The hand that drove feels it.
      let rumble = try first.answer()
      #expect(rumble.type == 0x15 && rumble.value == 1)
      try seat.end()
    }

    @Test
    func
      `a keyboard, a touchpad and an accelerometer are left alone, and one line says that a device may not be opened`()
      throws
    {
      var devices: [PlayedDevice] = []
      let seat = try Seat(before: { input in
        for (number, text) in [
          (0, "name Keyboard\nkey 1 2 3 30\n"),
          (1, "name Touchpad\nprop 0 2\nkey 272 325 330\nabs 0 0 1920 0 0 0\nabs 1 0 942 0 0 0\n"),
          (
            2,
            "name Motion Sensors\nprop 6\nabs 0 -32768 32767 0 0 0\nabs 1 -32768 32767 0 0 0\nabs 2 -32768 32767 0 0 0\n"
          ),
          (3, PlayedInput.pad + "mode none\n"),
        ] {
          devices.append(try input.add(number, text))
        }
      })
      let pad = devices[3]
      #expect(!pad.isOpened(within: 300))
      // udev lets the user in.
      try Data(PlayedInput.pad.utf8).write(to: URL(fileURLWithPath: seat.input.folder + "/event3.txt"))
      chmod(seat.input.folder + "/event3", 0o660)
      try pad.awaitOpening()
      _ = try seat.rig.cockpit.line { $0.contains("gamepad ") && $0.contains("event3") }
      try seat.drive(pad)
      try seat.end()
    }

    @Test func `a pad at rest wakes nobody`() throws {
      let compositor = try Compositor(.weston)
      let input = try PlayedInput(compositor)
      let witness = try DriveWitness(path: compositor.path(of: "drive"))
      let cockpit = try compositor.launch(
        [
          Product.cockpit.path, "--beacon", "off", "--gamepad", "auto", "--drive",
          "unix:\(compositor.path(of: "drive"))", "--log", "frame:debug,input",
        ], environment: input.environment, joinsErrors: true)
      try witness.acceptCockpit()
      let pad = try input.add(0)
      try pad.awaitOpening()
      // The notice of the start goes, with frames that the log has. Who has logged goes to sleep once more: that is over after a silent second.
      func isSilent(for time: Duration) -> Bool { (try? cockpit.line(within: time)) == nil }
      var before = 0
      repeat {
        while !isSilent(for: .seconds(1)) {}
        before = try Self.wakeUps(of: cockpit.id)
      } while !isSilent(for: .seconds(5))
      let count = try Self.wakeUps(of: cockpit.id) - before
      print("gamepad: \(count) wake-ups in 5 s at rest")
      #expect(count == 0)
      #expect(try cockpit.terminate() == .exited(0))
    }

    /// How often the threads of a process have gone to sleep.
    private static func wakeUps(of process: pid_t) throws -> Int {
      let tasks = "/proc/\(process)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
        let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary") }
        return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
      }
    }

    @Test func `an event becomes a line within two milliseconds`() throws {
      let seat = try Seat()
      let pad = try seat.add(0)
      try seat.drive(pad)
      var times: [Duration] = []
      for number in 0..<500 {
        // Events come at any moment between two lines.
        Self.pace(microseconds: UInt32(3000 + number % 7 * 1000))
        let value: Int32 = number % 2 == 0 ? 32767 : -32768
        seat.rig.witness.forgetLines()
        let time = ContinuousClock.now
        pad.axis(0, value)
        let (arrival, _) = try seat.rig.witness.line(value > 0 ? "\"steering\":1.0000" : "\"steering\":-1.0000")
        times.append(arrival - time)
      }
      times.sort()
      print(
        "gamepad: event to line p50 \(times[250].inMicroseconds), p99 \(times[495].inMicroseconds),"
          + " longest \(times[499].inMicroseconds)")
      #expect(times[250] < .milliseconds(2))
      try seat.end()
    }

    @Test func `a pad that trembles at rest adds no line`() throws {
      let seat = try Seat()
      let pad = try seat.add(0)
      _ = try seat.rig.witness.lines(6)
      let before = seat.rig.witness.heard.count
      for number: Int32 in 0..<1000 {
        pad.report([(3, 0, 2000 + number % 7 * 100), (3, 1, -number % 5 * 200), (3, 5, 3 + number % 4)])
        if number % 10 == 0 { Self.pace(microseconds: 1000) }
      }
      _ = try seat.rig.witness.lines(9)
      // After the lift of the rig's own hands the state is said at a steady rate.
      #expect(
        seat.rig.witness.heard.dropFirst(before).allSatisfy { !$0.contains("driving") && !$0.contains("device-lost") })
      try seat.end()
    }
  }
}

extension Duration {
  /// The duration in whole microseconds.
  fileprivate var inMicroseconds: String {
    "\(components.attoseconds / 1_000_000_000_000 + components.seconds * 1_000_000) µs"
  }
}
