/// Pages that lie over each other, of which the user goes back to the one before: by a button, a swipe from the leading edge, Escape or
/// Alt+Left.
///
/// Each view added to it (to `contentHost`) is a page, and fills the room below the bar unless it has anchors; `selectedIndex` is the one that is
/// shown. Code goes on by `push(_:)` and back by `pop()`. A page that is left loses what fingers and keys hold in it, and is hidden. Only a
/// user who goes back sends `valueChanged`.
@ListsProperties
public final class PageView: Control {
  /// The number of the page that is shown, from 0. Setting it moves there and sends no event.
  @Inspectable(.none, isReported: true, normalise: { max($0, 0) }, then: PageView.selectionChanged)
  public var selectedIndex = 0
  /// Whether a bar shows the page's name, with a button that goes back.
  @Inspectable(.layout) public var showsBar = true

  private static let barHeight = Control.minimumTouchSide
  /// The breadth at the leading edge from which a swipe goes back.
  private static let edge = 24.0
  /// The part of its way that the page behind moves while another slides over it.
  private static let lag = 0.3

  private let backButton = Button()
  private let titleLabel = Label()
  private let host = PageHost()
  private var pushed: [View] = []
  private var drag: DragAwayModel?
  /// The views that had the focus on the pages when these were left.
  private var focuses: [ObjectIdentifier: Weak<View>] = [:]
  private var shownIndex = 0
  /// Where the pages are, in pages: between two numbers two pages are seen.
  private lazy var position = AnimatedValue(0, of: self, forKey: "position") { [unowned self] _ in placePages() }

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    backButton.name = "back"
    backButton.style = .plain
    titleLabel.textAlignment = .center
    titleLabel.fontWeight = .semibold
    for view in [host, titleLabel, backButton] as [View] { addSubview(view) }
    host.onLayout = { [unowned self] in
      setNeedsLayout()
      placePages()
    }
    backButton.addAction(for: .primaryActionTriggered) { [unowned self] _ in goBack() }
    let swipe = PanGestureRecognizer { [unowned self] pan in swiped(pan) }
    swipe.axes = .horizontal
    swipe.shouldReceive = { [unowned self] touch in
      let x = effectiveLayoutDirection.point(touch.location(in: self), in: bounds.width).x
      return x < Self.edge && canGoBack && !isPageHeld(but: touch)
    }
    addGestureRecognizer(swipe)
  }

  /// The pages; add views here.
  public override var contentHost: View { host }

  /// The pages, the first one at the bottom.
  public var pages: [View] { host.subviews }

  /// The page that is shown; nil if there is none of that number.
  public var selectedPage: View? { pages.indices.contains(selectedIndex) ? pages[selectedIndex] : nil }

  // MARK: Going on and back

  /// Shows `page` over the present one. It leaves the view when the user has gone back; pages beyond the present one leave it now.
  public func push(_ page: View) {
    for old in pages.dropFirst(selectedIndex + 1) { old.removeFromSuperview() }
    pushed.removeAll { $0.superview !== host }
    pushed.append(page)
    page.isHidden = true
    host.addSubview(page)
    selectedIndex = max(pages.count - 1, 0)
  }

  /// Goes back to the page before; nothing happens on the first one.
  public func pop() { if selectedIndex > 0 { selectedIndex -= 1 } }

  private var canGoBack: Bool { isEnabled && selectedIndex > 0 && selectedIndex < pages.count }

  /// Goes back on behalf of the user.
  private func goBack() {
    guard canGoBack else { return }
    pop()
    sendActions(for: .valueChanged)
  }

  private func selectionChanged() {
    let old = shownIndex
    shownIndex = selectedIndex
    leave(old)
    setNeedsLayout()
    // From a page far away it comes as from its neighbour.
    let goal = Double(selectedIndex)
    if abs(position.value - goal) > 1 { position.jump(to: position.value < goal ? goal - 1 : goal + 1) }
    if let root, !root.prefersReducedMotion, isShown, pages.count > 1 {
      position.move(to: goal, spring: Spring(response: 0.32), tolerance: 0.001)
    } else {
      position.jump(to: goal)
    }
    placePages()
  }

  /// Takes the input from a page, and gives the focus to the present one if it was there.
  private func leave(_ index: Int) {
    guard let root, pages.indices.contains(index), index != selectedIndex else { return }
    let page = pages[index]
    let focus = root.firstResponder
    let hadFocus = focus?.isDescendant(of: self) == true
    if hadFocus, focus?.isDescendant(of: page) == true {
      focuses[ObjectIdentifier(page)] = focus.map { Weak(object: $0) }
    }
    root.inputLost(by: page)
    guard hadFocus, let shown = selectedPage else { return }
    // Shown now, so that it can take the focus.
    shown.isHidden = false
    let before = focuses.removeValue(forKey: ObjectIdentifier(shown))?.object
    let known = before.flatMap { $0.isDescendant(of: shown) && $0.canBecomeFirstResponder ? $0 : nil }
    root.setFirstResponder(known ?? shown.keyStops.first ?? (backButton.isHidden ? nil : backButton))
  }

  // MARK: Layout

  public override func layoutSubviews() {
    let height = showsBar ? min(Self.barHeight, bounds.height) : 0
    titleLabel.text = selectedPage?.name ?? ""
    titleLabel.isHidden = !showsBar
    backButton.isHidden = !showsBar || !canGoBack
    placeBar(height: height)
    host.frame = Rect(x: 0, y: height, width: bounds.width, height: max(bounds.height - height, 0))
    placePages()
  }

  /// The title is in the middle; without room for that beside the button, and then in place of the button's word. It is shortened last.
  private func placeBar(height: Double) {
    let wish = titleLabel.sizeThatFits(.zero).width.rounded(.up)
    let word = AccessibilityWords.current.back
    // A mark without width gives the title the view's direction, whatever the word's is: the sign then leads, and points the other way.
    let sign = effectiveLayoutDirection == .rightToLeft ? "\u{200f}‹" : "‹"
    backButton.accessibilityLabel = word
    var start = 0.0
    if !backButton.isHidden {
      for title in [sign + " " + word, sign] {
        backButton.title = title
        start = min(backButton.fittingSize(in: bounds.size).width, bounds.width)
        if start + wish <= bounds.width { break }
      }
    }
    backButton.frame = mirrored(Rect(x: 0, y: 0, width: start, height: height))
    let width = min(wish, bounds.width - start)
    let x = max(min(((bounds.width - width) / 2).rounded(), bounds.width - width), start)
    titleLabel.frame = mirrored(Rect(x: x, y: 0, width: width, height: height))
  }

  /// As large as the largest page, with the bar.
  public override func sizeThatFits(_ size: Size) -> Size {
    let bar = showsBar ? Self.barHeight : 0
    let sizes = pages.map { $0.fittingSize(in: Size(width: size.width, height: max(size.height - bar, 0))) }
    return Size(
      width: max(sizes.map(\.width).max() ?? 0, 44), height: max(bar + (sizes.map(\.height).max() ?? 0), 44))
  }

  private func placePages() {
    let place = position.value
    let width = host.bounds.width
    for (index, page) in pages.enumerated() {
      let distance = Double(index) - place
      let isSeen = index == selectedIndex || (abs(distance) < 1 && place != Double(selectedIndex))
      page.isHidden = !isSeen
      guard isSeen, page.anchors == nil else { continue }
      let x = distance > 0 ? distance * width : distance * width * Self.lag
      let side = effectiveLayoutDirection == .rightToLeft ? -1.0 : 1
      page.setPlacedFrame(Rect(origin: Point(x: x.rounded() * side, y: 0), size: host.bounds.size))
    }
    let rests = place == Double(selectedIndex) && drag == nil
    host.target = rests ? selectedPage : nil
    guard rests else { return }
    for page in pushed where pages.firstIndex(where: { $0 === page }).map({ $0 > selectedIndex }) ?? false {
      page.removeFromSuperview()
    }
    pushed.removeAll { $0.superview !== host }
  }

  // MARK: Fingers and keys

  /// True while another finger than `touch` holds something of the page that is shown: it must not move under that.
  private func isPageHeld(but touch: Touch?) -> Bool {
    guard let page = selectedPage else { return false }
    return root?.touchDispatcher.touches.contains { $0 !== touch && $0.view?.isDescendant(of: page) == true } ?? false
  }

  private func swiped(_ pan: PanGestureRecognizer) {
    let side = effectiveLayoutDirection == .rightToLeft ? -1.0 : 1
    if pan.state == .began, canGoBack, !isPageHeld(but: pan.touches.first) {
      drag = DragAwayModel(length: bounds.width)
    }
    guard var model = drag else { return }
    model.drag(by: pan.translation.x * side)
    switch pan.state {
    case .began, .changed:
      drag = model
      position.jump(to: Double(selectedIndex) - 1 + model.shown)
    case .ended where model.goes(at: pan.velocity.x * side) && canGoBack:
      drag = nil
      goBack()
    default:
      drag = nil
      position.move(to: Double(selectedIndex), spring: Spring(response: 0.32), tolerance: 0.001)
      placePages()
    }
  }

  public override var ownEvents: Event { .valueChanged }

  /// False: the bar and the pages take the touches.
  public override func beginTracking(_ touch: Touch) -> Bool { false }

  /// Empty: what is inside handles drags.
  public override var dragAxes: Axes { [] }

  public override var cursor: CursorShape { .arrow }

  /// What is inside has the focus.
  public override var canBecomeFirstResponder: Bool { false }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    let isBack = event.key == .escape && event.modifiers.isEmpty || event.key == .left && event.modifiers == .alt
    guard isBack, canGoBack || event.phase != .down else { return false }
    if event.phase == .down { goBack() }
    return true
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .group }
}

/// Holds the pages of a page view, and lets fingers to the one that is shown.
private final class PageHost: View {
  var onLayout: () -> Void = {}
  /// The page that takes touches; nil while pages move.
  weak var target: View?

  init() { super.init(frame: .zero) }

  override func hitTest(_ point: Point) -> View? {
    guard let hit = super.hitTest(point), hit !== self, let target, hit.isDescendant(of: target) else { return nil }
    return hit
  }

  override func layoutSubviews() { onLayout() }
}
