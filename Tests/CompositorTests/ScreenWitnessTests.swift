import CompositorLab
import Foundation
import Glibc
import Testing

extension RealCompositors {
  /// The program that reads the cockpit's screen, under a real compositor: as a process that ends, stands still or comes too late.
  @Suite struct ScreenWitnessTests {
    /// How often each kind of harm is done; set COCKPIT_WITNESS_FAULTS for more.
    static let count = getenv("COCKPIT_WITNESS_FAULTS").flatMap { Int(String(cString: $0)) } ?? 2

    enum Harm: String, CaseIterable {
      case killed, stopped, starved

      /// Does it to `process`.
      func act(on process: pid_t) {
        kill(process, self == .killed ? SIGKILL : SIGSTOP)
        guard self == .starved else { return }
        // As one that gets the processor every 400 ms.
        Thread.detachNewThread {
          usleep(400_000)
          kill(process, SIGCONT)
        }
      }
    }

    @Test(arguments: Harm.allCases)
    func
      `a witness that is killed, stopped or starved ends the drive within 200 ms, and driving goes on with the next one`(
        harm: Harm
      ) throws
    {
      let kind = try #require(CompositorKind.tested.first)
      let rig = try DriveRig(kind, options: DriveRig.latchedLever)
      var slowest = Duration.zero
      for _ in 0..<Self.count {
        let process = try drive(rig)
        let start = ContinuousClock.now
        harm.act(on: process)
        let safe = try rig.witness.line("\"gear\":\"N\"", "\"state\":\"safe\"", "\"reason\":\"display-fault\"")
        slowest = max(slowest, start.duration(to: safe.arrival))
        try rig.liftFingers()
      }
      // The next one is there, and the old ones are gone.
      _ = try drive(rig)
      #expect(try Self.children(of: rig.cockpit.id).count == 1)
      print("\(Self.count) times a witness \(harm.rawValue): safe line <= \(slowest.inMilliseconds) after it")
      #expect(slowest <= .milliseconds(200))
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    /// The running processes that `process` has started.
    private static func children(of process: pid_t) throws -> [pid_t] {
      let path = "/proc/\(process)/task/\(process)/children"
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").compactMap { pid_t($0) }
        // One that has ended and is not collected yet has no program any more.
        .filter {
          var byte: CChar = 0
          return readlink("/proc/\($0)/exe", &byte, 1) > 0
        }
    }

    /// Drives, and returns the process that reads the screen. Without one a touch drives for the length of a line.
    private func drive(_ rig: DriveRig) throws -> pid_t {
      for _ in 0..<5 {
        try rig.drive()
        _ = try rig.witness.lines(3)
        if let process = try Self.children(of: rig.cockpit.id).last { return process }
        try rig.liftFingers()
      }
      return try #require(Self.children(of: rig.cockpit.id).last)
    }
  }
}
