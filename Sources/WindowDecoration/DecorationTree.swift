/// The views of a decoration: the title bar, and the line around the window.
final class DecorationTree: RootView, SurroundingTree {
  /// The tree whose appearance the decoration uses; it is the content or contained in it.
  let looks: RootView
  let bar = TitleBar()
  /// The parts of the line: left, bottom and right.
  private let lines = [View(), View(), View()]
  /// The background behind the title bar's lower half and the content's first point. Without it, a fractional scale could leave a
  /// translucent gap between bar and content.
  private let ground = View()
  var state = WindowState() { didSet { if state != oldValue { setNeedsLayout() } } }

  init(looksOf root: RootView) {
    looks = root
    super.init(frame: .zero)
    name = "window frame"
    // Clear: handles and round corners show the desktop.
    backgroundColor = nil
    for view in lines + [ground, bar] { addSubview(view) }
    theme = root.theme
    colorLines()
  }

  var geometry: DecorationGeometry {
    DecorationGeometry(size: bounds.size, state: state, isMirrored: effectiveLayoutDirection == .rightToLeft)
  }
  var contentOrigin: Point { geometry.content.origin }

  override func layoutSubviews() {
    let geometry = geometry
    let (window, insets, bottom) = (geometry.window, geometry.insets, geometry.bar.maxY)
    bar.geometry = geometry
    bar.frame = geometry.bar
    bar.isHidden = geometry.bar.isEmpty
    let height = max(window.maxY - bottom, 0)
    lines[0].frame = Rect(x: window.minX, y: bottom, width: insets.left, height: height)
    lines[1].frame = Rect(x: window.minX, y: window.maxY - insets.bottom, width: window.width, height: insets.bottom)
    lines[2].frame = Rect(x: window.maxX - insets.right, y: bottom, width: insets.right, height: height)
    let middle = window.minY + insets.top / 2
    ground.frame = Rect(
      x: window.minX, y: middle, width: window.width,
      height: insets.top == 0 ? 0 : min(bottom + 1, window.maxY) - middle)
  }

  override func themeDidChange() { colorLines() }

  private func colorLines() {
    // Mixed with the panel's colour and opaque: through a translucent line the desktop would show.
    let color = theme.panel.mixed(with: theme.label, 0.16)
    for view in lines + [ground] { view.backgroundColor = color.withAlpha(1) }
  }

  // MARK: Resizing

  /// Starts resizing if the first touch is on a handle. Other touches that reach this view do nothing.
  override func touchesBegan(_ touches: [Touch]) {
    guard let first = touches.first, let edge = geometry.edge(at: first.location(in: self)) else { return }
    host?.beginResize(from: edge, by: first.id)
  }

  override func cursor(at point: Point) -> CursorShape {
    switch geometry.edge(at: point) {
    case .left, .right: .resizeHorizontal
    case .top, .bottom: .resizeVertical
    case .topLeft, .bottomRight: .resizeFalling
    case .topRight, .bottomLeft: .resizeRising
    case nil: .arrow
    }
  }
}
