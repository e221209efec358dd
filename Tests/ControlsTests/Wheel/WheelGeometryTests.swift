import Glibc
import Testing
import UICore

@testable import CockpitControls
@testable import Controls

/// Tests of what a finger meets on a wheel.
@Suite struct WheelGeometryTests {
  /// A wheel of radius 100 around (100, 100): rim from 86.5, touched from 60, hub to 27.
  let wheel = WheelGeometry(size: Size(width: 200, height: 200))

  typealias Part = WheelGeometry.Part

  @Test(arguments: [
    (Point(x: 199.9, y: 100), 0.0, Part.rim), (Point(x: 100, y: 0.1), 0, .rim), (Point(x: 100, y: 39.9), 0, .rim),
    (Point(x: 100, y: 40.1), 0, nil), (Point(x: 0, y: 100), 0, nil), (Point(x: 1, y: 1), 0, nil),
    (Point(x: 100, y: 100), 0, .hub), (Point(x: 126.9, y: 100), 0, .hub), (Point(x: 127.1, y: 100), 0, .spoke(0)),
    (Point(x: 100, y: 150), 0, .spoke(1)), (Point(x: 50, y: 100), 0, .spoke(2)), (Point(x: 100, y: 50), 0, nil),
    (Point(x: 150, y: 106.9), 0, .spoke(0)), (Point(x: 150, y: 93.1), 0, .spoke(0)), (Point(x: 150, y: 107.1), 0, nil),
    (Point(x: 100, y: 50), 90, .spoke(2)), (Point(x: 50, y: 100), 90, .spoke(1)), (Point(x: 150, y: 100), 90, nil),
    (Point(x: 150, y: 100), 360, .spoke(0)), (Point(x: 135, y: 135), 45, .spoke(0)), (Point(x: 135, y: 65), 45, nil),
    (Point(x: 135, y: 65), -45, .spoke(0)), (Point(x: 150, y: 100), 449.9, nil),
  ])
  func `rim and spokes take the finger, hub is the horn's, gaps take nothing`(point: Point, angle: Double, part: Part?)
  {
    #expect(wheel.part(at: point, angle: angle) == part)
  }

  @Test func `a wheel that isn't square is the greatest circle in the middle`() {
    let wide = WheelGeometry(size: Size(width: 500, height: 200))
    #expect(wide.part(at: Point(x: 151, y: 100), angle: 0) == .rim)
    #expect(wide.part(at: Point(x: 149, y: 100), angle: 0) == nil)
    #expect(wide.part(at: Point(x: 250, y: 100), angle: 0) == .hub)
  }

  @Test func `a thumb has 44 points of rim where the wheel is large enough`() {
    for (diameter, width) in [(518.0, 44.0), (220, 44), (100, 20), (1000, 67.5)] {
      let wheel = WheelGeometry(size: Size(width: diameter, height: diameter))
      #expect(abs(wheel.outerRadius - wheel.rimTouchRadius - width) < 1e-9)
    }
  }

  @Test func `spokes turn with the wheel, everywhere alike`() {
    for step in 0..<720 {
      let angle = Double(step) * 1.25
      let turned = angle * .pi / 180
      for (number, direction) in WheelGeometry.spokeDirections.enumerated() {
        let way = direction * .pi / 180 + turned
        let point = Point(x: 100 + 45 * cos(way), y: 100 + 45 * sin(way))
        #expect(wheel.part(at: point, angle: angle) == .spoke(number), "\(angle)")
      }
    }
  }

  @Test(arguments: [
    Size.zero, Size(width: -1, height: 5), Size(width: .nan, height: 5), Size(width: .infinity, height: 5),
  ])
  func `a size without area has no wheel`(size: Size) {
    #expect(WheelGeometry(size: size).part(at: Point(x: 0, y: 0), angle: 0) == nil)
    #expect(WheelGeometry(size: size).part(at: Point(x: 2, y: 2), angle: 0) == nil)
  }

  @Test func `NaN meets nothing`() {
    #expect(wheel.part(at: Point(x: .nan, y: 100), angle: 0) == nil)
    #expect(wheel.part(at: Point(x: 150, y: 100), angle: .nan) == nil)
  }
}
