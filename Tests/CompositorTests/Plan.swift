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

  /// A place on the wheel's rim, as X Y, so many quarter turns clockwise from its right end. All are whole points, since
  /// KWin rounds its mouse to such, and from one to the next is a quarter turn exactly.
  func rim(quarterTurns: Int) -> String {
    let (centerX, centerY) = (wheel.x + wheel.width / 2, wheel.y + wheel.height / 2)
    var across = (centerX + wheel.width / 2 * 0.9).rounded() - centerX
    var down = centerY.rounded() - centerY
    for _ in 0..<quarterTurns { (across, down) = (-down, across) }
    return "\(centerX + across) \(centerY + down)"
  }

  /// A place on neither, as X Y.
  var between: String { "\((gearbox.x + gearbox.width + wheel.x) / 2) \(wheel.y + wheel.height / 2)" }

  /// The wheel's spokes without its rim, whose edge is lit while it is held.
  var spokes: Frame {
    Frame(
      x: wheel.x + wheel.width * 0.28, y: wheel.y + wheel.height * 0.28, width: wheel.width * 0.44,
      height: wheel.height * 0.44)
  }
}
