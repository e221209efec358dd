import Glibc
import UICore

/// The apparent size of letters from the driver's position.
///
/// ISO 15008:2017, "Road vehicles - Ergonomic aspects of transport information and control systems - Specifications and test
/// procedures for in-vehicle visual presentation", measures capital letters by their visual angle: 20 minutes of arc are
/// recommended, 12 are the minimum.
nonisolated struct Viewing: Equatable, Sendable {
  /// The least angle of a capital letter, in minutes of arc.
  static let least = 12.0

  /// The distance from the eyes to the display in millimetres.
  let distance: Double
  /// The height of a point on the display in millimetres.
  let pointHeight: Double

  /// The view from `distance` of an image of `size` points that fills a display of `display` millimetres.
  init(from distance: Double, of size: Size, on display: Size) {
    self.distance = distance
    pointHeight = display.height / size.height
  }

  /// The visual angle of letters of `points`, in minutes of arc.
  func angle(of points: Double) -> Double {
    2 * atan(points * pointHeight / (2 * distance)) * 180 / .pi * 60
  }

  /// The height of letters with a visual angle of `minutes`, in points.
  func height(of minutes: Double) -> Double {
    2 * distance * tan(minutes / 60 * .pi / 180 / 2) / pointHeight
  }
}
