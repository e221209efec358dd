/// A view that shows something of an `Input`. How much room that takes, it says by `sizeThatFits`; when that changed, it
/// calls `setNeedsLayout` (K23).
public protocol InputView<Input>: View {
  /// What it shows something of.
  associatedtype Input
  /// Shows what `input` says now.
  func show(_ input: Input)
}

/// A stack of views that all show the same input: each knows its own part and its own height, the container knows neither
/// (K23). A container is itself such a view, so one can be part of another.
open class ContainerView<Input>: StackView, InputView {
  private var children: [(view: View, show: (Input) -> Void)] = []
  /// What is shown; nil before the first `show`.
  public private(set) var input: Input?

  /// Adds `child` at the end; it is shown the present input at once.
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
    // One that was taken out in another way is no child any more.
    children.removeAll { $0.view.superview !== self }
    for child in children { child.show(input) }
  }
}
