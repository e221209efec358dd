import Foundation
import UICore

/// What a client says of its views (`--dump-tree`).
struct ViewTree {
  private let tree: Any

  /// Asks the program; nil when it can't say.
  init?(of client: ClientSpecification, size: PixelSize) {
    let words = client.words + ["--dump-tree", "--size", "\(size.width)x\(size.height)"]
    guard let data = Child.run(words)?.output else { return nil }
    self.init(data)
  }

  /// A printed tree; nil where it is none.
  init?(_ data: Data) {
    guard let tree = try? JSONSerialization.jsonObject(with: data) else { return nil }
    self.tree = tree
  }

  /// The frame, in points of the window, of the first view whose type's name holds `type`.
  func frame(of type: String) -> Rect? { ViewTree.frame(of: type, in: tree) }

  private static func frame(of type: String, in value: Any) -> Rect? {
    if let list = value as? [Any] {
      return list.lazy.compactMap { frame(of: type, in: $0) }.first
    }
    guard let object = value as? [String: Any] else { return nil }
    if let name = object["type"] as? String, name.contains(type), let frame = rect(object["frame"]) { return frame }
    return object.values.lazy.compactMap { frame(of: type, in: $0) }.first
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
