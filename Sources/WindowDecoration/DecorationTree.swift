/// The views of a decoration: the title bar, and the line around the window.
final class DecorationTree: RootView, SurroundingTree {
  /// The tree whose appearance the decoration uses; it is the content or contained in it.
  let looks: RootView
  let bar = TitleBar()
  /// The line at the left, the bottom and the right.
  private let lines = [View(), View(), View()]
  /// The background behind the title bar's lower half and a point of the content, so that nothing shines through where pixels
  /// lie between points.
  private let ground = View()
  var state = WindowState() { didSet { if state != oldValue { setNeedsLayout() } } }

  init(looksOf root: RootView) {
    looks = root
    super.init(frame: .zero)
    name = "window frame"
    // Clear, so that handles and round corners can be seen through.
    backgroundColor = nil
    for view in lines + [ground, bar] { addSubview(view) }
    theme = root.theme
    colorLines()
  }

  var geometry: DecorationGeometry {
    DecorationGeometry(size: bounds.size, state: state, isMirrored: effectiveLayoutDirection == .rightToLeft)
  }
  var contentOrigin: Point { geometry.content.origin }

  /// Takes the appearance of the decorated tree.
  func takeLooks() {
    theme = looks.theme
    prefersReducedMotion = looks.prefersReducedMotion
    layoutDirection = looks.effectiveLayoutDirection
  }

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
    // Composited on the panel colour, because a translucent line would let the desktop through.
    let color = theme.panel.mixed(with: theme.label, 0.16)
    for view in lines + [ground] { view.backgroundColor = color.withAlpha(1) }
  }

  // MARK: Resizing

  /// Beyond the window nothing but its handles takes fingers.
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
