import Controls
import UICore

/// A view in one of its states, on a card. The normal one takes touches; the others show one state.
final class CatalogueCell: View {
  private static let captionHeight = 36.0
  private static let padding = 16.0
  private static let cornerRadius = 12.0

  let sample: CatalogueSample
  let state: CatalogueState
  /// True if space is short and other cells are beside it.
  var isCompact = false {
    didSet { if isCompact != oldValue { setNeedsLayout() } }
  }
  private var ring: FocusRing?

  init(_ sample: CatalogueSample, _ state: CatalogueState) {
    self.sample = sample
    self.state = state
    super.init(frame: .zero)
    name = state.title
    addSubview(sample.view)
    guard let control = sample.subject as? Control, !isLive else { return }
    isUserInteractionEnabled = false
    control.pose(state.state)
    if state.state.contains(.focused) {
      let ring = FocusRing()
      self.ring = ring
      addSubview(ring)
    }
  }

  /// True for the cell that the user can touch.
  var isLive: Bool { state.state == .normal }

  // MARK: Layout

  override var placesSubviewsBySize: Bool { true }

  override func sizeThatFits(_ size: Size) -> Size {
    let inside = sample.size(isCompact: isCompact)
    return Size(
      width: max(inside.width + 2 * Self.padding, isCompact ? 136 : 176),
      height: Self.captionHeight + max(inside.height, isCompact ? 44 : 72) + Self.padding)
  }

  override func layoutSubviews() {
    let size = sample.size(isCompact: isCompact)
    let room = Rect(
      x: 0, y: Self.captionHeight, width: bounds.width,
      height: max(bounds.height - Self.captionHeight - Self.padding, 0))
    sample.view.frame = Rect(
      x: ((room.width - size.width) / 2).rounded(), y: (room.minY + (room.height - size.height) / 2).rounded(),
      width: size.width, height: size.height)
    sample.view.layoutIfNeeded()
    placeRing()
  }

  /// Positions the ring around the view that would get the focus first.
  private func placeRing() {
    guard let ring else { return }
    let focused = sample.subject.keyStops.first ?? sample.subject
    ring.isHidden = focused.showsFocusItself
    ring.frame = ring.surround(focused, in: self)
    ring.ring = ring.bounds
  }

  // MARK: Drawing

  override func draw(_ canvas: Canvas) {
    let line = 1 / max(canvas.scale.factor, 1)
    let card = Path(roundedRect: bounds.insetBy(dx: line / 2, dy: line / 2), cornerRadius: Self.cornerRadius)
    canvas.fill(card, theme.panel)
    canvas.stroke(card, theme.hairline, width: line)
    drawCaption(text(state.title), Self.padding, theme.secondaryLabel, canvas)
    guard isLive else { return }
    // Marks the live cell by a word and a dot, not by a colour alone.
    let live = text("Live")
    let x = bounds.width - Self.padding - live.size.width
    drawCaption(live, x, theme.accent, canvas)
    let point = effectiveLayoutDirection.point(Point(x: x - 9, y: Self.captionHeight / 2), in: bounds.width)
    canvas.fill(Path(circleAt: point, radius: 3), theme.accent)
  }

  private func text(_ text: String) -> TextLayout {
    FontLibrary.shared.layout(text, font: theme.font(.caption, weight: .medium))
  }

  private func drawCaption(_ text: TextLayout, _ x: Double, _ color: Color, _ canvas: Canvas) {
    draw(text, leading: x, y: ((Self.captionHeight - text.size.height) / 2).rounded(), color, on: canvas)
  }
}

/// A state with its name.
struct CatalogueState {
  let title: String
  let state: Control.State

  /// The state of an untouched view.
  static let normal = CatalogueState(title: "Normal", state: .normal)

  /// Every state of a control.
  static let all = [
    normal,
    CatalogueState(title: "Highlighted", state: .highlighted),
    CatalogueState(title: "Selected", state: .selected),
    CatalogueState(title: "Selected, held", state: [.selected, .highlighted]),
    CatalogueState(title: "Disabled", state: .disabled),
    CatalogueState(title: "Focused", state: .focused),
  ]

  /// The states of `view`; a view that is not a control has only one.
  static func states(of view: View) -> [CatalogueState] { view is Control ? all : [normal] }
}
