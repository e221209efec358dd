// Owns naming a value within another.
// Must not know what values mean.

/// The way to a value within another, such as `subviews[2].alpha`; written out only for errors.
package indirect enum JSONPath: Hashable, Sendable {
  case root
  case key(JSONPath, String)
  case index(JSONPath, Int)

  /// One step into an object or a list.
  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// The path as people write it; empty for the root.
  package var text: String {
    switch self {
    case .root: ""
    case .key(.root, let key): key
    case .key(let path, let key): path.text + "." + key
    case .index(let path, let index): path.text + "[\(index)]"
    }
  }

  /// The steps from the root.
  var steps: [Step] {
    switch self {
    case .root: []
    case .key(let path, let key): path.steps + [.key(key)]
    case .index(let path, let index): path.steps + [.index(index)]
    }
  }

  func appending(_ step: Step) -> JSONPath {
    switch step {
    case .key(let key): .key(self, key)
    case .index(let index): .index(self, index)
    }
  }
}
