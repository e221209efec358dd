import Testing
import UICore

/// The arithmetic of popups' places: xdg_positioner's rules.
struct PopupPlacementTests {
  private static let area = Rect(x: 0, y: 0, width: 100, height: 80)
  private static let all: PopupPlacement.Adjustment = [.flipX, .flipY, .slideX, .slideY, .resizeX, .resizeY]

  private func place(
    _ anchor: Rect, _ edge: PopupPlacement.Edge, _ gravity: PopupPlacement.Edge, _ width: Double, _ height: Double,
    _ adjustment: PopupPlacement.Adjustment = []
  ) -> Rect {
    PopupPlacement(
      anchor: anchor, anchorEdge: edge, gravity: gravity, size: Size(width: width, height: height),
      adjustment: adjustment
    ).frame(within: Self.area)
  }

  @Test func `a popup extends from the anchor's edge along its gravity`() {
    let anchor = Rect(x: 40, y: 30, width: 20, height: 10)
    let rows: [(PopupPlacement.Edge, PopupPlacement.Edge, Point)] = [
      (.bottomLeft, .bottomRight, Point(x: 40, y: 40)), (.bottomRight, .bottomLeft, Point(x: 48, y: 40)),
      (.top, .top, Point(x: 44, y: 22)), (.bottom, .bottom, Point(x: 44, y: 40)), (.left, .left, Point(x: 28, y: 31)),
      (.right, .right, Point(x: 60, y: 31)), (.center, .center, Point(x: 44, y: 31)),
      (.topLeft, .topLeft, Point(x: 28, y: 22)), (.topRight, .bottomRight, Point(x: 60, y: 30)),
      (.center, .bottomRight, Point(x: 50, y: 35)),
    ]
    for (edge, gravity, origin) in rows {
      #expect(place(anchor, edge, gravity, 12, 8) == Rect(origin: origin, size: Size(width: 12, height: 8)), "\(edge)")
    }
  }

  @Test func `what does not fit flips if that helps, then slides, then shrinks`() {
    let low = Rect(x: 40, y: 60, width: 20, height: 10)
    // No way is allowed, and none is needed.
    #expect(place(low, .bottom, .bottom, 10, 30) == Rect(x: 45, y: 70, width: 10, height: 30))
    #expect(place(low, .bottom, .bottom, 10, 10, Self.all) == Rect(x: 45, y: 70, width: 10, height: 10))
    // Above there is room for 60 points.
    #expect(place(low, .bottom, .bottom, 10, 30, .flipY) == Rect(x: 45, y: 30, width: 10, height: 30))
    #expect(place(low, .bottom, .bottom, 10, 61, .flipY) == Rect(x: 45, y: 70, width: 10, height: 61))
    #expect(place(low, .bottom, .bottom, 10, 61, [.flipY, .slideY]) == Rect(x: 45, y: 19, width: 10, height: 61))
    #expect(place(low, .bottom, .bottom, 10, 61, [.flipY, .resizeY]) == Rect(x: 45, y: 70, width: 10, height: 10))
    // Sideways.
    let right = Rect(x: 85, y: 30, width: 10, height: 10)
    #expect(place(right, .right, .right, 30, 10, .flipX) == Rect(x: 55, y: 30, width: 30, height: 10))
    #expect(place(right, .right, .right, 30, 10, .slideX) == Rect(x: 70, y: 30, width: 30, height: 10))
    #expect(place(right, .right, .right, 30, 10, .resizeX) == Rect(x: 95, y: 30, width: 5, height: 10))
    let left = Rect(x: 5, y: 30, width: 10, height: 10)
    #expect(place(left, .left, .left, 30, 10, .flipX) == Rect(x: 15, y: 30, width: 30, height: 10))
    #expect(place(left, .left, .left, 30, 10, .slideX) == Rect(x: 0, y: 30, width: 30, height: 10))
    #expect(place(left, .left, .left, 30, 10, .resizeX) == Rect(x: 0, y: 30, width: 5, height: 10))
  }

  @Test func `what is too long keeps the end that it extends from`() {
    let anchor = Rect(x: 40, y: 30, width: 20, height: 10)
    #expect(place(anchor, .bottom, .bottom, 10, 200, .slideY) == Rect(x: 45, y: 0, width: 10, height: 200))
    #expect(place(anchor, .top, .top, 10, 200, .slideY) == Rect(x: 45, y: -120, width: 10, height: 200))
    #expect(place(anchor, .bottom, .bottom, 300, 200, Self.all) == Rect(origin: .zero, size: Self.area.size))
  }

  @Test func `whatever is asked for fits with every way, or is as small as nothing`() {
    var number: UInt64 = 1
    func next(_ range: ClosedRange<Int>) -> Double {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(range.lowerBound + Int(number >> 33) % range.count)
    }
    for _ in 0..<2000 {
      let anchor = Rect(x: next(-20...110), y: next(-20...90), width: next(0...60), height: next(0...60))
      let edge = PopupPlacement.Edge.allCases[Int(next(0...8))]
      let gravity = PopupPlacement.Edge.allCases[Int(next(0...8))]
      let frame = place(anchor, edge, gravity, next(1...150), next(1...150), Self.all)
      #expect(frame.minX >= 0 && frame.minY >= 0 && frame.maxX <= 100 && frame.maxY <= 80)
    }
  }
}
