import Controls
import JSON

/// The path of a view in a tree: subview indices from the root on. The same session has the same tree when it is replayed.
struct ViewPath: Hashable, Sendable {
  let indices: [Int]

  init(indices: [Int]) { self.indices = indices }

  /// The path of `view` below `root`; nil if it is not inside.
  init?(of view: View, in root: View) {
    var (indices, view) = ([Int](), view)
    while view !== root {
      guard let outer = view.superview, let index = outer.subviews.firstIndex(where: { $0 === view }) else {
        return nil
      }
      indices.insert(index, at: 0)
      view = outer
    }
    self.indices = indices
  }

  func view(in root: View) -> View? {
    indices.reduce(root) { view, index in
      view.flatMap { $0.subviews.indices.contains(index) ? $0.subviews[index] : nil }
    }
  }
}

extension AccessibilityCommand {
  var field: String {
    switch self {
    case .setValue(let number): "\"value\":\(number)"
    case .setText(let text): "\"text\":\(JSONValue.string(text).jsonText)"
    case .perform(let name): "\"action\":\(JSONValue.string(name).jsonText)"
    case .focus: "\"action\":null"
    }
  }

  static func read(_ line: JSONValue) -> AccessibilityCommand? {
    if let number = line["value"]?.finiteNumber { return .setValue(number) }
    if let text = line["text"]?.text { return .setText(text) }
    if let name = line["action"]?.text { return .perform(name) }
    return line["action"] == .null ? .focus : nil
  }
}
