import CompositorLab
import Glibc
import Testing

extension RealCompositors {
  /// A compositor that hangs keeps its sockets open, so nothing reports that it hangs.
  @Suite struct FreezeTests {
    /// How often a compositor is frozen while two fingers drive; set COCKPIT_FREEZES for more.
    static let count = getenv("COCKPIT_FREEZES").flatMap { Int(String(cString: $0)) } ?? 2

    @Test(arguments: CompositorKind.tested)
    func `a compositor that freezes under two fingers ends the drive within 350 ms, and its thaw resumes nothing`(
      kind: CompositorKind
    ) throws {
      let rig = try DriveRig(kind, options: DriveRig.latchedLever)
      var slowest = Duration.zero
      for freeze in 1...FreezeTests.count {
        try rig.drive()
        slowest = max(slowest, try freezeAndThaw(rig, isLong: freeze % 5 == 1))
      }
      // A latched lever that was left in a gear keeps driving without a finger.
      try rig.drive()
      try rig.liftFingers()
      _ = try rig.witness.line("\"gear\":\"4\"", "\"held\":false", "\"state\":\"driving\"")
      slowest = max(slowest, try freezeAndThaw(rig, isLong: false))
      try rig.drive()
      print(
        "\(FreezeTests.count) freezes of \(kind.rawValue) with two fingers down, 1 with the lever left in 4: "
          + "safe line <= \(slowest.inMilliseconds) after the stop")
      #expect(slowest <= .milliseconds(350))
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    /// Freezes the compositor, moves the fingers meanwhile, thaws it, and lifts the fingers. Returns the time from the freeze to
    /// the safe line.
    private func freezeAndThaw(_ rig: DriveRig, isLong: Bool) throws -> Duration {
      // A frame has shown what is commanded: else the screen would be the first fault.
      _ = try rig.witness.lines(3)
      let stop = ContinuousClock.now
      rig.compositor.freeze()
      let safe = try rig.witness.line("\"gear\":\"N\"", "\"state\":\"safe\"", "\"reason\":\"compositor-frozen\"")
      let moves = try rig.moveUnanswered()
      // Waits 0.3 s, or 1.5 s: long enough for a window to count as hidden, too.
      var after = try rig.witness.lines(isLong ? 45 : 10)
      rig.compositor.thaw()
      try rig.awaitAnswers(moves)
      after += try rig.witness.lines(10)
      try rig.liftFingers()
      after += try rig.witness.lines(10)
      let wrong = after.filter { !$0.contains("\"state\":\"safe\"") || $0.contains("\"held\":true") }
      #expect(wrong.isEmpty, "\(wrong.count) of \(after.count) lines after the safe one, such as \(wrong.first ?? "")")
      return stop.duration(to: safe.arrival)
    }
  }
}
