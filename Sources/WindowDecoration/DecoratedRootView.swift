/// A root view whose window always has a title bar and edges for resizing: if the compositor draws none, this view's decoration
/// does.
open class DecoratedRootView: RootView {
  open override func makeDecoration() -> (any WindowDecoration)? { makeDecoration(around: self) }
}

extension RootView {
  /// Makes a decoration around `content` in the appearance of this tree: a title, a close button and, if the compositor supports
  /// them, buttons to maximise and minimise. Return it from `makeDecoration()` of a root view that is not a `DecoratedRootView`,
  /// or of a content that wraps the tree.
  public func makeDecoration(around content: any WindowContent) -> any WindowDecoration {
    DecoratedContent(content, looksOf: self)
  }
}
