import CompositorLab
import Testing

extension RealCompositors {
  /// Driving with a mouse and a keyboard.
  @Suite struct CockpitInputTests {
    static let kinds = CompositorKind.tested.filter { $0 != .weston }

    @Test(arguments: kinds)
    func `the mouse drags the knob and turns the wheel`(kind: CompositorKind) throws {
      let desk = try Desk(kind)
      let plan = desk.plan
      try desk.putMouseAway()
      try desk.expectControls(desk.offscreen())

      try desk.give("pointer motion \(plan.gear(0))", "pointer press")
      try desk.expect("gearbox held true")
      try desk.give("pointer motion \(plan.gear(3))")
      try desk.expect("gear 3")
      try desk.give("pointer release")
      try desk.expect("gearbox held false")

      try desk.give("pointer motion \(plan.rim(quarterTurns: 0))", "pointer press")
      try desk.expect("wheel held true")
      try desk.give("pointer motion \(plan.rim(quarterTurns: 1))")
      try desk.expect("steering 90")
      let moved = try desk.offscreen("--gear", "3", "--steer", "90")
      try desk.expectPicture(moved, part: plan.gearbox)
      try desk.expectPicture(moved, part: plan.spokes)
      try desk.give("pointer release")
      try desk.expect("wheel held false", "steering 0")
      try desk.putMouseAway()
      try desk.expectControls(desk.offscreen("--gear", "3"))
      #expect(try desk.cockpit.terminate() == .exited(0))
    }

    @Test(arguments: kinds)
    func `keys shift, brake, steer, sound the horn and quit`(kind: CompositorKind) throws {
      let desk = try Desk(kind)
      try desk.putMouseAway()
      try desk.expectControls(desk.offscreen())

      try desk.press(.up)
      try desk.expect("gear 1")
      try desk.press(.up)
      try desk.expect("gear 2")
      try desk.press(.space)
      try desk.expect("gear N")
      try desk.give("key press \(Key.right.rawValue)")
      try desk.expectSteering { $0 > 20 }
      try desk.give("key release \(Key.right.rawValue)")
      try desk.expect("steering 0")
      try desk.give("key press \(Key.h.rawValue)")
      try desk.expect("horn true")
      try desk.give("key release \(Key.h.rawValue)")
      try desk.expect("horn false")
      // The controls look as they did before.
      try desk.expectControls(desk.offscreen())

      try desk.give("key press \(Key.control.rawValue)", "key press \(Key.q.rawValue)")
      #expect(try desk.cockpit.waitForEnd() == .exited(0))
    }
  }
}
