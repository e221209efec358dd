import UICore

/// A drag on its way.
struct ScrollDrag {
  /// The finger's place when it began, without resistance, and the offset shown then.
  var startPlace = Point.zero
  var startOffset = Point.zero
  /// The axes it moves.
  var axes = Axes.both
}

extension ScrollView {
  /// How far an arrow key scrolls, and how much of the old window a page leaves to be seen, in points.
  private static let line = 40.0
  /// After how long without an event a wheel is at rest.
  private static let wheelRest = Duration.milliseconds(180)

  func watchFingers() {
    panGestureRecognizer.shouldReceive = { [weak self] _ in
      guard let self else { return false }
      panGestureRecognizer.axes = model.scrollableAxes
      return !panGestureRecognizer.axes.isEmpty
    }
    panGestureRecognizer.addAction { [weak self] pan in self?.panned(pan) }
    holdRecognizer.delaysTouchesBegan = true
    holdRecognizer.shouldReceive = { [weak self] touch in self?.holds(touch) ?? false }
    holdRecognizer.catches = { [weak self] in self?.catchContent() ?? false }
    holdRecognizer.released = { [weak self] in
      guard let self, !isDragging, flight == nil else { return }
      settle(velocity: .zero, from: drag.startOffset)
    }
    // The drag first: what it takes is not told to the content.
    addGestureRecognizer(panGestureRecognizer)
    addGestureRecognizer(holdRecognizer)
  }

  // MARK: Fingers

  /// Whether a finger is kept from the content for a moment.
  private func holds(_ touch: Touch) -> Bool {
    if flight != nil { return true }
    let axes = model.scrollableAxes
    guard delaysContentTouches, !axes.isEmpty else { return false }
    // What no drag can be taken from is told at once.
    return !holdRecognizer.dragAxes(around: touch).isSuperset(of: axes)
  }

  private func catchContent() -> Bool {
    guard flight != nil else { return false }
    drag.startOffset = flight?.end ?? exactOffset
    stop()
    return true
  }

  private func panned(_ pan: PanGestureRecognizer) {
    switch pan.state {
    case .began:
      stop()
      drag.startPlace = model.place(forOffset: exactOffset)
      drag.startOffset = exactOffset
      drag.axes = isDirectionalLockEnabled ? pan.axis : .both
      isDragging = true
      events.tell(.willBeginDragging)
      drag(by: pan.translation)
    case .changed: drag(by: pan.translation)
    case .ended: endDrag(velocity: pan.velocity)
    default: endDrag(velocity: .zero)
    }
  }

  private func drag(by translation: Point) {
    guard isDragging else { return }
    let (x, y) = (drag.axes.contains(.horizontal), drag.axes.contains(.vertical))
    let place = Point(
      x: drag.startPlace.x - (x ? translation.x : 0), y: drag.startPlace.y - (y ? translation.y : 0))
    move(to: model.offset(forPlace: place))
    indicators.flash(in: self)
  }

  private func endDrag(velocity: Point) {
    guard isDragging else { return }
    isDragging = false
    let axes = drag.axes.intersection(model.scrollableAxes)
    let velocity = Point(
      x: axes.contains(.horizontal) ? -velocity.x : 0, y: axes.contains(.vertical) ? -velocity.y : 0)
    let isGoing = settle(velocity: velocity, from: drag.startOffset)
    events.tell(.didEndDragging(willDecelerate: isGoing))
  }

  // MARK: Wheel and touchpad

  /// Scrolls by `dx` and `dy` points at once; false where nothing is left to scroll that way.
  func turnWheel(dx: Double, dy: Double) -> Bool {
    guard isScrollEnabled else { return false }
    if isDragging { return true }
    let model = model
    // A wheel that turns one way only scrolls what goes the other way only.
    let isSideways = dx == 0 && !model.scrollableAxes.contains(.vertical)
    let step = isSideways ? Point(x: dy, y: 0) : Point(x: dx, y: dy)
    let goal = model.clamped(exactOffset + step)
    guard goal != exactOffset else { return false }
    stop()
    if wheelStart == nil { drag.startOffset = exactOffset }
    move(to: goal)
    indicators.flash(in: self)
    if isPagingEnabled { settleAfterWheel() }
    return true
  }

  private var wheelStart: WakeUp? { wheelEnd?.isWaiting == true ? wheelEnd : nil }

  private func settleAfterWheel() {
    guard let root else { return }
    wheelEnd = root.wake(at: root.now + Self.wheelRest) { [weak self] in
      guard let self, !isDragging, flight == nil else { return }
      settle(velocity: .zero, from: exactOffset)
    }
  }

  // MARK: Keys

  /// Scrolls as the key says; false where that moves nothing.
  func press(_ event: KeyEvent) -> Bool {
    guard event.phase == .down || event.phase == .repeated else { return true }
    guard isScrollEnabled, event.modifiers.isEmpty, let goal = goal(of: event.key) else { return false }
    guard !goal.isNear(wishedOffset) else { return event.phase == .repeated }
    setContentOffset(goal, animated: true)
    indicators.flash(in: self)
    return true
  }

  /// Where the content is, or will be once it has arrived.
  private var wishedOffset: Point { flight?.isWished == true ? flight?.end ?? exactOffset : exactOffset }

  private func goal(of key: Key) -> Point? {
    let model = model
    let axes = model.scrollableAxes
    // A page keeps a line of the one before; with paging it is the next one.
    let overlap = isPagingEnabled ? 0 : Self.line
    let width = max(bounds.width - overlap, Self.line)
    let height = max(bounds.height - overlap, Self.line)
    let line = isPagingEnabled ? Size(width: width, height: height) : Size(width: Self.line, height: Self.line)
    let isVertical = axes.contains(.vertical)
    var goal = wishedOffset
    switch key {
    case .up where isVertical: goal.y -= line.height
    case .down where isVertical: goal.y += line.height
    case .left where axes.contains(.horizontal): goal.x -= line.width
    case .right where axes.contains(.horizontal): goal.x += line.width
    case .pageUp: if isVertical { goal.y -= height } else { goal.x -= width }
    case .pageDown: if isVertical { goal.y += height } else { goal.x += width }
    case .home:
      if isVertical { goal.y = -.greatestFiniteMagnitude } else { goal.x = -.greatestFiniteMagnitude }
    case .end: if isVertical { goal.y = .greatestFiniteMagnitude } else { goal.x = .greatestFiniteMagnitude }
    default: return nil
    }
    return model.clamped(goal)
  }
}

extension View {
  /// True when something inside can take the focus.
  var hasFocusableViews: Bool {
    subviews.contains { view in
      guard !view.isHidden, view.alpha > 0, view.isUserInteractionEnabled else { return false }
      return view.canBecomeFirstResponder || view.hasFocusableViews
    }
  }

  /// Has scroll views around show this view.
  func scrollIntoView() {
    var outer = superview
    while let current = outer {
      if let scroll = current as? ScrollView {
        let margin = FocusRing.reach + 4
        let rect = scroll.contentView.convert(bounds, from: self).insetBy(dx: -margin, dy: -margin)
        scroll.scrollRectToVisible(rect, animated: true)
      }
      outer = current.superview
    }
  }
}
