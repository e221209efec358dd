import Controls

/// A view that a program owns and layout files place: it is created once and lives as long as the program wants, across all
/// files. A file configures and positions it, or omits it.
public struct LayoutPart {
  /// The type that files name.
  public let type: String
  /// The name by which a file with several views of the type identifies it; otherwise the first is used.
  public let name: String
  /// The view that the file places and sets properties of.
  public let view: View

  /// Lets files place `view` as their `type` called `name`. A scene has at most one part of a type.
  public init(_ type: String, named name: String, _ view: View) {
    self.type = type
    self.name = name
    self.view = view
  }
}

/// A view with its description in a file.
///
/// `LayoutBuilder` reads a file into nodes and creates only those views that the previous file did not have. Nothing that is
/// shown changes until `show`, so a file with an error changes nothing.
final class LayoutNode {
  /// The identity of a view across reloads of a layout file. Views without a name are identified by their index among the
  /// nameless ones of their type.
  struct Key: Hashable {
    let type: String
    let name: String?

    init(_ type: String, _ members: [String: JSONValue]) {
      self.type = type
      name = (members["name"] ?? members["properties"]?["name"])?.text
    }
  }

  struct Setting {
    let property: AnyProperty
    let value: JSONValue
    /// The place of the value in the file.
    var path = JSONPath.root
    /// True if the older file had no or another value: then it replaces what the user has set since.
    let isChanged: Bool

    /// Gives the value to `view`, which has this property.
    func apply(to view: View) {
      // The value was found valid when the file was read.
      try? property.set(value, on: view)
    }
  }

  let key: Key
  let view: View
  var path = JSONPath.root
  /// The description of the view in an older file.
  private(set) var older: LayoutNode?
  var settings: [Setting] = []
  var frame: Rect?
  var anchors: LayoutAnchors?
  var actions: [(event: Control.Event, body: (Control) -> Void)] = []
  var children: [LayoutNode] = []
  private var tokens: [Observation] = []

  init(_ key: Key, _ view: View, older: LayoutNode? = nil) {
    (self.key, self.view, self.older) = (key, view, older)
  }

  func node(of view: View) -> LayoutNode? {
    if self.view === view { return self }
    for child in children { if let found = child.node(of: view) { return found } }
    return nil
  }

  /// The files of pictures that the node and those inside name, with their places.
  var pictures: [(file: String, path: JSONPath)] {
    let own = settings.filter(\.property.kind.isImage).compactMap { setting in
      setting.value.text.map { (file: $0, path: setting.path) }
    }
    return own + children.flatMap(\.pictures)
  }

  /// Applies the file to the view and those inside; `host` is or will be its superview.
  func show(_ registry: ViewRegistry, in host: View) {
    if older == nil { LayoutNode.give(settings, to: view) } else { follow(registry) }
    if !settings.isEmpty { view.showSettingsAnew() }
    place(registry, in: host)
    older?.tokens.forEach { $0.remove() }
    if let control = view as? Control {
      tokens = actions.map { action in control.addAction(for: action.event) { action.body($0) } }
    }
    for child in children { child.show(registry, in: view.contentHost) }
    arrange()
    older = nil
  }

  /// Gives `settings` to a view, so that their order has no meaning: as in a JSON object. A value may have been clamped because
  /// its limits were set after it; such a value is set again.
  private static func give(_ settings: [Setting], to view: View) {
    for setting in settings { setting.apply(to: view) }
    guard settings.count > 1 else { return }
    for setting in settings where setting.property.json(of: view) != setting.value { setting.apply(to: view) }
  }

  /// Gives the view the values that a new view would have by this file, apart from those that the user or the program has set
  /// since the older file.
  ///
  /// One property may limit another, so an edit of a limit may change a value that the file has kept. A new view by the older file and
  /// one by this file say which properties the edit concerns, and whether anyone has touched them since.
  private func follow(_ registry: ViewRegistry) {
    let names = Set(settings.map(\.property.name))
    let gone = older?.settings.filter { !names.contains($0.property.name) } ?? []
    // The pictures of files may have changed, though their names have not.
    for setting in settings where setting.property.kind.isImage { setting.apply(to: view) }
    let movesByFile = older?.frame != frame
    guard !gone.isEmpty || movesByFile || settings.contains(where: \.isChanged) else { return }
    // Only numbers limit each other. Most edits are of others, for which no view needs to be made.
    if gone.isEmpty, !movesByFile, settings.allSatisfy({ !$0.isChanged || !$0.property.kind.isNumeric }) {
      return LayoutNode.give(settings.filter(\.isChanged), to: view)
    }
    guard let before = registry.makeView(key.type), let after = registry.makeView(key.type)
    else { return }
    // The default of a property may follow from the frame.
    if let frame = older?.frame { before.setOwnFrame(frame) }
    if let frame { after.setOwnFrame(frame) }
    LayoutNode.give(older?.settings.filter { !$0.property.kind.isImage } ?? [], to: before)
    LayoutNode.give(settings.filter { !$0.property.kind.isImage }, to: after)
    var edited = Set(settings.filter(\.isChanged).map(\.property.name))
    for gone in gone {
      // A derived property has no meaning for a view without a size, so its source is reset instead.
      let name = gone.property.derivedFrom ?? gone.property.name
      if gone.property.derivedFrom == nil || !names.contains(name) { edited.insert(name) }
    }
    var wanted: [Setting] = []
    for property in view.inspectables {
      let name = property.name
      if property.kind.isImage {
        guard edited.contains(name), !names.contains(name) else { continue }
        wanted.append(Setting(property: property, value: .null, isChanged: true))
      } else if property.derivedFrom != nil {
        guard edited.contains(name), let setting = settings.first(where: { $0.property.name == name }) else { continue }
        wanted.append(setting)
      } else if let old = before.inspectable(named: name), let new = after.inspectable(named: name) {
        let (was, value) = (old.json(of: before), new.json(of: after))
        let isUntouched = property.json(of: view) == was && (was != value || names.contains(name))
        guard edited.contains(name) || isUntouched else { continue }
        wanted.append(Setting(property: property, value: value, isChanged: true))
      }
    }
    // What limits each other settles after a few rounds; the values themselves are a new view's, so they do settle.
    for _ in 0..<4 {
      let open = wanted.filter { $0.property.json(of: view) != $0.value }
      if open.isEmpty { break }
      for setting in open { setting.apply(to: view) }
    }
  }

  /// Places the view as the file says.
  private func place(_ registry: ViewRegistry, in host: View) {
    let hadPlace = older.map { $0.frame != nil || $0.anchors != nil } ?? false
    if let frame {
      // A frame that the file keeps is set again where the view may have been moved: in a new superview, and in a container that
      // places it.
      if frame != older?.frame || view.superview !== host || host.placesSubviewsBySize {
        view.setOwnFrame(frame)
      }
    } else if hadPlace, anchors == nil || older?.anchors == nil, let fresh = registry.makeView(key.type) {
      view.setOwnFrame(fresh.frame)
    }
    if view.anchors != anchors { view.anchors = anchors }
  }

  /// Arranges the file's views in its order, in front of those that the view itself added; those of the older file are removed.
  private func arrange() {
    let host = view.contentHost
    let mine = Set(children.map { ObjectIdentifier($0.view) })
    for child in older?.children ?? []
    where child.view.superview === host && !mine.contains(ObjectIdentifier(child.view)) {
      child.view.removeFromSuperview()
    }
    let order = host.subviews.map { ObjectIdentifier($0) }.filter(mine.contains)
    if order == children.map({ ObjectIdentifier($0.view) }) { return }
    for child in children {
      if child.view.superview === host { host.bringSubviewToFront(child.view) } else { host.addSubview(child.view) }
    }
  }
}

extension InspectableKind {
  /// True for numbers, which may limit other numbers of a view.
  fileprivate var isNumeric: Bool {
    switch self {
    case .number, .integer, .numbers: true
    case .optional(let kind): kind.isNumeric
    default: false
    }
  }
}
