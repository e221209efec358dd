/// A card that comes from the bottom edge, for a task beside the present one.
///
/// A drag downwards on it, a tap beside it and Escape close it; only these send `valueChanged`, not code that closes it. Views inside that use
/// vertical drags themselves keep them.
@ListsProperties
public final class Sheet: ModalView {
  /// The height of the card in points, as far as there is room.
  @Inspectable(.layout, limits: 88...4000) public var height = 280.0
  /// Whether a tap beside the card closes it.
  @Inspectable(.none) public var closesByTapBeside = true

  private static let widest = 640.0
  /// The room above the card that is left of what lies behind.
  private static let above = 24.0
  /// The room of the mark by which it is dragged, and the distance around the content.
  private static let head = 24.0
  private static let padding = 16.0
  private var drag: DragAwayModel?

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    card.isSheet = true
    let pan = PanGestureRecognizer { [unowned self] pan in panned(pan) }
    pan.axes = .vertical
    pan.shouldReceive = { [unowned self] touch in card.frame.contains(touch.location(in: self)) }
    addGestureRecognizer(pan)
  }

  // MARK: Layout

  private var cardSize: Size {
    Size(
      width: min(bounds.width, Self.widest), height: max(min(height, bounds.height - Self.above), 0))
  }

  override func placeCard() {
    let size = cardSize
    card.frame = Rect(
      x: ((bounds.width - size.width) / 2).rounded(), y: (bounds.height - size.height * reveal.value).rounded(),
      width: size.width, height: size.height)
    let inner = max(size.width - 2 * Self.padding, 0)
    let title = titleLabel.text.isEmpty ? 0 : titleLabel.sizeThatFits(.zero).height
    titleLabel.frame = Rect(x: Self.padding, y: Self.head, width: inner, height: title)
    let top = Self.head + (title > 0 ? title + 12 : 0)
    placeContent(
      Rect(x: Self.padding, y: top, width: inner, height: max(size.height - top - Self.padding, 0)))
  }

  // MARK: Fingers and keys

  private func panned(_ pan: PanGestureRecognizer) {
    guard isOpen, isEnabled else { return }
    if pan.state == .began { drag = DragAwayModel(length: cardSize.height) }
    guard var model = drag else { return }
    model.drag(by: pan.translation.y)
    switch pan.state {
    case .began, .changed:
      drag = model
      reveal.jump(to: model.shown)
    case .ended where model.goes(at: pan.velocity.y):
      drag = nil
      dismiss()
    default:
      drag = nil
      reveal.move(to: 1)
    }
  }

  override func groundTapped() { if closesByTapBeside { dismiss() } }

  /// Closes it on behalf of the user.
  private func dismiss() {
    guard isOpen, isEnabled else { return }
    isOpen = false
    sendActions(for: .valueChanged)
  }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard isOpen, takesKey(event), event.key == .escape else { return false }
    if event.phase == .up { dismiss() }
    return true
  }

  // MARK: Accessibility

  public override var accessibilityActions: [AccessibilityAction] {
    guard isOpen else { return [] }
    return [
      AccessibilityAction("close", title: AccessibilityWords.current.closeWindow) { [unowned self] in dismiss() }
    ]
  }
}
