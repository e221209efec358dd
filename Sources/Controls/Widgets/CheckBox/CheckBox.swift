/// A box with a tick and a name, which is on or off independently of others.
///
/// A tap anywhere on it, Space or Enter changes it when the finger or key is lifted. Only a change by the user sends `valueChanged`;
/// setting `isChecked` in code sends nothing. A box that stands for several things that differ is `isMixed` until the user decides.
@ListsProperties(without: \Control.isSelected)
public final class CheckBox: Control {
  /// True when it has its tick: the same as `isSelected`, which it replaces in the list of properties.
  @Inspectable(\CheckBox.isSelected, .none, group: "Check Box", isReported: true) public var isChecked: Bool
  /// True to show a bar in place of the tick: some of what the box stands for is on, some is off. A change by the user ends it.
  @Inspectable(.display, group: "Check Box", isReported: true) public var isMixed = false
  /// The name beside the box.
  @Inspectable(.layout, isReported: true) public var title = ""
  /// The colour of the box with its tick; nil for the theme's accent.
  @Inspectable(.display) public var onTintColor: Color?

  /// Creates a box with a name, sized to fit.
  public convenience init(_ title: String) {
    self.init(frame: .zero)
    self.title = title
    sizeToFit()
  }

  public override func stateDidChange(from old: State) {
    super.stateDidChange(from: old)
    if state.contains(.selected) != old.contains(.selected) { didChange(\CheckBox.isChecked) }
  }

  public override var ownEvents: Event { .valueChanged }

  // MARK: Fingers and keys

  /// A box is tapped, not dragged.
  public override var dragAxes: Axes { [] }

  public override func endTracking(_ touch: Touch) {
    if point(inside: touch.location(in: self)) { toggle() }
  }

  override var isPressedByKeys: Bool { true }

  override func keyWentUp() { toggle() }

  /// Changes it on behalf of the user. A mixed box becomes checked.
  private func toggle() {
    let isOn = isMixed || !isChecked
    isMixed = false
    isChecked = isOn
    sendActions(for: .valueChanged)
  }

  // MARK: Layout and drawing

  private var font: Font { theme.font(.body) }

  private var geometry: MarkGeometry {
    MarkGeometry(in: bounds, direction: effectiveLayoutDirection)
  }

  public override func sizeThatFits(_ size: Size) -> Size {
    MarkGeometry.size(name: title.isEmpty ? .zero : FontLibrary.shared.layout(title, font: font).size)
  }

  public override func draw(_ canvas: Canvas) {
    guard !bounds.isEmpty else { return }
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let geometry = geometry
    MarkPainter(theme: theme, color: onTintColor, isPressed: isHighlighted)
      .drawBox(in: geometry.mark, isSet: isChecked, isMixed: isMixed, on: canvas)
    drawName(title, font, in: geometry.name, on: canvas)
  }

  public override var focusRingCornerRadius: Double? { 8 }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .checkBox }
  public override var accessibilityTitle: String { title.isEmpty ? name : title }
  public override var accessibilityIsOn: Bool? { isChecked && !isMixed }
  public override var accessibilityActions: [AccessibilityAction] {
    let words = AccessibilityWords.current
    return [
      AccessibilityAction("toggle", title: words.toggle) { [unowned self] () throws(AccessibilityRefusal) in
        guard !isTracking else { throw AccessibilityRefusal(words.isHeld) }
        toggle()
      }
    ]
  }
}

extension Control {
  /// Draws the name of a row in one line, from the leading side of `place`, shortened if it is too long.
  func drawName(_ name: String, _ font: Font, in place: Rect, on canvas: Canvas) {
    guard !name.isEmpty, place.width > 0 else { return }
    let direction = effectiveLayoutDirection
    let text = TextLayout(name, font: font, limits: TextLimits(width: place.width, lineCount: 1, direction: direction))
    let x = direction == .rightToLeft ? place.maxX - text.size.width : place.minX
    canvas.draw(text, at: Point(x: x, y: place.midY - text.size.height / 2), theme.label)
  }
}
