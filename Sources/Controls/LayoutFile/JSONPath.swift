// Owns naming a value within another, and finding where it stands in a text.
// Must not know what values mean.

/// The way to a value within another, such as `subviews[2].alpha`; written out only for errors.
nonisolated indirect enum JSONPath: Hashable, Sendable {
  case root
  case key(JSONPath, String)
  case index(JSONPath, Int)

  /// The way that a decoder went.
  init(_ keys: [any CodingKey]) {
    self = keys.reduce(.root) { path, key in
      key.intValue.map { .index(path, $0) } ?? .key(path, key.stringValue)
    }
  }

  var text: String {
    switch self {
    case .root: ""
    case .key(.root, let key): key
    case .key(let path, let key): path.text + "." + key
    case .index(let path, let index): path.text + "[\(index)]"
    }
  }

  /// The steps from the root: names and indices.
  fileprivate var steps: [Step] {
    switch self {
    case .root: []
    case .key(let path, let key): path.steps + [.key(key)]
    case .index(let path, let index): path.steps + [.index(index)]
    }
  }

  fileprivate enum Step {
    case key(String)
    case index(Int)
  }
}

nonisolated extension JSONOutline {
  /// Where the value at `path` begins in `text`, or its name; what is around it, where the text has no such value.
  static func offset(of path: JSONPath, in text: [UInt8], ofName: Bool = false) -> Int {
    var steps = path.steps[...]
    var outline = JSONOutline(text)
    /// How many brackets are open around the next step's value.
    var depth = 0
    var (offset, index) = (0, 0)
    var name: Int?
    while !outline.isAtEnd {
      let before = outline
      guard let isSpace = try? !outline.step() else { break }
      if isSpace { continue }
      let start = before.index
      if before.open.count == depth {
        switch (before.expected, steps.first) {
        case (.value, _) where depth == 0: offset = start
        case (.name, .key(let key)?):
          if name == nil, JSONText.name(text[start..<outline.index]) == key { name = start }
          continue
        case (.comma, .index?):
          if text[start] == UInt8(ascii: ",") { index += 1 }
          continue
        case (.value, let step?):
          if case .index(let wanted) = step, wanted != index { continue }
          if case .key = step, name == nil { continue }
          steps.removeFirst()
          offset = start
          if steps.isEmpty { return ofName ? name ?? start : start }
          name = nil
        default: continue
        }
        // On into the value, if there is one within it.
        guard !steps.isEmpty, outline.open.count > depth else { return offset }
        depth += 1
        index = 0
      } else if outline.open.count < depth {
        return offset
      }
    }
    return offset
  }
}
