/// Keeps anchors apart from the view, since most views have none.
final class AnchorBox {
  let anchors: LayoutAnchors

  init(_ anchors: LayoutAnchors) {
    self.anchors = anchors
  }
}

extension View {
  /// The view's position by its superview's and siblings' edges; nil if `frame` is set by code or by the superview. The frame
  /// is updated whenever the superview is laid out, after its `layoutSubviews`, and when a sibling moves that it refers to.
  public var anchors: LayoutAnchors? {
    get { anchorBox?.anchors }
    set {
      guard newValue != anchors else { return }
      anchorBox = newValue.map(AnchorBox.init)
      guard let superview else { return }
      superview.anchorPlan = nil
      superview.hasAnchoredSubviews = true
      superview.setNeedsLayout()
    }
  }

  /// A subview's name changed, and others may refer to it.
  func siblingWasRenamed() {
    guard hasAnchoredSubviews else { return }
    anchorPlan = nil
    setNeedsLayout()
  }

  func placeAnchoredSubviews(in size: Size) {
    guard hasAnchoredSubviews else { return }
    let plan = anchorPlan ?? AnchorPlan(self)
    anchorPlan = plan
    plan.place(self, in: size)
    hasAnchoredSubviews = !plan.isEmpty
  }
}
