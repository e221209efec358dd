import CompositorLab
import Glibc
import Testing

extension RealCompositors {
  /// The latency of input, as the cockpit itself measures it.
  @Suite struct CockpitLatencyTests {
    @Test(arguments: CompositorKind.tested)
    func `--latency tells how long input took, and how long to the screen where the compositor says so`(
      kind: CompositorKind
    ) throws {
      // Headless weston takes no input from a test, so the demo runs there.
      let hasHands = kind != .weston
      let desk = try Desk(
        kind, hasHands: hasHands, options: ["--fullscreen", "--latency"] + (hasHands ? [] : ["--demo"]))
      if hasHands {
        try desk.putMouseAway()
        try desk.expectControls(desk.offscreen())
        try desk.give("pointer motion \(desk.plan.rim(quarterTurns: 0))", "pointer press")
        try desk.expect("wheel held true")
        for turn in 1...8 { try desk.give("pointer motion \(desk.plan.rim(quarterTurns: turn % 4))") }
        try desk.give("pointer release")
        try desk.expect("wheel held false", "steering 0")
      } else {
        try desk.expectSteering { abs($0) > 20 }
      }
      desk.cockpit.signal(SIGTERM)
      let inputs = try desk.cockpit.line { $0.hasPrefix("input to commit, since its arrival") }
      // Several motions may come in one message.
      let number = inputs.split(separator: " ").last.flatMap { Int($0) } ?? -1
      #expect(hasHands ? number >= 3 : number == 0, "\(inputs)")
      let photons = try desk.cockpit.line { $0.hasPrefix("input to photons") }
      switch kind {
      case .weston:
        let frames = try desk.cockpit.line { $0.hasPrefix("frames: ") }
        let seen = frames.split(separator: " ").dropFirst(3).first.flatMap { Int($0) } ?? 0
        #expect(seen > 10, "\(frames)")
        let refreshes = try desk.cockpit.line { $0.hasPrefix("refreshes: ") }
        #expect(refreshes.contains(" missed at 60.00 Hz"), "\(refreshes)")
      case .sway:
        #expect(photons.hasSuffix("unknown, the compositor has reported no frame as shown"), "\(photons)")
      case .kwin:
        #expect(photons.hasSuffix("unknown, the compositor has no wp_presentation"), "\(photons)")
      case .phoc, .mutter, .cage: break
      }
      #expect(try desk.cockpit.waitForEnd() == .exited(0))
    }
  }
}
