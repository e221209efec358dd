/// Lays its subviews out one after the other, each as large as its `sizeThatFits` says; hidden ones take no room.
///
/// A subview whose size changes for its own reasons calls `setNeedsLayout`, and the stack is laid out again, as is a stack
/// around it (K23).
open class StackView: View {
  /// Which way the subviews follow each other; a row follows the direction of layout.
  @Inspectable public var axis = Axis.vertical
  /// Whether each fills the stack's breadth, from side to side; otherwise it has the breadth that it likes.
  @Inspectable public var fillsBreadth = true
  /// Where they stand in free room between left and right: all of a row together, each one of a column.
  @Inspectable public var horizontalAlignment = HorizontalAlignment.leading
  /// Where they stand in free room between top and bottom: each one of a row, all of a column together.
  @Inspectable public var verticalAlignment = VerticalAlignment.top
  /// How long they are along it.
  @Inspectable public var distribution = StackModel.Distribution.natural
  /// Between two neighbours, in points.
  @Inspectable public var spacing = 0.0
  /// Around all of them, in points.
  @Inspectable public var insets = EdgeInsets.zero

  /// Besides those of its superclass.
  open override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("axis", \StackView.axis, .layout),
      Property("fillsBreadth", \StackView.fillsBreadth, .layout),
      Property("horizontalAlignment", \StackView.horizontalAlignment, .layout),
      Property("verticalAlignment", \StackView.verticalAlignment, .layout),
      Property("distribution", \StackView.distribution, .layout),
      Property("spacing", \StackView.spacing, .layout, limits: 0...10_000),
      Property("insets", \StackView.insets, .layout),
    ]
  }

  /// A stack of `views`, `spacing` points apart.
  public convenience init(_ views: [View], axis: Axis = .vertical, spacing: Double = 0) {
    self.init()
    self.axis = axis
    self.spacing = spacing
    for view in views { addSubview(view) }
  }

  /// The subviews that take room, in order.
  public var arrangedSubviews: [View] { subviews.filter { !$0.isHidden } }

  private var model: StackModel {
    var model = StackModel()
    (model.axis, model.distribution, model.spacing, model.insets) = (axis, distribution, spacing, insets)
    (model.fillsBreadth, model.direction) = (fillsBreadth, effectiveLayoutDirection)
    (model.horizontalAlignment, model.verticalAlignment) = (horizontalAlignment, verticalAlignment)
    return model
  }

  private func sizes(of views: [View], _ model: StackModel, in size: Size) -> [Size] {
    let proposal = model.proposal(for: size)
    return views.map { view in
      guard let wish = view.sizeThatFits(proposal) else { return view.bounds.size }
      // What has no end has no wish.
      return Size(
        width: wish.width.isFinite ? max(wish.width, 0) : view.bounds.width,
        height: wish.height.isFinite ? max(wish.height, 0) : view.bounds.height)
    }
  }

  /// The size that holds all subviews inside `size` (K8).
  open override func sizeThatFits(_ size: Size) -> Size {
    let model = model
    return model.size(of: sizes(of: arrangedSubviews, model, in: size))
  }

  /// Puts the subviews one after the other.
  open override func layoutSubviews() {
    let (views, model) = (arrangedSubviews, model)
    let frames = model.frames(of: sizes(of: views, model, in: bounds.size), in: bounds.size)
    for (view, frame) in zip(views, frames) { view.frame = frame }
  }

  /// True: a subview's own size moves the others.
  open override var placesSubviewsBySize: Bool { true }
}
