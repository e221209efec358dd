import Foundation
import UICore

/// A wheel's circle in logical points of the window.
struct WheelPlace: Sendable {
  var center: Point
  var radius: Double

  /// A point on the rim's middle, `degrees` clockwise from the top.
  func rim(_ degrees: Double) -> Point {
    let turned = (degrees - 90) * .pi / 180
    return Point(x: center.x + cos(turned) * radius * 0.93, y: center.y + sin(turned) * radius * 0.93)
  }

  /// The wheel in a printed view tree; nil when there is none.
  init?(tree: ViewTree) {
    guard let frame = tree.frame(of: "SteeringWheel"), frame.width > 0 else { return nil }
    self.init(center: frame.center, radius: min(frame.width, frame.height) / 2)
  }

  init(center: Point, radius: Double) {
    self.center = center
    self.radius = radius
  }
}
