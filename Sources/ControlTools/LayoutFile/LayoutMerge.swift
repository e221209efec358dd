import Controls

/// Brings a scene that is shown to what a newer file says, view by view.
///
/// Views are the same in both files when they have the same type and the same name; views without a name, when they have the
/// same place among the nameless ones of their type. Of those the older is kept, and gets what differs between the files.
struct LayoutMerge {
  let registry: ViewRegistry
  let actions: LayoutActions

  /// The scene of `new`, made of the views of `old` as far as they are in it.
  func merged(_ old: BuiltView, _ new: BuiltView) -> BuiltView {
    guard isSame(old, new) else { return new }
    let view = old.view
    update(view, from: old, to: new)
    // Indices count among those of one type and name, so that the third button stays the third button.
    var known: [Key: [BuiltView]] = [:]
    for child in old.children.reversed() { known[Key(child), default: []].append(child) }
    let children = new.children.map { child in
      if let older = known[Key(child)]?.popLast() { return merged(older, child) }
      child.view.removeFromSuperview()
      return child
    }
    for child in known.values.joined() { child.view.removeFromSuperview() }
    arrange(children, in: view)
    return BuiltView(
      view: view, type: new.type, properties: new.properties, frame: new.frame, children: children,
      actions: rebound(old, new))
  }

  private struct Key: Hashable {
    let type: String
    let name: JSONValue?

    init(_ built: BuiltView) {
      type = built.type
      name = built.properties.first { $0.name == "name" }?.value
    }
  }

  private func isSame(_ old: BuiltView, _ new: BuiltView) -> Bool { Key(old) == Key(new) }

  private func update(_ view: View, from old: BuiltView, to new: BuiltView) {
    if new.frame != nil, old.frame != new.frame { view.frame = new.view.frame }
    view.anchors = new.view.anchors
    let before = Dictionary(old.properties.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    let after = Set(new.properties.map(\.name))
    var changed = new.properties.filter { before[$0.name] != $0.value }
    // What the file says no more goes back to what a new view has.
    let gone = old.properties.filter { !after.contains($0.name) }
    if !gone.isEmpty, let fresh = registry.makeView(new.type) {
      changed += gone.compactMap { gone -> FileProperty? in
        // A derived property means nothing on a view without a size: its source goes back.
        guard let property = fresh.inspectable(named: gone.name) else { return nil }
        guard let source = property.derivedFrom else {
          return FileProperty(name: gone.name, value: property.json(of: fresh))
        }
        guard !after.contains(source) else { return nil }
        return fresh.inspectable(named: source).map { FileProperty(name: source, value: $0.json(of: fresh)) }
      }
    }
    let settings = changed.compactMap { change in
      view.inspectable(named: change.name).map { (property: $0, value: change.value) }
    }
    // Every value was good for a view of the same type.
    for setting in settings { try? setting.property.set(setting.value, on: view) }
    view.settle(settings)
  }

  /// Brings the file's views into its order, in front of those that the control itself put there.
  private func arrange(_ children: [BuiltView], in view: View) {
    let view = view.contentHost
    let mine = Set(children.map { ObjectIdentifier($0.view) })
    let order = view.subviews.filter { mine.contains(ObjectIdentifier($0)) }.map { ObjectIdentifier($0) }
    if order == children.map({ ObjectIdentifier($0.view) }) { return }
    for child in children {
      if child.view.superview === view { view.bringSubviewToFront(child.view) } else { view.addSubview(child.view) }
    }
  }

  /// The newer file's actions on the older view.
  private func rebound(_ old: BuiltView, _ new: BuiltView) -> [BoundAction] {
    for action in old.actions { action.token.remove() }
    guard let control = old.view as? Control else { return [] }
    return new.actions.compactMap { bound in
      bound.token.remove()
      guard let action = actions[bound.name] else { return nil }
      let token = control.addAction(for: bound.event) { action($0) }
      return BoundAction(event: bound.event, name: bound.name, token: token)
    }
  }
}
