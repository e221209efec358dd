/// A content with its decoration as one content. The decoration is a separate view tree; the content keeps its coordinates and
/// is pixel-identical with and without the decoration. The content's host is the decoration, which forwards to the window.
final class DecoratedContent: RootView, WindowDecoration, ForwardingHost {
  let content: any WindowContent
  /// The tree whose appearance the decoration uses; it is the content or contained in it.
  let looks: RootView
  private let bar = TitleBar()
  /// The line at the left, the bottom and the right.
  private let lines = [View(), View(), View()]
  /// The background behind the title bar's lower half and a point of the content, so that nothing shines through where pixels
  /// lie between points.
  private let ground = View()

  var state = WindowState() { didSet { if state != oldValue { setNeedsLayout() } } }
  var title: String {
    get { bar.title }
    set { bar.title = newValue }
  }
  override weak var host: (any WindowHost)? {
    didSet { if host !== oldValue { content.host = host == nil ? nil : self } }
  }

  /// The content's pixels among all: as many as it would have without a decoration.
  private var contentPixels = PixelRect.zero
  /// When the content wants to be woken.
  private var contentWake: MonotonicTime? { didSet { askForWake() } }
  /// The regions that each of the two must draw; kept for their storage.
  private var (outer, inner) = (Region.roomy, Region.roomy)
  /// The touches that each of the two receives; kept for their storage.
  private var (outerTouches, innerTouches) = ([TouchPoint](), [TouchPoint]())
  /// The fingers that began on the decoration, and the seats whose pointers are over the content.
  private var (ownTouches, overContent) = (Set<TouchID>(), Set<SeatID>())

  init(_ content: any WindowContent, looksOf root: RootView) {
    self.content = content
    looks = root
    super.init(frame: .zero)
    name = "window frame"
    backgroundColor = nil
    for view in lines + [ground, bar] { addSubview(view) }
    theme = root.theme
    colorLines()
  }

  // MARK: What it is

  var geometry: DecorationGeometry {
    DecorationGeometry(size: bounds.size, state: state, isMirrored: effectiveLayoutDirection == .rightToLeft)
  }
  var insets: EdgeInsets { geometry.insets }
  var overhang: EdgeInsets { geometry.overhang }
  var opaqueArea: Rect { content.isOpaque ? geometry.opaqueArea : .zero }
  /// Without handles and round corners there is nothing to see through.
  override var isOpaque: Bool { content.isOpaque && geometry.opaqueArea.size == bounds.size }
  /// Between points the decoration covers no pixel wholly.
  override var isClearedBeforePainting: Bool { true }

  override var minimumSize: Size {
    let least = content.minimumSize
    let insets = DecorationGeometry(size: .zero, state: WindowState()).insets
    return Size(
      width: max(least.width, 3 * DecorationGeometry.barHeight) + insets.left + insets.right,
      height: least.height + insets.top + insets.bottom)
  }

  override var needsFrame: Bool { super.needsFrame || content.needsFrame }
  override var isAnimating: Bool { super.isAnimating || content.isAnimating }

  // MARK: Places and colours

  override func resize(to size: Size, scale: Scale) {
    guard size.width.isFinite, size.height.isFinite else { return }
    super.resize(to: size, scale: scale)
    let area = geometry.content
    // At least a point: the window may be given a negative remaining size.
    let contentSize = Size(width: max(area.width, 1), height: max(area.height, 1))
    let (all, own) = (scale.pixelSize(size), scale.pixelSize(contentSize))
    func pixel(_ value: Double, _ most: Int) -> Int {
      max(0, min(Int(clamping: (value * scale.factor).rounded()), most))
    }
    contentPixels = PixelRect(
      x: pixel(area.minX, all.width - own.width), y: pixel(area.minY, all.height - own.height),
      width: min(own.width, all.width), height: min(own.height, all.height))
    content.resize(to: contentSize, scale: scale)
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

  // MARK: Frames

  override func prepareFrame(for time: MonotonicTime) {
    theme = looks.theme
    prefersReducedMotion = looks.prefersReducedMotion
    layoutDirection = looks.effectiveLayoutDirection
    content.prepareFrame(for: time)
    super.prepareFrame(for: time)
  }

  override func takeDamage() -> Region {
    for rect in content.takeDamage().rects {
      damage(rect.moved(x: contentPixels.x, y: contentPixels.y).intersection(contentPixels))
    }
    return super.takeDamage()
  }

  override func draw(_ region: Region, into buffer: PixelBuffer) {
    outer.replace(by: region)
    outer.subtract(contentPixels)
    if !outer.isEmpty { super.draw(outer, into: buffer) }
    inner.removeAll()
    for rect in region.rects {
      let part = rect.intersection(contentPixels)
      inner.add(part.moved(x: -contentPixels.x, y: -contentPixels.y))
    }
    if !inner.isEmpty, let part = buffer.part(contentPixels) { content.draw(inner, into: part) }
  }

  override var outlines: [Rect] {
    let origin = geometry.content.origin
    let inside = (content as? any OutlinedContent)?.outlines ?? []
    return super.outlines + inside.map { Rect(origin: $0.origin + origin, size: $0.size) }
  }

  // MARK: Input and life

  /// Passes `event`, or its parts, to the content and to the decoration's own views. Keys go to the content.
  override func handle(_ event: InputEvent) {
    let area = geometry.content
    switch event {
    case .touches(let points): handle(points, area)
    case .hover(let seat, let point):
      let isInside = point.map { area.contains($0) } ?? false
      let wasInside = isInside ? !overContent.insert(seat).inserted : overContent.remove(seat) != nil
      // Leave first, then enter, so that the cursor image is that of the new position.
      if isInside { super.handle(.hover(seat, nil)) }
      if isInside || wasInside { content.handle(.hover(seat, isInside ? point.map { $0 - area.origin } : nil)) }
      if !isInside { super.handle(event) }
    case .scroll(var scroll):
      guard area.contains(scroll.location) else { return }
      scroll.location = scroll.location - area.origin
      content.handle(.scroll(scroll))
    case .key, .keyboardFocus, .text: content.handle(event)
    case .lost:
      content.handle(event)
      super.handle(event)
    }
  }

  /// A finger belongs to the side on which it began. Simultaneous changes stay together: each side receives one event.
  private func handle(_ points: [TouchPoint], _ area: Rect) {
    innerTouches.removeAll(keepingCapacity: true)
    outerTouches.removeAll(keepingCapacity: true)
    for var point in points {
      let isOwn = point.phase == .began ? !area.contains(point.location) : ownTouches.contains(point.id)
      switch point.phase {
      case .began where isOwn: ownTouches.insert(point.id)
      case .moved: break
      case .began, .ended, .cancelled: ownTouches.remove(point.id)
      }
      if isOwn {
        outerTouches.append(point)
      } else {
        point.location = point.location - area.origin
        innerTouches.append(point)
      }
    }
    if !innerTouches.isEmpty { content.handle(.touches(innerTouches)) }
    if !outerTouches.isEmpty { super.handle(.touches(outerTouches)) }
  }

  override func handle(_ event: LifecycleEvent) {
    super.handle(event)
    content.handle(event)
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

  // MARK: The window, for the content

  var window: (any WindowHost)? { host }

  func setWake(at time: MonotonicTime?) { contentWake = time }

  /// The earlier of the two times.
  override var wantedWake: MonotonicTime? {
    guard let own = super.wantedWake else { return contentWake }
    return contentWake.map { min($0, own) } ?? own
  }

  override func handleWake(at time: MonotonicTime) {
    if let contentWake, contentWake <= time {
      self.contentWake = nil
      content.handleWake(at: time)
    }
    super.handleWake(at: time)
  }

  func setTextInput(_ state: TextInputState?) {
    var moved = state
    if let origin = state?.caretArea.origin { moved?.caretArea.origin = origin + geometry.content.origin }
    host?.setTextInput(moved)
  }

  func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)? {
    var moved = placement
    moved.anchor.origin = placement.anchor.origin + geometry.content.origin
    return host?.showPopup(content, at: moved, by: touch)
  }

  func showMenu(at point: Point, by touch: TouchID) {
    let geometry = geometry
    host?.showMenu(at: point + geometry.content.origin - geometry.window.origin, by: touch)
  }
}
