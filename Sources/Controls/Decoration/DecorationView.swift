/// A side or corner by which the window is resized. Nobody sees it.
final class ResizeHandle: View {
  let edge: WindowEdge
  var onResize: ((WindowEdge, TouchID) -> Void)?

  init(_ edge: WindowEdge, frame: Rect) {
    self.edge = edge
    super.init(frame: frame)
  }

  override var cursor: CursorShape {
    switch edge {
    case .left, .right: .resizeHorizontal
    case .top, .bottom: .resizeVertical
    case .topLeft, .bottomRight: .resizeFalling
    case .topRight, .bottomLeft: .resizeRising
    }
  }

  override func touchesBegan(_ touches: [Touch]) {
    if let first = touches.first { onResize?(edge, first.id) }
  }
  override func touchesMoved(_ touches: [Touch]) {}
  override func touchesEnded(_ touches: [Touch]) {}
  override func touchesCancelled(_ touches: [Touch]) {}
}

/// The decoration as a tree of views of its own, beside the content's.
final class DecorationView: RootView {
  let bar: TitleBar
  var onResize: ((WindowEdge, TouchID) -> Void)?
  var geometry: DecorationGeometry {
    didSet {
      guard geometry != oldValue else { return }
      bar.geometry = geometry
      setNeedsLayout()
    }
  }
  private var handles: [ResizeHandle] = []
  /// The line at the left, the bottom and the right.
  private let lines = [View(), View(), View()]
  /// Behind the bar's lower half and a point of the content: where pixels lie between points nothing shines through.
  private let ground = View()

  init(geometry: DecorationGeometry) {
    self.geometry = geometry
    bar = TitleBar(geometry: geometry)
    super.init(frame: .zero)
    name = "window frame"
    backgroundColor = nil
    for view in lines + [ground] { addSubview(view) }
    addSubview(bar)
    colorLines()
  }

  override func themeDidChange() { colorLines() }

  private func colorLines() {
    // As seen on the panel: a line on nothing would let the desktop through.
    let color = theme.panel.mixed(with: theme.label, 0.16)
    for view in lines + [ground] { view.backgroundColor = color.withAlpha(1) }
  }

  override func layoutSubviews() {
    bar.frame = geometry.bar
    bar.isHidden = geometry.bar.isEmpty
    let (window, insets) = (geometry.window, geometry.insets)
    let top = geometry.bar.maxY
    let height = max(window.maxY - top, 0)
    lines[0].frame = Rect(x: window.minX, y: top, width: insets.left, height: height)
    lines[1].frame = Rect(x: window.minX, y: window.maxY - insets.bottom, width: window.width, height: insets.bottom)
    lines[2].frame = Rect(x: window.maxX - insets.right, y: top, width: insets.right, height: height)
    let middle = window.minY + insets.top / 2
    ground.frame = Rect(
      x: window.minX, y: middle, width: window.width, height: insets.top == 0 ? 0 : min(top + 1, window.maxY) - middle)
    placeHandles()
  }

  private func placeHandles() {
    let wanted = geometry.handles
    guard handles.map(\.edge) == wanted.map(\.edge) else {
      for handle in handles { handle.removeFromSuperview() }
      handles = wanted.map { ResizeHandle($0.edge, frame: $0.rect) }
      for handle in handles {
        handle.onResize = { [unowned self] in onResize?($0, $1) }
        addSubview(handle)
      }
      return
    }
    for (handle, place) in zip(handles, wanted) { handle.frame = place.rect }
  }
}
