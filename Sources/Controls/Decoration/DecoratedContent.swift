/// A content and the decoration around it as one content. Each keeps its own coordinates: the content is the same with the
/// decoration as without, pixel by pixel.
final class DecoratedContent: WindowDecoration {
  let content: any WindowContent
  let decoration: DecorationView
  /// The tree whose looks the decoration takes; it is the content or lies behind it.
  private let root: RootView
  var state = WindowState() { didSet { if state != oldValue { stateChanged() } } }
  var title: String {
    get { decoration.bar.title }
    set { decoration.bar.title = newValue }
  }
  weak var host: (any WindowHost)? { didSet { hostChanged(from: oldValue) } }

  private var geometry = DecorationGeometry(size: .zero, state: WindowState())
  private var size = Size.zero
  private var scale = Scale.one
  private var contentPixels = PixelRect.zero
  /// What both damaged, now and the time before, and what each is to draw; kept for their storage.
  private var (damage, taken, outer, inner) = (Region(), Region(), Region(), Region())
  private lazy var contentHost = DecorationHost(self) { [unowned self] in geometry.content.origin }
  private lazy var decorationHost = DecorationHost(self) { .zero }
  private var router = DecorationRouter()

  init(_ content: any WindowContent, looksOf root: RootView) {
    self.content = content
    self.root = root
    decoration = DecorationView(geometry: geometry)
    decoration.theme = root.theme
    decoration.bar.onWish = { [unowned self] in fulfil($0) }
    decoration.onResize = { [unowned self] in host?.beginResize(from: $0, by: $1) }
  }

  // MARK: What it is

  var insets: EdgeInsets { geometry.insets }
  var overhang: EdgeInsets { geometry.overhang }
  var opaqueArea: Rect { content.isOpaque ? geometry.opaqueArea : .zero }
  /// Without handles and round corners there is nothing to see through.
  var isOpaque: Bool { content.isOpaque && geometry.opaqueArea.size == size }

  var minimumSize: Size {
    let least = content.minimumSize
    let insets = DecorationGeometry(size: .zero, state: WindowState()).insets
    return Size(
      width: max(least.width, 3 * DecorationGeometry.barHeight) + insets.left + insets.right,
      height: least.height + insets.top + insets.bottom)
  }

  var needsFrame: Bool { content.needsFrame || decoration.needsFrame }
  var isAnimating: Bool { content.isAnimating || decoration.isAnimating }

  // MARK: Geometry

  private func makeGeometry(_ size: Size) -> DecorationGeometry {
    var geometry = DecorationGeometry(size: size, state: state)
    geometry.isMirrored = root.effectiveLayoutDirection == .rightToLeft
    return geometry
  }

  func resize(to size: Size, scale: Scale) {
    guard size.width.isFinite, size.height.isFinite else { return }
    self.size = size
    self.scale = scale
    geometry = makeGeometry(size)
    decoration.resize(to: size, scale: scale)
    decoration.geometry = geometry
    decoration.layoutDirection = geometry.isMirrored ? .rightToLeft : nil
    contentPixels = origin
    content.resize(to: contentSize, scale: scale)
  }

  /// Another look at the same place; where the place changes too, the window calls `resize`.
  private func stateChanged() {
    geometry = makeGeometry(size)
    decoration.geometry = geometry
  }

  /// At least a point: what a window is told may leave less than nothing.
  private var contentSize: Size {
    Size(width: max(geometry.content.width, 1), height: max(geometry.content.height, 1))
  }

  /// The content's pixels among all: as many as it would have without a decoration.
  private var origin: PixelRect {
    let all = scale.pixelSize(size)
    let own = scale.pixelSize(contentSize)
    let corner = geometry.content.origin
    let x = Int(clamping: (corner.x * scale.factor).rounded())
    let y = Int(clamping: (corner.y * scale.factor).rounded())
    return PixelRect(
      x: max(0, min(x, all.width - own.width)), y: max(0, min(y, all.height - own.height)),
      width: min(own.width, all.width), height: min(own.height, all.height))
  }

  // MARK: Frames

  func prepareFrame(for time: MonotonicTime) {
    decoration.theme = root.theme
    decoration.prefersReducedMotion = root.prefersReducedMotion
    if geometry.isMirrored != (root.effectiveLayoutDirection == .rightToLeft) {
      geometry.isMirrored.toggle()
      decoration.geometry = geometry
      decoration.layoutDirection = geometry.isMirrored ? .rightToLeft : nil
    }
    content.prepareFrame(for: time)
    decoration.prepareFrame(for: time)
  }

  func takeDamage() -> Region {
    swap(&damage, &taken)
    damage.replace(by: decoration.takeDamage())
    damage.subtract(contentPixels)
    for rect in content.takeDamage().rects {
      damage.add(rect.moved(x: contentPixels.x, y: contentPixels.y).intersection(contentPixels))
    }
    return damage
  }

  func draw(_ region: Region, into buffer: PixelBuffer) {
    outer.replace(by: region)
    outer.subtract(contentPixels)
    if !outer.isEmpty { decoration.draw(outer, into: buffer) }
    inner.removeAll()
    for rect in region.rects {
      let part = rect.intersection(contentPixels)
      inner.add(part.moved(x: -contentPixels.x, y: -contentPixels.y))
    }
    if !inner.isEmpty, let part = buffer.part(contentPixels) { content.draw(inner, into: part) }
  }

  // MARK: Input and life

  func handle(_ event: InputEvent) {
    let (first, second) = router.route(event, content: geometry.content)
    if let first { hand(first) }
    if let second { hand(second) }
  }

  private func hand(_ part: RoutedEvent) {
    if part.isContent { content.handle(part.event) } else { decoration.handle(part.event) }
  }

  func handle(_ event: LifecycleEvent) {
    decoration.handle(event)
    content.handle(event)
  }

  func handleWake(at time: MonotonicTime) {
    wake(content, contentHost, at: time)
    wake(decoration, decorationHost, at: time)
    wakesChanged()
  }

  /// Wakes one of the two, if it is its own time that has come.
  private func wake(_ part: any WindowContent, _ host: DecorationHost, at time: MonotonicTime) {
    guard let wake = host.wake, wake <= time else { return }
    host.wake = nil
    part.handleWake(at: time)
  }

  /// Asks for the earlier of the two times.
  func wakesChanged() {
    host?.setWake(at: [contentHost.wake, decorationHost.wake].compactMap { $0 }.min())
  }

  private func hostChanged(from old: (any WindowHost)?) {
    guard host !== old else { return }
    content.host = host == nil ? nil : contentHost
    decoration.host = host == nil ? nil : decorationHost
    if host == nil { old?.setWake(at: nil) }
  }

  private func fulfil(_ wish: TitleBar.Wish) {
    switch wish {
    case .move(let touch): host?.beginMove(by: touch)
    case .menu(let point, let touch):
      let corner = geometry.window.origin
      host?.showMenu(at: Point(x: point.x - corner.x, y: point.y - corner.y), by: touch)
    case .maximize: host?.setMaximized(!state.isMaximized)
    case .minimize: host?.minimize()
    case .close: host?.requestClose()
    }
  }

  /// How far the window's corner lies from what is drawn, for those who name places in the window.
  var windowOrigin: Point { geometry.window.origin }
}

/// The window as one of the two sees it, at its own place.
final class DecorationHost: ForwardingHost {
  private unowned let owner: DecoratedContent
  private let origin: () -> Point
  /// When the content wants to be woken.
  var wake: MonotonicTime?

  /// `origin` is the place of the content's corner in all that is drawn.
  init(_ owner: DecoratedContent, origin: @escaping () -> Point) {
    self.owner = owner
    self.origin = origin
  }

  var window: (any WindowHost)? { owner.host }

  func setWake(at time: MonotonicTime?) {
    wake = time
    owner.wakesChanged()
  }

  func showMenu(at point: Point, by touch: TouchID) {
    let (origin, corner) = (origin(), owner.windowOrigin)
    window?.showMenu(at: Point(x: point.x + origin.x - corner.x, y: point.y + origin.y - corner.y), by: touch)
  }
}

/// An event, or a part of one, for one of the two.
nonisolated struct RoutedEvent {
  /// Whether it is the content's.
  var isContent: Bool
  var event: InputEvent
}

/// Splits events between a decoration and the content inside it. A contact belongs to the one on which it began.
nonisolated struct DecorationRouter: Sendable {
  private var owners: [TouchID: Bool] = [:]
  private var hovered: [SeatID: Bool] = [:]
  /// What the two are told of fingers; kept for their storage.
  private var inner: [TouchPoint] = []
  private var outer: [TouchPoint] = []

  /// The parts of `event`, at most one for each of the two, in order; the content's locations count from its own corner.
  /// `content` is its place in all that is drawn.
  mutating func route(_ event: InputEvent, content: Rect) -> (first: RoutedEvent?, second: RoutedEvent?) {
    switch event {
    case .touches(let points): return route(points, content)
    case .hover(let seat, let point): return route(seat, point, content)
    case .scroll(var scroll):
      guard content.contains(scroll.location) else { return (nil, nil) }
      scroll.location = scroll.location - content.origin
      return (RoutedEvent(isContent: true, event: .scroll(scroll)), nil)
    case .key, .keyboardFocus: return (RoutedEvent(isContent: true, event: event), nil)
    case .lost: return (RoutedEvent(isContent: true, event: event), RoutedEvent(isContent: false, event: event))
    }
  }

  /// What happens at once stays together: each of the two gets one event, first the one whose finger is first.
  private mutating func route(_ points: [TouchPoint], _ content: Rect) -> (first: RoutedEvent?, second: RoutedEvent?) {
    inner.removeAll(keepingCapacity: true)
    outer.removeAll(keepingCapacity: true)
    var isContentFirst: Bool?
    for var point in points {
      let isContent = point.phase == .began ? content.contains(point.location) : owners[point.id] ?? true
      switch point.phase {
      case .began: owners[point.id] = isContent
      case .moved: break
      case .ended, .cancelled: owners[point.id] = nil
      }
      if isContentFirst == nil { isContentFirst = isContent }
      if isContent {
        point.location = point.location - content.origin
        inner.append(point)
      } else {
        outer.append(point)
      }
    }
    let parts = (
      inner.isEmpty ? nil : RoutedEvent(isContent: true, event: .touches(inner)),
      outer.isEmpty ? nil : RoutedEvent(isContent: false, event: .touches(outer))
    )
    return isContentFirst == false ? (parts.1, parts.0) : parts
  }

  private mutating func route(
    _ seat: SeatID, _ point: Point?, _ content: Rect
  ) -> (first: RoutedEvent?, second: RoutedEvent?) {
    let old = hovered[seat]
    guard let point else {
      hovered[seat] = nil
      return (old.map { RoutedEvent(isContent: $0, event: .hover(seat, nil)) }, nil)
    }
    let isContent = content.contains(point)
    if old != isContent { hovered[seat] = isContent }
    let place = isContent ? point - content.origin : point
    // Left first, then entered: the pointer's picture is that of the place that it came to.
    let left = old.flatMap { $0 == isContent ? nil : RoutedEvent(isContent: $0, event: .hover(seat, nil)) }
    return (left, RoutedEvent(isContent: isContent, event: .hover(seat, place)))
  }
}
