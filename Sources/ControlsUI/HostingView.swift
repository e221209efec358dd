import Controls

/// A view of Controls that shows a description: where a declarative panel begins.
///
///     let panel = HostingView(rootView: LampPanel(lamp: lamp))
///     panel.anchors = LayoutAnchors(margins: .zero)
///     root.addSubview(panel)
///
/// What changes is updated once before each frame, also what several changes concern.
public final class HostingView<Content: View>: StackView {
  private let hub = UpdateHub()
  private var node: RootNode?

  /// The description that is shown. Setting it updates what differs.
  public var rootView: Content { didSet { show() } }

  /// A view that shows `rootView`, and is filled by it.
  public init(rootView: Content) {
    self.rootView = rootView
    super.init(frame: .zero)
    distribution = .fillEqually
    hub.view = self
    show()
  }

  private func show() {
    let node = node ?? RootNode(Place(hub: hub, parent: nil))
    self.node = node
    node.child = build(rootView, over: node.child, at: Place(hub: hub, parent: node))
    node.room = self
    node.childDidChange()
  }

  /// Updates what has changed.
  public override func update() {
    super.update()
    hub.update()
  }

  /// Has what is described fill the view.
  public override func layoutSubviews() { if !placeOnlySubview() { super.layoutSubviews() } }

  /// What changed before it was in a tree waits no longer.
  public override func didMoveToRoot() {
    super.didMoveToRoot()
    hub.didMove()
    if hub.isWaiting { setNeedsUpdate() }
    hub.reportUnheard()
  }
}

/// The outermost place.
private final class RootNode: Node {
  weak var room: Controls.View?
  var child: Node?

  override func childDidChange() {
    if hub.hasNewStructure, let room, let child { arrange(child, in: room) }
  }
}
