/// Where a header lies for an offset.
nonisolated public struct StickyHeaderModel: Hashable, Sendable {
  /// The height at rest, in points.
  public var minimumHeight: Double

  /// A header `minimumHeight` points high at rest; less than 0 counts as 0, NaN too.
  public init(minimumHeight: Double) {
    self.minimumHeight = minimumHeight > 0 ? minimumHeight : 0
  }

  /// How far the content is pulled beyond its start at `offset`: the article's delta, |y| above 0, else 0 (K22).
  public static func delta(_ offset: Point) -> Double { offset.y < 0 ? abs(offset.y) : 0 }

  /// The header's place in the content at `offset`, `width` points wide: its lower edge stays, its upper edge follows the
  /// window's.
  public func frame(at offset: Point, width: Double) -> Rect {
    let delta = Self.delta(offset)
    return Rect(x: 0, y: -delta, width: width, height: minimumHeight + delta)
  }
}

/// A header at the start of a scroll view's content. Pulled beyond the start it grows, so that no gap is seen above it.
///
/// It goes into the scroll view's `contentView`, directly or deeper inside, and finds the scroll view itself; or it follows
/// one that it is told to (`follow`). It observes the offset and takes nothing from the scroll view, so any number of headers
/// and others can do so at a time (K22), and it stops when it leaves the tree (K-D2). Without a scroll view around it stays
/// where it was put (K-D3).
open class StickyHeaderView: View {
  /// The height at rest, in points.
  @Inspectable public var minimumHeight = 120.0

  /// Besides those of its superclass.
  open override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property(
        "minimumHeight", \StickyHeaderView.minimumHeight, .layout, limits: 0...100_000,
        then: { $0.minimumHeightChanged() })
    ]
  }

  /// The scroll view it follows.
  public private(set) weak var scrollView: ScrollView?
  private weak var chosen: ScrollView?
  private var tokens: [Observation] = []

  /// Makes a header at rest at `frame`, in points of the future superview; it then places itself.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    if frame.isFinite, frame.height > 0 { minimumHeight = frame.height }
  }

  /// Follows `scrollView`, wherever that is; nil for the one around the header.
  public func follow(_ scrollView: ScrollView?) {
    chosen = scrollView
    connect()
  }

  /// Follows the scroll view that is now around it.
  open override func didMoveToRoot() {
    super.didMoveToRoot()
    connect()
  }

  private func connect() {
    let found = root == nil ? nil : chosen ?? enclosingScrollView
    if found !== scrollView || found == nil { tokens = [] }
    if found == nil, scrollView != nil { place(at: .zero) }
    scrollView = found
    if let found, tokens.isEmpty {
      tokens = [
        found.observe(\ScrollView.contentOffset) { [weak self] _ in self?.place() },
        found.observeScrolling { [weak self] in if $0 == .didLayout { self?.place() } },
      ]
    }
    place()
  }

  /// Without a scroll view it keeps its frame.
  private func place() {
    if let scrollView { place(at: scrollView.contentOffset) }
  }

  private func place(at offset: Point) {
    guard let superview else { return }
    frame = StickyHeaderModel(minimumHeight: minimumHeight).frame(at: offset, width: superview.bounds.width)
  }

  private func minimumHeightChanged() {
    place()
    scrollView?.setNeedsLayout()
  }

  /// As wide as there is room, and as high as at rest.
  open override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width.isFinite ? size.width : bounds.width, height: minimumHeight)
  }

  /// How far it is pulled, for people and tools.
  open override var inspection: Inspection {
    super.inspection.adding(["delta": .number(StickyHeaderModel.delta(scrollView?.contentOffset ?? .zero))])
  }
}

extension View {
  /// The nearest scroll view that this view is inside of.
  public var enclosingScrollView: ScrollView? { superview as? ScrollView ?? superview?.enclosingScrollView }
}
