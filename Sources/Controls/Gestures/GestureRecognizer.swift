/// Observes the fingers on a view or inside it, and reports when they make a certain gesture.
///
/// A recogniser receives a finger before the view does. Instant gestures, such as a tap, go from `possible` to `recognized`;
/// continuous gestures, such as a pan, to `began`, `changed` any number of times, and `ended` or `cancelled`. Touches that are
/// not this gesture end in `failed`. The recogniser is `possible` again as soon as all its fingers are up. Actions are called
/// for every new state except `possible` and `failed`.
///
/// If two recognisers of one finger recognise, the first one wins and the other fails, the inner view's first, unless either
/// allows both (`shouldAllowSimultaneous`). A gesture is cancelled, and triggers nothing, if the system cancels a finger or the
/// view is removed, hidden or disabled.
open class GestureRecognizer {
  /// The progress of a gesture.
  nonisolated public enum State: String, CaseIterable, Hashable, Sendable {
    /// The touches may still become the gesture.
    case possible
    /// The gesture began.
    case began
    /// The gesture continues.
    case changed
    /// The gesture ended, or happened at once: `recognized` is the same.
    case ended
    /// The gesture was cancelled: a finger was, or the view was removed, hidden or disabled.
    case cancelled
    /// These touches are not this gesture.
    case failed

    /// A gesture that happens at once happened.
    public static let recognized = State.ended

    var isActive: Bool { self == .began || self == .changed }
    /// True once the present fingers can no longer change the state.
    var isOver: Bool { self == .ended || self == .cancelled || self == .failed }
  }

  /// The view whose fingers it receives; nil until it is added to one.
  public internal(set) weak var view: View?
  /// The progress of the gesture.
  public internal(set) var state = State.possible
  /// False to ignore all fingers; a gesture in progress is cancelled.
  public var isEnabled = true {
    didSet {
      guard !isEnabled && oldValue else { return }
      cancel()
      view?.root?.touchDispatcher.finishTouches()
    }
  }
  /// True to cancel its fingers in the view on which they came down, once the gesture is recognised; the view receives
  /// `touchesCancelled`.
  public var cancelsTouchesInView = true
  /// True to withhold fingers from the view on which they came down as long as this may still become a gesture. If it does not,
  /// the view then receives everything in order.
  public var delaysTouchesBegan = false
  /// Called for each finger that comes down; return false to ignore it.
  public var shouldReceive: ((_ touch: Touch) -> Bool)?
  /// Called when the gesture is about to be recognised; return false to fail instead.
  public var shouldBegin: (() -> Bool)?
  /// Called if this and `other` would both be recognised for one finger; return true to allow both. One of the two is enough.
  public var shouldAllowSimultaneous: ((_ other: GestureRecognizer) -> Bool)?

  /// The fingers received since the last reset, including lifted ones.
  var sequence: [Touch] = []
  /// The state to take once those that must fail first have failed.
  var pending: State?
  var requirements: [Weak<GestureRecognizer>] = []
  private var centroid = Point.zero
  private var alarm: WakeUp?
  let actions = ObserverList<GestureRecognizer, Void>()
  var actionTokens: [ObservationToken] = []

  /// A recogniser that watches nothing until it is added to a view.
  public required init() {}

  // MARK: Fingers

  /// The fingers that are down, in the order in which they came down.
  public var touches: [Touch] { sequence.filter { $0.isDown } }

  /// The number of fingers that are down.
  public var numberOfTouches: Int { touches.count }

  /// The middle of its fingers, in the coordinates of `view` (nil: the window); after the end, the last one.
  public func location(in view: View?) -> Point { centroid - (view?.windowOrigin ?? .zero) }

  /// The position of the finger at `index` of `touches`, in the coordinates of `view` (nil: the window). Nil if no finger
  /// has that index.
  public func location(ofTouch index: Int, in view: View?) -> Point? {
    let down = touches
    return down.indices.contains(index) ? down[index].location(in: view) : nil
  }

  // MARK: For subclasses

  /// Fingers came down. Subclasses override all four, and call `transition(to:)`.
  open func touchesBegan(_ touches: [Touch]) {}

  /// Fingers moved.
  open func touchesMoved(_ touches: [Touch]) {}

  /// Fingers were lifted; `self.touches` no longer contains them.
  open func touchesEnded(_ touches: [Touch]) {}

  /// Fingers were cancelled: cancels the gesture.
  open func touchesCancelled(_ touches: [Touch]) { cancel() }

  /// The time requested with `setWake(after:)` has come.
  open func wakeUp() {}

  /// All fingers are up after the gesture ended, failed or was cancelled: forgets them.
  open func reset() {}

  /// True while the gesture continues without a finger, such as between the taps of a double tap.
  open var isWaiting: Bool { false }

  /// Whether to receive `touch`. By default a recogniser ignores fingers on draggable controls inside its view.
  open func canReceive(_ touch: Touch) -> Bool { dragAxes(around: touch).isEmpty }

  /// True if recognising this gesture makes `other` fail; both have a finger in common.
  open func canPrevent(_ other: GestureRecognizer) -> Bool { true }

  /// True if this and `other` may both be recognised for one finger; false unless `shouldAllowSimultaneous` allows it.
  open func allowsSimultaneous(with other: GestureRecognizer) -> Bool { shouldAllowSimultaneous?(other) ?? false }

  /// Schedules a call of `wakeUp` after `duration`, unless the gesture is over by then; replaces an earlier one.
  public func setWake(after duration: Duration) {
    cancelWake()
    guard let root = view?.root else { return }
    alarm = root.wake(at: root.now + duration) { [weak self] in self?.wakeUp() }
  }

  /// Forgets about `setWake(after:)`.
  public func cancelWake() {
    alarm?.cancel()
    alarm = nil
  }

  /// The time of `touch`'s last change; the present time if the device does not report one.
  public func time(of touch: Touch) -> MonotonicTime {
    touch.time == .zero ? view?.root?.now ?? .zero : touch.time
  }

  /// The views between the finger and this recogniser's own view, which is not included.
  final func viewsInside(around touch: Touch) -> ViewChain { ViewChain(touch.view, upTo: view) }

  /// The drag axes of the views between the finger and this recogniser's own view.
  func dragAxes(around touch: Touch) -> Axes {
    viewsInside(around: touch).reduce(into: []) { axes, inner in
      if (inner as? Control)?.hasRefused(touch) != true { axes.formUnion(inner.dragAxes) }
    }
  }

  // MARK: Calls of the dispatcher

  /// Receives simultaneous changes of fingers of its sequence, or of new ones.
  func receive(_ touches: [Touch], _ phase: TouchPoint.Phase) {
    if phase == .began { sequence += touches }
    centroid = Self.middle(of: self.touches + (phase == .ended ? touches : [])) ?? centroid
    guard !state.isOver else { return }
    if pending == .ended {
      // The change already happened; only whether it counts is open.
      if phase == .cancelled { cancel() }
      return
    }
    switch phase {
    case .began: touchesBegan(touches)
    case .moved: touchesMoved(touches)
    case .ended: touchesEnded(touches)
    case .cancelled: touchesCancelled(touches)
    }
  }

  /// The middle of `touches` in the window; nil without touches.
  final class func middle(of touches: [Touch]) -> Point? {
    guard !touches.isEmpty else { return nil }
    let sum = touches.reduce(Point.zero) { $0 + $1.windowLocation }
    return Point(x: sum.x / Double(touches.count), y: sum.y / Double(touches.count))
  }

  func sees(_ touch: Touch) -> Bool { sequence.contains { $0 === touch } }

  /// Breaks the gesture off: nothing is triggered by it.
  func cancel() {
    guard !sequence.isEmpty else { return }
    guard state.isActive else { return fail() }
    transition(to: .cancelled)
  }

  /// Resets it once all fingers are up and nothing is waited for.
  func resetIfOver() -> Bool {
    guard !sequence.contains(where: \.isDown) else { return false }
    if state == .possible, pending == nil, !isWaiting { fail() }
    guard state.isOver else { return false }
    forgetFingers()
    return true
  }

  /// Whether it watches a new finger alone when it failed with those that are still down.
  var startsOver: Bool { false }

  /// Releases all its fingers, to observe others.
  func startOver() {
    drop(sequence)
    forgetFingers()
  }

  /// Releases fingers, which belong to others from now on.
  func drop(_ touches: [Touch]) {
    for touch in touches { touch.recognizers.removeAll { $0 === self } }
    sequence.removeAll { touch in touches.contains { $0 === touch } }
    centroid = Self.middle(of: self.touches) ?? centroid
  }

  /// Restores the state before any finger came down.
  func forgetFingers() {
    cancelWake()
    sequence = []
    pending = nil
    state = .possible
    reset()
  }

  /// Lets this gesture be recognised only after `other` has failed, such as a single tap that waits for a possible second one.
  /// If `other` is recognised, this one fails. A requirement that would make both wait for each other is ignored.
  public func require(toFail other: GestureRecognizer) {
    guard !requires(other), !other.waits(for: self) else { return }
    requirements.removeAll { $0.object == nil }
    requirements.append(Weak(object: other))
  }

  /// For subclasses: sets a new state. From `possible` the first of `began`, `changed` and `ended` recognises the gesture,
  /// unless another recogniser or `shouldBegin` prevents it; a state that does not follow the present one is ignored.
  public func transition(to new: State) {
    switch (state, new) {
    case (.possible, .failed), (.possible, .cancelled): fail()
    case (.possible, .began), (.possible, .changed): attempt(.began)
    case (.possible, .ended): attempt(.ended)
    case (.began, .changed), (.changed, .changed):
      state = .changed
      actions.notify(self)
    case (.began, .ended), (.began, .cancelled), (.changed, .ended), (.changed, .cancelled):
      cancelWake()
      state = new
      actions.notify(self)
    case (.began, .failed), (.changed, .failed): transition(to: .cancelled)
    default: break
    }
  }

  func fail() {
    guard state == .possible else { return }
    cancelWake()
    pending = nil
    state = .failed
    for other in rivals where other.pending != nil && other.requires(self) { other.attempt(other.pending ?? .began) }
  }

  /// True if this must wait for `other`, or for one that waits for it, or is it.
  private func waits(for other: GestureRecognizer) -> Bool {
    self === other || requirements.contains { $0.object?.waits(for: other) ?? false }
  }

  private func requires(_ other: GestureRecognizer) -> Bool {
    requirements.contains { $0.object === other }
  }

  /// The other recognisers that receive a finger of this one.
  private var rivals: [GestureRecognizer] {
    guard let dispatcher = view?.root?.touchDispatcher else { return [] }
    return dispatcher.recognizers.filter { other in
      other !== self && other.sequence.contains { touch in sequence.contains { $0 === touch } }
    }
  }

  /// True if recognising this one makes `other` fail.
  private func excludes(_ other: GestureRecognizer) -> Bool {
    canPrevent(other) && !allowsSimultaneous(with: other) && !other.allowsSimultaneous(with: self)
  }

  /// Takes `new` if nothing speaks against it, or waits for those that must fail first.
  private func attempt(_ new: State) {
    guard view?.root != nil, !sequence.isEmpty else { return fail() }
    let rivals = rivals
    let isPrevented = rivals.contains { other in
      (other.state.isActive || other.state == .ended) && (requires(other) || other.excludes(self))
    }
    guard !isPrevented else { return fail() }
    if rivals.contains(where: { $0.state == .possible && requires($0) }) {
      pending = new
      // A completed gesture no longer has a time limit.
      if new == .ended { cancelWake() }
      return
    }
    guard shouldBegin?() ?? true else { return fail() }
    // The answer may have disabled it, or taken its view away.
    guard state == .possible, !sequence.isEmpty else { return }
    recognize(new, rivals)
  }

  private func recognize(_ new: State, _ rivals: [GestureRecognizer]) {
    if new == .ended { cancelWake() }
    pending = nil
    state = new
    for other in rivals where other.state == .possible && (other.requires(self) || excludes(other)) { other.fail() }
    if cancelsTouchesInView { view?.root?.touchDispatcher.withdraw(sequence) }
    // The view may have answered by ending the gesture, and the actions know.
    guard state == new else { return }
    actions.notify(self)
  }
}

extension GestureRecognizer: ActionSender {}

extension ActionSender where Self: GestureRecognizer {
  /// A recogniser that calls `action` at every new state but `possible` and `failed`.
  public init(_ action: @escaping (_ recognizer: Self) -> Void) {
    self.init()
    addAction(action)
  }

  /// Adds `action`, which is called at every new state except `possible` and `failed`, in the order of registration. Like a
  /// control's, an action stays until the token's `remove()`: the recogniser holds the token itself.
  @discardableResult public func addAction(_ action: @escaping (_ recognizer: Self) -> Void) -> ObservationToken {
    let token = actions.add { recognizer in
      if let sender = recognizer as? Self { action(sender) }
    }
    actionTokens.removeAll(where: \.isRemoved)
    actionTokens.append(token)
    return token
  }
}

extension View {
  /// Adds `recognizer`, which observes the fingers that come down on the view and inside. It is removed from its previous view.
  public func addGestureRecognizer(_ recognizer: GestureRecognizer) {
    guard recognizer.view !== self else { return }
    recognizer.view?.removeGestureRecognizer(recognizer)
    recognizer.view = self
    storedRecognizers = gestureRecognizers + [recognizer]
  }

  /// Removes the recogniser; a gesture in progress is cancelled.
  public func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
    guard recognizer.view === self else { return }
    recognizer.cancel()
    root?.touchDispatcher.forget(recognizer)
    recognizer.view = nil
    storedRecognizers?.removeAll { $0 === recognizer }
  }

  /// False for views without gestures: inside a disabled control.
  var allowsGestures: Bool { (self as? Control)?.isEnabled ?? true }

  /// The recognisers that watch the view, in the order in which they were added.
  public var gestureRecognizers: [GestureRecognizer] { storedRecognizers ?? [] }
}
