extension View {
  /// The tool tip, which few views have.
  var storedToolTip: String? {
    get { accessibilityBox?.toolTip }
    set {
      guard newValue != toolTip else { return }
      makeAccessibilityBox().toolTip = newValue
      root?.toolTips.hide()
      didChange(\View.toolTip)
    }
  }
}

/// The tool tip of the view under a resting pointer, or of the first responder: the pending view and the shown one.
final class ToolTips {
  /// The time that a pointer rests before the tip is shown.
  static let dwell = Duration.milliseconds(500)

  /// The view whose tip is pending, shown, or dismissed.
  private weak var target: View?
  private var isByKeyboard = false
  /// The time when the pointer came to rest.
  private var restedSince = MonotonicTime.zero
  private var wakeUp: WakeUp?
  private var shown: Presentation?

  var isWaiting: Bool { wakeUp?.isWaiting ?? false }

  /// A pointer moved over `view`, or left (nil).
  func pointerMoved(over view: View?, in root: RootView) {
    let owner = Self.owner(from: view)
    if owner == nil, isByKeyboard { return }
    if owner !== target {
      forget()
      target = owner
      isByKeyboard = false
      if owner != nil { wait(in: root) }
    } else if isWaiting {
      restedSince = root.now
    }
  }

  func keyboardFocused(_ view: View, in root: RootView) {
    forget()
    target = Self.owner(from: view)
    isByKeyboard = target != nil
    if isByKeyboard { wait(in: root) }
  }

  /// A press or key hides the tip, which returns only when the pointer or the focus has been elsewhere.
  func hide() {
    wakeUp?.cancel()
    shown?.close()
  }

  private func forget() {
    hide()
    target = nil
    isByKeyboard = false
  }

  private static func owner(from view: View?) -> View? {
    ViewChain(view).first { $0.toolTip?.isEmpty == false }
  }

  private func wait(in root: RootView) {
    restedSince = root.now
    wake(in: root)
  }

  private func wake(in root: RootView) {
    wakeUp = root.wake(at: restedSince + Self.dwell) { [weak self, weak root] in
      if let root { self?.timeCame(in: root) }
    }
  }

  private func timeCame(in root: RootView) {
    // The pointer moved meanwhile: one wake-up for each rest, not for each motion.
    guard root.now >= restedSince + Self.dwell else { return wake(in: root) }
    guard let target, target.root === root, let words = target.toolTip, root.isInputIdle, !root.isMenuOpen else {
      return
    }
    let view = ToolTipView(words)
    view.layoutDirection = target.effectiveLayoutDirection
    // Measured in the theme of the tree that it is about.
    let size = view.size(in: root.theme)
    let anchor = target.bounds.insetBy(dx: 0, dy: -ToolTipView.gap)
    shown = Presentation(
      view,
      at: PopupPlacement(
        anchor: anchor, anchorEdge: .bottom, gravity: .bottom, size: size, adjustment: [.flipY, .slideX, .slideY]),
      beside: target, isMenu: false
    ) { [weak self] in self?.shown = nil }
  }
}

final class ToolTipView: View {
  /// The points between the words and the view that they are about.
  static let gap = 6.0
  private static let padding = Size(width: 10, height: 6)
  private static let widest = 280.0

  private let words: String

  init(_ words: String) {
    self.words = words
    super.init(frame: .zero)
    isUserInteractionEnabled = false
  }

  private func layout(_ theme: Theme) -> TextLayout {
    TextLayout(
      words, font: theme.font(.caption),
      limits: TextLimits(
        width: Self.widest, alignment: effectiveLayoutDirection == .leftToRight ? .left : .right,
        direction: effectiveLayoutDirection))
  }

  func size(in theme: Theme) -> Size {
    let text = layout(theme).size
    return Size(
      width: (text.width + 2 * Self.padding.width).rounded(.up),
      height: (text.height + 2 * Self.padding.height).rounded(.up))
  }

  override func draw(_ canvas: Canvas) {
    canvas.fill(roundedRect: bounds, cornerRadius: 6, theme.panel.mixed(with: theme.label, 0.08))
    canvas.stroke(roundedRect: bounds.insetBy(dx: 0.5, dy: 0.5), cornerRadius: 5.5, theme.hairline)
    canvas.draw(layout(theme), at: Point(x: Self.padding.width, y: Self.padding.height), theme.label)
  }
}
