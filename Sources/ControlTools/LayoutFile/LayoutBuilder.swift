import Controls

/// Reads a file into nodes. It reuses the views of the file that is shown, and creates only those that are missing.
final class LayoutBuilder {
  typealias Path = JSONPath

  let file: LayoutFile
  let registry: ViewRegistry
  private let actions: LayoutActions
  private let shown: LayoutNode?
  /// The program's views not yet placed by the file, by their types.
  private(set) var parts: [String: LayoutPart] = [:]
  /// The program's views that are shown, by their types.
  private(set) var shownParts: [String: LayoutNode] = [:]
  /// The types of the parts whose name a view of the file has.
  private var namedParts: Set<String> = []
  private var viewCount = 0

  init(
    _ file: LayoutFile, _ registry: ViewRegistry, _ actions: LayoutActions, parts: [LayoutPart] = [],
    shown: LayoutNode? = nil
  ) {
    (self.file, self.registry, self.actions, self.shown) = (file, registry, actions, shown)
    for part in parts { self.parts[part.type] = part }
    guard !parts.isEmpty else { return }
    shown.map(findShownParts)
    findNamedParts(file.root)
  }

  func build() throws(LayoutFileError) -> LayoutNode {
    var older = candidates(shown.map { [$0] } ?? [])
    let root = try node(file.root, .root, &older)
    try checkPictures(of: root)
    return root
  }

  /// Adds up the pixels that the pictures declare, without decoding any; a picture in several views counts once, as
  /// it is kept once.
  private func checkPictures(of root: LayoutNode) throws(LayoutFileError) {
    var (seen, sum): (Set<String>, Int) = ([], 0)
    for picture in root.pictures where seen.insert(picture.file).inserted {
      sum += PictureFile.declaredSize(contentsOf: picture.file)?.area ?? 0
      if sum > LayoutFile.maximumPixelCount { throw fail(.tooManyPixels(sum), picture.path) }
    }
  }

  func fail(_ reason: LayoutFileError.Reason, _ path: Path, nearest: String? = nil) -> LayoutFileError {
    file.error(reason, path, nearest: nearest)
  }

  /// The error that `names` has no `name`. It names the one that may have been meant: the nearest, or those that have
  /// `name` inside, or `all` that the reader may choose from.
  private func fail(
    _ reason: LayoutFileError.Reason, _ path: Path, unknown name: String, in names: [String], all: [String]
  ) -> LayoutFileError {
    if let nearest = EditDistance.nearest(to: name, in: names) { return fail(reason, path, nearest: nearest) }
    let related = EditDistance.containing(name, in: names)
    if related.count == 1 { return fail(reason, path, nearest: related[0]) }
    return file.error(reason, path, nearest: nil, candidates: related.isEmpty ? all : related)
  }

  // MARK: Views that are there already

  private func findShownParts(_ node: LayoutNode) {
    if parts[node.key.type]?.view === node.view { shownParts[node.key.type] = node }
    node.children.forEach(findShownParts)
  }

  private func findNamedParts(_ json: JSONValue) {
    guard case .object(let members) = json else { return }
    if let type = members["type"]?.text, let part = parts[type], part.name == LayoutNode.Key(type, members).name {
      namedParts.insert(type)
    }
    members["subviews"]?.items?.forEach(findNamedParts)
  }

  /// Takes the program's own view for the file's view `key`. The view with the part's name gets it or, if the file has no such
  /// view, the first view of the type.
  private func takePart(_ key: LayoutNode.Key) -> LayoutPart? {
    guard let part = parts[key.type], part.name == key.name || !namedParts.contains(key.type) else { return nil }
    return parts.removeValue(forKey: key.type)
  }

  /// Older nodes by key, whose views the new file may reuse, in reverse order for `popLast`. The program's own views are left
  /// out, because they are found by type.
  private func candidates(_ nodes: [LayoutNode]) -> [LayoutNode.Key: [LayoutNode]] {
    let others = nodes.reversed().filter { shownParts[$0.key.type] !== $0 }
    return Dictionary(grouping: others, by: \.key)
  }

  private func node(
    _ json: JSONValue, _ path: Path, _ older: inout [LayoutNode.Key: [LayoutNode]]
  ) throws(LayoutFileError) -> LayoutNode {
    guard case .object(let members) = json else {
      throw fail(.needs("a view as an object", found: json.article), path)
    }
    viewCount += 1
    guard viewCount <= LayoutFile.maximumViewCount else { throw fail(.tooManyViews, path) }
    let node = try make(members, path, &older)
    node.path = path
    var place = LayoutPlaceReader(builder: self)
    var inner = candidates(node.older?.children ?? [])
    for (key, value) in LayoutBuilder.sorted(members) {
      let here = Path.key(path, key)
      switch key {
      case "type": break
      case "frame": node.frame = try place.frame(value, here)
      case "anchors": try place.readAnchors(value, here)
      case "margins": try place.readMargins(value, here)
      case "actions": try readActions(value, here, of: node)
      case "channel":
        guard node.view is Control else { throw fail(.noControl(type: node.key.type), here) }
        node.channel = try need("the name of a channel", value.text, value, here)
      case "subviews":
        for (index, child) in try need("a list of views", value.items, value, here).enumerated() {
          node.children.append(try self.node(child, .index(here, index), &inner))
        }
      case "properties":
        for (key, value) in try object(value, here) { try set(key, value, .key(here, key), of: node) }
      default: try set(key, value, here, of: node)
      }
    }
    if !node.actions.isEmpty { try takeTouches(node, path) }
    node.anchors = try place.result(path)
    // In a plain `View`, a subview without a position gets empty anchors: it has its own size at the top left, or fills its
    // superview. Other classes lay out their subviews themselves, or leave them where they are.
    if Swift.type(of: node.view) == View.self {
      for child in node.children where child.frame == nil && child.anchors == nil { child.anchors = LayoutAnchors() }
    }
    try checkAnchors(of: node, path)
    return node
  }

  private func make(
    _ members: [String: JSONValue], _ path: Path, _ older: inout [LayoutNode.Key: [LayoutNode]]
  ) throws(LayoutFileError) -> LayoutNode {
    guard let json = members["type"] else { throw fail(.missingType, path) }
    let here = Path.key(path, "type")
    let type = try need("a text", json.text, json, here)
    let key = LayoutNode.Key(type, members)
    if let part = takePart(key) { return LayoutNode(key, part.view, older: shownParts[type]) }
    if let known = older[key]?.popLast() { return LayoutNode(key, known.view, older: known) }
    guard let view = registry.makeView(type) else {
      throw fail(.unknownType(type), here, unknown: type, in: registry.typeNames, all: registry.typeNames)
    }
    return LayoutNode(key, view)
  }

  // MARK: Properties and actions

  private func set(_ name: String, _ json: JSONValue, _ path: Path, of node: LayoutNode) throws(LayoutFileError) {
    guard let property = node.view.inspectable(named: name) else {
      let names = node.view.inspectables.map(\.name)
      let common = Control.inspectables.map(\.name)
      throw fail(
        .unknownProperty(name, type: node.key.type), path, unknown: name, in: names + LayoutBuilder.keys,
        all: names.filter { !common.contains($0) })
    }
    guard !node.settings.contains(where: { $0.property.name == name }) else { throw fail(.isThereTwice(name), path) }
    var value = json
    if case .string(let name) = value, property.kind.isImage { value = .string(file.resolved(name)) }
    let isChanged = node.older?.settings.first(where: { $0.property.name == name })?.value != value
    if isChanged {
      do throws(InspectableError) {
        _ = try property.setter(value)
      } catch {
        var nearest: String?
        if case .unknownChoice(_, let choice, _) = error { nearest = choice }
        throw fail(.badValue(error), path, nearest: nearest)
      }
    }
    node.settings.append(LayoutNode.Setting(property: property, value: value, path: path, isChanged: isChanged))
  }

  /// The keys of a view that are not properties.
  private static let keys = ["type", "frame", "anchors", "margins", "properties", "actions", "channel", "subviews"]

  private func readActions(_ json: JSONValue, _ path: Path, of node: LayoutNode) throws(LayoutFileError) {
    let members = try object(json, path)
    guard let control = node.view as? Control else { throw fail(.noControl(type: node.key.type), path) }
    for (key, value) in members {
      let here = Path.key(path, key)
      guard let event = Control.Event(name: key) else {
        let names = Control.Event.named
        throw fail(
          .unknownEvent(key), here, unknown: key, in: names.map(\.name),
          all: names.filter { control.ownEvents.contains($0.event) || $0.event == .touchDown }.map(\.name))
      }
      let name = try need("the name of an action", value.text, value, here)
      guard let action = actions[name] else {
        let names = actions.keys.sorted()
        throw fail(.unknownAction(name), here, unknown: name, in: names, all: names)
      }
      node.actions.append((event, action))
    }
  }

  /// A control with actions takes touches, also one that by default takes none, such as an image view, unless the file says
  /// otherwise. As a setting of the file this ends with the actions.
  private func takeTouches(_ node: LayoutNode, _ path: Path) throws(LayoutFileError) {
    let name = "isUserInteractionEnabled"
    guard !node.settings.contains(where: { $0.property.name == name }) else { return }
    try set(name, .bool(true), path, of: node)
  }

  // MARK: Shapes of values

  /// The members in a fixed order, since JSON objects have none: the first error is the same every time.
  private static func sorted(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
    members.sorted { $0.key < $1.key }
  }

  func object(_ json: JSONValue, _ path: Path) throws(LayoutFileError) -> [(key: String, value: JSONValue)] {
    guard case .object(let members) = json else { throw fail(.needs("an object", found: json.article), path) }
    return LayoutBuilder.sorted(members)
  }

  private func need<Value>(
    _ wanted: String, _ value: Value?, _ json: JSONValue, _ path: Path
  ) throws(LayoutFileError) -> Value {
    guard let value else { throw fail(.needs(wanted, found: json.article), path) }
    return value
  }
}
