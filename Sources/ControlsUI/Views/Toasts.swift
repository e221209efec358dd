import Controls

extension View {
  /// Shows `message` near the bottom edge of the window for some seconds, in front of everything, whenever it becomes a text, and sets it to an
  /// empty one again: the same text may come twice. Several follow each other. Outside of a window it waits for one.
  public func toast(_ message: Binding<String>) -> some View { ToastingView(content: self, message: message) }
}

/// A view over whose window short messages are shown.
struct ToastingView<Content: View>: PrimitiveView, Builtin {
  let content: Content
  let message: Binding<String>

  func node(over old: Node?, at place: Place) -> Node {
    place.keep(old) {
      $0.show(self, at: place)
    } make: {
      ToastingNode(self, at: place)
    }
  }
}

/// The place of such a view.
final class ToastingNode<Content: View>: FrontNode<Content> {
  private var message: Binding<String>

  init(_ description: ToastingView<Content>, at place: Place) {
    message = description.message
    super.init(place)
    show(description, at: place)
  }

  func show(_ new: ToastingView<Content>, at place: Place) {
    message = new.message
    show(content: new.content, at: place)
  }

  /// Shows the message and takes it from the model. Outside of a window it waits for one.
  override func refresh() {
    super.refresh()
    var text = ""
    tracker.track(self) { text = message.wrappedValue }
    guard !text.isEmpty, let view = hub.view, view.root != nil else { return }
    Toast.show(text, over: view)
    message.wrappedValue = ""
  }
}
