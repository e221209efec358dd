/// The title bar. A drag moves the window, two taps maximise or restore it, a long press shows the compositor's menu.
final class TitleBar: View {
  /// The travel of a finger or a pressed pointer before it moves the window, in points.
  static let slop = 6.0

  var title: String {
    get { label.text }
    set { label.text = newValue }
  }
  var geometry = DecorationGeometry(size: .zero, state: WindowState()) {
    didSet { if geometry != oldValue { stateChanged() } }
  }
  /// The touch for which a move of the window was requested last, until it ends.
  private var mover: TouchID?
  private let label = Label()
  private let closeButton = DecorationButton(.close)
  private let maximizeButton = DecorationButton(.maximize)
  private let minimizeButton = DecorationButton(.minimize)

  init() {
    super.init(frame: .zero)
    name = "title bar"
    label.textAlignment = .center
    label.fontWeight = .semibold
    label.fontSize = 15
    // Screen readers already read the title as the window's name.
    label.isAccessibilityElement = false
    for view in [label, minimizeButton, maximizeButton, closeButton] { addSubview(view) }
    closeButton.addAction(for: .primaryActionTriggered) { [unowned self] _ in window?.requestClose() }
    maximizeButton.addAction(for: .primaryActionTriggered) { [unowned self] _ in toggleMaximized() }
    minimizeButton.addAction(for: .primaryActionTriggered) { [unowned self] _ in window?.minimize() }
    let twice = TapGestureRecognizer { [unowned self] in
      if $0.state == .recognized, canMaximize { toggleMaximized() }
    }
    twice.numberOfTapsRequired = 2
    addGestureRecognizer(twice)
    let long = LongPressGestureRecognizer { [unowned self] press in
      guard press.state == .began, geometry.state.capabilities.contains(.menu), let touch = press.touches.first else {
        return
      }
      window?.showMenu(at: press.location(in: nil) - geometry.window.origin, by: touch.id)
    }
    long.shouldReceive = { $0.view is TitleBar }
    // The request needs a touch that is still down and not cancelled.
    long.cancelsTouchesInView = false
    addGestureRecognizer(long)
    stateChanged()
  }

  /// The visible buttons, the outermost first.
  private var buttons: [DecorationButton] {
    [closeButton, maximizeButton, minimizeButton].filter { !$0.isHidden }
  }

  private var canMaximize: Bool {
    // A maximised window can always be restored.
    geometry.state.isMaximized || geometry.state.capabilities.contains(.maximize)
  }

  private func toggleMaximized() { window?.setMaximized(!geometry.state.isMaximized) }

  private var window: (any WindowHost)? { root?.host }

  private func stateChanged() {
    let state = geometry.state
    maximizeButton.action = state.isMaximized ? .restore : .maximize
    maximizeButton.isHidden = !canMaximize
    minimizeButton.isHidden = !state.capabilities.contains(.minimize)
    for button in [closeButton, maximizeButton, minimizeButton] { button.isQuiet = !state.isActivated }
    label.textColor = state.isActivated ? nil : theme.secondaryLabel
    setNeedsLayout()
    setNeedsStaticDisplay()
  }

  override func themeDidChange() { stateChanged() }

  override func layoutSubviews() {
    let buttons = buttons
    for (button, place) in zip(buttons, geometry.buttons(buttons.count)) { button.frame = place }
    label.frame = geometry.title(besides: buttons.count)
  }

  // MARK: Moving

  override func touchesMoved(_ touches: [Touch]) {
    for touch in touches where touch.location(in: nil).distance(to: touch.startLocation(in: nil)) >= TitleBar.slop {
      guard mover != touch.id else { continue }
      // Request only once: until the window cancels the touch, or if it refuses, more motions follow.
      mover = touch.id
      window?.beginMove(by: touch.id)
      return
    }
  }

  override func touchesBegan(_ touches: [Touch]) {}
  override func touchesEnded(_ touches: [Touch]) { forget(touches) }
  override func touchesCancelled(_ touches: [Touch]) { forget(touches) }

  private func forget(_ touches: [Touch]) {
    if touches.contains(where: { $0.id == mover }) { mover = nil }
  }

  // MARK: Drawing

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    let ground = geometry.state.isActivated ? theme.panel : theme.panel.mixed(with: theme.background, 0.6)
    let corners = geometry.roundCorners
    let radius = DecorationGeometry.cornerRadius
    var shape = Path()
    let (width, height) = (bounds.width, bounds.height)
    shape.move(to: Point(x: 0, y: height))
    if corners.left {
      shape.line(to: Point(x: 0, y: radius))
      shape.addArc(center: Point(x: radius, y: radius), radius: radius, from: .pi, to: .pi * 1.5)
    } else {
      shape.line(to: .zero)
    }
    if corners.right {
      shape.line(to: Point(x: width - radius, y: 0))
      shape.addArc(center: Point(x: width - radius, y: radius), radius: radius, from: .pi * 1.5, to: .pi * 2)
    } else {
      shape.line(to: Point(x: width, y: 0))
    }
    shape.line(to: Point(x: width, y: height))
    shape.close()
    canvas.fill(shape, ground)
    // A light edge all around, and a line at the content's side.
    canvas.saved {
      canvas.clip(to: shape)
      canvas.stroke(shape, theme.label.withAlpha(0.16), width: 2)
    }
    let line = canvas.onWholePixels(Rect(x: 0, y: height - 1, width: width, height: 1))
    canvas.fill(line, theme.hairline)
  }
}

final class DecorationButton: Control {
  enum Action: String {
    case minimize, maximize, restore, close
  }

  @Redraws var action = Action.close
  /// Whether the icon is dimmed, because the window is not active.
  @Redraws var isQuiet = false

  init(_ action: Action) {
    super.init(frame: .zero)
    self.action = action
    name = "window \(action.rawValue)"
  }

  override var hasPrimaryAction: Bool { true }
  override var accessibilityTitle: String {
    let words = AccessibilityWords.current
    return switch action {
    case .minimize: words.minimizeWindow
    case .maximize: words.maximizeWindow
    case .restore: words.restoreWindow
    case .close: words.closeWindow
    }
  }
  /// False: keys go to the content.
  override var canBecomeFirstResponder: Bool { false }
  override var cursor: CursorShape { .arrow }
  override func hoverDidChange() { setNeedsDisplay() }
  override func themeDidChange() { setNeedsDisplay() }

  override func draw(_ canvas: Canvas) {
    let center = canvas.onWholePixels(Rect(x: bounds.midX - 5, y: bounds.midY - 5, width: 10, height: 10)).center
    let isDown = isHighlighted
    if isDown || isHovered {
      let strength = isDown ? 1.0 : 0.6
      let ground = action == .close ? theme.stop.withAlpha(strength) : theme.label.withAlpha(0.14 * strength)
      canvas.fill(Path(circleAt: center, radius: 16), ground)
    }
    let color =
      action == .close && (isDown || isHovered) ? Color.white : isQuiet ? theme.secondaryLabel : theme.label
    canvas.translate(x: center.x, y: center.y)
    var sign: Path
    switch action {
    case .minimize: sign = Path(from: Point(x: -5, y: 0), to: Point(x: 5, y: 0))
    case .maximize: sign = Path(roundedRect: Rect(x: -5, y: -5, width: 10, height: 10), cornerRadius: 2)
    case .restore:
      sign = Path(roundedRect: Rect(x: -5, y: -2, width: 7, height: 7), cornerRadius: 1.5)
      sign.append(Path(line: [Point(x: -2, y: -5), Point(x: 5, y: -5), Point(x: 5, y: 2)]))
    case .close:
      sign = Path(from: Point(x: -5, y: -5), to: Point(x: 5, y: 5))
      sign.append(Path(from: Point(x: 5, y: -5), to: Point(x: -5, y: 5)))
    }
    canvas.stroke(sign, color, StrokeStyle(width: 1.5, cap: .round, join: .round))
  }
}
