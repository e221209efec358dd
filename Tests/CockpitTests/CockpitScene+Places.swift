import CockpitControls
import Controls
import Glibc
import UICore

@testable import cockpit

/// Points in the window for fingers.
extension CockpitScene {
  /// A point of the wheel's rim in the window, `degrees` clockwise from its left end.
  func rim(_ degrees: Double) -> Point {
    let angle = (180 + degrees) * Double.pi / 180
    let radius = wheel.bounds.width / 2 * 0.93
    let center = wheel.windowFrame.center
    return Point(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
  }

  /// The middle of the gearbox at the height of a gear, in the window.
  func lever(_ gear: Gear) -> Point {
    let rows = gearbox.geometry
    return gearbox.convert(Point(x: gearbox.bounds.midX, y: rows.knob(inRow: rows.row(of: gear)).midY), to: nil)
  }
}
