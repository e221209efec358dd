import CompositorLab
import Foundation
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// Signals to a cockpit that drives, and a process that stands still.
  @Suite(.needs(.weston)) struct SignalTests {
    /// How often a cockpit is stopped; set COCKPIT_FREEZES for more.
    private static let count = FreezeTests.count

    @Test(arguments: [true, false])
    func `a cockpit that was stopped and goes on is safe first, and the same hand drives nothing`(isHeld: Bool) throws {
      let rig = try DriveRig(.weston, options: isHeld ? [] : DriveRig.latchedLever)
      for round in 1...Self.count {
        try rig.drive()
        if !isHeld {
          try rig.liftFingers()
          _ = try rig.witness.line("\"gear\":\"4\"", "\"held\":false", "\"state\":\"driving\"")
        }
        rig.cockpit.signal(SIGSTOP)
        // What was on its way arrives.
        usleep(100_000)
        rig.witness.forgetLines()
        usleep(900_000)
        rig.cockpit.signal(SIGCONT)
        let lines = try rig.witness.lines(15)
        #expect(lines[0].contains("\"state\":\"safe\",\"reason\":\"loop-hung\""), "round \(round): \(lines[0])")
        #expect(lines.allSatisfy { $0.contains("\"gear\":\"N\"") && $0.contains("\"state\":\"safe\"") })
        if isHeld { try rig.liftFingers() }
      }
      try rig.drive()
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    @Test func `Ctrl+Z says so before it stops the process, and after it nothing drives without a new touch`() throws {
      let rig = try DriveRig(.weston, options: DriveRig.latchedLever)
      try rig.drive()
      rig.cockpit.signal(SIGTSTP)
      _ = try rig.witness.line("\"gear\":\"N\"", "\"state\":\"safe\",\"reason\":\"suspended\"")
      try wait { state(of: rig.cockpit.id) == "T" }
      rig.cockpit.signal(SIGCONT)
      let lines = try rig.witness.lines(15)
      #expect(lines.allSatisfy { $0.contains("\"state\":\"safe\"") })
      try rig.liftFingers()
      try rig.drive()
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    @Test func `every signal that would end the process ends it in order`() throws {
      let compositor = try Compositor(.weston, .init(width: 640, height: 360))
      for signal in [
        SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,
        SIGPWR,
      ] {
        let (cockpit, witness) = try start(on: compositor, socket: "drive-\(signal)")
        cockpit.signal(signal)
        _ = try witness.line("\"state\":\"safe\",\"reason\":\"terminated\"")
        #expect(try cockpit.waitForEnd() == .exited(0), "signal \(signal)")
      }
    }

    @Test func `signals that were ignored at the start stay ignored, as under nohup`() throws {
      let compositor = try Compositor(.weston, .init(width: 640, height: 360))
      let (cockpit, witness) = try start(on: compositor, socket: "drive", trap: "trap '' HUP INT USR1; ")
      for signal in [SIGHUP, SIGINT, SIGUSR1] { cockpit.signal(signal) }
      #expect(throws: LabError.self) { try cockpit.waitForEnd(within: .milliseconds(500)) }
      cockpit.signal(SIGTERM)
      _ = try witness.line("\"state\":\"safe\",\"reason\":\"terminated\"")
      #expect(try cockpit.waitForEnd() == .exited(0))
    }

    @Test func `a limit for files ends the record, not the drive; signals of failed writes are ignored`() throws {
      let rig = try DriveRig(.weston, options: DriveRig.latchedLever + ["--record", "drive.jsonl"])
      try rig.drive()
      for signal in [SIGXFSZ, SIGPIPE, SIGTTIN, SIGTTOU] {
        #expect(isIgnored(signal, by: rig.cockpit.id), "\(signal)")
      }
      // Only now: what the cockpit has said before a drive is dropped by it.
      _ = try rig.compositor.output(of: ["prlimit", "--pid", "\(rig.cockpit.id)", "--fsize=64:64"])
      try rig.give("touch motion 0 \(rig.plan.gear(5))", "touch frame")
      _ = try rig.cockpit.line { $0.contains("the record can't be written any more") }
      #expect(try rig.witness.lines(15).allSatisfy { $0.contains("\"state\":\"driving\"") })
      try rig.liftFingers()
      #expect(try rig.cockpit.terminate() == .exited(0))
      _ = try rig.witness.line("\"reason\":\"terminated\"")
    }

    /// A cockpit whose window is shown, and its consumer; `trap` is what its shell does before.
    private func start(
      on compositor: Compositor, socket: String, trap: String = ""
    ) throws -> (ClientProcess, DriveWitness) {
      let witness = try DriveWitness(path: compositor.path(of: socket))
      let cockpit = try compositor.launch(
        [
          "sh", "-c", "\(trap)exec \"$0\" \"$@\"", Product.cockpit.path, "--drive",
          "unix:\(compositor.path(of: socket))", "--log", "frame:debug",
        ], joinsErrors: true)
      try witness.acceptCockpit()
      _ = try cockpit.line { $0.contains("frame 1:") }
      return (cockpit, witness)
    }

    /// True if the kernel says that `process` ignores `signal`.
    private func isIgnored(_ signal: Int32, by process: pid_t) -> Bool {
      let lines =
        (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8))?.split(separator: "\n") ?? []
      let mask = lines.first { $0.hasPrefix("SigIgn:") }?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
      return (mask ?? 0) >> UInt64(signal - 1) & 1 == 1
    }

    /// The letter that the kernel has for a process's state.
    private func state(of process: pid_t) -> Character? {
      guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 512)
      let count = fread(&bytes, 1, bytes.count, file)
      return String(decoding: bytes[..<count], as: UTF8.self).components(separatedBy: ") ").last?.first
    }

    private func wait(until isTrue: () -> Bool) throws {
      let deadline = ContinuousClock.now + .seconds(5)
      while !isTrue() {
        try #require(ContinuousClock.now < deadline)
        usleep(5000)
      }
    }
  }

  /// Records of the product's own drives.
  @Suite(.needs(.weston)) struct RecordTests {
    @Test func `the record of a drive replays to the lines that the consumer had`() throws {
      let rig = try DriveRig(.weston, options: ["--record", "drive.jsonl"])
      try rig.drive()
      _ = try rig.witness.lines(10)
      try rig.liftFingers()
      _ = try rig.witness.line("\"reason\":\"lift\"")
      _ = try rig.witness.lines(5)
      #expect(try rig.cockpit.terminate() == .exited(0))
      _ = try rig.witness.line("\"reason\":\"terminated\"")
      let text = try rig.compositor.output(
        of: [Product.cockpit.path, "--replay", "drive.jsonl", "--no-window", "--drive", "-"])
      let replayed = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
      let heard = rig.witness.heard.map { $0.replacing("{\"v\":1,", with: "{\"v\":0,") }
      #expect(heard.count > 20 && replayed.last == heard.last)
      // The replay has the lines too that newer ones replaced on their way.
      var rest = replayed[...]
      for line in heard {
        guard let place = rest.firstIndex(of: line) else {
          Issue.record("not replayed: \(line)")
          break
        }
        rest = rest[(place + 1)...]
      }
    }
  }
}
