import Controls

/// The place of a view with a body.
final class BodyNode<Description: View>: ActiveNode {
  private var description: Description
  private var look: Look
  private var child: Node?

  init(_ description: Description, at place: Place) {
    (self.description, look) = (description, place.look)
    super.init(place)
    evaluate(isAnew: place.isAnew)
  }

  func show(_ new: Description, at place: Place) {
    if !place.isAnew {
      if look == place.look, describesSame(description, new) { return }
      adoptStates(of: description, by: new)
    }
    (description, look) = (new, place.look)
    evaluate(isAnew: place.isAnew)
  }

  override func refresh() { evaluate(isAnew: false) }

  private func evaluate(isAnew: Bool) {
    super.refresh()
    var body: Description.Body?
    tracker.track(self) { body = description.body }
    guard let body else { return }
    child = build(body, over: child, at: Place(hub: hub, parent: self, look: look, isAnew: isAnew))
  }

  override func collect(into views: inout [Controls.View]) { child?.collect(into: &views) }

  override func end() {
    super.end()
    child?.end()
  }
}

/// The place of several descriptions, by their order.
final class GroupNode: Node {
  private let type: ObjectIdentifier
  private var children: [Node] = []

  fileprivate init(_ place: Place, _ type: ObjectIdentifier) {
    self.type = type
    super.init(place)
  }

  fileprivate func isOf(_ other: ObjectIdentifier) -> Bool { type == other }

  func child(_ index: Int) -> Node? { children.indices.contains(index) ? children[index] : nil }

  func set(_ index: Int, to node: Node) {
    if children.indices.contains(index) { children[index] = node } else { children.append(node) }
  }

  override func collect(into views: inout [Controls.View]) { for child in children { child.collect(into: &views) } }

  override func end() {
    super.end()
    for child in children { child.end() }
  }
}

/// The place of one of several things, each of which has an identity.
final class ChoiceNode<ID: Equatable>: Node {
  fileprivate let type: ObjectIdentifier
  fileprivate var id: ID
  fileprivate var child: Node?

  fileprivate init(_ place: Place, _ type: ObjectIdentifier, _ id: ID) {
    (self.type, self.id) = (type, id)
    super.init(place)
  }

  override func collect(into views: inout [Controls.View]) { child?.collect(into: &views) }

  override func end() {
    super.end()
    child?.end()
  }
}

extension Place {
  /// The place `old`, which `show` updates, if it is of the class that `make` makes; otherwise a new one.
  func keep<Kept: Node>(_ old: Node?, _ show: (Kept) -> Void, make: () -> Kept) -> Node {
    if let old = old as? Kept {
      show(old)
      return old
    }
    old?.end()
    return make()
  }

  /// The group that a description of `type` becomes.
  func group<Description>(over old: Node?, _ type: Description.Type) -> GroupNode {
    if let old = old as? GroupNode, old.isOf(ObjectIdentifier(type)) { return old }
    old?.end()
    return GroupNode(self, ObjectIdentifier(type))
  }

  /// The place of the thing `id`, which `make` describes: what another thing had there is gone.
  func branch<Description, ID: Equatable>(
    over old: Node?, _ type: Description.Type, _ id: ID, _ make: (Node?, Place) -> Node
  ) -> Node {
    if let old = old as? ChoiceNode<ID>, old.type == ObjectIdentifier(type) {
      if old.id != id {
        old.child?.end()
        (old.id, old.child) = (id, nil)
      }
      old.child = make(old.child, inside(old))
      return old
    }
    old?.end()
    let node = ChoiceNode(self, ObjectIdentifier(type), id)
    node.child = make(nil, inside(node))
    return node
  }
}

/// A description of one view of Controls that has others inside.
protocol Container: PrimitiveView, Builtin {
  associatedtype Host: Controls.View
  associatedtype Content: View
  var content: Content { get }
  /// Makes the view.
  func makeHost() -> Host
  /// Gives the view what the description says.
  func show(in host: Host)
  /// The view to which those inside are added.
  func room(in host: Host) -> Controls.View
  /// Called after the views inside were placed or have changed.
  func didArrange(_ host: Host)
}

extension Container {
  func room(in host: Host) -> Controls.View { host }

  func didArrange(_ host: Host) {}

  func node(over old: Node?, at place: Place) -> Node {
    place.keep(old) {
      $0.show(self, at: place)
    } make: {
      ContainerNode(self, at: place)
    }
  }
}

/// The place of a view that has others inside.
final class ContainerNode<Description: Container>: Node {
  private var description: Description
  private let host: Description.Host
  private var settings: ViewSettings
  private var child: Node?

  init(_ description: Description, at place: Place) {
    (self.description, settings) = (description, place.look.settings)
    host = description.makeHost()
    super.init(place)
    show(description, at: place)
  }

  func show(_ new: Description, at place: Place) {
    (description, settings) = (new, place.look.settings)
    new.show(in: host)
    child = build(
      new.content, over: child,
      at: Place(hub: hub, parent: self, look: place.look.inner, isAnew: place.isAnew))
    arrange()
  }

  override func childDidChange() {
    arrange()
    super.childDidChange()
  }

  private func arrange() {
    if hub.hasNewStructure, let child { ControlsUI.arrange(child, in: description.room(in: host)) }
    description.didArrange(host)
    settings.apply(to: host)
  }

  override func collect(into views: inout [Controls.View]) { views.append(host) }

  override func end() {
    super.end()
    child?.end()
  }
}

/// Makes the subviews of `room` the views that stand at `node`, in order. Those that stay do not leave the tree, so that fingers and focus stay
/// with them.
func arrange(_ node: Node, in room: Controls.View) {
  var views: [Controls.View] = []
  node.collect(into: &views)
  let shown = room.subviews
  if shown.count == views.count, zip(shown, views).allSatisfy({ $0 === $1 }) { return }
  let wanted = Set(views.map { ObjectIdentifier($0) })
  for view in shown where !wanted.contains(ObjectIdentifier(view)) { view.removeFromSuperview() }
  let staying = views.filter { $0.superview === room }
  if !zip(room.subviews, staying).allSatisfy({ $0 === $1 }) { for view in staying { room.bringSubviewToFront(view) } }
  for (index, view) in views.enumerated() where view.superview !== room { room.insertSubview(view, at: index) }
}
