// Owns making views of a layout file, or finding its first mistake.
// Must not know where the views are shown.

/// A view made of a file, with what the file says about it.
final class BuiltView {
  let view: View
  let type: String
  /// The properties that the file sets, in its order.
  let properties: [FileProperty]
  let frame: Rect?
  let children: [BuiltView]
  /// The actions that the file binds.
  var actions: [BoundAction]

  init(
    view: View, type: String, properties: [FileProperty], frame: Rect?, children: [BuiltView],
    actions: [BoundAction]
  ) {
    self.view = view
    self.type = type
    self.properties = properties
    self.frame = frame
    self.children = children
    self.actions = actions
  }
}

/// One property as a file sets it.
struct FileProperty {
  let name: String
  let value: JSONValue
}

extension View {
  /// Sets properties again where their values did not last: in a file as in any JSON the order means nothing, but a value
  /// may have been clamped to limits that were set after it.
  func settle(_ settings: [(property: any AnyInspectable, value: JSONValue)]) {
    guard settings.count > 1 else { return }
    for setting in settings where setting.property.jsonValue != setting.value {
      // The first time it was good.
      try? setting.property.set(json: setting.value, on: self)
    }
  }
}

/// One event of one control, bound to an action of the program.
struct BoundAction {
  let event: Control.Event
  let name: String
  let token: ActionToken
}

/// Makes the views of one file.
struct LayoutBuilder {
  /// Where in the scene something stands; written out only for errors.
  indirect enum Path {
    case scene
    case key(Path, String)
    case index(Path, Int)

    var text: String {
      switch self {
      case .scene: ""
      case .key(.scene, let key): key
      case .key(let path, let key): path.text + "." + key
      case .index(let path, let index): path.text + "[\(index)]"
      }
    }
  }

  let file: LayoutFile
  let registry: ViewRegistry
  let actions: LayoutActions

  /// The scene's views.
  func build() throws(LayoutFileError) -> BuiltView { try view(file.root, .scene) }

  func fail(
    _ reason: LayoutFileError.Reason, _ offset: Int, _ path: Path, nearest: String? = nil
  ) -> LayoutFileError {
    file.error(reason, at: offset, path: path.text, nearest: nearest)
  }

  private func view(_ node: JSONNode, _ path: Path) throws(LayoutFileError) -> BuiltView {
    guard case .object(let members) = node.content else {
      throw fail(.needs("a view as an object", found: node.article), node.offset, path)
    }
    let (type, view) = try make(members, node, path)
    var reader = InspectableReader(view)
    var properties: [FileProperty] = []
    var settings: [(property: any AnyInspectable, value: JSONValue)] = []
    var frame: Rect?
    var place = LayoutPlaceReader(builder: self)
    var actions: [BoundAction] = []
    var children: [BuiltView] = []
    for member in members {
      let here = Path.key(path, member.key)
      switch member.key {
      case "type": break
      case "frame": frame = try place.frame(member, here)
      case "anchors": try place.readAnchors(member, here)
      case "margins": try place.readMargins(member, here)
      case "actions": actions = try readActions(member, here, of: view, type)
      case "subviews":
        for (index, child) in try list(member, here).enumerated() {
          children.append(try self.view(child, .index(here, index)))
        }
      case "properties":
        for member in try object(member, here) {
          settings.append(try set(member, .key(here, member.key), of: view, type, &reader, &properties))
        }
      default: settings.append(try set(member, here, of: view, type, &reader, &properties))
      }
    }
    view.settle(settings)
    if let frame { view.frame = frame }
    view.anchors = try place.result(members, path)
    for child in children {
      // A view without a place has its own size at the top left, or fills its superview. Classes of their own lay out
      // what is in them, or leave it where it is.
      if child.frame == nil, child.view.anchors == nil, Swift.type(of: view) == View.self {
        child.view.anchors = LayoutAnchors()
      }
      view.contentHost.addSubview(child.view)
    }
    try checkAnchors(of: view.contentHost, members, path)
    return BuiltView(
      view: view, type: type, properties: properties, frame: frame, children: children, actions: actions)
  }

  private func make(
    _ members: [JSONMember], _ node: JSONNode, _ path: Path
  ) throws(LayoutFileError) -> (String, View) {
    guard let member = members.first(where: { $0.key == "type" }) else { throw fail(.missingType, node.offset, path) }
    let here = Path.key(path, "type")
    guard case .string(let type) = member.node.content else {
      throw fail(.needs("a text", found: member.node.article), member.node.offset, here)
    }
    guard let view = registry.makeView(type) else {
      throw fail(.unknownType(type), member.node.offset, here, nearest: registry.nearestType(to: type))
    }
    return (type, view)
  }

  // MARK: Properties and actions

  private func set(
    _ member: JSONMember, _ path: Path, of view: View, _ type: String, _ reader: inout InspectableReader,
    _ properties: inout [FileProperty]
  ) throws(LayoutFileError) -> (property: any AnyInspectable, value: JSONValue) {
    guard let property = reader.property(named: member.key) else {
      let nearest = EditDistance.nearest(to: member.key, in: view.inspectableNames + LayoutBuilder.keys)
      throw fail(.unknownProperty(member.key, type: type), member.offset, path, nearest: nearest)
    }
    guard !properties.contains(where: { $0.name == member.key }) else {
      throw fail(.syntax("\"\(member.key)\" is there twice"), member.offset, path)
    }
    var value = member.node.value
    if case .string(let name) = value, property.kind.isImage { value = .string(file.resolved(name)) }
    do throws(InspectableError) {
      try property.set(json: value, on: view)
    } catch {
      var nearest: String?
      if case .unknownChoice(_, let choice, _) = error { nearest = choice }
      throw fail(.badValue(error), member.node.offset, path, nearest: nearest)
    }
    properties.append(FileProperty(name: member.key, value: value))
    return (property, value)
  }

  /// What a view has besides its properties.
  private static let keys = ["type", "frame", "anchors", "margins", "properties", "actions", "subviews"]

  private func readActions(
    _ member: JSONMember, _ path: Path, of view: View, _ type: String
  ) throws(LayoutFileError) -> [BoundAction] {
    let members = try object(member, path)
    guard let control = view as? Control else { throw fail(.noControl(type: type), member.offset, path) }
    var result: [BoundAction] = []
    for member in members {
      let here = Path.key(path, member.key)
      guard let event = Control.Event(name: member.key) else {
        let nearest = EditDistance.nearest(to: member.key, in: Control.Event.named.map(\.name))
        throw fail(.unknownEvent(member.key), member.offset, here, nearest: nearest)
      }
      guard case .string(let name) = member.node.content else {
        throw fail(.needs("the name of an action", found: member.node.article), member.node.offset, here)
      }
      guard let action = actions[name] else {
        let nearest = EditDistance.nearest(to: name, in: actions.names)
        throw fail(.unknownAction(name), member.node.offset, here, nearest: nearest)
      }
      let token = control.addAction(for: event) { action($0) }
      result.append(BoundAction(event: event, name: name, token: token))
    }
    return result
  }

  // MARK: Shapes of values

  func object(_ member: JSONMember, _ path: Path) throws(LayoutFileError) -> [JSONMember] {
    guard case .object(let members) = member.node.content else {
      throw fail(.needs("an object", found: member.node.article), member.node.offset, path)
    }
    return members
  }

  private func list(_ member: JSONMember, _ path: Path) throws(LayoutFileError) -> [JSONNode] {
    guard case .array(let nodes) = member.node.content else {
      throw fail(.needs("a list of views", found: member.node.article), member.node.offset, path)
    }
    return nodes
  }
}
