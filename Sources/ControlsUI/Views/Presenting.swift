import Controls

/// The part that a button has in an alert.
nonisolated public enum ButtonRole: Hashable, Sendable {
  /// It changes nothing: Escape does the same.
  case cancel
  /// It destroys or stops something: Enter never does it.
  case destructive
}

/// Collects the buttons of an alert, with `if` among them.
@resultBuilder public enum AlertBuilder {
  /// A line of the block.
  public static func buildExpression(_ button: Button) -> [Button] { [button] }
  /// All lines, in order.
  public static func buildBlock(_ parts: [Button]...) -> [Button] { parts.flatMap { $0 } }
  /// An `if` without `else`.
  public static func buildOptional(_ part: [Button]?) -> [Button] { part ?? [] }
  /// The first of two branches.
  public static func buildEither(first: [Button]) -> [Button] { first }
  /// The second of two branches.
  public static func buildEither(second: [Button]) -> [Button] { second }
}

extension View {
  /// Asks over the whole window while `isPresented` is true. A button sets it to false and then calls its action; without any there is one
  /// with the word OK. Escape gives the button with the role `cancel`, and Enter the last one, unless that is `destructive`.
  public func alert(
    _ title: String, isPresented: Binding<Bool>, message: String = "", @AlertBuilder actions: () -> [Button]
  ) -> some View {
    PresentingView(
      content: self,
      front: Alert(title: title, message: message, isPresented: isPresented, buttons: actions()))
  }

  /// Shows a card of `height` points with `content` at the bottom of the window while `isPresented` is true, which a user sets to false by
  /// dragging the card down, a tap beside it, or Escape.
  public func sheet<Inside: View>(
    _ title: String = "", isPresented: Binding<Bool>, height: Double = 280, @ViewBuilder content: @escaping () -> Inside
  ) -> some View {
    PresentingView(
      content: self, front: SheetCard(title: title, isPresented: isPresented, height: height, content: content))
  }
}

/// A description of what lies over the window.
protocol Presentable {
  associatedtype Shown: ModalView
  var isPresented: Binding<Bool> { get }
  func makeView() -> Shown
  /// Gives the view what the description says; what is read here has it called again.
  func show(in view: Shown)
  /// The user has closed it.
  func answered(_ view: Shown)
}

private struct Alert: Presentable {
  let title: String
  let message: String
  let isPresented: Binding<Bool>
  let buttons: [Button]

  func makeView() -> Dialog { Dialog() }

  func show(in dialog: Dialog) {
    put(title, over: dialog.title) { dialog.title = $0 }
    put(message, over: dialog.message) { dialog.message = $0 }
    if !buttons.isEmpty, dialog.answers != buttons.map(\.title) { dialog.answers = buttons.map(\.title) }
    put(buttons.firstIndex { $0.role == .cancel } ?? (buttons.count > 1 ? -1 : 0), over: dialog.cancelIndex) {
      dialog.cancelIndex = $0
    }
    put(buttons.last?.role == .destructive ? -1 : max(buttons.count - 1, 0), over: dialog.defaultIndex) {
      dialog.defaultIndex = $0
    }
  }

  func answered(_ dialog: Dialog) {
    if let answer = dialog.answer, buttons.indices.contains(answer) { buttons[answer].action() }
  }
}

private struct SheetCard<Inside: View>: Presentable {
  let title: String
  let isPresented: Binding<Bool>
  let height: Double
  let content: () -> Inside

  func makeView() -> Sheet {
    let sheet = Sheet()
    sheet.contentHost.addSubview(HostingView(rootView: content()))
    return sheet
  }

  func show(in sheet: Sheet) {
    put(title, over: sheet.title) { sheet.title = $0 }
    put(height, over: sheet.height) { sheet.height = $0 }
    (sheet.contentHost.subviews.first as? HostingView<Inside>)?.rootView = content()
  }

  func answered(_ sheet: Sheet) {}
}

/// A view over whose window something is shown at times.
struct PresentingView<Content: View, Front: Presentable>: PrimitiveView, Builtin {
  let content: Content
  let front: Front

  func node(over old: Node?, at place: Place) -> Node {
    place.keep(old) {
      $0.show(self, at: place)
    } make: {
      PresentingNode(self, at: place)
    }
  }
}

/// The place of a view in front of whose window something is shown at times. It is evaluated again when it comes into a window.
class FrontNode<Content: View>: ActiveNode {
  private var child: Node?

  override init(_ place: Place) {
    super.init(place)
    hub.presenters[ObjectIdentifier(self)] = { [weak self] in self?.setNeedsUpdate() }
  }

  /// Shows the view itself, then what is in front of its window.
  final func show(content: Content, at place: Place) {
    child = build(content, over: child, at: Place(hub: hub, parent: self, look: place.look, isAnew: place.isAnew))
    refresh()
  }

  override func collect(into views: inout [Controls.View]) { child?.collect(into: &views) }

  override func end() {
    super.end()
    hub.presenters[ObjectIdentifier(self)] = nil
    child?.end()
  }
}

/// The place of a view with a dialog or sheet.
final class PresentingNode<Content: View, Front: Presentable>: FrontNode<Content> {
  private var front: Front
  private var view: Front.Shown?

  init(_ description: PresentingView<Content, Front>, at place: Place) {
    front = description.front
    super.init(place)
    show(description, at: place)
  }

  func show(_ new: PresentingView<Content, Front>, at place: Place) {
    front = new.front
    show(content: new.content, at: place)
  }

  /// Opens or closes it. Outside of a window it waits for one.
  override func refresh() {
    super.refresh()
    var isPresented = false
    let shown = view.flatMap { $0.isOpen && $0.root != nil ? $0 : nil }
    var opening: Front.Shown?
    tracker.track(self) {
      isPresented = front.isPresented.wrappedValue
      guard isPresented, hub.view?.root != nil else { return }
      let view = shown ?? front.makeView()
      front.show(in: view)
      if shown == nil { opening = view }
    }
    guard isPresented, let root = hub.view?.root else { return close() }
    guard let opening else { return }
    view = opening
    opening.addAction(for: .valueChanged) { [weak self] _ in
      guard let self, let closed = view else { return }
      view = nil
      front.isPresented.wrappedValue = false
      front.answered(closed)
      // A model may have refused that.
      setNeedsUpdate()
    }
    opening.present(over: root)
  }

  private func close() {
    let old = view
    view = nil
    old?.isOpen = false
  }

  override func end() {
    close()
    super.end()
  }
}
