import Controls

/// Views in a row.
public struct HStack<Content: View>: Container {
  let content: Content
  private let (alignment, spacing, distribution): (VerticalAlignment?, Double, Distribution)

  /// The views in `content` from the leading side on, `spacing` points apart; what is left over stays free on both sides, unless a view
  /// grows. Each has its own height in the middle; `alignment` nil stretches them to the row's.
  public init(
    alignment: VerticalAlignment? = .center, spacing: Double = 8, distribution: Distribution = .natural,
    @ViewBuilder content: () -> Content
  ) {
    (self.alignment, self.spacing, self.distribution) = (alignment, spacing, distribution)
    self.content = content()
  }

  func makeHost() -> StackView { StackView([], axis: .horizontal) }

  func show(in host: StackView) {
    put(spacing, over: host.spacing) { host.spacing = $0 }
    put(distribution, over: host.distribution) { host.distribution = $0 }
    put(.center, over: host.horizontalAlignment) { host.horizontalAlignment = $0 }
    put(alignment == nil, over: host.fillsBreadth) { host.fillsBreadth = $0 }
    put(alignment ?? .center, over: host.verticalAlignment) { host.verticalAlignment = $0 }
  }
}

/// Views in a column.
public struct VStack<Content: View>: Container {
  let content: Content
  private let (alignment, spacing, distribution): (HorizontalAlignment?, Double, Distribution)

  /// The views in `content` from the top down, `spacing` points apart; what is left over stays free above and below, unless a view grows. Each
  /// is as wide as the column, as controls want to be; with an `alignment` each has its own width.
  public init(
    alignment: HorizontalAlignment? = nil, spacing: Double = 8, distribution: Distribution = .natural,
    @ViewBuilder content: () -> Content
  ) {
    (self.alignment, self.spacing, self.distribution) = (alignment, spacing, distribution)
    self.content = content()
  }

  func makeHost() -> StackView { StackView([]) }

  func show(in host: StackView) {
    put(spacing, over: host.spacing) { host.spacing = $0 }
    put(distribution, over: host.distribution) { host.distribution = $0 }
    put(.center, over: host.verticalAlignment) { host.verticalAlignment = $0 }
    put(alignment == nil, over: host.fillsBreadth) { host.fillsBreadth = $0 }
    put(alignment ?? .leading, over: host.horizontalAlignment) { host.horizontalAlignment = $0 }
  }
}

/// Views in a row where there is more width than height, otherwise in a column. A turned screen keeps the views.
public struct AdaptiveStack<Content: View>: Container {
  let content: Content
  private let (spacing, distribution): (Double, Distribution)

  /// The views in `content`, `spacing` points apart, each as wide or high as the stack.
  public init(spacing: Double = 8, distribution: Distribution = .natural, @ViewBuilder content: () -> Content) {
    (self.spacing, self.distribution) = (spacing, distribution)
    self.content = content()
  }

  func makeHost() -> TurningStack { TurningStack() }

  func show(in host: TurningStack) {
    put(spacing, over: host.spacing) { host.spacing = $0 }
    put(distribution, over: host.distribution) { host.distribution = $0 }
  }
}

/// A stack whose axis follows its shape.
final class TurningStack: StackView {
  override func layoutSubviews() {
    put(bounds.width > bounds.height ? .horizontal : .vertical, over: self.axis) { self.axis = $0 }
    super.layoutSubviews()
  }
}

/// Views in rows and columns, each of which fills its cell; a hidden one takes none.
public struct Grid<Content: View>: Container {
  let content: Content
  private let (columns, spacing): (Int, Double)

  /// The views in `content` in rows of `columns`, 1...50, all `spacing` points apart. Columns have the same share of the width that is left over.
  public init(columns: Int, spacing: Double = 8, @ViewBuilder content: () -> Content) {
    (self.columns, self.spacing, self.content) = (columns, spacing, content())
  }

  func makeHost() -> Controls.Grid { Controls.Grid() }

  func show(in host: Controls.Grid) {
    put(columns, over: host.columnCount) { host.columnCount = $0 }
    put(spacing, over: host.columnSpacing) { host.columnSpacing = $0 }
    put(spacing, over: host.rowSpacing) { host.rowSpacing = $0 }
  }
}

/// Views over each other, the last in front, each as large as the stack.
public struct ZStack<Content: View>: Container {
  let content: Content

  /// The views in `content`, from the back to the front.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  func makeHost() -> LayeredView { LayeredView() }

  func show(in host: LayeredView) {}
}

/// A view whose subviews lie over each other.
final class LayeredView: Controls.View {
  override var placesSubviewsBySize: Bool { true }

  override func sizeThatFits(_ size: Size) -> Size {
    subviews.filter { !$0.isHidden }.reduce(.zero) { most, view in
      let wish = view.sizeThatFits(size) ?? view.bounds.size
      return Size(width: max(most.width, wish.width), height: max(most.height, wish.height))
    }
  }

  override func layoutSubviews() { for view in subviews { view.setPlacedFrame(bounds) } }
}

/// Views in a column that scrolls.
public struct ScrollView<Content: View>: Container {
  let content: Content

  /// The views in `content`, as wide as the view and as high as they need.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  func makeHost() -> Controls.ScrollView {
    let view = Controls.ScrollView()
    (view.scrollsHorizontally, view.grow, view.shrink) = (false, 1, 1)
    let column = StackView([])
    var anchors = LayoutAnchors(margins: .zero)
    anchors.bottom = nil
    column.anchors = anchors
    view.contentView.addSubview(column)
    return view
  }

  func show(in host: Controls.ScrollView) {}

  func room(in host: Controls.ScrollView) -> Controls.View { host.contentView.subviews.first ?? host.contentView }
}

/// Free space that takes what is left over in its stack.
public struct Spacer: ViewRepresentable, Equatable, Plain {
  private let minLength: Double

  /// At least `minLength` points.
  public init(minLength: Double = 0) { self.minLength = minLength }

  /// Makes the space.
  public func makeView(context: Context) -> Controls.View {
    let view = SpaceView()
    view.grow = 1
    view.isUserInteractionEnabled = false
    return view
  }

  /// Gives it its least length.
  public func updateView(_ view: Controls.View, context: Context) { (view as? SpaceView)?.length = minLength }
}

private final class SpaceView: Controls.View {
  @Redraws(.layout) var length = 0.0

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width.isFinite ? 0 : length, height: size.height.isFinite ? 0 : length)
  }
}

/// A line between two views of a stack.
public struct Divider: ViewRepresentable, Equatable, Plain {
  /// A line across the stack.
  public init() {}

  /// Makes the line.
  public func makeView(context: Context) -> Controls.View {
    let view = LineView()
    view.isUserInteractionEnabled = false
    return view
  }

  /// Does nothing: it is always the same.
  public func updateView(_ view: Controls.View, context: Context) {}
}

private final class LineView: Controls.View {
  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width.isFinite ? size.width : 1, height: size.height.isFinite ? size.height : 1)
  }

  override func draw(_ canvas: Canvas) { canvas.fill(bounds, theme.hairline) }
}
