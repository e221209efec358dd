/// The base of `Dialog` and `Sheet`: a card over a dimmed ground, which has all input while it is open.
///
/// It dims and covers its own frame: with `present(over:)` the whole window, in a layout file what its anchors say, so it is written last there,
/// at the top. Input is kept from the whole window all the same. Closed it is hidden. When it opens, everything that fingers and keys hold is
/// cancelled (`touchesCancelled`), so that nothing stays held; then the focus stays inside, and when it closes goes back to where it was. A
/// finger that was down before counts again only after it is lifted.
@ListsProperties(without: \View.isHidden)
public class ModalView: Control {
  /// Whether it is shown. Setting it sends no event.
  @Inspectable(.none, isReported: true, then: ModalView.isOpenChanged) public var isOpen = false
  /// Whether it has all input while it is open. If false, fingers, keys and assistive technology reach what lies around it too, once what they
  /// held when it opened is let go.
  @Inspectable(.none, then: ModalView.isModalChanged) public var isModal = true
  /// The title, in one line; empty for none.
  @Inspectable(.layout, isReported: true, then: ModalView.titleChanged) public var title = ""

  private static let time = Duration.milliseconds(180)
  /// The opacity of the black over what lies behind, with usual and with high contrast.
  private static let dim = (usual: 0.45, contrast: 0.7)

  /// The travel of a finger, in points, with which it is no tap any more.
  private static let tapReach = 10.0

  let card = ModalCard()
  let titleLabel = Label()
  private let host = ModalContent()
  private weak var modalRoot: RootView?
  private var removesItself = false
  /// How much of it is shown, from 0 to 1.
  private(set) lazy var reveal = AnimatedValue(0, of: self, forKey: "reveal") { [unowned self] _ in revealed() }

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isHidden = true
    titleLabel.fontWeight = .semibold
    addSubview(card)
    for view in [titleLabel, host] as [View] { card.addSubview(view) }
  }

  /// The room for content of the program's own, below the title. A view without anchors fills it.
  public override var contentHost: View { host }

  /// The view that has the focus first; nil for the first one that can have it.
  var firstFocus: View? { nil }

  /// What assistive technology says when it opens.
  var announcement: String { title }

  // MARK: Opening

  /// Shows it over the whole window of `view`, in front of all that is there, until it is closed; it leaves the window then.
  public final func present(over view: View) {
    guard let root = view.root, !isOpen else { return }
    removesItself = true
    anchors = LayoutAnchors(margins: .zero)
    self.frame = root.bounds
    root.addSubview(self)
    isOpen = true
  }

  private func isOpenChanged() {
    card.isUserInteractionEnabled = isOpen
    if isOpen {
      isHidden = false
      setNeedsLayout()
      enter()
    } else {
      leave()
    }
    let goal = isOpen ? 1.0 : 0
    if root?.prefersReducedMotion == false {
      reveal.move(to: goal, duration: Self.time, curve: .easeOut)
    } else {
      reveal.jump(to: goal)
    }
    // It may have been at its goal already.
    revealed()
  }

  private func isModalChanged() {
    guard isOpen else { return }
    leave()
    enter()
  }

  private func titleChanged() { titleLabel.text = title }

  private func enter() {
    guard isOpen, let root else { return }
    modalRoot = root
    root.announce(announcement)
    layoutIfNeeded()
    root.beginModal(self, focus: firstFocus, takesInput: isModal)
  }

  private func leave() {
    let root = modalRoot
    modalRoot = nil
    root?.endModal(self)
  }

  public override func didMoveToRoot() {
    guard root !== modalRoot else { return }
    leave()
    if root != nil { enter() }
  }

  private func revealed() {
    setNeedsDisplay()
    placeCard()
    guard !isOpen, reveal.value == 0 else { return }
    isHidden = true
    root?.forgetModal(self)
    if removesItself { removeFromSuperview() }
  }

  // MARK: Layout and drawing

  /// Sets the frames of the card and of what is in it, for `reveal`.
  func placeCard() {}

  /// The frame of the content, in the card.
  func placeContent(_ frame: Rect) { host.frame = frame }

  /// The height that the content wants at `width`.
  func contentHeight(width: Double) -> Double {
    host.subviews.filter { !$0.isHidden }.map { view in
      (view.sizeThatFits(Size(width: width, height: .infinity)) ?? view.ownSize).height
    }.filter(\.isFinite).max() ?? 0
  }

  public override func layoutSubviews() { placeCard() }

  /// All the room that there is.
  public override func sizeThatFits(_ size: Size) -> Size {
    Size(
      width: size.width.isFinite && size.width > 0 ? size.width : ownSize.width,
      height: size.height.isFinite && size.height > 0 ? size.height : ownSize.height)
  }

  public override func draw(_ canvas: Canvas) {
    guard reveal.value > 0 else { return }
    let dim = theme.isHighContrast ? Self.dim.contrast : Self.dim.usual
    canvas.fill(bounds, Color.black.withAlpha(dim * reveal.value.clamped(to: 0...1)))
  }

  /// Nothing but the dimmed ground is drawn, and that does not change with the state.
  public override func stateDidChange(from old: State) {}

  // MARK: Input

  /// A finger beside the card was lifted there.
  func groundTapped() {}

  public override var ownEvents: Event { .valueChanged }

  public override var canBecomeFirstResponder: Bool { false }

  public override var cursor: CursorShape { .arrow }

  /// While it closes it takes nothing any more.
  public override func hitTest(_ point: Point) -> View? { isOpen ? super.hitTest(point) : nil }

  /// What lies behind is not scrolled.
  public override func handleScroll(at point: Point, dx: Double, dy: Double) -> Bool { isOpen }

  public override func endTracking(_ touch: Touch) {
    let places = [touch.startLocation(in: self), touch.location(in: self)]
    let isTap = places[0].distance(to: places[1]) < Self.tapReach
    if isTap, isOpen, isEnabled, places.allSatisfy({ bounds.contains($0) && !card.frame.contains($0) }) {
      groundTapped()
    }
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .dialog }
  public override var accessibilityTitle: String { title.isEmpty ? name : title }
}

/// The card of a dialog or sheet.
final class ModalCard: View {
  static let cornerRadius = 14.0
  /// True for a card at the bottom edge, whose lower corners are not round, with a mark to drag it by.
  var isSheet = false

  init() { super.init(frame: .zero) }

  /// A finger on it, beside what is in it, is the dialog's.
  override func hitTest(_ point: Point) -> View? {
    let hit = super.hitTest(point)
    return hit === self ? nil : hit
  }

  override func draw(_ canvas: Canvas) {
    let radius = Self.cornerRadius
    let below = isSheet ? radius : 0
    let shape = Rect(x: 0, y: 0, width: bounds.width, height: bounds.height + below)
    canvas.fill(roundedRect: shape, cornerRadius: radius, theme.panel)
    canvas.stroke(roundedRect: shape.insetBy(dx: 0.5, dy: 0.5), cornerRadius: radius - 0.5, theme.hairline)
    guard isSheet else { return }
    let mark = Rect(x: (bounds.midX - 18).rounded(), y: 8, width: 36, height: 4)
    canvas.fill(roundedRect: mark, cornerRadius: 2, theme.thumbOutline)
  }
}

/// Holds the content that a program gives a dialog or a sheet.
private final class ModalContent: View {
  init() { super.init(frame: .zero) }

  /// What no view takes is the card's.
  override func hitTest(_ point: Point) -> View? {
    let hit = super.hitTest(point)
    return hit === self ? nil : hit
  }

  override func layoutSubviews() {
    for view in subviews where view.anchors == nil { view.setPlacedFrame(bounds) }
  }
}
