import Glibc
import Testing
import UICore

@testable import CockpitControls
@testable import Controls

/// Tests of how near the centre a finger turns the wheel no more.
@Suite struct WheelDeadRadiusTests {
  /// A wheel of radius 200: dead within 40 of (200, 200).
  private let geometry = WheelGeometry(size: Size(width: 400, height: 400))

  /// The angle after a finger went straight from `start` to `end` in one move.
  private func angle(from start: Point, to end: Point) -> Double {
    var model = WheelModel(geometry: geometry)
    model.grab(finger(1), at: start, time: ms(0))
    model.move(finger(1), to: end, time: ms(1))
    return model.angle
  }

  @Test func `G5: a fifth of the radius is dead, whatever the size`() {
    #expect(geometry.deadRadius == 40)
    #expect(WheelGeometry(size: Size(width: 300, height: 900)).deadRadius == 30)
    #expect(WheelGeometry(size: .zero).deadRadius == 0)
  }

  @Test(arguments: [39.0, 40, 41, 100])
  func `G5: a path that comes nearer than that turns nothing, one that does not turns by its whole angle`(
    distance: Double
  ) {
    let (start, end) = (Point(x: 170, y: 200 - distance), Point(x: 230, y: 200 - distance))
    let turned = angle(from: start, to: end)
    let whole = 2 * atan2(30, distance) * 180 / .pi
    #expect(abs(turned - (distance < 40 ? 0 : whole)) < 1e-9)
  }

  @Test func `G5: it is the path that counts, not where it begins and ends`() {
    // Both ends 150 from the centre, the straight way between them through it.
    #expect(angle(from: Point(x: 50, y: 201), to: Point(x: 350, y: 201)) == 0)
    // Begun inside: dead while inside, and from where it comes out it turns again.
    var model = WheelModel(geometry: geometry)
    model.grab(finger(1), at: Point(x: 210, y: 200), time: ms(0))
    keeps(model.move(finger(1), to: Point(x: 200, y: 230), time: ms(1)))
    keeps(model.move(finger(1), to: Point(x: 200, y: 300), time: ms(2)), "its way began inside")
    changes(model.move(finger(1), to: Point(x: 100, y: 300), time: ms(3)))
    #expect(abs(model.angle - 45) < 1e-9)
  }
}
