import Glibc
import UICore

/// How large letters look from where a driver sits.
///
/// ISO 15008:2017, "Road vehicles - Ergonomic aspects of transport information and control systems - Specifications and test procedures for
/// in-vehicle visual presentation", measures capital letters by the angle that they take up at the eye: 20 minutes of arc are recommended,
/// 12 are the least.
nonisolated struct Viewing: Equatable, Sendable {
  /// The least angle of a capital letter, in minutes of arc.
  static let least = 12.0

  /// The way from the eyes to the display in millimetres.
  let distance: Double
  /// The height of a point on the display in millimetres.
  let pointHeight: Double

  /// The view from `distance` of a picture of `size` points that fills a display of `display` millimetres.
  init(from distance: Double, of size: Size, on display: Size) {
    self.distance = distance
    pointHeight = display.height / size.height
  }

  /// The angle of letters of `points`, in minutes of arc.
  func angle(of points: Double) -> Double {
    2 * atan(points * pointHeight / (2 * distance)) * 180 / .pi * 60
  }

  /// The height of letters with an angle of `minutes`, in points.
  func height(of minutes: Double) -> Double {
    2 * distance * tan(minutes / 60 * .pi / 180 / 2) / pointHeight
  }
}
