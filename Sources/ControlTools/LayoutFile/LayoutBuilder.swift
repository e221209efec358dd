import Controls

/// A view made of a file, with what the file says about it.
final class BuiltView {
  let view: View
  let type: String
  /// The properties that the file sets, by name.
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
  func settle(_ settings: [(property: AnyProperty, value: JSONValue)]) {
    guard settings.count > 1 else { return }
    for setting in settings where setting.property.json(of: self) != setting.value {
      // The first time it was good.
      try? setting.property.set(setting.value, on: self)
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
  typealias Path = JSONPath

  let file: LayoutFile
  let registry: ViewRegistry
  let actions: LayoutActions

  /// The scene's views.
  func build() throws(LayoutFileError) -> BuiltView { try view(file.root, .root) }

  func fail(_ reason: LayoutFileError.Reason, _ path: Path, nearest: String? = nil) -> LayoutFileError {
    file.error(reason, path, nearest: nearest)
  }

  private func view(_ json: JSONValue, _ path: Path) throws(LayoutFileError) -> BuiltView {
    guard case .object(let members) = json else {
      throw fail(.needs("a view as an object", found: json.article), path)
    }
    let (type, view) = try make(members, path)
    var properties: [FileProperty] = []
    var settings: [(property: AnyProperty, value: JSONValue)] = []
    var frame: Rect?
    var place = LayoutPlaceReader(builder: self)
    var actions: [BoundAction] = []
    var children: [BuiltView] = []
    for (key, value) in LayoutBuilder.sorted(members) {
      let here = Path.key(path, key)
      switch key {
      case "type": break
      case "frame": frame = try place.frame(value, here)
      case "anchors": try place.readAnchors(value, here)
      case "margins": try place.readMargins(value, here)
      case "actions": actions = try readActions(value, here, of: view, type)
      case "subviews":
        for (index, child) in try list(value, here).enumerated() {
          children.append(try self.view(child, .index(here, index)))
        }
      case "properties":
        for (key, value) in try object(value, here) {
          settings.append(try set(key, value, .key(here, key), of: view, type, &properties))
        }
      default: settings.append(try set(key, value, here, of: view, type, &properties))
      }
    }
    view.settle(settings)
    if let frame { view.frame = frame }
    view.anchors = try place.result(path)
    for child in children {
      // A view without a place has its own size at the top left, or fills its superview. Classes of their own lay out
      // what is in them, or leave it where it is.
      if child.frame == nil, child.view.anchors == nil, Swift.type(of: view) == View.self {
        child.view.anchors = LayoutAnchors()
      }
      view.contentHost.addSubview(child.view)
    }
    try checkAnchors(of: view.contentHost, path)
    return BuiltView(
      view: view, type: type, properties: properties, frame: frame, children: children, actions: actions)
  }

  private func make(_ members: [String: JSONValue], _ path: Path) throws(LayoutFileError) -> (String, View) {
    guard let json = members["type"] else { throw fail(.missingType, path) }
    let here = Path.key(path, "type")
    guard case .string(let type) = json else { throw fail(.needs("a text", found: json.article), here) }
    guard let view = registry.makeView(type) else {
      throw fail(.unknownType(type), here, nearest: registry.nearestType(to: type))
    }
    return (type, view)
  }

  // MARK: Properties and actions

  private func set(
    _ name: String, _ json: JSONValue, _ path: Path, of view: View, _ type: String,
    _ properties: inout [FileProperty]
  ) throws(LayoutFileError) -> (property: AnyProperty, value: JSONValue) {
    guard let property = view.inspectable(named: name) else {
      let nearest = EditDistance.nearest(to: name, in: view.inspectables.map(\.name) + LayoutBuilder.keys)
      throw fail(.unknownProperty(name, type: type), path, nearest: nearest)
    }
    guard !properties.contains(where: { $0.name == name }) else {
      throw fail(.isThereTwice(name), path)
    }
    var value = json
    if case .string(let name) = value, property.kind.isImage { value = .string(file.resolved(name)) }
    do throws(InspectableError) {
      try property.set(value, on: view)
    } catch {
      var nearest: String?
      if case .unknownChoice(_, let choice, _) = error { nearest = choice }
      throw fail(.badValue(error), path, nearest: nearest)
    }
    properties.append(FileProperty(name: name, value: value))
    return (property, value)
  }

  /// What a view has besides its properties.
  private static let keys = ["type", "frame", "anchors", "margins", "properties", "actions", "subviews"]

  private func readActions(
    _ json: JSONValue, _ path: Path, of view: View, _ type: String
  ) throws(LayoutFileError) -> [BoundAction] {
    let members = try object(json, path)
    guard let control = view as? Control else { throw fail(.noControl(type: type), path) }
    var result: [BoundAction] = []
    for (key, value) in members {
      let here = Path.key(path, key)
      guard let event = Control.Event(name: key) else {
        let nearest = EditDistance.nearest(to: key, in: Control.Event.named.map(\.name))
        throw fail(.unknownEvent(key), here, nearest: nearest)
      }
      guard case .string(let name) = value else {
        throw fail(.needs("the name of an action", found: value.article), here)
      }
      guard let action = actions[name] else {
        let nearest = EditDistance.nearest(to: name, in: actions.names)
        throw fail(.unknownAction(name), here, nearest: nearest)
      }
      let token = control.addAction(for: event) { action($0) }
      result.append(BoundAction(event: event, name: name, token: token))
    }
    return result
  }

  // MARK: Shapes of values

  /// An object has no order, so it gets one: the same mistake is the first each time.
  private static func sorted(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
    members.sorted { $0.key < $1.key }
  }

  func object(_ json: JSONValue, _ path: Path) throws(LayoutFileError) -> [(key: String, value: JSONValue)] {
    guard case .object(let members) = json else { throw fail(.needs("an object", found: json.article), path) }
    return LayoutBuilder.sorted(members)
  }

  private func list(_ json: JSONValue, _ path: Path) throws(LayoutFileError) -> [JSONValue] {
    guard case .array(let values) = json else { throw fail(.needs("a list of views", found: json.article), path) }
    return values
  }
}
