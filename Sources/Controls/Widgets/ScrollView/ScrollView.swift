/// An event of a scroll view, beside a changed offset.
nonisolated public enum ScrollEvent: Hashable, Sendable {
  /// A finger begins to drag.
  case willBeginDragging
  /// The finger was lifted or cancelled; if `willDecelerate`, the content continues to move.
  case didEndDragging(willDecelerate: Bool)
  /// The deceleration ended, or a finger caught the content.
  case didEndDecelerating
  /// The view or its content has another size.
  case didLayout
}

/// Shows a part of its usually larger `contentView`, and lets the user scroll it by one or several fingers, wheel, touchpad and
/// keys.
///
/// Add views to `contentView`. It is as large as `contentSize`, or if that is zero, as large as its subviews need. A finger
/// that comes down on a control inside belongs to the control for as long as it rests or moves along the control's own axis
/// (`dragAxes`). The control receives it a moment later, so that a starting scroll highlights nothing.
///
/// To follow the offset, observe it; any number of observers can (`observe(\ScrollView.contentOffset)`).
@ListsProperties
open class ScrollView: View {
  /// The point of the content at the top left corner, in points; whole pixels after scrolling. Setting it ends all motion. An
  /// offset beyond an end is clamped; it counts again if the content grows before anybody scrolls.
  @Inspectable(.none, then: ScrollView.contentOffsetChanged) public var contentOffset = Point.zero
  /// The size of the content in points; 0 x 0 for as large as its views need.
  @Inspectable(.layout) public var contentSize = Size.zero
  /// Free space around the content that can be scrolled to, in points.
  @Inspectable(.layout) public var contentInsets = EdgeInsets.zero
  /// Whether it scrolls horizontally; if false, the content is as wide as the view.
  @Inspectable(.layout) public var scrollsHorizontally = true
  /// Whether it scrolls vertically; if false, the content is as high as the view.
  @Inspectable(.layout) public var scrollsVertically = true
  /// Whether the user can scroll; code always can.
  @Inspectable(.none, then: ScrollView.isScrollEnabledChanged) public var isScrollEnabled = true
  /// True to rest at whole windows only, in either axis.
  @Inspectable(.layout) public var isPagingEnabled = false
  /// False to stop abruptly at the ends.
  @Inspectable(.none) public var bounces = true
  /// True to be dragged to the sides, under resistance, even where nothing scrolls.
  @Inspectable(.none) public var alwaysBouncesHorizontally = false
  /// True to be dragged up and down, under resistance, even where nothing scrolls.
  @Inspectable(.none) public var alwaysBouncesVertically = false
  /// True to drag along one axis at a time.
  @Inspectable(.none) public var isDirectionalLockEnabled = false
  /// True to keep a finger from the views inside for a moment, till it is clear that it will not scroll.
  @Inspectable(.none) public var delaysContentTouches = true
  /// Whether an indicator shows the vertical position.
  @Inspectable(.layout) public var showsVerticalIndicator = true
  /// Whether an indicator shows the horizontal position.
  @Inspectable(.layout) public var showsHorizontalIndicator = true
  /// The colour of the indicators; nil for the theme's label colour, half transparent.
  @Inspectable(.layout) public var indicatorColor: Color?

  /// What lies over the content at the edges, such as a header that stays there: what is scrolled into view comes beside it.
  package var covered = EdgeInsets.zero

  /// The content that is scrolled; add views here.
  public let contentView: View = ScrollContentView()

  /// The recogniser of drags; use it for requirements and permissions of other recognisers.
  public let panGestureRecognizer = PanGestureRecognizer()

  /// True while a finger drags.
  public internal(set) var isDragging = false
  /// True while the content moves by itself.
  public var isDecelerating: Bool { flight != nil }

  let holdRecognizer = ScrollHoldRecognizer()
  let indicators = ScrollIndicators()
  let events = ObserverList<ScrollEvent, Void>()
  /// The offset before it is rounded to pixels, so that small steps add up.
  var exactOffset = Point.zero
  /// The offset that the program or a file has set, within the ends or not; nil once somebody has scrolled since.
  private var askedOffset: Point? = .zero
  /// True if it was set since the last layout: then no page is kept.
  private var isAskedAnew = false
  /// True while the offset is changed from inside.
  var isMoving = false
  var flight: ScrollFlight?
  /// The finger's position without resistance when the drag began, and the offset shown then.
  private var (startPlace, startOffset) = (Point.zero, Point.zero)
  private var dragged = Axes.both
  var wheelEnd: WakeUp?
  private var lastLayout = Size.zero

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    addSubview(contentView)
    for indicator in indicators.views { addSubview(indicator) }
    watchFingers()
  }

  package var model: ScrollModel {
    var model = ScrollModel()
    model.viewSize = bounds.size
    model.contentSize = contentView.bounds.size
    model.insets = contentInsets
    model.covered = covered
    model.axes = [scrollsHorizontally ? .horizontal : [], scrollsVertically ? .vertical : []]
    model.bounces = bounces
    model.alwaysBounces = [alwaysBouncesHorizontally ? .horizontal : [], alwaysBouncesVertically ? .vertical : []]
    model.isPaging = isPagingEnabled
    return model
  }

  // MARK: Observing

  /// Has `body` called when dragging and moving begin and end, as long as the token is held.
  public func observeScrolling(_ body: @escaping (_ event: ScrollEvent) -> Void) -> ObservationToken {
    events.add(body)
  }

  // MARK: Layout

  open override var contentHost: View { contentView }

  open override var placesSubviewsBySize: Bool { true }

  /// Gives the content its size, keeps the offset within its range and a page on its page.
  open override func layoutSubviews() {
    var before = model
    before.viewSize = lastLayout
    let room = Rect(origin: .zero, size: bounds.size).inset(by: contentInsets).size
    var size = contentSize
    if size.isEmpty {
      // Anchors are measured in the available space, while the content's frame stays: a frame that changed twice would damage
      // all of it.
      contentView.layoutPass(in: contentView.hasAnchoredSubviews ? room : nil)
      size = contentView.fittingSize(in: room)
      // Anchors at its far edges were measured in the room: content that is smaller fills it.
      if contentView.hasAnchoredSubviews {
        size = Size(width: max(size.width, room.width), height: max(size.height, room.height))
      }
    }
    if !scrollsHorizontally { size.width = room.width }
    if !scrollsVertically { size.height = room.height }
    if contentView.hasAnchoredSubviews, size != room { contentView.markForLayout() }
    contentView.frame = Rect(origin: contentView.frame.origin, size: size)
    contentView.layoutIfNeeded()
    let isResized = lastLayout != .zero && lastLayout != bounds.size
    lastLayout = bounds.size
    let model = model
    if isDragging {
      placeContent()
    } else if isPagingEnabled, isResized, !isAskedAnew {
      stop()
      show(Point { model.offset($0, ofPage: before.page($0, at: exactOffset[$0])) })
    } else if let flight, !model.clamped(flight.end).isNear(flight.end) {
      // The goal of its motion no longer exists.
      decelerate(velocity: .zero)
    } else if flight == nil {
      show(model.clamped(isPagingEnabled && !isAskedAnew ? exactOffset : askedOffset ?? exactOffset))
    }
    isAskedAnew = false
    placeContent()
    events.notify(.didLayout)
  }

  /// Puts the content where the offset says, on whole pixels: its drawing is then kept, and only laid elsewhere.
  func placeContent() {
    let origin = Point(x: 0 - contentOffset.x, y: 0 - contentOffset.y)
    contentView.frame = Rect(origin: origin, size: contentView.bounds.size)
    indicators.place(model, in: self)
  }

  /// Gives the content another size, of which `way` is before what is in sight. That stays in sight, under a finger that drags it and while it
  /// moves by itself too.
  package func resizeContent(to size: Size, before way: Point) {
    contentSize = size
    contentView.frame = Rect(origin: contentView.frame.origin, size: size)
    guard way != .zero else { return }
    let (velocity, old) = (currentVelocity, flight)
    (startPlace, startOffset) = (startPlace + way, startOffset + way)
    askedOffset = askedOffset.map { $0 + way }
    show(exactOffset + way)
    guard let old else { return }
    guard old.isWished else { return _ = decelerate(velocity: velocity) }
    let goal = model.clamped(old.end + way)
    fly(ScrollFlight(isWished: true) { ScrollMotion(from: exactOffset[$0], velocity: velocity[$0], to: goal[$0]) })
  }

  /// Scrolls the content to `offset`, beyond the ends too.
  func move(to offset: Point) {
    askedOffset = nil
    show(offset)
  }

  private func show(_ offset: Point) {
    exactOffset = offset
    let factor = root?.scale.factor ?? 1
    isMoving = true
    contentOffset = Point { (offset[$0] * factor).rounded() / factor }
    isMoving = false
  }

  private func contentOffsetChanged() {
    if !isMoving {
      stop()
      (askedOffset, isAskedAnew, exactOffset) = (contentOffset, true, contentOffset)
      // Before the first layout the range is unknown.
      if !needsLayout {
        exactOffset = model.clamped(contentOffset)
        isMoving = true
        contentOffset = exactOffset
        isMoving = false
      }
    }
    placeContent()
  }

  package override func showSettingsAnew() {
    guard askedOffset != nil else { return }
    isAskedAnew = true
    setNeedsLayout()
  }

  private func isScrollEnabledChanged() {
    panGestureRecognizer.isEnabled = isScrollEnabled
    holdRecognizer.isEnabled = isScrollEnabled
  }

  // MARK: Input

  /// A scroll view takes the focus only if nothing inside can; otherwise it gets the keys that its content leaves.
  open override var canBecomeFirstResponder: Bool {
    isScrollEnabled && !model.scrollableAxes.isEmpty && !contentView.hasFocusableViews
  }

  // MARK: Appearance

  /// Shows the indicators for a moment, so that the user sees that there is more.
  public func flashIndicators() { indicators.flash(in: self) }

  /// Shows in a window what was to be flashed before.
  open override func didMoveToRoot() { indicators.moved(in: self) }

  open override func layoutDirectionDidChange() { setNeedsLayout() }

  open override func themeDidChange() { indicators.setNeedsDisplay() }

  open override var inspection: Inspection {
    super.inspection.adding(["isDragging": .bool(isDragging), "isDecelerating": .bool(isDecelerating)])
  }

  /// The distance that an arrow key scrolls, and the part of the old page that a page key leaves visible, in points.
  private static let line = 40.0
  /// After how long without an event a wheel is at rest.
  private static let wheelRest = Duration.milliseconds(180)

  func watchFingers() {
    panGestureRecognizer.shouldReceive = { [weak self] _ in
      guard let self else { return false }
      panGestureRecognizer.axes = model.scrollableAxes
      return !panGestureRecognizer.axes.isEmpty
    }
    panGestureRecognizer.mayBegin = { [weak self] in !(self?.leavesDragToOuter($0) ?? true) }
    panGestureRecognizer.addAction { [weak self] pan in self?.panned(pan) }
    holdRecognizer.delaysTouchesBegan = true
    holdRecognizer.shouldReceive = { [weak self] touch in self?.holds(touch) ?? false }
    holdRecognizer.catches = { [weak self] in self?.catchContent() ?? false }
    holdRecognizer.released = { [weak self] in
      guard let self, !isDragging, flight == nil else { return }
      decelerate(velocity: .zero, from: startOffset)
    }
    // The drag recogniser first: the touches that it takes are not delivered to the content.
    addGestureRecognizer(panGestureRecognizer)
    addGestureRecognizer(holdRecognizer)
  }

  // MARK: Fingers

  private func holds(_ touch: Touch) -> Bool {
    if flight != nil { return true }
    let axes = model.scrollableAxes
    guard delaysContentTouches, !axes.isEmpty else { return false }
    // Touches that no drag can take are delivered at once.
    return !holdRecognizer.dragAxes(around: touch).isSuperset(of: axes)
  }

  /// True for a drag that pulls beyond an end at which the content rests, if a scroll view around this one can follow it: as for
  /// the wheel, what is there would otherwise be out of a finger's reach.
  private func leavesDragToOuter(_ travel: Point) -> Bool {
    guard flight == nil else { return false }
    let axis: Axis = Axes.dominant(of: travel).contains(.horizontal) ? .horizontal : .vertical
    func canFollow(_ scroll: ScrollView) -> Bool {
      let range = scroll.model.range(axis)
      let offset = scroll.exactOffset[axis]
      return travel[axis] > 0 ? offset > range.lowerBound + 0.5 : offset < range.upperBound - 0.5
    }
    guard !canFollow(self) else { return false }
    var outer = enclosingScrollView
    while let scroll = outer {
      if scroll.isScrollEnabled, canFollow(scroll) { return true }
      outer = scroll.enclosingScrollView
    }
    return false
  }

  /// Stops content that moves; false if the finger is meant for what lies under it all the same.
  private func catchContent() -> Bool {
    guard let flight else { return false }
    let time = animationMotion(forKey: Self.flightKey)?.value ?? 0
    let seemedToRest = flight.x.hardlyMoves(at: time) && flight.y.hardlyMoves(at: time)
    startOffset = flight.end
    stop()
    return !seemedToRest
  }

  private func panned(_ pan: PanGestureRecognizer) {
    switch pan.state {
    case .began:
      stop()
      startPlace = model.place(forOffset: exactOffset)
      startOffset = exactOffset
      dragged = isDirectionalLockEnabled ? pan.axis : .both
      isDragging = true
      events.notify(.willBeginDragging)
      drag(by: pan.translation)
    case .changed: drag(by: pan.translation)
    case .ended: endDrag(velocity: pan.velocity)
    default: endDrag(velocity: .zero)
    }
  }

  private func drag(by translation: Point) {
    guard isDragging else { return }
    let place = Point { startPlace[$0] - (dragged.contains(Axes($0)) ? translation[$0] : 0) }
    move(to: model.offset(forPlace: place))
    indicators.flash(in: self)
  }

  private func endDrag(velocity: Point) {
    guard isDragging else { return }
    isDragging = false
    let axes = dragged.intersection(model.scrollableAxes)
    let isGoing = decelerate(velocity: Point { axes.contains(Axes($0)) ? -velocity[$0] : 0 }, from: startOffset)
    events.notify(.didEndDragging(willDecelerate: isGoing))
  }

  // MARK: Wheel and touchpad

  /// Scrolls by `dx` and `dy` points at once. Returns false if nothing is left to scroll in that direction, so that an ancestor
  /// scroll view may.
  open override func handleScroll(at point: Point, dx: Double, dy: Double) -> Bool {
    guard isScrollEnabled else { return false }
    if isDragging { return true }
    let model = model
    // A one-dimensional wheel also scrolls content that only moves along the other axis.
    let isSideways = dx == 0 && !model.scrollableAxes.contains(.vertical)
    let step = isSideways ? Point(x: dy, y: 0) : Point(x: dx, y: dy)
    let goal = model.clamped(exactOffset + step)
    guard goal != exactOffset else { return false }
    stop()
    move(to: goal)
    indicators.flash(in: self)
    guard isPagingEnabled, let root else { return true }
    wheelEnd = root.wake(at: root.now + Self.wheelRest) { [weak self] in
      guard let self, !isDragging, flight == nil else { return }
      decelerate(velocity: .zero, from: exactOffset)
    }
    return true
  }

  // MARK: Keys

  /// Arrow keys scroll by 40 points, Page Up and Down by a viewport, Home and End to the ends; false if nothing moves.
  open override func handleKey(_ event: KeyEvent) -> Bool {
    guard event.phase == .down || event.phase == .repeated else { return true }
    guard isScrollEnabled, event.modifiers.isEmpty, let goal = goal(of: event.key) else { return false }
    guard !goal.isNear(wishedOffset) else { return event.phase == .repeated }
    setContentOffset(goal, animated: true)
    indicators.flash(in: self)
    return true
  }

  /// The offset of the content, or its goal while it moves there.
  private var wishedOffset: Point { flight?.isWished == true ? flight?.end ?? exactOffset : exactOffset }

  private func goal(of key: Key) -> Point? {
    let model = model
    let axes = model.scrollableAxes
    // A page keeps a line of the one before; with paging it is the next page.
    func page(_ axis: Axis) -> Double { max(bounds.size[axis] - (isPagingEnabled ? 0 : Self.line), Self.line) }
    func line(_ axis: Axis) -> Double { isPagingEnabled ? page(axis) : Self.line }
    let main = axes.contains(.vertical) ? Axis.vertical : .horizontal
    var goal = wishedOffset
    switch key {
    case .up where main == .vertical: goal.y -= line(.vertical)
    case .down where main == .vertical: goal.y += line(.vertical)
    case .left where axes.contains(.horizontal): goal.x -= line(.horizontal)
    case .right where axes.contains(.horizontal): goal.x += line(.horizontal)
    case .pageUp: goal[main] -= page(main)
    case .pageDown: goal[main] += page(main)
    case .home: goal[main] = -.greatestFiniteMagnitude
    case .end: goal[main] = .greatestFiniteMagnitude
    default: return nil
    }
    return model.clamped(goal)
  }

  private static let flightKey = "scroll"

  /// Moves to `offset`, clamped to the ends. If animated, it takes about a third of a second, unless the user prefers reduced
  /// motion.
  public func setContentOffset(_ offset: Point, animated: Bool) {
    guard offset.isFinite else { return }
    layoutIfNeeded()
    let goal = model.clamped(offset)
    guard animated, let root, !root.prefersReducedMotion else {
      contentOffset = goal
      return
    }
    // On a spring that takes over from whatever moves.
    let velocity = currentVelocity
    fly(ScrollFlight(isWished: true) { ScrollMotion(from: exactOffset[$0], velocity: velocity[$0], to: goal[$0]) })
  }

  /// Scrolls as little as needed to show `rect`, in the content's coordinates.
  public func scrollRectToVisible(_ rect: Rect, animated: Bool) {
    guard rect.isFinite else { return }
    layoutIfNeeded()
    let offset = model.offset(showing: rect, from: wishedOffset)
    if !offset.isNear(exactOffset) { setContentOffset(offset, animated: animated) }
  }

  /// Starts the deceleration of the content with `velocity` in points per second. Returns true if it moves.
  @discardableResult func decelerate(velocity: Point, from start: Point? = nil) -> Bool {
    let (model, start) = (model, start ?? exactOffset)
    return fly(
      ScrollFlight { model.motion($0, from: exactOffset[$0], velocity: velocity[$0], start: start[$0]) })
  }

  private var currentVelocity: Point {
    guard let flight, let time = animationMotion(forKey: Self.flightKey)?.value else { return .zero }
    return Point(x: flight.x.velocity(at: time), y: flight.y.velocity(at: time))
  }

  @discardableResult private func fly(_ flight: ScrollFlight) -> Bool {
    let wasFlying = self.flight != nil
    self.flight = nil
    removeAnimation(forKey: Self.flightKey)
    guard flight.duration > 0 else {
      move(to: flight.end)
      if wasFlying { events.notify(.didEndDecelerating) }
      return false
    }
    self.flight = flight
    // The animation's value is the time that has passed.
    let animation = Animation(
      from: 0, to: flight.duration, duration: .seconds(flight.duration), curve: .linear, removal: .keep)
    addAnimation(animation, forKey: Self.flightKey) { [weak self] time in
      self?.move(to: flight.offset(at: time))
    } completion: { [weak self] finished in
      guard let self, self.flight != nil else { return }
      // Ended early by itself: in the background, or with the view.
      if !finished { move(to: flight.end) }
      self.flight = nil
      events.notify(.didEndDecelerating)
    }
    return self.flight != nil
  }

  /// Stops what moves by itself, where it is.
  func stop() {
    wheelEnd?.cancel()
    wheelEnd = nil
    guard flight != nil else { return }
    flight = nil
    removeAnimation(forKey: Self.flightKey)
    events.notify(.didEndDecelerating)
  }
}

/// The content of a scroll view: as large as the views in it need. Where the content is pulled beyond its start, a view in it may grow
/// into the gap: only the scroll view clips it.
final class ScrollContentView: View {
  override var clipsSubviews: Bool { false }

  override func point(inside point: Point) -> Bool {
    superview?.bounds.contains(point + frame.origin) ?? super.point(inside: point)
  }

  /// The gap itself belongs to the scroll view.
  override func hitTest(_ point: Point) -> View? {
    let hit = super.hitTest(point)
    return hit === self && !bounds.contains(point) ? nil : hit
  }

  override var placesSubviewsBySize: Bool { true }

  override func scrolls(along axis: Axis) -> Bool {
    guard let outer = superview as? ScrollView else { return false }
    return axis == .horizontal ? outer.scrollsHorizontally : outer.scrollsVertically
  }

  override func sizeThatFits(_ size: Size) -> Size {
    var fitting = Size.zero
    for view in subviews where !view.isHidden {
      var place = view.frame
      // What was placed, as a header that follows the content's width, may have the size of an older content.
      if view.anchors == nil, place.size != view.ownSize {
        let origin = Point { max(place.origin[$0], 0) }
        place = Rect(origin: origin, size: view.sizeThatFits(size) ?? view.ownSize)
      }
      fitting.width = max(fitting.width, place.maxX)
      fitting.height = max(fitting.height, place.maxY)
    }
    return fitting
  }
}

extension Point {
  func isNear(_ other: Point) -> Bool { abs(x - other.x) < 0.01 && abs(y - other.y) < 0.01 }
}

extension View {
  var hasFocusableViews: Bool {
    subviews.contains { view in
      view.takesKeys && (view.canBecomeFirstResponder || view.hasFocusableViews)
    }
  }

  package func scrollIntoView() {
    var outer = enclosingScrollView
    while let scroll = outer {
      let margin = FocusRing.reach + 4
      let rect = scroll.contentView.convert(bounds, from: self).insetBy(dx: -margin, dy: -margin)
      scroll.scrollRectToVisible(rect, animated: true)
      outer = scroll.enclosingScrollView
    }
  }
}

struct ScrollFlight {
  let x: ScrollMotion
  let y: ScrollMotion
  /// True if the goal was requested, so that further requests count from it.
  let isWished: Bool

  init(isWished: Bool = false, _ motion: (Axis) -> ScrollMotion) {
    (x, y, self.isWished) = (motion(.horizontal), motion(.vertical), isWished)
  }

  var end: Point { Point(x: x.end, y: y.end) }
  var duration: Double { max(x.duration, y.duration) }

  func offset(at time: Double) -> Point { Point(x: x.offset(at: time), y: y.offset(at: time)) }
}

extension View {
  /// The nearest scroll view that this view is inside of.
  public var enclosingScrollView: ScrollView? { superview as? ScrollView ?? superview?.enclosingScrollView }
}
