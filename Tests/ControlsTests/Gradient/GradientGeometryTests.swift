import ControlExercises
import Controls
import Testing

private func near(_ a: Point, _ b: Point, _ slack: Double = 1e-9) -> Bool {
  abs(a.x - b.x) <= slack && abs(a.y - b.y) <= slack
}

@MainActor @Suite struct GradientGeometryTests {
  nonisolated static let table: [(Double, Point, Point)] = [
    (0, Point(x: 0, y: 0.5), Point(x: 1, y: 0.5)), (45, Point(x: 0, y: 1), Point(x: 1, y: 0)),
    (90, Point(x: 0.5, y: 1), Point(x: 0.5, y: 0)), (135, Point(x: 1, y: 1), Point(x: 0, y: 0)),
    (180, Point(x: 1, y: 0.5), Point(x: 0, y: 0.5)), (225, Point(x: 1, y: 0), Point(x: 0, y: 1)),
    (270, Point(x: 0.5, y: 0), Point(x: 0.5, y: 1)), (315, Point(x: 0, y: 0), Point(x: 1, y: 1)),
  ]

  @Test("L7: the table of eight angles, to the last bit", arguments: table)
  func corners(angle: Double, start: Point, end: Point) throws {
    for turn in [-720.0, -360, 0, 360, 3600] {
      let line = try #require(GradientGeometry(angle: angle + turn)).unitPoints()
      #expect(line.start == start && line.end == end)
    }
  }

  @Test("L5, L7: between the corners the line is extrapolated to the edge of the unit square")
  func between() throws {
    let a = try #require(GradientGeometry(angle: 30)).unitPoints()
    #expect(near(a.start, Point(x: 0, y: 0.7887), 5e-5) && near(a.end, Point(x: 1, y: 0.2113), 5e-5))
    let b = try #require(GradientGeometry(angle: 60)).unitPoints()
    #expect(near(b.start, Point(x: 0.2113, y: 1), 5e-5) && near(b.end, Point(x: 0.7887, y: 0), 5e-5))
    // tan 30° of half a side above the middle.
    #expect(near(a.end, Point(x: 1, y: 0.5 - 0.5 / 3.0.squareRoot()), 1e-12))
    for degrees in stride(from: -400.0, through: 800, by: 7.3) {
      let (start, end) = try #require(GradientGeometry(angle: degrees)).unitPoints()
      for point in [start, end] {
        #expect(max(abs(point.x - 0.5), abs(point.y - 0.5)) == 0.5, "\(degrees)")
      }
      // The start is the end seen from the other side.
      #expect(near(Point(x: start.x + end.x, y: start.y + end.y), Point(x: 1, y: 1), 1e-12))
    }
  }

  nonisolated static let turnedAngles: [(Double, Double)] = [
    (-90, 270), (450, 90), (720, 0), (-0.0, 0), (359.5, 359.5), (-1e-300, 0), (1e9 + 90, 10),
  ]

  @Test("L3: any angle is one of a full turn: -90 is 270, 450 is 90", arguments: turnedAngles)
  func turns(angle: Double, expected: Double) throws {
    let geometry = try #require(GradientGeometry(angle: angle))
    #expect(geometry.angle == expected)
    #expect(geometry == GradientGeometry(angle: expected))
  }

  @Test("L-D4: NaN and infinity are no angles", arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
  func rejected(angle: Double) {
    #expect(GradientGeometry(angle: angle) == nil)
    #expect(GradientGeometry(angle: angle, mode: .trueAngle) == nil)
  }

  @Test("L6, L-D4: (0, 0) is the top left corner: 90 degrees runs upwards, to a smaller y")
  func flip() throws {
    let up = try #require(GradientGeometry(angle: 90)).unitPoints()
    #expect(up.start.y > up.end.y)
    let down = try #require(GradientGeometry(angle: 270)).unitPoints()
    #expect(down.start.y < down.end.y)
  }

  @Test("L-D3: in true-angle mode the line has that angle on the screen, whatever the shape")
  func trueAngle() throws {
    for size in [Size(width: 200, height: 100), Size(width: 30, height: 300), Size(width: 70, height: 70)] {
      for degrees in stride(from: 0.0, to: 360, by: 15) {
        let geometry = try #require(GradientGeometry(angle: degrees, mode: .trueAngle))
        let (start, end) = geometry.unitPoints(in: size)
        let (dx, dy) = ((end.x - start.x) * size.width, (end.y - start.y) * size.height)
        let length = (dx * dx + dy * dy).squareRoot()
        let radians = degrees * .pi / 180
        #expect(near(Point(x: dx / length, y: -dy / length), Point(x: cosine(radians), y: sine(radians)), 1e-9))
        // The corners that lie farthest along it have the end colours: seen along the line all lie within it, and the
        // farthest at its end.
        let along = [Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 0, y: 1), Point(x: 1, y: 1)].map {
          (($0.x - start.x) * size.width * dx + ($0.y - start.y) * size.height * dy) / (length * length)
        }
        #expect(abs((along.max() ?? 9) - 1) < 1e-9 && abs(along.min() ?? 9) < 1e-9)
      }
    }
    // In a square, and along the sides of any shape, both modes are one.
    for degrees in stride(from: 0.0, to: 360, by: 45) {
      let (square, true_) = try (
        #require(GradientGeometry(angle: degrees)), #require(GradientGeometry(angle: degrees, mode: .trueAngle))
      )
      let (a, b) = (square.unitPoints(), true_.unitPoints())
      #expect(near(a.start, b.start) && near(a.end, b.end))
    }
  }

  @Test("L-D3: a size that is none gives a line without length")
  func noSize() throws {
    let geometry = try #require(GradientGeometry(angle: 33, mode: .trueAngle))
    for size in [
      Size.zero, Size(width: .nan, height: 1), Size(width: 5, height: .infinity), Size(width: -1, height: 4),
    ] {
      let (start, end) = geometry.unitPoints(in: size)
      #expect(start == Point(x: 0.5, y: 0.5) && end == start)
    }
  }

  private func cosine(_ radians: Double) -> Double { Transform.rotation(radians).a }
  private func sine(_ radians: Double) -> Double { Transform.rotation(radians).b }
}
