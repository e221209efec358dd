import Testing

@testable import Controls

/// Tables of segments: rows, widths, what is nearest, where arrows go.
@Suite struct ChoiceGeometryTests {
  @Test(
    arguments: [
      ([], 300.0, 0, 0), ([50, 50], 300, 1, 2), ([50, 200], 250, 1, 2), ([100, 100, 100], 300, 1, 3),
      ([100, 100, 101], 300, 2, 2), ([60, 60, 60, 60, 60], 200, 2, 3), ([200, 200, 200], 150, 3, 1),
      ([90, 90, 90, 90], 180, 2, 2), ([0, 0], 10, 1, 2),
    ] as [([Double], Double, Int, Int)]) func `rows`(widths: [Double], width: Double, rows: Int, columns: Int)
  {
    let found = ChoiceGeometry.rows(widths, in: width)
    #expect(found.rows == rows && found.columns == columns)
    let geometry = ChoiceGeometry(widths: widths, size: Size(width: width, height: 44), direction: .leftToRight)
    #expect(geometry.frames.count == widths.count)
  }

  @Test func `segments fill the control and never overlap`() {
    for direction in LayoutDirection.allCases {
      for widths in [[50.0, 60, 70], [200, 20, 20], [90, 90, 90, 90, 90], [400, 10]] {
        let size = Size(width: 240, height: 88)
        let geometry = ChoiceGeometry(widths: widths, size: size, direction: direction)
        let area = geometry.frames.reduce(0) { $0 + $1.width * $1.height }
        #expect(abs(area - 240 * 88) < 1e-6, "\(widths)")
        for (number, frame) in geometry.frames.enumerated() {
          #expect(geometry.index(at: frame.center) == number)
          for other in geometry.frames where other != frame {
            #expect(frame.insetBy(dx: 1e-6, dy: 1e-6).intersection(other).isEmpty)
          }
        }
        if let first = geometry.frames.first {
          #expect(direction == .leftToRight ? first.minX == 0 : abs(first.maxX - 240) < 1e-9)
        }
      }
    }
  }

  @Test func `a name that needs more than its share gets it where all are in one row`() {
    let geometry = ChoiceGeometry(
      widths: [120, 40, 40], size: Size(width: 230, height: 36), direction: .leftToRight)
    #expect(geometry.frames.map(\.width) == [130, 50, 50])
  }

  @Test(
    arguments: [
      (0, Key.right, 1), (0, .left, nil), (4, .right, nil), (0, .down, 3), (1, .down, 4), (2, .down, nil), (4, .up, 1),
      (2, .home, 0), (2, .end, 4), (nil, .right, 0), (9, .left, 0), (1, .space, nil),
    ] as [(Int?, Key, Int?)]) func `arrows`(index: Int?, key: Key, goal: Int?)
  {
    let geometry = ChoiceGeometry(
      widths: [80, 80, 80, 80, 80], size: Size(width: 240, height: 88), direction: .leftToRight)
    #expect(geometry.columnCount == 3)
    #expect(geometry.index(after: index, key: key, direction: .leftToRight) == goal)
  }

  @Test func `arrows point the other way from right to left`() {
    let geometry = ChoiceGeometry(widths: [50, 50], size: Size(width: 200, height: 36), direction: .rightToLeft)
    #expect(geometry.index(after: 0, key: .left, direction: .rightToLeft) == 1)
    #expect(geometry.index(after: 1, key: .right, direction: .rightToLeft) == 0)
  }
}
