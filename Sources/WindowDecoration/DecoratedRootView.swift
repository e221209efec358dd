/// A root view whose window has a title bar, and edges to resize it, also where the compositor draws none.
open class DecoratedRootView: RootView {
  /// A decoration around this tree.
  open override func makeDecoration() -> (any WindowDecoration)? { makeDecoration(around: self) }
}

extension RootView {
  /// A decoration around `content` in the appearance of this tree: title, close and, if the compositor supports them, maximise and
  /// minimise. For content that puts something between the window and the tree, and for a tree of another class: override
  /// `makeDecoration()`, and return this.
  public func makeDecoration(around content: any WindowContent) -> any WindowDecoration {
    DecoratedContent(content, looksOf: self)
  }
}
