/// Lays out its subviews in rows and columns, in order; hidden ones take no space.
///
/// A column with a share gets its part of the width that is left over, a column without one is as wide as what is in it. Rows are as high as
/// what is in them. A view that takes several cells stands in a `GridCell`. As in a stack, each view has the size of its `sizeThatFits`, and
/// one whose size changes calls `setNeedsLayout`.
@ListsProperties
open class Grid: View {
  /// The number of columns.
  @Inspectable(.layout, limits: 1...50) public var columnCount = 2
  /// The share of each column of the width that is left over, from the leading one: `0 1 2`. 0 is for a column that is as wide as what is in
  /// it; columns without a share have 1.
  @Inspectable(.layout) public var columnWeights: GridWeights = []
  /// Between two columns, in points.
  @Inspectable(.layout, limits: 0...10_000) public var columnSpacing = 8.0
  /// Between two rows, in points.
  @Inspectable(.layout, limits: 0...10_000) public var rowSpacing = 8.0
  /// The insets around all cells, in points.
  @Inspectable(.layout) public var insets = EdgeInsets.zero
  /// Whether each view fills its cell; otherwise it has its preferred size in it.
  @Inspectable(.layout) public var fillsCells = true
  /// The horizontal alignment of a view in a cell that it does not fill.
  @Inspectable(.layout) public var horizontalAlignment = HorizontalAlignment.leading
  /// The vertical alignment of a view in a cell that it does not fill.
  @Inspectable(.layout) public var verticalAlignment = VerticalAlignment.center

  /// A grid of `views`.
  public convenience init(_ views: [View], columnCount: Int) {
    self.init(frame: .zero)
    self.columnCount = columnCount
    for view in views { addSubview(view) }
  }

  /// Adds `view`, which takes several cells.
  public func addSubview(_ view: View, columnSpan: Int, rowSpan: Int = 1) {
    let cell = GridCell()
    (cell.columnSpan, cell.rowSpan) = (columnSpan, rowSpan)
    cell.addSubview(view)
    addSubview(cell)
  }

  /// The visible subviews, in order.
  public var arrangedSubviews: [View] { subviews.filter { !$0.isHidden } }

  private var model: GridModel {
    GridModel(
      columnCount: columnCount, weights: columnWeights.weights, columnSpacing: columnSpacing, rowSpacing: rowSpacing,
      insets: insets)
  }

  /// What is known of the views before there are rows: their cells, the sizes that they want and the widths of the columns.
  private struct Plan {
    let views: [View]
    let cells: [GridModel.Cell]
    let preferredWidth: Double
    let columns: [Double]
    let sizes: [Size]
    let rows: [Double]
  }

  /// The plan of a grid of this width; nil for the width that it wants.
  private func plan(width: Double?) -> Plan {
    let (views, model) = (arrangedSubviews, model)
    func wish(of view: View, in size: Size) -> Size {
      let wish = view.sizeThatFits(size) ?? view.ownSize
      return Size(
        width: wish.width.isFinite ? max(wish.width, 0) : view.ownSize.width,
        height: wish.height.isFinite ? max(wish.height, 0) : view.ownSize.height)
    }
    let cells = model.cells(
      of: views.map { ($0 as? any GridSpanning)?.span ?? GridModel.Span() })
    let widths = views.map { wish(of: $0, in: Size(width: .infinity, height: .infinity)).width }
    let preferred = model.preferredWidth(cells, widths)
    let columns = model.columns(cells, widths, in: width ?? preferred)
    // Measured for the width that it gets: a text in several lines needs more height.
    let sizes = zip(views, cells).map { view, cell in
      wish(of: view, in: Size(width: model.width(of: cell, columns), height: .infinity))
    }
    return Plan(
      views: views, cells: cells, preferredWidth: preferred, columns: columns, sizes: sizes,
      rows: model.rows(cells, sizes.map(\.height)))
  }

  /// As wide as its columns want, at most `size`, and as high as its rows are then.
  open override func sizeThatFits(_ size: Size) -> Size {
    let whole = plan(width: nil)
    guard size.width > 0, size.width < whole.preferredWidth else {
      return Size(width: whole.preferredWidth, height: model.height(whole.rows))
    }
    return Size(width: size.width, height: model.height(plan(width: size.width).rows))
  }

  open override func layoutSubviews() {
    let (plan, model, direction) = (plan(width: bounds.width), model, effectiveLayoutDirection)
    for (index, view) in plan.views.enumerated() {
      let cell = model.frame(
        of: plan.cells[index], plan.columns, plan.rows, in: bounds.width, direction: direction)
      guard !fillsCells else {
        view.setPlacedFrame(cell)
        continue
      }
      let size = Size(
        width: min(plan.sizes[index].width, cell.width), height: min(plan.sizes[index].height, cell.height))
      view.setPlacedFrame(
        Rect(
          x: cell.minX + (cell.width - size.width) * horizontalAlignment.fraction(in: direction),
          y: cell.minY + (cell.height - size.height) * verticalAlignment.fraction, width: size.width,
          height: size.height))
    }
  }

  /// True: a subview's own size moves the others.
  open override var placesSubviewsBySize: Bool { true }
}

/// A view that may take several cells of a grid.
protocol GridSpanning: View {
  var span: GridModel.Span { get }
}

/// A cell of a `Grid` over several columns or rows. What is in it fills it, unless it has anchors.
@ListsProperties
public final class GridCell: View, GridSpanning {
  /// The number of columns that it takes; in a grid with fewer, all of them.
  @Inspectable(.none, limits: 1...50, then: GridCell.spanChanged) public var columnSpan = 1
  /// The number of rows that it takes.
  @Inspectable(.none, limits: 1...50, then: GridCell.spanChanged) public var rowSpan = 1

  var span: GridModel.Span { GridModel.Span(columns: columnSpan, rows: rowSpan) }

  private func spanChanged() { superview?.setNeedsLayout() }

  /// As large as the largest view in it.
  public override func sizeThatFits(_ size: Size) -> Size? {
    let sizes = subviews.filter { !$0.isHidden }.map { $0.sizeThatFits(size) ?? $0.ownSize }
    guard !sizes.isEmpty else { return nil }
    return Size(width: sizes.map(\.width).max() ?? 0, height: sizes.map(\.height).max() ?? 0)
  }

  public override func layoutSubviews() {
    for view in subviews where view.anchors == nil { view.setPlacedFrame(bounds) }
  }

  /// True: what is in it decides the size of its row.
  public override var placesSubviewsBySize: Bool { true }
}
