import Controls

/// A place of a panel: what a description has become, and what stays when it is described anew.
class Node {
  private(set) weak var parent: Node?
  let depth: Int
  let hub: UpdateHub

  init(_ place: Place) {
    (parent, hub) = (place.parent, place.hub)
    depth = (place.parent?.depth ?? 0) + 1
    hub.hasNewStructure = true
  }

  /// Appends the views that stand here, in order.
  func collect(into views: inout [Controls.View]) {}

  /// The place is gone.
  func end() { hub.hasNewStructure = true }

  /// Something inside was updated by itself.
  func childDidChange() { parent?.childDidChange() }
}

/// A place that is updated by itself when something that was read for it changes.
class ActiveNode: Node {
  let tracker = Tracker()
  /// True while it waits for its update.
  fileprivate(set) var isWaiting = false

  /// Evaluates it again.
  func refresh() { isWaiting = false }

  /// Has it evaluated again before the next frame.
  func setNeedsUpdate() {
    guard !isWaiting else { return }
    isWaiting = true
    hub.add(self)
  }

  override func end() {
    super.end()
    isWaiting = false
    tracker.stop()
  }
}

/// Where a description is placed, and what it inherits there.
struct Place {
  let hub: UpdateHub
  let parent: Node?
  var look = Look()
  /// True where another thing is shown by the same views: states begin anew.
  var isAnew = false

  /// The place inside `node`, which passes on all that it inherits.
  func inside(_ node: Node) -> Place { Place(hub: hub, parent: node, look: look, isAnew: isAnew) }
}

/// What a view inherits from the descriptions around it.
nonisolated struct Look: Equatable {
  /// For all views inside.
  var environment = EnvironmentValues()
  /// For the outermost views inside.
  var settings = ViewSettings()

  /// What the views inside a view of this look inherit.
  var inner: Look { Look(environment: environment) }
}

/// A description that knows by itself what it becomes.
protocol Builtin {
  /// What it becomes at `place`: the place `old`, updated, if that was described by the same type.
  func node(over old: Node?, at place: Place) -> Node
}

extension Builtin {
  /// What `view`, which is of this type, becomes. A cast of the view itself to the protocol would allocate.
  fileprivate static func node(of view: some View, over old: Node?, at place: Place) -> Node? {
    (view as? Self)?.node(over: old, at: place)
  }
}

extension ViewRepresentable {
  /// As `Builtin.node(of:)`.
  fileprivate static func node(of view: some View, over old: Node?, at place: Place) -> Node? {
    (view as? Self).map { represent($0, over: old, at: place) }
  }
}

/// The greatest depth of a tree. A view whose body contains itself has none.
private let greatestDepth = 500

/// What `view` becomes at `place`: `old`, updated, or a new place if `old` was described by another type.
func build<Description: View>(_ view: Description, over old: Node?, at place: Place) -> Node {
  let kind: Any.Type = Description.self
  if let builtin = kind as? any Builtin.Type, let node = builtin.node(of: view, over: old, at: place) { return node }
  if let foreign = kind as? any ViewRepresentable.Type, let node = foreign.node(of: view, over: old, at: place) {
    return node
  }
  if let old = old as? BodyNode<Description> {
    old.show(view, at: place)
    return old
  }
  guard (place.parent?.depth ?? 0) < greatestDepth else {
    place.hub.report("\(Description.self) contains itself, or lies \(greatestDepth) views deep: it is left out")
    return build(EmptyView(), over: old, at: place)
  }
  old?.end()
  return BodyNode(view, at: place)
}

private func represent<Description: ViewRepresentable>(_ view: Description, over old: Node?, at place: Place) -> Node {
  if let old = old as? ViewNode<Description> {
    old.show(view, at: place)
    return old
  }
  old?.end()
  return ViewNode(view, at: place)
}

/// Updates what has changed, once before each frame.
final class UpdateHub {
  /// The view that is told of frames.
  weak var view: Controls.View?
  /// True if views came, went or moved since it was set to false: only then are the subviews of containers compared.
  var hasNewStructure = false
  /// What shows something over the window while there is one, by its place: called when the view comes into a tree or leaves it.
  var presenters: [ObjectIdentifier: () -> Void] = [:]
  /// The outer before the inner.
  private var waiting: [ActiveNode] = []
  private var updating: [ActiveNode] = []
  private var reported: Set<String> = []
  /// What was reported before the view was in a tree.
  private var unheard: [String] = []

  var isWaiting: Bool { !waiting.isEmpty }

  fileprivate func add(_ node: ActiveNode) {
    waiting.append(node)
    var index = waiting.count - 1
    while index > 0, waiting[index - 1].depth > node.depth {
      waiting.swapAt(index - 1, index)
      index -= 1
    }
    view?.setNeedsUpdate()
  }

  /// Updates what waits, the outer before the inner, which it may take along.
  func update() {
    guard !waiting.isEmpty else { return }
    swap(&waiting, &updating)
    for index in updating.indices {
      let node = updating[index]
      guard node.isWaiting else { continue }
      hasNewStructure = false
      node.refresh()
      node.childDidChange()
    }
    updating.removeAll(keepingCapacity: true)
  }

  /// The view came into a tree, or left it: what lies over the window follows at once.
  func didMove() {
    for presenter in presenters.values { presenter() }
    if view?.root == nil { update() }
  }

  /// Reports a fault to the root, each once; one of a view outside of a tree when it comes into one.
  func report(_ fault: String) {
    if reported.insert(fault).inserted { unheard.append(fault) }
    reportUnheard()
  }

  func reportUnheard() {
    guard let root = view?.root else { return }
    for fault in unheard { root.onFault?(fault) }
    unheard = []
  }
}
