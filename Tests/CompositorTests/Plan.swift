// Where the cockpit's parts are on the screen, as `cockpit --dump-tree` tells it.

import Foundation
import Testing

/// The parts' places in points of a window that covers the output.
struct Plan {
  /// A rectangle in points.
  struct Frame: Decodable {
    /// The left edge.
    var x: Double
    /// The top edge.
    var y: Double
    /// Across.
    var width: Double
    /// Down.
    var height: Double
  }

  private struct View: Decodable {
    var name: String
    var frame: Frame
    var subviews: [View]

    func find(_ wanted: String) -> View? {
      name == wanted ? self : subviews.lazy.compactMap { $0.find(wanted) }.first
    }
  }

  /// The gearbox.
  let gearbox: Frame
  /// The steering wheel.
  let wheel: Frame

  init(json: [UInt8]) throws {
    let root = try JSONDecoder().decode(View.self, from: Data(json))
    gearbox = try #require(root.find("gearbox")).frame
    wheel = try #require(root.find("wheel")).frame
  }

  /// The place of a gear on the gate, as X Y: 0 is N, -1 is R. The gate has 300 units; rows are 20 apart, with a row's gap
  /// on either side of N.
  func gear(_ number: Int) -> String {
    let units =
      switch number {
      case ..<0: 280.0
      case 0: 240.0
      default: Double(11 - number) * 20
      }
    return "\(gearbox.x + gearbox.width / 2) \(gearbox.y + gearbox.height * units / 300)"
  }

  /// A place on the wheel's rim, as X Y: `degrees` clockwise from its right end.
  func rim(_ degrees: Double) -> String {
    let radius = wheel.width / 2 * 0.9
    let angle = degrees * .pi / 180
    return "\(wheel.x + wheel.width / 2 + cos(angle) * radius) \(wheel.y + wheel.height / 2 + sin(angle) * radius)"
  }

  /// The wheel's spokes without its rim, whose edge is lit while it is held.
  var spokes: Frame {
    Frame(
      x: wheel.x + wheel.width * 0.28, y: wheel.y + wheel.height * 0.28, width: wheel.width * 0.44,
      height: wheel.height * 0.44)
  }
}
