import Controls

/// Pages over each other, of which the user goes back to the one before: by a button, a swipe from the leading edge, Escape or Alt+Left.
///
///     NavigationStack("Files", path: $model.path) {
///       FileList(open: { model.path.append($0) })
///     } destination: { file in
///       FilePage(file: file)
///     } title: { $0.name }
///
/// It is `PageView` of Controls. What the path says is shown: each of its steps is a page over those before, and a user who goes back removes
/// the last one. A page keeps its view and states as long as its step stays where it is in the path.
public struct NavigationStack<Step: Equatable, Root: View, Destination: View>: ViewRepresentable {
  private let name: String
  let path: Binding<[Step]>
  private let root: () -> Root
  private let destination: (Step) -> Destination
  private let title: (Step) -> String

  /// The page `root`, which the bar calls `name`, with a page for each step of `path` over it, which `destination` describes and the bar calls
  /// `title`.
  public init(
    _ name: String = "", path: Binding<[Step]>, @ViewBuilder root: @escaping () -> Root,
    @ViewBuilder destination: @escaping (Step) -> Destination, title: @escaping (Step) -> String = { _ in "" }
  ) {
    (self.name, self.path, self.root, self.destination, self.title) = (name, path, root, destination, title)
  }

  /// Makes the view with its first page.
  public func makeView(context: Context) -> PageView {
    let view = PageView()
    view.contentHost.addSubview(HostingView(rootView: root()))
    (view.grow, view.shrink) = (1, 1)
    view.addAction(for: .valueChanged) { [context] _ in
      let path = context.description.path
      path.wrappedValue = Array(path.wrappedValue.prefix(view.selectedIndex))
      // A model may have refused that.
      context.setNeedsUpdate()
    }
    return view
  }

  /// Gives each page what the description says, and goes where the path says.
  public func updateView(_ view: PageView, context: Context) {
    let steps = path.wrappedValue
    if let first = view.pages.first as? HostingView<Root> {
      put(name, over: first.name) { first.name = $0 }
      first.rootView = root()
    }
    // Of the pages that are there, those whose steps are still where they were.
    let pages = view.pages.dropFirst().map { $0 as? StepPage<Step, Destination> }
    let kept = zip(pages, steps).prefix { $0?.step == $1 }.count
    for (page, step) in zip(pages.prefix(kept), steps) { page?.show(title(step), destination(step)) }
    put(kept, over: view.selectedIndex) { view.selectedIndex = $0 }
    for step in steps.dropFirst(kept) {
      let page = StepPage(step, destination(step))
      put(title(step), over: page.name) { page.name = $0 }
      view.push(page)
    }
  }
}

/// The page of a step of a path.
private final class StepPage<Step, Content: View>: Controls.View {
  let step: Step
  private let host: HostingView<Content>

  init(_ step: Step, _ content: Content) {
    self.step = step
    host = HostingView(rootView: content)
    super.init(frame: .zero)
    host.anchors = LayoutAnchors(margins: .zero)
    addSubview(host)
  }

  func show(_ title: String, _ content: Content) {
    put(title, over: self.name) { self.name = $0 }
    host.rootView = content
  }

  override func sizeThatFits(_ size: Size) -> Size? { host.sizeThatFits(size) }
}
