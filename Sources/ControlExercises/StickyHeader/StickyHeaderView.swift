/// Computes the frame of a sticky header from the scroll view's offset.
nonisolated public struct StickyHeaderModel: Hashable, Sendable {
  /// The height at rest, in points.
  public var minimumHeight: Double

  /// A header with a resting height of `minimumHeight` points; negative values and NaN count as 0.
  public init(minimumHeight: Double) {
    self.minimumHeight = minimumHeight > 0 ? minimumHeight : 0
  }

  /// The distance that the content is pulled beyond its start at `offset`: |y| above 0, otherwise 0.
  public static func delta(_ offset: Point) -> Double { offset.y < 0 ? abs(offset.y) : 0 }

  /// The header's frame in the content at `offset`, `width` points wide. Its lower edge stays, its upper edge follows the
  /// viewport's.
  public func frame(at offset: Point, width: Double) -> Rect {
    let delta = Self.delta(offset)
    return Rect(x: 0, y: -delta, width: width, height: minimumHeight + delta)
  }
}

/// A header at the start of a scroll view's content. When the content is pulled beyond its start, the header grows to fill the
/// gap.
///
/// Place it in the scroll view's `contentView`, directly or deeper inside, and it finds the scroll view itself; or set one with
/// `follow`. It only observes the offset, so a scroll view can have any number of headers and other observers. It stops when it
/// leaves the tree. Without an ancestor scroll view it stays where it was put.
@ListsProperties
open class StickyHeaderView: View {
  /// The height at rest, in points: that of the frame which was set, or 120 without one, until it is set itself.
  @Inspectable(\StickyHeaderView.restingHeight, .layout, limits: 0...100_000) public var minimumHeight: Double
  private var restingHeight: Double {
    get { chosenHeight ?? (ownSize.height > 0 ? ownSize.height : 120) }
    set { chosenHeight = newValue }
  }
  private var chosenHeight: Double? {
    didSet {
      guard chosenHeight != oldValue else { return }
      place()
      scrollView?.setNeedsLayout()
      didChange(\StickyHeaderView.minimumHeight)
    }
  }

  /// The scroll view it follows.
  public private(set) weak var scrollView: ScrollView?
  private weak var chosen: ScrollView?
  private var tokens: [ObservationToken] = []
  /// Its frame and its size at rest when it was placed last.
  private var (placedFrame, sizeAtRest) = (Rect.zero, Size.zero)

  /// Follows `scrollView`, wherever it is in the tree; nil follows the nearest scroll view that contains the header.
  public func follow(_ scrollView: ScrollView?) {
    chosen = scrollView
    connect()
  }

  /// Follows the present ancestor scroll view.
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

  /// Positions the header for the scroll view's offset; without a scroll view the header keeps its frame.
  private func place() {
    if let scrollView { place(at: scrollView.contentOffset) }
  }

  private func place(at offset: Point) {
    guard let superview else { return }
    let model = StickyHeaderModel(minimumHeight: minimumHeight)
    let width = superview.bounds.width
    let atRest = model.frame(at: .zero, width: width).size
    // The content was measured with an older size, or with a frame that somebody else has set since.
    if atRest != sizeAtRest || frame != placedFrame { scrollView?.setNeedsLayout() }
    setPlacedFrame(model.frame(at: offset, width: width))
    (sizeAtRest, placedFrame) = (atRest, frame)
  }

  /// As wide as the available space, and as high as at rest.
  open override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width.isFinite ? size.width : ownSize.width, height: minimumHeight)
  }

  open override var inspection: Inspection {
    super.inspection.adding(["delta": .number(StickyHeaderModel.delta(scrollView?.contentOffset ?? .zero))])
  }
}
