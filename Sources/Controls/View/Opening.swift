/// A view through which what lies below the window's content is seen: a picture of another process, for instance
/// (`Underlay` of Shell). Everything behind the view is taken away where its opening is; what is in front of it stays.
///
/// The window's pixels are clear there, so the root is no longer opaque. Inside a view whose `alpha` is below 1, only that view has the
/// opening.
open class Opening: View {
  /// The opening in the view's own coordinates, in points; nil for none. Give it whole pixels: others are taken away whole.
  public final var seeThroughArea: Rect? {
    didSet {
      guard seeThroughArea != oldValue else { return }
      damage()
      root?.note(self)
    }
  }

  override final var clearedArea: Rect? { seeThroughArea.flatMap { isShown && !$0.isEmpty ? $0 : nil } }

  /// Tells the root that it may be seen through. Call it in an override.
  open override func didMoveToRoot() {
    super.didMoveToRoot()
    root?.note(self)
  }
}

/// A view that a root does not keep.
struct WeakOpening {
  weak var view: Opening?
}
