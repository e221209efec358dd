/// Lays out its subviews in order, each in the size of its `sizeThatFits`; hidden ones take no space.
///
/// Space that is left over or missing along the axis is shared out as in flexbox, by the subviews' `grow` and `shrink`. By
/// default labels shrink, and so do stacks as far as their own subviews do; controls keep their size, so that a long text
/// never pushes a control out of reach.
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

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    shrink = 1
  }

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

  /// The sizes of `views` in a stack of `size`; an infinite length along the axis is no limit.
  private func sizes(of views: [View], _ model: StackModel, in size: Size) -> [Size] {
    let proposal = model.proposal(for: size)
    func wish(of view: View, in proposal: Size) -> Size {
      guard let wish = view.sizeThatFits(proposal) else { return view.ownSize }
      // An unbounded size carries no preference.
      return Size(
        width: wish.width.isFinite ? max(wish.width, 0) : view.ownSize.width,
        height: wish.height.isFinite ? max(wish.height, 0) : view.ownSize.height)
    }
    var sizes = views.map { wish(of: $0, in: proposal) }
    let room = model.room(in: size)
    let isShort = model.size(of: sizes)[axis] > size[axis]
    guard room.isFinite, views.contains(where: { isShort ? $0.shrink > 0 : $0.grow > 0 }) else { return sizes }
    let items = zip(views, sizes).map { view, size in
      let least = isShort && view.shrink > 0 ? view.leastLength(along: axis, of: size) : 0
      return StackModel.Item(length: size[axis], grow: view.grow, shrink: view.shrink, least: least)
    }
    // Measured for the length that it gets: a text in several lines needs more breadth.
    for (index, length) in model.lengths(of: items, in: room).enumerated()
    where length != sizes[index][axis] {
      let breadth = wish(of: views[index], in: Size(length, along: axis, breadth: proposal[axis.other]))[axis.other]
      sizes[index] = Size(length, along: axis, breadth: breadth)
    }
    return sizes
  }

  /// As wide and high as its subviews with their preferred lengths; a row that is wider than `size` is as narrow as subviews
  /// that shrink allow. A column does not shrink by itself, as its height is what others are placed by.
  open override func sizeThatFits(_ size: Size) -> Size {
    let (views, model) = (arrangedSubviews, model)
    // Without a limit along the axis nothing shrinks, and nothing grows: what is left over belongs to others.
    let wanted = model.size(of: sizes(of: views, model, in: Size(.infinity, along: axis, breadth: size[axis.other])))
    guard axis == .horizontal, size.width > 0, size.width < wanted.width, superview?.scrolls(along: axis) != true
    else { return wanted }
    return model.size(of: sizes(of: views, model, in: size))
  }

  /// The length that is left if all subviews that shrink have shrunk; across the axis, that of the one which needs most.
  override func leastLength(along axis: Axis, of size: Size) -> Double {
    let (views, model) = (arrangedSubviews, model)
    let sizes = sizes(of: views, model, in: Size(.infinity, along: self.axis, breadth: size[self.axis.other]))
    let least = zip(views, sizes).map { view, size in
      let length = view.shrink > 0 ? view.leastLength(along: axis, of: size) : size[axis]
      return Size(length, along: axis, breadth: size[axis.other])
    }
    return model.size(of: least)[axis]
  }

  open override func layoutSubviews() {
    let (views, model) = (arrangedSubviews, model)
    let frames = model.frames(of: sizes(of: views, model, in: bounds.size), in: bounds.size)
    for (view, frame) in zip(views, frames) { view.setPlacedFrame(frame) }
  }

  /// True: a subview's own size moves the others.
  open override var placesSubviewsBySize: Bool { true }
}
