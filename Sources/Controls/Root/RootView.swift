/// The view that a window shows, which contains all others.
///
/// Order of a frame: input and changes at any time; then `prepareFrame(for:)` runs frame observers, animations, updates and
/// layout; `takeDamage()` returns the pixels that changed; `draw(_:into:)` paints them, from the background up. The passes are listed in
/// RootView+Frame.swift.
open class RootView: View, OutlinedContent {
  /// The window that shows the tree, or nil.
  public weak var host: (any WindowHost)? {
    didSet {
      oldValue?.setWake(at: nil)
      askedWake = nil
      askForWake()
      // A new window has received no text; this one no longer has any.
      sentTextInput = nil
    }
  }

  /// Buffer pixels per logical point.
  public private(set) var scale = Scale.one

  open var minimumSize: Size { Size(width: 320, height: 240) }

  open var inputArea: [Rect]? { nil }

  /// True if the user prefers reduced motion: decorative motion should become a fade. Set by the application.
  public var prefersReducedMotion = false {
    didSet { if prefersReducedMotion != oldValue { motionObservers.notify(prefersReducedMotion) } }
  }

  /// Receives every key before any view does; return true if no view should receive it. For the few commands that must work
  /// wherever the focus is, such as a brake.
  public var keyInterceptor: ((KeyEvent) -> Bool)?

  /// Receives the keys that no view handled, before Tab and arrow keys move the focus; return true if
  /// handled. Not called while a view has all input.
  public var keyHandler: ((KeyEvent) -> Bool)?

  /// Receives the events of gamepads, which no view gets: they act wherever the focus is. Without a handler the cross of a gamepad moves the
  /// focus (`moveFocus(_:)`), and changes and presses nothing.
  public var gamepadHandler: ((GamepadEvent) -> Void)?

  /// The colours and text sizes of all views inside without their own.
  public override var theme: Theme {
    get { storedTheme }
    set {
      guard newValue != storedTheme else { return }
      let old = storedTheme
      storedTheme = newValue
      if backgroundColor == old.background { backgroundColor = newValue.background }
      noteTheme(was: old)
      focusRing.setNeedsDisplay()
    }
  }

  /// The colour of the ring around the first responder, shown once the keyboard was used; nil for the theme's accent.
  public var focusRingColor: Color? {
    didSet { focusRing.setNeedsDisplay() }
  }

  /// True between `didEnterBackground` and `willEnterForeground`: nothing is animated.
  public private(set) var isInBackground = false

  /// True between `didBecomeActive` and `willResignActive`: the content is visible.
  public private(set) var isActive = false

  /// The view that keys go to first.
  public internal(set) weak var firstResponder: View?
  /// The view last notified that it is the first responder.
  weak var notifiedFirstResponder: View?
  var sentTextInput: TextInputState?
  weak var pasteTarget: View?
  private var textServices: [SeatID: TextService] = [:]
  /// What is known of the input methods of all seats: the one that does most.
  public var textService: TextService {
    let all = textServices.values
    return all.contains(.answering) ? .answering : all.contains(.silent) ? .silent : .none
  }

  /// The menus and tool tips that are shown, oldest first.
  var presentations: [Presentation] = []
  let toolTips = ToolTips()
  /// The views that have all input while they are shown, the newest last.
  var modals: [Modality] = []
  /// The views that assistive technology reaches also while another view has all input, such as an emergency stop.
  package var reachableOverModals: () -> [View] = { [] }
  /// The areas, in the window's coordinates, over which no menu, tool tip, focus ring or mark of the window itself may lie; asked when one
  /// appears or moves.
  package var keptInSight: () -> [Rect] = { [] }

  let animator = Animator()
  let focusRing = FocusRing()
  let touchDispatcher = TouchDispatcher()
  let hoverDispatcher = HoverDispatcher()
  let keyDispatcher = KeyDispatcher()
  let padFocus = PadFocus()
  let frameObservers = ObserverList<MonotonicTime, Bool>()
  let lifecycleObservers = ObserverList<LifecycleEvent, Void>()
  let layoutObservers = ObserverList<Void, Void>()
  let activityObservers = ObserverList<RootActivity, Void>()
  let motionObservers = ObserverList<Bool, Void>()

  /// The wake-ups, the earliest first, and the time requested from the window.
  var wakeUps: [WakeUp] = []
  var askedWake: MonotonicTime?
  /// The views that want to be updated before the next frame.
  var updates: [View] = []
  /// The views that requested an update while views were updated.
  var laterUpdates: [View] = []
  var isUpdating = false
  /// The views that are to be drawn again before the next frame, and those that are being drawn.
  var stale: [View] = []
  var drawn: [View] = []
  /// Receives errors of the tree's views that cannot be thrown, each kind once, as one line for the program's log.
  public var onFault: ((String) -> Void)?
  var hasReportedLayout = false
  private var storedTheme = Theme.light
  var damaged = Region.roomy
  /// The region taken last, kept for its storage.
  var taken = Region.roomy
  var lastFrameTime = MonotonicTime.zero
  /// True from `takeDamage` to the next frame, for which everything waits that is marked meanwhile.
  var isDamageTaken = false
  let painter = Painter()

  /// Creates a root of `frame`'s size, at scale 1 until a window sets another. Its `backgroundColor` is the theme's background, and
  /// follows the theme as long as it is that.
  public override init(frame: Rect = .zero) {
    super.init(frame: Rect(origin: .zero, size: frame.isFinite ? frame.size : .zero))
    backgroundColor = storedTheme.background
    root = self
    focusRing.superview = self
    focusRing.root = self
  }

  /// The decoration of a window whose compositor draws none; nil, the default, for a window without one. The module
  /// `WindowDecoration` has a root view with a title bar.
  open func makeDecoration() -> (any WindowDecoration)? { nil }

  /// The reason why `view` must not carry out a request by assistive technology, nil if it may: the program's decision, before
  /// the control's rules.
  open func accessibilityRefusal(of command: AccessibilityCommand, on view: View) -> AccessibilityRefusal? { nil }

  /// A dialog or a sheet has opened in front of the other views, and what fingers and keys held was cancelled. Override it to end what is held in
  /// other ways, such as by a gamepad.
  open func modalDidOpen() {}

  override var accessibilityScope: [View]? {
    modalView.map { modal in
      [modal] + subviews.filter { $0.keepsFocusElsewhere && !$0.isDescendant(of: modal) } + reachableOverModals()
    }
  }

  /// The view at `point` that takes touches. While one view has all input (`modalView`), that is the view wherever the point lies, or one inside.
  open override func hitTest(_ point: Point) -> View? {
    let hit = super.hitTest(point)
    return HitSearch.step == nil ? confined(hit) : hit
  }

  /// Copies theme, reduced motion and layout direction from the tree that this one surrounds or lies over.
  package final func takeLooks(of other: RootView) {
    theme = other.theme
    prefersReducedMotion = other.prefersReducedMotion
    layoutDirection = other.effectiveLayoutDirection
  }

  // MARK: Frames

  /// The time of events and animations: the window's clock, or without a window the last frame's time.
  public var now: MonotonicTime { host?.now ?? lastFrameTime }

  /// True while something waits to be drawn: damage, layout, or an animation that runs.
  public var needsFrame: Bool {
    !damaged.isEmpty || needsDisplay || !stale.isEmpty || needsLayout || hasLayoutInside || !updates.isEmpty
      || isAnimating
  }

  /// True while an animation runs or a frame observer wants another frame, and the content is not in the background.
  public var isAnimating: Bool { !isInBackground && (animator.isAnimating || frameObservers.hasAwake) }

  /// Sets a new size (whole logical points) and scale; everything is damaged after it. A size that is not finite is ignored.
  public func resize(to size: Size, scale: Scale) {
    guard size.width.isFinite, size.height.isFinite else { return }
    let isOtherScale = scale != self.scale
    self.scale = scale
    frame = Rect(origin: .zero, size: size)
    // Frames on whole pixels of one scale are between the pixels of another.
    if isOtherScale { setNeedsLayoutOfAll() } else { setNeedsLayout() }
    // Old damage may lie outside of the new size.
    damaged.removeAll()
    damageEverything()
  }

  /// Runs the passes before drawing for a frame that is shown at `time`: see `runPasses(for:)`.
  public func prepareFrame(for time: MonotonicTime) { runPasses(for: time) }

  /// Draws stale views again. Returns the region that changed since the last call, in buffer pixels, and resets it.
  public func takeDamage() -> Region { takeDrawnRegion() }

  /// Draws `region` of the current state and nothing outside it; the old pixels there may be anything.
  public func draw(_ region: Region, into buffer: PixelBuffer) { paint(region, into: buffer) }

  /// Draws `region` like `draw(_:into:)`, but from scratch: every view in it draws again, and cached pixels are neither used
  /// nor changed. For tests: a difference means that a `setNeedsDisplay` is missing.
  package func drawAnew(_ region: Region, into buffer: PixelBuffer) {
    painter.paint(self, region: region, into: buffer, drawsAnew: true)
  }

  /// Repaints every pixel.
  public func damageEverything() {
    damage(PixelRect(scale.pixelSize(bounds.size)))
  }

  func damage(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    damaged.add(rect.intersection(PixelRect(scale.pixelSize(bounds.size))))
  }

  /// Records the part that a new drawing changed, while a frame is prepared.
  func noteDrawn(_ rect: PixelRect) {
    damaged.join(rect.intersection(PixelRect(scale.pixelSize(bounds.size))))
  }

  package var outlines: [Rect] {
    func outlines(inside view: View) -> [Rect] {
      view.subviews.filter { !$0.isHidden }.flatMap { [$0.windowFrame] + outlines(inside: $0) }
    }
    return outlines(inside: self)
  }

  // MARK: Input and life

  /// Passes an event of the window to the views that it is for.
  public func handle(_ event: InputEvent) {
    switch event {
    case .touches(let points):
      for point in points where point.phase == .began {
        focusFollows(point.location)
        pressed(at: point.location)
      }
      touchDispatcher.handle(points, in: self)
    case .hover(let seat, let point):
      hoverDispatcher.move(seat, to: point, in: self)
      toolTips.pointerMoved(over: hoverDispatcher.view(under: seat), in: self)
    case .scroll(let event): if event.phase == .changed { scroll(at: event.location, dx: event.dx, dy: event.dy) }
    case .key(let event):
      if event.phase == .down { toolTips.hide() }
      keyDispatcher.handle(event, in: self)
    case .keyboardFocus(let seat, let hasFocus):
      if !hasFocus {
        keyDispatcher.cancel(seat)
        closePresentations()
      }
    case .text(let edit) where edit.source == .primarySelection: pasteSelection(edit)
    case .text(let edit):
      if edit.source == .inputMethod || pasteTarget === firstResponder { firstResponder?.handleText(edit) }
    case .textService(let seat, let service):
      textServices[seat] = service
      setNeedsLayout()
    case .gamepad(let event): if let gamepadHandler { gamepadHandler(event) } else { padFocus.handle(event, in: self) }
    case .lost: break  // What it cancels comes next, finger by finger and key by key.
    }
    hoverDispatcher.updateCursors(self)
  }

  /// A press of the middle button pastes where it is.
  private func pasteSelection(_ edit: TextEdit) {
    guard let point = edit.place, point.isFinite else { return }
    var view = hitTest(point)
    while let current = view {
      if current.pasteSelection(edit, at: current.convert(point, from: nil)) { return }
      view = current.next
    }
  }

  private func scroll(at point: Point, dx: Double, dy: Double) {
    guard point.isFinite, dx.isFinite, dy.isFinite else { return }
    var view = hitTest(point)
    while let current = view {
      if current.handleScroll(at: current.convert(point, from: nil), dx: dx, dy: dy) { return }
      view = current.next
    }
  }

  /// Handles a step of the window's lifecycle: cancels fingers and keys when it stops being visible, removes all animations in
  /// the background, and notifies the observers.
  public func handle(_ event: LifecycleEvent) {
    switch event {
    case .willEnterForeground: isInBackground = false
    case .didBecomeActive:
      isInBackground = false
      isActive = true
    case .willResignActive, .didEnterBackground, .willTerminate:
      if event != .willTerminate { isActive = false }
      closePresentations()
      inputLost(by: self, keepsFocus: true)
      guard event == .didEnterBackground else { break }
      isInBackground = true
      animator.removeAll()
    }
    note(.lifecycle(event))
    lifecycleObservers.notify(event)
    askForWake()
  }

  /// Calls the wake-ups that are due at `time`; those added meanwhile wait for the next call.
  public func handleWake(at time: MonotonicTime) {
    askedWake = nil
    let due = wakeUps.prefix { $0.time <= time }
    wakeUps.removeFirst(due.count)
    for wakeUp in due {
      // A wake-up called before may have cancelled this one.
      guard let body = wakeUp.body else { continue }
      wakeUp.body = nil
      body()
    }
    touchDispatcher.finishTouches()
    askForWake()
  }

  var wantedWake: MonotonicTime? { isInBackground ? nil : wakeUps.first?.time }

  /// True while no finger and no key is down on the tree.
  public var isInputIdle: Bool { touchDispatcher.isIdle && keyDispatcher.isIdle }

  /// Cancels every finger and key, as the system does. Held input counts again only after a release and a new press.
  public func cancelInput() { inputLost(by: self, keepsFocus: true) }

  /// Cancels the fingers and keys that `view` and views inside hold; unless `keepsFocus`, the focus moves elsewhere too.
  func inputLost(by view: View, keepsFocus: Bool = false) {
    touchDispatcher.cancel(in: view)
    keyDispatcher.cancel(in: view)
    if !keepsFocus, let firstResponder, firstResponder.isDescendant(of: view) { setFirstResponder(nil) }
  }

  /// True where pixels may stay that no view covers wholly.
  var isClearedBeforePainting: Bool { !isOpaque }

  open override var isOpaque: Bool { (backgroundColor?.alpha ?? 0) >= 1 && !hasOpening }

  /// True while something below the window is seen through a view.
  private var hasOpening: Bool { openings.contains { $0.view?.root === self && $0.view?.clearedArea != nil } }
  /// The views that have been told to have an opening.
  private var openings: [WeakOpening] = []

  /// Called by a view that has an opening, when it comes into the tree.
  func note(_ view: Opening) {
    openings.removeAll { $0.view == nil || $0.view === view }
    openings.append(WeakOpening(view: view))
  }

  open override var cursor: CursorShape { .arrow }
}
