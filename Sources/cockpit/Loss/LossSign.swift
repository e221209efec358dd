import Controls
import DriveLink
import Glibc
import UICore

/// A pictogram: lines of one width, with round ends, and dots.
nonisolated struct LossSign {
  static let side = 24.0
  static let lineWidth = 2.0

  private(set) var lines = Path()
  private(set) var dots = Path()

  /// The icon of `reason`; each has its own shape, so that none depends on its colour.
  init(_ reason: DriveReason) {
    switch reason {
    case .none, .released: break
    case .start:
      arc(12, 12, 9.5, from: 0, to: 2 * .pi)
      arc(12, 12, 2.5, from: 0, to: 2 * .pi)
      polyline((2.5, 12), (9.5, 12))
      polyline((14.5, 12), (21.5, 12))
      polyline((12, 14.5), (12, 21.5))
    case .lift:
      // A finger above the surface that it has left, and the direction in which it moved.
      drawFinger(above: 14.6)
      polyline((2, 21.8), (22, 21.8))
      polyline((18.6, 17.5), (18.6, 9.5))
      polyline((15.6, 12.3), (18.6, 9.3), (21.6, 12.3))
    case .touchCancelled:
      drawFinger(above: 19.2)
      polyline((2, 21.8), (16, 21.8))
      cross(x: 19, y: 16, reach: 3)
    case .deviceLost:
      box(2, 5, 20, 14, 2.5)
      polyline((4.5, 22), (19.5, 2))
    case .keyboardLeft:
      box(1.5, 10, 21, 12, 2.5)
      for x in [6.0, 10, 14, 18] { dot(x, 14) }
      polyline((8, 18), (16, 18))
      polyline((12, 7), (12, 1.8))
      polyline((9.2, 4.4), (12, 1.6), (14.8, 4.4))
    case .hidden:
      lines.move(to: Point(x: 1.5, y: 12))
      lines.curve(to: Point(x: 22.5, y: 12), control1: Point(x: 7, y: 3.5), control2: Point(x: 17, y: 3.5))
      lines.curve(to: Point(x: 1.5, y: 12), control1: Point(x: 17, y: 20.5), control2: Point(x: 7, y: 20.5))
      lines.addCircle(center: Point(x: 12, y: 12), radius: 2.8)
      polyline((4.5, 21.5), (19.5, 2.5))
    case .compositorFrozen:
      drawScreen()
      polyline((10, 7.5), (10, 12.5))
      polyline((14, 7.5), (14, 12.5))
    case .compositorLost:
      drawScreen()
      cross(x: 12, y: 10, reach: 2.8)
    case .terminated:
      polyline((12, 2), (12, 11))
      arc(12, 13, 8.5, from: -0.28 * .pi, to: 1.28 * .pi)
    case .closed:
      box(2.5, 4, 19, 16, 2.5)
      polyline((2.5, 9), (21.5, 9))
      cross(x: 12, y: 14.5, reach: 2.4)
    case .loopHung:
      polyline((5, 2.5), (19, 2.5))
      polyline((5, 21.5), (19, 21.5))
      polyline((7, 2.5), (7, 6.5), (12, 12), (17, 6.5), (17, 2.5))
      polyline((7, 21.5), (7, 17.5), (12, 12), (17, 17.5), (17, 21.5))
      dot(12, 18.6)
    case .sensorLost:
      // A tilted device without a signal.
      let outline = Path(roundedRect: Rect(x: 5, y: 2, width: 8, height: 16), cornerRadius: 2)
      lines.append(outline, applying: .rotation(-0.42, around: Point(x: 9, y: 11)))
      cross(x: 18.8, y: 17.8, reach: 2.8)
    case .displayFault:
      polyline((12, 3), (22, 20.5), (2, 20.5), closed: true)
      polyline((12, 9.5), (12, 14))
      dot(12, 17.3)
    case .linkLost:
      // The separated ends of a cable.
      polyline((2, 12), (7, 12))
      polyline((7, 7.5), (7, 16.5))
      polyline((17, 12), (22, 12))
      polyline((17, 7.5), (17, 16.5))
      polyline((10.5, 9.5), (13.5, 14.5))
      polyline((13.5, 9.5), (10.5, 14.5))
    case .linkSlow:
      // A clock on a cable.
      arc(12, 12, 7.5, from: 0, to: 2 * .pi)
      polyline((1.5, 12), (4.5, 12))
      polyline((19.5, 12), (22.5, 12))
      polyline((12, 7.5), (12, 12), (15.2, 14))
    case .taken:
      // Two wheels, the rear one of another driver.
      arc(8.5, 14.5, 6.8, from: 0, to: 2 * .pi)
      arc(15.5, 8.5, 6.8, from: -0.95 * .pi, to: 0.45 * .pi)
      dot(8.5, 14.5)
    case .sceneChanged:
      for (y, x) in [(5.0, 16.0), (12, 8), (19, 13)] {
        polyline((2.5, y), (21.5, y))
        dots.addCircle(center: Point(x: x, y: y), radius: 2.6)
      }
    case .screenTurned:
      box(6.5, 7, 11, 10, 2)
      arc(12, 12, 10, from: -0.95 * .pi, to: -0.1 * .pi)
      polyline((17.4, 7.2), (21.6, 9.2), (23, 4.6))
    case .suspended:
      lines.move(to: Point(x: 20.5, y: 15.5))
      lines.addArc(center: Point(x: 11.5, y: 12), radius: 9.6, from: 0.12 * .pi, to: 1.62 * .pi)
      lines.curve(to: Point(x: 20.5, y: 15.5), control1: Point(x: 11.5, y: 8.5), control2: Point(x: 14.5, y: 15.5))
    case .inputSilent:
      drawFinger(above: 19.2)
      polyline((2, 21.8), (16, 21.8))
      for y in [6.0, 11, 16] { dot(19.5, y) }
    case .videoStale:
      // A camera, and the hands of a clock in its lens.
      box(1.5, 6, 21, 15, 2.5)
      polyline((8, 6), (9.8, 2.8), (14.2, 2.8), (16, 6))
      arc(12, 13.5, 4.8, from: 0, to: 2 * .pi)
      polyline((12, 10.8), (12, 13.5), (14.2, 14.6))
    case .emergencyStop:
      polyline((8, 2), (16, 2), (22, 8), (22, 16), (16, 22), (8, 22), (2, 16), (2, 8), closed: true)
      dots.addRoundedRect(Rect(x: 6, y: 10, width: 12, height: 4), cornerRadius: 1)
    }
  }

  /// Adds a finger that points down to the left, its tip at `tip`; filled, so that it does not look like a letter.
  private mutating func drawFinger(above tip: Double) {
    let height = min(tip - 0.5, 15)
    let finger = Path(roundedRect: Rect(x: 4, y: tip - height, width: 6.4, height: height), cornerRadius: 3.2)
    dots.append(finger, applying: .rotation(0.5, around: Point(x: 7.2, y: tip - 3.2)))
  }

  private mutating func drawScreen() {
    box(2, 3, 20, 14, 2.5)
    polyline((12, 17), (12, 21))
    polyline((7.5, 21.2), (16.5, 21.2))
  }

  // MARK: Strokes

  private mutating func polyline(_ points: (Double, Double)..., closed: Bool = false) {
    let points = points.map { Point(x: $0, y: $1) }
    lines.append(closed ? Path(polygon: points) : Path(line: points))
  }

  private mutating func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double) {
    lines.addRoundedRect(Rect(x: x, y: y, width: width, height: height), cornerRadius: radius)
  }

  private mutating func cross(x: Double, y: Double, reach: Double) {
    polyline((x - reach, y - reach), (x + reach, y + reach))
    polyline((x + reach, y - reach), (x - reach, y + reach))
  }

  private mutating func arc(_ x: Double, _ y: Double, _ radius: Double, from: Double, to: Double) {
    lines.move(to: Point(x: x + cos(from) * radius, y: y + sin(from) * radius))
    lines.addArc(center: Point(x: x, y: y), radius: radius, from: from, to: to)
  }

  private mutating func dot(_ x: Double, _ y: Double) {
    dots.addCircle(center: Point(x: x, y: y), radius: LossSign.lineWidth * 0.6)
  }
}
