/// The path to a value within another value, such as `subviews[2].alpha`. It is stored as steps, because its text is needed only
/// for errors.
package struct JSONPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  var steps: [Step] = []

  /// The path to the whole value.
  package static let root = JSONPath()

  /// The path to the member `key` of the object at `path`.
  package static func key(_ path: JSONPath, _ key: String) -> JSONPath { JSONPath(steps: path.steps + [.key(key)]) }

  /// The path to the item `index` of the list at `path`.
  package static func index(_ path: JSONPath, _ index: Int) -> JSONPath {
    JSONPath(steps: path.steps + [.index(index)])
  }

  /// The path in its written form; empty for the root.
  package var text: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}
