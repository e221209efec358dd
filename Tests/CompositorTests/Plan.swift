import Foundation
import Testing

/// The positions of the cockpit's parts, in points of a window that covers the output.
struct Plan {
  /// A rectangle in points.
  struct Frame: Decodable {
    var x: Double
    var y: Double
    var width: Double
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

  let gearbox: Frame
  let wheel: Frame

  init(json: [UInt8]) throws {
    let root = try JSONDecoder().decode(View.self, from: Data(json))
    gearbox = try #require(root.find("gearbox")).frame
    wheel = try #require(root.find("wheel")).frame
  }

  /// The position of a gear on the gate, as "X Y": 0 is N, -1 is R. The gate is 300 units high. Rows are 20 apart, and 40 on
  /// either side of N.
  func gear(_ number: Int) -> String {
    let units =
      switch number {
      case ..<0: 280.0
      case 0: 240.0
      default: Double(11 - number) * 20
      }
    return "\(gearbox.x + gearbox.width / 2) \(gearbox.y + gearbox.height * units / 300)"
  }

  /// A position on the wheel's rim, as "X Y", this many quarter turns clockwise from its right end. It starts at a whole point,
  /// because KWin rounds the pointer's position. Each step is exactly a quarter turn.
  func rim(quarterTurns: Int) -> String {
    let (centerX, centerY) = (wheel.x + wheel.width / 2, wheel.y + wheel.height / 2)
    var across = (centerX + wheel.width / 2 * 0.9).rounded() - centerX
    var down = centerY.rounded() - centerY
    for _ in 0..<quarterTurns { (across, down) = (-down, across) }
    return "\(centerX + across) \(centerY + down)"
  }

  /// A position on neither control, as "X Y".
  var between: String { "\((gearbox.x + gearbox.width + wheel.x) / 2) \(wheel.y + wheel.height / 2)" }

  /// The wheel's spokes without its rim, whose edge is lit while it is held.
  var spokes: Frame {
    Frame(
      x: wheel.x + wheel.width * 0.28, y: wheel.y + wheel.height * 0.28, width: wheel.width * 0.44,
      height: wheel.height * 0.44)
  }
}
