import ControlHarness
import Glibc
import Testing

@testable import Controls

/// Tests of pinches, rotations and the arithmetic of two fingers.
@MainActor @Suite(.serialized) struct FingerPairTests {
  private let set = GestureSetting()

  @Test func `a pinch begins when the distance changed by 8 points; its scale is relative to that`() {
    let pinch = set.watch(PinchGestureRecognizer(), as: "pinch")
    set.send((.began, 50, 100, 0))
    set.send((.moved, 20, 100, 0))
    #expect(pinch.scale == 1)
    set.send((.began, 120, 100, 1))
    set.send((.moved, 127, 100, 1))
    #expect(set.log.lines.isEmpty)
    set.wait(16)
    set.send((.moved, 128, 100, 1))
    #expect(set.log.take() == ["pinch began"] && pinch.scale == 1)
    set.wait(16)
    set.send((.moved, 182, 100, 1))
    #expect(set.log.take() == ["pinch changed"] && pinch.scale == 1.5 && pinch.velocity > 1)
    pinch.scale = 1
    set.send((.moved, 101, 100, 1))
    #expect(pinch.scale == 0.5)
    pinch.scale = -1
    pinch.scale = .nan
    #expect(pinch.scale == 0.5)
    set.send((.ended, 101, 100, 1))
    #expect(set.log.take() == ["pinch changed", "pinch ended"])
    set.send((.moved, 180, 100, 0))
    set.send((.ended, 180, 100, 0))
    #expect(set.log.take().isEmpty && pinch.scale == 1)
  }

  @Test func `fingers that move together pinch and turn nothing`() {
    set.watch(PinchGestureRecognizer(), as: "pinch")
    set.watch(RotationGestureRecognizer(), as: "rotation")
    set.send((.began, 20, 50, 0), (.began, 120, 50, 1))
    set.send((.moved, 60, 150, 0), (.moved, 160, 150, 1))
    set.send((.ended, 60, 150, 0), (.ended, 160, 150, 1))
    #expect(set.log.take().isEmpty)
  }

  @Test func `a third finger changes nothing; a pair that never was complete is none`() {
    let pinch = set.watch(PinchGestureRecognizer(), as: "pinch")
    set.send((.began, 20, 50, 0))
    set.send((.ended, 20, 50, 0))
    set.send((.began, 20, 50, 0), (.began, 120, 50, 1), (.began, 160, 190, 2))
    set.send((.moved, 20, 50, 2))
    #expect(set.log.lines.isEmpty)
    set.send((.moved, 188, 50, 1))
    #expect(set.log.take() == ["pinch began"])
    set.send((.ended, 20, 50, 2))
    set.send((.moved, 128, 50, 1))
    #expect(set.log.take() == ["pinch changed"] && pinch.scale == 1)
    set.send((.ended, 20, 50, 0))
    #expect(set.log.take() == ["pinch ended"])
    set.send((.ended, 128, 50, 1))
    #expect(pinch.state == .possible)
  }

  @Test func `a rotation counts clockwise, over any number of turns`() {
    let rotation = set.watch(RotationGestureRecognizer(), as: "rotation")
    set.send((.began, 100, 100, 0), (.began, 180, 100, 1))
    for degree in stride(from: 10, through: 800, by: 10) {
      let radians = Double(degree) * .pi / 180
      set.wait(16)
      set.send((.moved, 100 + 80 * cos(radians), 100 + 80 * sin(radians), 1))
    }
    // The fingers go 8 points each before it counts: 0.2 radians at 40 points from the middle.
    #expect(abs(rotation.rotation - (800 * .pi / 180 - 0.2)) < 1e-9)
    #expect(rotation.velocity > 5)
    rotation.rotation = 0
    rotation.rotation = .infinity
    set.send((.moved, 100 + 80 * cos(0), 100 + 80 * sin(0), 1))
    #expect(abs(rotation.rotation + 80 * .pi / 180) < 1e-9, "the shorter way round")
    set.send((.ended, 180, 100, 1), (.ended, 100, 100, 0))
    #expect(set.log.lines.first == "rotation began" && set.log.lines.last == "rotation ended")
    #expect(rotation.rotation == 0)
  }

  @Test func `pinch, rotation and pan go together where one of each two allows it`() {
    let pinch = set.watch(PinchGestureRecognizer(), as: "pinch")
    let rotation = set.watch(RotationGestureRecognizer(), as: "rotation")
    func spreadAndTurn() {
      set.send((.began, 50, 100, 0), (.began, 150, 100, 1))
      set.send((.moved, 50, 60, 0), (.moved, 150, 140, 1))
      set.send((.ended, 50, 60, 0), (.ended, 150, 140, 1))
    }
    spreadAndTurn()
    #expect(set.log.take() == ["pinch began", "pinch ended"], "the first one wins")
    rotation.shouldAllowSimultaneous = { $0 === pinch }
    spreadAndTurn()
    #expect(set.log.take() == ["pinch began", "rotation began", "pinch ended", "rotation ended"])
  }

  @Test(arguments: [
    (Point(x: 100, y: 0), 100.0, 0.0), (Point(x: 150, y: 0), 150, 0), (Point(x: 0, y: 100), 100, 90),
    (Point(x: 0, y: -50), 50, -90), (Point(x: 10, y: 10), 24, 0), (Point(x: 0, y: 0), 24, 0),
    (Point(x: -100, y: 1), 100.005, 179.427),
  ])
  func `the pair: distance and turn of a finger that goes from (100, 0) about one at rest`(
    place: Point, distance: Double, degrees: Double
  ) {
    var pair = FingerPair(.zero, Point(x: 100, y: 0))
    pair.move(to: .zero, place)
    #expect(abs(pair.distance - distance) < 0.001)
    #expect(abs(pair.turn * 180 / .pi - degrees) < 0.001)
    #expect(pair.isSpread == (abs(distance - 100) >= 8))
  }
}
