// Where a client's steering wheel is.

import Foundation
import Interface

/// A wheel's circle in logical points of the window.
struct WheelPlace: Sendable {
  var center: Point
  var radius: Double

  /// A point on the rim's middle, `degrees` clockwise from the top.
  func rim(_ degrees: Double) -> Point {
    let turned = (degrees - 90) * .pi / 180
    return Point(x: center.x + cos(turned) * radius * 0.93, y: center.y + sin(turned) * radius * 0.93)
  }

  /// Asks the program (`--dump-tree`) where its wheel is; nil when it can't say.
  static func find(_ client: ClientSpecification, size: PixelSize) -> WheelPlace? {
    let words = client.words + ["--dump-tree", "--size", "\(size.width)x\(size.height)"]
    return Child.run(words).flatMap { WheelPlace(tree: $0.output) }
  }

  /// The wheel in a printed view tree; nil when there is none.
  init?(tree data: Data) {
    guard let tree = try? JSONSerialization.jsonObject(with: data), let frame = WheelPlace.wheel(in: tree),
      frame.width > 0
    else { return nil }
    self.init(center: frame.center, radius: min(frame.width, frame.height) / 2)
  }

  init(center: Point, radius: Double) {
    self.center = center
    self.radius = radius
  }

  /// The frame of the first object whose `type` is that of a steering wheel.
  private static func wheel(in value: Any) -> Rect? {
    if let list = value as? [Any] {
      return list.lazy.compactMap { wheel(in: $0) }.first
    }
    guard let object = value as? [String: Any] else { return nil }
    if let type = object["type"] as? String, type.contains("SteeringWheel"), let frame = rect(object["frame"]) {
      return frame
    }
    return object.values.lazy.compactMap { wheel(in: $0) }.first
  }

  private static func rect(_ value: Any?) -> Rect? {
    if let list = value as? [Double], list.count == 4 {
      return Rect(x: list[0], y: list[1], width: list[2], height: list[3])
    }
    guard let object = value as? [String: Double], let x = object["x"], let y = object["y"],
      let width = object["width"], let height = object["height"]
    else { return nil }
    return Rect(x: x, y: y, width: width, height: height)
  }
}
