/// Pages of which one is shown, with a bar of their titles above them.
///
/// Each view added to it (to `contentHost`) is a page, and fills the room below the bar unless it has anchors. The titles are `choices`, or
/// the names of the pages while that is empty. A tap on a title shows its page; arrows with the focus on the bar do too, and Control with
/// Page Up or Page Down anywhere inside. Only a user's change of the page sends `valueChanged`.
@ListsProperties
public final class TabView: SelectionControl {
  /// The space between the bar and the page, in points.
  @Inspectable(.layout, limits: 0...200) public var spacing = 12.0

  private let bar = ChoiceControl()
  private let host = TabPages()
  private var hadPages = false

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    bar.name = "tabs"
    for view in [bar, host] as [View] { addSubview(view) }
    // A page more or less may bring a bar, or end it.
    host.onLayout = { [unowned self] in
      if bar.titles != barTitles || hadPages != !pages.isEmpty { setNeedsLayout() }
    }
    bar.addAction(for: .valueChanged) { [unowned self] in
      let index = $0.selectedIndex
      // The page decides, for those who choose otherwise in an action.
      choose(index)
      if selectedIndex != index { $0.selectedIndex = selectedIndex }
    }
  }

  /// The pages; add views here.
  public override var contentHost: View { host }

  /// The pages in the order of their titles.
  public var pages: [View] { host.subviews }

  /// The page that is shown; nil if there is none of that number.
  public var selectedPage: View? { pages.indices.contains(selectedIndex) ? pages[selectedIndex] : nil }

  // MARK: Layout

  private var barTitles: [String] {
    let own = titles
    return pages.enumerated().map { index, page in
      own.indices.contains(index) ? own[index] : page.name.isEmpty ? "\(index + 1)" : page.name
    }
  }

  override func choicesDidChange() { setNeedsLayout() }

  override func selectionDidChange() { setNeedsLayout() }

  public override func layoutSubviews() {
    (bar.titles, bar.selectedIndex, host.selectedIndex) = (barTitles, selectedIndex, selectedIndex)
    bar.isEnabled = isEnabled
    hadPages = !pages.isEmpty
    let height = pages.isEmpty ? 0 : min(bar.sizeThatFits(bounds.size).height, bounds.height)
    bar.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
    let top = pages.isEmpty ? 0 : min(height + spacing, bounds.height)
    host.frame = Rect(x: 0, y: top, width: bounds.width, height: bounds.height - top)
  }

  /// As large as the largest page, with the bar.
  public override func sizeThatFits(_ size: Size) -> Size {
    guard !pages.isEmpty else { return Size(width: 44, height: 44) }
    bar.titles = barTitles
    let top = bar.sizeThatFits(size)
    let room = Size(width: size.width, height: max(size.height - top.height - spacing, 0))
    let sizes = pages.map { $0.fittingSize(in: room) }
    return Size(
      width: max(sizes.map(\.width).max() ?? 0, top.width),
      height: top.height + spacing + (sizes.map(\.height).max() ?? 0))
  }

  // MARK: Fingers and keys

  /// False: the bar and the pages take the touches.
  public override func beginTracking(_ touch: Touch) -> Bool { false }

  /// Empty: what is inside handles drags.
  public override var dragAxes: Axes { [] }

  public override var cursor: CursorShape { .arrow }

  /// The bar has the focus.
  public override var canBecomeFirstResponder: Bool { false }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard isEnabled, event.modifiers.contains(.control), event.key == .pageUp || event.key == .pageDown, !pages.isEmpty
    else { return false }
    if event.phase == .down || event.phase == .repeated {
      choose((selectedIndex + (event.key == .pageDown ? 1 : -1)).clamped(to: 0...pages.count - 1))
    }
    return true
  }

  public override func stateDidChange(from old: State) {
    super.stateDidChange(from: old)
    setNeedsLayout()
  }

  // MARK: Accessibility

  /// The bar is the choice; the pages are found beside it.
  public override var accessibilityRole: AccessibilityRole { .group }
}

/// Holds the pages of a tab view, of which it shows one, and tells the view when there may be others.
private final class TabPages: View {
  var selectedIndex = 0 { didSet { if selectedIndex != oldValue { setNeedsLayout() } } }
  var onLayout: () -> Void = {}

  init() { super.init(frame: .zero) }

  /// What no page takes is the tab view's.
  override func hitTest(_ point: Point) -> View? {
    let hit = super.hitTest(point)
    return hit === self ? nil : hit
  }

  override func layoutSubviews() {
    for (index, page) in subviews.enumerated() {
      page.isHidden = index != selectedIndex
      if page.anchors == nil { page.frame = bounds }
    }
    onLayout()
  }
}
