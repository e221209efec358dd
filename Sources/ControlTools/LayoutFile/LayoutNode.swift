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
  /// What the program shall bind the control's value to.
  var channel: String?
  var children: [LayoutNode] = []
  private var tokens: [ObservationToken] = []

  init(_ key: Key, _ view: View, older: LayoutNode? = nil) {
    (self.key, self.view, self.older) = (key, view, older)
  }

  func node(of view: View) -> LayoutNode? {
    if self.view === view { return self }
    for child in children { if let found = child.node(of: view) { return found } }
    return nil
  }

  /// The controls of the node and those inside that are bound to a channel.
  var channels: [(control: Control, channel: String)] {
    let own = channel.flatMap { name in (view as? Control).map { (control: $0, channel: name) } }
    return [own].compactMap(\.self) + children.flatMap(\.channels)
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

  /// Gives `settings` to a view, each after those that limit it: so nothing is clamped by a limit that is about to change, and the
  /// settings have no order of their own, as in a JSON object.
  static func give(_ settings: [Setting], to view: View) {
    for setting in settings.limitsFirst { setting.apply(to: view) }
  }

  /// Gives the view the values that a new view would have by this file, apart from those that the user or the program has set
  /// since the older file.
  ///
  /// One property may limit another, so an edit of a limit may change a value that the file has kept. What a new view would have by
  /// the older file, and by this one, says which properties the edit concerns, and whether anyone has touched them since.
  private func follow(_ registry: ViewRegistry) {
    // The pictures of files may have changed, though their names have not.
    for setting in settings where setting.property.kind.isImage { setting.apply(to: view) }
    let changed = settings.filter { $0.isChanged && !$0.property.kind.isImage }
    let names = Set(settings.map(\.property.name))
    let gone = older?.settings.map(\.property).filter { !names.contains($0.name) } ?? []
    let isAlone = gone.isEmpty && older?.frame == frame && !changed.contains { view.isCoupled($0.property) }
    // Most edits concern nothing else. Of a program's own view whose type is not registered no defaults are known.
    guard !isAlone, let prototype = registry.prototype(key.type) else { return LayoutNode.give(changed, to: view) }
    let before = prototype.values(by: older?.settings ?? [], in: older?.frame)
    let after = prototype.values(by: settings, in: frame)
    // A derived property has no meaning for a view without a size, so its source is reset instead.
    let reset = gone.map { $0.derivedFrom ?? $0.name }.filter { !names.contains($0) }
    let edited = Set(changed.map(\.property.name) + reset)
    // What the file says of derived properties; of the others, what a new view makes of it.
    var wanted = changed.filter { $0.property.derivedFrom != nil }
    for property in view.inspectables where property.derivedFrom == nil {
      let name = property.name
      guard let value = after[name] else { continue }
      let isUntouched = !property.kind.isImage && property.json(of: view) == before[name]
      if isUntouched || edited.contains(name) {
        wanted.append(Setting(property: property, value: value, isChanged: true))
      }
    }
    for setting in wanted.limitsFirst where setting.property.json(of: view) != setting.value { setting.apply(to: view) }
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
    } else if hadPlace, anchors == nil || older?.anchors == nil, let prototype = registry.prototype(key.type) {
      view.setOwnFrame(prototype.frame)
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

extension [LayoutNode.Setting] {
  /// The settings, each after those that limit it, otherwise in the same order.
  fileprivate var limitsFirst: Self { sorted { $0.property.rank < $1.property.rank } }
}
