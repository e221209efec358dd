import CockpitControls
import Controls
import Testing

/// Tests of gears as values: names, order, throttle.
@Suite struct GearTests {
  @Test(arguments: [
    ("R", Gear.reverse), ("r", .reverse), ("N", .neutral), ("n", .neutral), ("1", .forward(1)), ("10", .forward(10)),
  ])
  func `G-D12: a gear has a name, and the name finds it`(name: String, gear: Gear) {
    #expect(Gear(name) == gear)
    #expect(Gear(gear.description) == gear)
  }

  @Test(arguments: ["", "0", "-1", "+1", "1.0", "NN", "x", " 1", "١", "99999999999999999999999"])
  func `what is no gear's name is none`(name: String) {
    #expect(Gear(name) == nil)
  }

  @Test(arguments: [
    (Gear.reverse, 10, -1.0), (.neutral, 10, 0), (.forward(1), 10, 0.1), (.forward(10), 10, 1), (.forward(5), 5, 1),
    (.forward(99), 10, 1), (.forward(-3), 10, 0.1), (.forward(1), 0, 1),
  ])
  func `G4: the further up the faster, N stops, R goes back`(gear: Gear, count: Int, throttle: Double) {
    #expect(gear.throttle(ofGears: count) == throttle)
  }

  @Test func `gears are ordered by speed`() {
    #expect(
      [Gear.forward(2), .neutral, .forward(1), .reverse].sorted() == [.reverse, .neutral, .forward(1), .forward(2)])
  }

  @Test(arguments: [
    (Gear.forward(0), Gear.neutral), (.forward(-5), .neutral), (.forward(6), .forward(5)), (.forward(3), .forward(3)),
    (.reverse, .reverse),
  ])
  func `a gear that doesn't exist becomes one that does, never a faster one by mistake`(asked: Gear, made: Gear) {
    #expect(asked.clamped(toGears: 5) == made)
  }
}
