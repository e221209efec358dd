import Glibc
import UICore

/// A dial whose scale runs clockwise over three quarters of a circle, open at the bottom.
nonisolated struct GaugeGeometry: Hashable, Sendable {
  /// The angle of the scale's start, clockwise from east in radians (135 degrees: lower left).
  static let start = Double.pi * 0.75
  /// The scale's length in radians.
  static let sweep = Double.pi * 1.5

  let center: Point
  let radius: Double
  /// The value at the scale's end; the start is 0.
  let maximum: Double

  /// The angle of `value`, which is kept on the scale.
  func angle(of value: Double) -> Double {
    let share = maximum > 0 && value.isFinite ? (value / maximum).clamped(to: 0...1) : 0
    return GaugeGeometry.start + GaugeGeometry.sweep * share
  }

  /// The point at `angle` and `distance` times the radius from the centre.
  func point(at angle: Double, distance: Double) -> Point {
    Point(x: center.x + cos(angle) * radius * distance, y: center.y + sin(angle) * radius * distance)
  }
}
