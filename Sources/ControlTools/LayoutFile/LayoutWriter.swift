/// Writes a view as a layout file: its type, its position, the properties that differ from those of a new view of the type, and
/// the views in it. Loaded again, the text gives the same view.
///
/// Actions of code are not written, because a file names actions and code has closures. Views inside that no file can name are
/// left out, unless the type creates them itself; a comment in the text lists them.
public struct LayoutWriter {
  /// The types that files may name.
  public let registry: ViewRegistry

  /// A writer of views of `registry`'s types.
  public init(registry: ViewRegistry = .controls) {
    self.registry = registry
  }

  /// The text for `view`; nil if the registry has no name for its type.
  public func text(of view: View) -> String? {
    var omitted: [String] = []
    guard let object = object(view, &omitted) else { return nil }
    var text = ""
    if !omitted.isEmpty {
      text = "// Left out, since files have no name for them: \(omitted.joined(separator: ", "))\n"
    }
    return text + object.text + "\n"
  }

  /// True when the registry has a name for the type of `view`.
  public func canWrite(_ view: View) -> Bool { registry.contains(typeName(view)) }

  /// The name of a view's type as files may know it.
  private func typeName(_ view: View) -> String { _typeName(type(of: view), qualified: false) }

  private func object(_ view: View, _ omitted: inout [String]) -> JSONText? {
    let type = typeName(view)
    guard let prototype = registry.prototype(type) else { return nil }
    var members: [(key: String, value: JSONText)] = [("type", .value(.string(type)))]
    var properties: [(key: String, value: JSONText)] = []
    for property in view.inspectables where property.derivedFrom == nil {
      let value = property.json(of: view)
      guard prototype.defaults[property.name] != value else { continue }
      // The name comes first, because readers look for it.
      let member = (key: property.name, value: JSONText.value(value))
      if property.name == "name" { members.append(member) } else { properties.append(member) }
    }
    if let anchors = view.anchors {
      let written = self.anchors(anchors, of: view)
      // Empty anchors are omitted: a plain `View` gives them to any subview without a position.
      if !written.isEmpty { members.append(("anchors", .object(written))) }
    } else {
      members.append(("frame", .value(view.frame.json)))
    }
    members += properties
    let children = children(of: view, prototype.view, &omitted)
    if !children.isEmpty { members.append(("subviews", .list(children))) }
    return .object(members)
  }

  /// The views inside that the type does not create itself.
  private func children(of view: View, _ fresh: View, _ omitted: inout [String]) -> [JSONText] {
    var own: [String: Int] = [:]
    for inner in fresh.contentHost.subviews { own[typeName(inner), default: 0] += 1 }
    var texts: [JSONText] = []
    for inner in view.contentHost.subviews {
      let type = typeName(inner)
      if let count = own[type], count > 0 {
        own[type] = count - 1
      } else if let text = object(inner, &omitted) {
        texts.append(text)
      } else if !omitted.contains(type) {
        omitted.append(type)
      }
    }
    return texts
  }

  /// The anchors by their names in files. Files identify siblings by name, so an anchor to a nameless sibling is left out.
  private func anchors(_ anchors: LayoutAnchors, of view: View) -> [(key: String, value: JSONText)] {
    var members: [(key: String, value: JSONText)] = []
    for edge in LayoutEdge.allCases {
      guard var length = anchors[edge] else { continue }
      if case .view(let identity) = length.reference?.sibling {
        let sibling = view.superview?.subviews.first { ObjectIdentifier($0) == identity }
        guard let sibling, !sibling.name.isEmpty else { continue }
        length.reference?.sibling = .named(sibling.name)
      }
      var name = edge.rawValue
      if anchors.followsLayoutDirection, edge == .left || edge == .right {
        name = edge == .left ? "leading" : "trailing"
      }
      members.append((name, .value(length.json)))
    }
    if let aspect = anchors.aspect { members.append(("aspect", .value(.number(aspect)))) }
    return members
  }
}
