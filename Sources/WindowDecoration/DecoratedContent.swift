/// Combines a content and its decoration into one content. The decoration is a separate view tree; the content keeps its
/// coordinates and is pixel-identical with and without the decoration. Its host is this object, which forwards to the window.
final class DecoratedContent: WindowDecoration, OutlinedContent, DecoratingHost {
  let content: any WindowContent
  let tree: DecorationTree
  var decoration: any SurroundingTree { tree }

  var state: WindowState {
    get { tree.state }
    set { tree.state = newValue }
  }
  var title: String {
    get { tree.bar.title }
    set { tree.bar.title = newValue }
  }
  weak var host: (any WindowHost)? {
    didSet {
      guard host !== oldValue else { return }
      oldValue?.setWake(at: nil)
      content.host = host == nil ? nil : self
      tree.host = host == nil ? nil : treeHost
      askForWake()
    }
  }

  /// The content's frame in the buffer, in pixels. Its size is that of the content without a decoration.
  private var contentPixels = PixelRect.zero
  /// The time at which the content wants to be woken; nil for never.
  private var contentWake: MonotonicTime?
  /// The time at which the decoration's views want to be woken; nil for never.
  private var treeWake: MonotonicTime?
  /// The regions to be drawn by the decoration and by the content, and the damage taken last. Kept to reuse their storage.
  private var (outer, inner, taken) = (Region.roomy, Region.roomy, Region.roomy)
  /// The touches for the decoration and for the content. Kept to reuse their storage.
  private var (outerTouches, innerTouches) = ([TouchPoint](), [TouchPoint]())
  /// The fingers that began on the decoration, and the seats whose pointers are over the content.
  private var (ownTouches, overContent) = (Set<TouchID>(), Set<SeatID>())
  private lazy var treeHost = TreeHost(self)

  /// A decoration around `content` in the appearance of `root`, which is the content or contained in it.
  init(_ content: any WindowContent, looksOf root: RootView) {
    self.content = content
    tree = DecorationTree(looksOf: root)
  }

  // MARK: What it is

  var geometry: DecorationGeometry { tree.geometry }
  var insets: EdgeInsets { geometry.insets }
  var overhang: EdgeInsets { geometry.overhang }
  var opaqueArea: Rect { content.isOpaque ? geometry.opaqueArea : .zero }
  /// True only without handles and round corners, which are not opaque.
  var isOpaque: Bool { content.isOpaque && geometry.opaqueArea.size == tree.bounds.size }

  var minimumSize: Size {
    let least = content.minimumSize
    let insets = DecorationGeometry(size: .zero, state: WindowState()).insets
    return Size(
      width: max(least.width, 3 * DecorationGeometry.barHeight) + insets.left + insets.right,
      height: least.height + insets.top + insets.bottom)
  }

  var needsFrame: Bool { tree.needsFrame || content.needsFrame }
  var isAnimating: Bool { tree.isAnimating || content.isAnimating }

  // MARK: Frames

  func resize(to size: Size, scale: Scale) {
    guard size.width.isFinite, size.height.isFinite else { return }
    tree.resize(to: size, scale: scale)
    let area = geometry.content
    // The window may be too small for the decoration, but the content needs at least one point.
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

  func prepareFrame(for time: MonotonicTime) {
    tree.takeLooks(of: tree.looks)
    content.prepareFrame(for: time)
    tree.prepareFrame(for: time)
  }

  func takeDamage() -> Region {
    taken.removeAll()
    for rect in content.takeDamage().rects {
      taken.add(rect.moved(x: contentPixels.x, y: contentPixels.y).intersection(contentPixels))
    }
    taken.join(tree.takeDamage())
    return taken
  }

  func draw(_ region: Region, into buffer: PixelBuffer) {
    outer.replace(by: region)
    outer.subtract(contentPixels)
    if !outer.isEmpty { tree.draw(outer, into: buffer) }
    inner.removeAll()
    for rect in region.rects {
      let part = rect.intersection(contentPixels)
      inner.add(part.moved(x: -contentPixels.x, y: -contentPixels.y))
    }
    if !inner.isEmpty, let part = buffer.part(contentPixels) { content.draw(inner, into: part) }
  }

  var outlines: [Rect] {
    let origin = geometry.content.origin
    let inside = (content as? any OutlinedContent)?.outlines ?? []
    return tree.outlines + inside.map { Rect(origin: $0.origin + origin, size: $0.size) }
  }

  // MARK: Input and life

  /// Passes `event`, or its parts, to the content and to the decoration's views. Keys and scrolling go only to the content;
  /// scrolling outside it is ignored.
  func handle(_ event: InputEvent) {
    let area = geometry.content
    switch event {
    case .touches(let points): handle(points, area)
    case .hover(let seat, let point):
      let isInside = point.map { area.contains($0) } ?? false
      let wasInside = isInside ? !overContent.insert(seat).inserted : overContent.remove(seat) != nil
      // Leave first, then enter, so that the cursor image is that of the new position.
      if isInside { tree.handle(.hover(seat, nil)) }
      if isInside || wasInside { content.handle(.hover(seat, isInside ? point.map { $0 - area.origin } : nil)) }
      if !isInside { tree.handle(event) }
    case .scroll(var scroll):
      guard area.contains(scroll.location) else { return }
      scroll.location = scroll.location - area.origin
      content.handle(.scroll(scroll))
    case .text(var edit):
      if let place = edit.place {
        guard area.contains(place) else { return }
        edit.place = place - area.origin
      }
      content.handle(.text(edit))
    case .key, .keyboardFocus, .textService, .gamepad: content.handle(event)
    case .lost:
      content.handle(event)
      tree.handle(event)
    }
  }

  /// Passes each touch to the tree on which it began. Simultaneous changes stay together: each tree receives at most one event.
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
    if !outerTouches.isEmpty { tree.handle(.touches(outerTouches)) }
  }

  func handle(_ event: LifecycleEvent) {
    tree.handle(event)
    content.handle(event)
  }

  // MARK: Waking

  func setWake(at time: MonotonicTime?) {
    contentWake = time
    askForWake()
  }

  private func askForWake() {
    host?.setWake(at: contentWake.flatMap { wake in treeWake.map { min($0, wake) } } ?? contentWake ?? treeWake)
  }

  func handleWake(at time: MonotonicTime) {
    if let wake = contentWake, wake <= time {
      contentWake = nil
      content.handleWake(at: time)
    }
    if let wake = treeWake, wake <= time {
      treeWake = nil
      tree.handleWake(at: time)
    }
    askForWake()
  }

  /// The host of the decoration's views. It forwards everything to the window except the wake time.
  private final class TreeHost: ForwardingHost {
    private unowned let decorated: DecoratedContent
    var window: (any WindowHost)? { decorated.host }

    init(_ decorated: DecoratedContent) { self.decorated = decorated }

    func setWake(at time: MonotonicTime?) {
      decorated.treeWake = time
      decorated.askForWake()
    }
  }

  // MARK: The window, for the content

  var window: (any WindowHost)? { host }

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
