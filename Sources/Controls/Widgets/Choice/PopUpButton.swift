/// A button that shows one of several names, and opens a menu to choose another. Use it for more names than fit a
/// `ChoiceControl`.
///
/// A press opens the menu. A tap on a row chooses it, and so does sliding there in one press. On the keyboard, Space, Enter and
/// the up and down arrows open the menu; arrows, Home, End and first letters move to a row, Enter chooses, Escape closes. Only
/// a changed choice by the user sends `valueChanged`. The menu is a popup if the window can show one, otherwise it lies over
/// the other views.
@ListsProperties
public final class PopUpButton: SelectionControl {
  private static let height = 36.0
  private static let leading = 14.0
  /// The space for the arrows.
  private static let trailing = 34.0

  private var presentation: Presentation?
  private var menu: Menu? { presentation?.view as? Menu }
  /// The press that opened the menu. It picks a row once it has left the button.
  private var opening: TouchID?
  private var hasLeft = false
  /// The first responder before a press opened the menu, to which the focus returns.
  private weak var formerResponder: View?

  /// True while the menu is open.
  public var isOpen: Bool { presentation != nil }

  /// Opens the menu. Does nothing without names or while it is open.
  public func open() { open(by: nil) }

  /// Closes the menu without a choice.
  public func close() { presentation?.close() }

  private func open(by touch: TouchID?) {
    guard !isOpen, isEnabled, let root, !titles.isEmpty else { return }
    formerResponder = touch == nil ? self : root.firstResponder
    _ = becomeFirstResponder()
    presentation = Presentation(
      menuOf: titles, chosen: selectedIndex, under: bounds, of: self, atLeast: bounds.width, by: touch
    ) { [weak self] in
      self?.choose($0)
    } onEnd: { [weak self] in
      self?.closed()
    }
    setAccessibilityOpened(menu)
    setNeedsDisplay()
  }

  private func closed() {
    presentation = nil
    setAccessibilityOpened(nil)
    opening = nil
    setNeedsDisplay()
    // Otherwise the next arrow key would open the menu again, whatever it did before the press.
    if isFirstResponder, formerResponder !== self { root?.setFirstResponder(formerResponder) }
  }

  // MARK: Fingers and keys

  /// The press that opened the menu stays with it.
  public override var dragAxes: Axes { isOpen ? .both : [] }

  public override func beginTracking(_ touch: Touch) -> Bool {
    guard !isOpen else {
      close()
      return true
    }
    open(by: touch.id)
    (opening, hasLeft) = (touch.id, false)
    return true
  }

  public override func continueTracking(_ touch: Touch) -> Bool {
    guard opening == touch.id, let menu, presentation?.isInWindow == true else { return true }
    hasLeft = hasLeft || !point(inside: touch.location(in: self))
    if hasLeft { menu.slide(to: touch.location(in: menu)) }
    return true
  }

  /// Chooses the row on which the finger is lifted; anywhere else the menu stays open.
  public override func endTracking(_ touch: Touch) {
    guard opening == touch.id else { return }
    opening = nil
    if hasLeft, let menu, presentation?.isInWindow == true { menu.lift(at: touch.location(in: menu)) }
  }

  public override func cancelTracking(_ touch: Touch?) { opening = nil }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    if let menu, isOpen {
      if menu.handleKey(event) { return true }
      // Tab and the rest are the window's.
      if event.phase == .down, event.key == .tab || event.key == .backTab { close() }
      return false
    }
    let opens = [.space, .enter, .up, .down].contains(event.key)
    guard opens, takesKey(event) else { return false }
    if event.phase == .down { open() }
    return true
  }

  public override func stateDidChange(from old: State) {
    super.stateDidChange(from: old)
    if !isEnabled { close() }
  }

  /// A menu of the old names is closed: a row of it may have no name any more.
  override func choicesDidChange() { close() }

  public override func firstResponderDidChange() {
    super.firstResponderDidChange()
    if !isFirstResponder { close() }
  }

  // MARK: Look

  private var font: Font { theme.font(.body) }

  public override func sizeThatFits(_ size: Size) -> Size {
    let widest = titles.map { FontLibrary.shared.layout($0, font: font).size.width.rounded(.up) }.max() ?? 0
    let wanted = max(Self.leading + widest + Self.trailing, 2 * Control.minimumTouchSide)
    return Size(width: size.width > 0 ? min(size.width, wanted) : wanted, height: Self.height)
  }

  public override var focusRingCornerRadius: Double? { 9 }

  public override var accessibilityIsExpanded: Bool? { isOpen }
  /// While the menu is open, assistive technology follows the highlighted row instead.
  package override var isAccessibilityFocused: Bool { isFirstResponder && (!isOpen || menu?.model.lit == nil) }

  public override var accessibilityActions: [AccessibilityAction] {
    let words = AccessibilityWords.current
    return [AccessibilityAction("press", title: words.press) { [unowned self] in isOpen ? close() : open() }]
      + super.accessibilityActions
  }

  public override func draw(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    canvas.fill(roundedRect: bounds, cornerRadius: 9, theme.fill)
    if isHighlighted || isOpen { canvas.fill(roundedRect: bounds, cornerRadius: 9, theme.pressed) }
    if let selectedTitle {
      let text = line(selectedTitle, font, width: bounds.width - Self.leading - Self.trailing)
      draw(text, leading: Self.leading, y: (bounds.height - text.size.height) / 2, theme.label, on: canvas)
    }
    let x = effectiveLayoutDirection.x(bounds.width - Self.trailing / 2 - 1, in: bounds.width)
    for side in [-1.0, 1.0] {
      let arrow = [(-4.0, 3.0), (0, 7), (4, 3)].map { Point(x: x + $0, y: bounds.midY + $1 * side) }
      canvas.stroke(Path(line: arrow), theme.accent, width: 1.75)
    }
  }
}
