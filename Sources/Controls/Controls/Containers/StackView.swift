/// Lays out its subviews in order, each in the size of its `sizeThatFits`; hidden ones take no space.
///
/// A subview whose own size changes calls `setNeedsLayout`, and the stack and its ancestor stacks are laid out again.
@ListsProperties
open class StackView: View {
  /// How the lengths of subviews along the axis are chosen.
  nonisolated public enum Distribution: String, CaseIterable, Hashable, Sendable {
    /// Their preferred lengths; the alignment along the axis decides on which side the remaining space stays free.
    case natural
    /// All equally long, so that together they fill the axis.
    case fillEqually
    /// Their preferred lengths, with equal space between them so that together they fill the axis.
    case equalSpacing
  }

  /// The direction in which the subviews follow each other; a row follows the direction of layout.
  @Inspectable(.layout) public var axis = Axis.vertical
  /// Whether each subview fills the stack's breadth; otherwise it has its preferred breadth.
  @Inspectable(.layout) public var fillsBreadth = true
  /// The horizontal alignment in free space: of a row as a whole, of each subview of a column.
  @Inspectable(.layout) public var horizontalAlignment = HorizontalAlignment.leading
  /// The vertical alignment in free space: of each subview of a row, of a column as a whole.
  @Inspectable(.layout) public var verticalAlignment = VerticalAlignment.top
  /// How the lengths of subviews along the axis are chosen.
  @Inspectable(.layout) public var distribution = Distribution.natural
  /// Between two neighbours, in points.
  @Inspectable(.layout, limits: 0...10_000) public var spacing = 0.0
  /// The insets around all subviews, in points.
  @Inspectable(.layout) public var insets = EdgeInsets.zero

  /// A stack of `views`, `spacing` points apart.
  public convenience init(_ views: [View], axis: Axis = .vertical, spacing: Double = 0) {
    self.init()
    self.axis = axis
    self.spacing = spacing
    for view in views { addSubview(view) }
  }

  /// The visible subviews, in order.
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
      // An unbounded size carries no preference.
      return Size(
        width: wish.width.isFinite ? max(wish.width, 0) : view.bounds.width,
        height: wish.height.isFinite ? max(wish.height, 0) : view.bounds.height)
    }
  }

  open override func sizeThatFits(_ size: Size) -> Size {
    let model = model
    return model.size(of: sizes(of: arrangedSubviews, model, in: size))
  }

  open override func layoutSubviews() {
    let (views, model) = (arrangedSubviews, model)
    let frames = model.frames(of: sizes(of: views, model, in: bounds.size), in: bounds.size)
    for (view, frame) in zip(views, frames) { view.frame = frame }
  }

  /// True: a subview's own size moves the others.
  open override var placesSubviewsBySize: Bool { true }
}
