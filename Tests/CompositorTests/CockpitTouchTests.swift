import CompositorLab
import Testing

extension RealCompositors {
  /// Driving with two fingers.
  @Suite(.needs(.kwin)) struct CockpitTouchTests {
    static let outputs: [Compositor.Settings] = [
      .init(width: 960, height: 540), .init(width: 1440, height: 810, scale: 1.5),
    ]

    @Test(arguments: outputs)
    func `two fingers move gearbox and wheel at once, and each leaves alone`(output: Compositor.Settings) throws {
      let desk = try Desk(.kwin, output)
      let plan = desk.plan
      try desk.expectPicture(desk.offscreen())

      try desk.give("touch down 0 \(plan.gear(0))", "touch down 7 \(plan.rim(quarterTurns: 0))", "touch frame")
      try desk.expect("gearbox held true", "wheel held true")
      try desk.give("touch motion 0 \(plan.gear(4))", "touch motion 7 \(plan.rim(quarterTurns: 1))", "touch frame")
      try desk.expect("gear 4", "steering 90")
      let moved = try desk.offscreen("--gear", "4", "--steer", "90")
      try desk.expectPicture(moved, part: plan.spokes)

      // The left finger lifts; the right one still turns the wheel.
      try desk.give("touch up 0", "touch frame")
      try desk.expect("gearbox held false")
      try desk.expectPicture(moved, part: plan.gearbox)
      try desk.expectPicture(moved, part: plan.spokes)
      try desk.give("touch motion 7 \(plan.rim(quarterTurns: 2))", "touch frame")
      try desk.expect("steering 180")

      // The left finger returns with another number. The right one lifts, and the lever is still held.
      try desk.give("touch down 3 \(plan.gear(4))", "touch frame")
      try desk.expect("gearbox held true")
      try desk.give("touch up 7", "touch frame")
      try desk.expect("wheel held false", "steering 0")
      try desk.give("touch motion 3 \(plan.gear(2))", "touch frame")
      try desk.expect("gear 2")
      try desk.give("touch up 3", "touch frame")
      try desk.expect("gearbox held false")
      try desk.expectControls(desk.offscreen("--gear", "2"))
      #expect(try desk.cockpit.terminate() == .exited(0))
    }

    @Test func `a cancelled touch lets go of everything`() throws {
      let desk = try Desk(.kwin)
      let plan = desk.plan
      let start = try desk.offscreen()
      try desk.expectPicture(start)

      for finger in [0, 20] {
        try desk.give(
          "touch down \(finger) \(plan.gear(0))", "touch down \(finger + 1) \(plan.rim(quarterTurns: 0))",
          "touch frame",
          "touch motion \(finger) \(plan.gear(5))", "touch motion \(finger + 1) \(plan.rim(quarterTurns: 3))",
          "touch frame")
        try desk.expect("gearbox held true", "wheel held true", "gear 5", "steering -90")
        try desk.give("touch cancel")
        try desk.expect("gearbox held false", "gear N", "wheel held false", "steering 0")
      }
      // The car brakes to a stop, and the picture is that of the start. Lifting the cancelled fingers has no effect.
      try desk.give("touch up 20", "touch up 21", "touch frame")
      try desk.expectPicture(start)
      #expect(try desk.cockpit.terminate() == .exited(0))
    }
  }
}
