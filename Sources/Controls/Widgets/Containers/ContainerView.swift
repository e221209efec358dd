/// A view that shows part of an `Input`. It reports its size by `sizeThatFits` and calls `setNeedsLayout` when that changes.
public protocol InputView<Input>: View {
  /// The type of which the view shows a part.
  associatedtype Input
  /// Shows what `input` says now.
  func show(_ input: Input)
}

/// A stack of views that all show the same input. Each view knows its own part and height, the container knows neither. A
/// container is itself such a view, so containers can be nested.
open class ContainerView<Input>: StackView, InputView {
  private var children: [(view: View, show: (Input) -> Void)] = []
  /// The input that is shown; nil before the first `show`.
  public private(set) var input: Input?

  /// Appends `child` and shows it the present input at once.
  public func addChild<Child: InputView<Input>>(_ child: Child) {
    guard !isDescendant(of: child) else { return }
    removeChild(child)
    children.append((child, { [unowned child] in child.show($0) }))
    addSubview(child)
    if let input { child.show(input) }
  }

  /// Takes `child` out.
  public func removeChild(_ child: View) {
    guard children.contains(where: { $0.view === child }) else { return }
    children.removeAll { $0.view === child }
    if child.superview === self { child.removeFromSuperview() }
  }

  /// Has every child show `input`, in the order in which they were added.
  public func show(_ input: Input) {
    self.input = input
    // A view that was removed in another way is no longer a child.
    children.removeAll { $0.view.superview !== self }
    for child in children { child.show(input) }
  }
}
