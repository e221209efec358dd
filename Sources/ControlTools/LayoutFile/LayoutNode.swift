import Controls

/// A view that a program owns and layout files place: it is created once and lives as long as the program wants, across all
/// files. A file configures and positions it, or omits it.
public struct LayoutPart {
  /// The type that files name.
  public let type: String
  /// The name by which a file with several views of the type identifies it; otherwise the first is used.
  public let name: String
  /// The view.
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
    /// Sets the value on a view; nil if the older file had the same one, so that a user's changes since then stay.
    let apply: ((View) -> Void)?
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

  /// Applies the file to the view and those inside; `host` is or will be its superview.
  func show(_ registry: ViewRegistry, in host: View) {
    let changes = settings.filter { $0.apply != nil } + returns(registry)
    for change in changes { change.apply?(view) }
    setAgain(changes)
    // A frame that the file keeps is set again in a new superview, since the old one may have moved the view.
    if let frame, frame != older?.frame || view.superview !== host { view.frame = frame }
    view.anchors = anchors
    older?.tokens.forEach { $0.remove() }
    if let control = view as? Control {
      tokens = actions.map { action in control.addAction(for: action.event) { action.body($0) } }
    }
    for child in children { child.show(registry, in: view.contentHost) }
    arrange()
    older = nil
  }

  /// Settings that reset to the type's default the properties that only the older file set.
  private func returns(_ registry: ViewRegistry) -> [Setting] {
    let names = Set(settings.map(\.property.name))
    let gone = older?.settings.filter { !names.contains($0.property.name) } ?? []
    guard !gone.isEmpty, let fresh = registry.makeView(key.type) else { return [] }
    return gone.compactMap { gone in
      // A derived property has no meaning for a view without a size, so its source is reset instead.
      let source = gone.property.derivedFrom
      guard source.map({ !names.contains($0) }) ?? true else { return nil }
      return fresh.inspectable(named: source ?? gone.property.name).map { property in
        let value = property.json(of: fresh)
        // A new view's own value is valid.
        return Setting(property: property, value: value, apply: try? property.setter(value))
      }
    }
  }

  /// Sets those properties again that do not have their values yet. The order of a JSON object has no meaning, but a value may
  /// have been clamped because its limits were set after it.
  private func setAgain(_ changes: [Setting]) {
    guard changes.count > 1 else { return }
    for change in changes where change.property.json(of: view) != change.value { change.apply?(view) }
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
