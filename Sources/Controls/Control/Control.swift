/// A view that the user operates, and that notifies others of it.
///
/// Each finger that the control tracks goes through `beginTracking`, any number of `continueTracking`, and then one of
/// `endTracking` or `cancelTracking`. The latter is called for everything that interrupts a touch: the system, the control
/// removed, hidden or disabled, the window gone. If `continueTracking` returns false, the control hears no more of that finger:
/// neither end nor cancel.
///
/// An action may disable, hide or remove the control. So a control is notified of a finger when it is already tracked, sends
/// its events last, and checks `isTracking(_:)` before it continues after one that it sent earlier.
@ListsProperties
open class Control: View {
  var actions: [ControlAction] = []
  /// Events that wait until every action received the one being sent.
  var waitingEvents: [Event] = []
  var isSendingEvents = false
  /// While an action runs, the events that it was called for.
  package internal(set) var sentEvents: Event = []
  private var tracked: [Touch] = []
  /// The fingers that were refused, and are `next`'s.
  private var passedOn: [Touch] = []
  private var insideIDs: Set<TouchID> = []
  private var pressedKey: Key?
  /// The finger whose `beginTracking` is still to be called, and the one whose `touchDown` is still to be sent.
  private var touchAwaitingBegin: Touch?
  private var notSent: Touch?
  private var isEditingReported = false

  // MARK: State

  /// The states held; a change calls `stateDidChange`.
  public private(set) var state: State = .normal

  /// False for a control that takes no input. Setting it to false cancels held input.
  @Inspectable(\Control.acceptsInput, .none, group: "Control") public var isEnabled: Bool
  private var acceptsInput: Bool {
    get { !state.contains(.disabled) }
    set {
      guard newValue != isEnabled else { return }
      setState(.disabled, !newValue)
      // After the state: handlers of the cancelled finger find the control disabled, and cannot make it accept a new finger.
      if !newValue { root?.inputLost(by: self) }
    }
  }

  /// True for the chosen control, or a switch that is on.
  @Inspectable(\Control[holds: .selected], .none, group: "Control") public var isSelected: Bool

  /// True while a finger or key presses the control; tracking sets it.
  public var isHighlighted: Bool {
    get { self[holds: .highlighted] }
    set { self[holds: .highlighted] = newValue }
  }

  private subscript(holds part: State) -> Bool {
    get { state.contains(part) }
    set { setState(part, newValue) }
  }

  /// True while keys go to the control.
  public var isFocused: Bool { state.contains(.focused) }

  /// True while at least one finger is tracked.
  public var isTracking: Bool { !tracked.isEmpty }

  /// The fingers tracked, in the order in which they came.
  public var trackedTouches: [Touch] { tracked }

  /// True while a tracked finger is inside the control.
  public var isTouchInside: Bool { !insideIDs.isEmpty }

  /// True while the control tracks `touch`; false once a handler of an event cancelled it.
  public func isTracking(_ touch: Touch) -> Bool { tracked.contains { $0 === touch } }

  private func setState(_ part: State, _ held: Bool) {
    let old = state
    if held { state.insert(part) } else { state.remove(part) }
    guard state != old else { return }
    stateDidChange(from: old)
    if part == .disabled { didChange(\Control.isEnabled) }
    if part == .selected { didChange(\Control.isSelected) }
  }

  /// Shows the control in `state` independent of fingers and keys, for images of controls without touches.
  package func pose(_ state: State) {
    for part in [State.highlighted, .selected, .focused, .disabled] { setState(part, state.contains(part)) }
  }

  // MARK: For subclasses

  /// The state changed from `old`; draws the control again unless overridden.
  open func stateDidChange(from old: State) { setNeedsDisplay() }

  /// Called for a finger that came down and is tracked. Return false to release it: it is then passed to `next` as if the
  /// control were not there.
  open func beginTracking(_ touch: Touch) -> Bool { true }

  /// A tracked finger moved, inside or outside. Return false to stop tracking it; the control then hears no more of it.
  open func continueTracking(_ touch: Touch) -> Bool { true }

  /// A tracked finger was lifted.
  open func endTracking(_ touch: Touch) {}

  /// A tracked finger was cancelled, or a pressed key (nil). Trigger nothing; set the value to what safety requires.
  open func cancelTracking(_ touch: Touch?) {}

  /// True while the user changes the value: between `editingDidBegin` and `editingDidEnd` or `editingDidCancel`, which
  /// `Control` sends when this changes. It is read before a finger's `beginTracking` and after each notification of a finger.
  /// For keys, the focus, and a drag that begins only after some distance, call `noteEditing()`.
  ///
  /// False by default: a button is pressed, not edited.
  open var isBeingEdited: Bool { false }

  /// Sends `editingDidBegin` or an end event if `isBeingEdited` has changed since the last event: exactly one end for each
  /// begin. With `isCancelled` the end is `editingDidCancel`.
  public final func noteEditing(isCancelled: Bool = false) {
    let isEdited = isBeingEdited
    guard isEdited != isEditingReported else { return }
    isEditingReported = isEdited
    sendActions(for: isEdited ? .editingDidBegin : isCancelled ? .editingDidCancel : .editingDidEnd)
  }

  /// The events that controls of the class send beside those of fingers, for documents and for those who choose an event. A
  /// subclass that sends others adds them: `super.ownEvents.union(.valueChanged)`.
  ///
  /// `primaryActionTriggered` by default for a control like a button, otherwise none.
  open var ownEvents: Event { hasPrimaryAction ? .primaryActionTriggered : [] }

  /// True for controls like buttons: a tap and Space or Enter send `primaryActionTriggered`.
  open var hasPrimaryAction: Bool { false }

  /// Called before the main action is sent, so that the control's own reaction comes first.
  func willTrigger() {}

  /// True for controls that Space and Enter press: those with a main action, and switches.
  var isPressedByKeys: Bool { hasPrimaryAction }

  /// Space or Enter, which pressed the control, was released.
  func keyWentUp() { sendActions(for: .primaryActionTriggered) }

  /// True for controls that a finger keeps holding outside, like levers and wheels: they stay highlighted there.
  open var staysHighlightedOutside: Bool { false }

  /// Buttons, which are pressed, use no drags; any other control counts as draggable along both axes.
  open override var dragAxes: Axes { hasPrimaryAction || !isEnabled ? [] : .both }

  open override var canBecomeFirstResponder: Bool { isEnabled && isUserInteractionEnabled }

  open override var cursor: CursorShape { isEnabled ? .pointingHand : .arrow }

  open override func firstResponderDidChange() { setState(.focused, isFirstResponder) }

  /// A disabled control takes touches on it or a view inside and ignores them: nothing behind it is pressed.
  open override func hitTest(_ point: Point) -> View? {
    guard let hit = super.hitTest(point) else { return nil }
    return isEnabled ? hit : self
  }

  open override var accessibilityRole: AccessibilityRole { hasPrimaryAction ? .button : .none }

  open override var accessibilityActions: [AccessibilityAction] {
    guard hasPrimaryAction else { return [] }
    return [
      AccessibilityAction("press", title: AccessibilityWords.current.press) { [unowned self] in
        sendActions(for: .primaryActionTriggered)
      }
    ]
  }

  open override var inspection: Inspection {
    var inspection = super.inspection
    inspection.state = state.names
    return inspection
  }

  // MARK: Touches

  open override func touchesBegan(_ touches: [Touch]) {
    var refused: [Touch] = []
    // An action of the touch before may have disabled or removed the control.
    for touch in touches where isEnabled && touch.view != nil {
      // Tracked before any action is called, so that an action that cancels it finds it.
      tracked.append(touch)
      insideIDs.insert(touch.id)
      (touchAwaitingBegin, notSent) = (touch, touch)
      noteEditing()
      touchAwaitingBegin = nil
      guard isTracking(touch) else { continue }
      guard beginTracking(touch) else {
        guard isTracking(touch) else { continue }
        forget(touch)
        noteEditing(isCancelled: true)
        refused.append(touch)
        continue
      }
      if isTracking(touch) { isHighlighted = true }
      notSent = nil
      if isTracking(touch) { sendActions(for: .touchDown) }
    }
    notSent = nil
    guard !refused.isEmpty else { return }
    passedOn += refused
    super.touchesBegan(refused)
  }

  open override func touchesMoved(_ touches: [Touch]) {
    for touch in touches where isTracking(touch) {
      guard continueTracking(touch) else {
        if isTracking(touch) { forget(touch) }
        noteEditing(isCancelled: true)
        continue
      }
      // An action may have taken the finger away.
      guard isTracking(touch) else { continue }
      noteEditing()
      guard isTracking(touch) else { continue }
      let isInside = point(inside: touch.location(in: self))
      let wasInside = insideIDs.contains(touch.id)
      if isInside { insideIDs.insert(touch.id) } else { insideIDs.remove(touch.id) }
      updateHighlight()
      if isInside != wasInside, isTracking(touch) { sendActions(for: isInside ? .touchDragEnter : .touchDragExit) }
      if isTracking(touch) { sendActions(for: isInside ? .touchDragInside : .touchDragOutside) }
    }
    let others = others(of: touches)
    if !others.isEmpty { super.touchesMoved(others) }
  }

  open override func touchesEnded(_ touches: [Touch]) {
    for touch in touches where isTracking(touch) {
      // An action for the finger before may have disabled or removed the control.
      guard !touch.isLost else {
        touchesCancelled([touch])
        continue
      }
      let isInside = point(inside: touch.location(in: self))
      forget(touch)
      endTracking(touch)
      noteEditing()
      sendActions(for: isInside ? .touchUpInside : .touchUpOutside)
      if isInside && hasPrimaryAction { sendActions(for: .primaryActionTriggered) }
    }
    let others = others(of: touches, areOver: true)
    if !others.isEmpty { super.touchesEnded(others) }
  }

  open override func touchesCancelled(_ touches: [Touch]) {
    for touch in touches where isTracking(touch) {
      forget(touch)
      if touch !== touchAwaitingBegin { cancelTracking(touch) }
      noteEditing(isCancelled: true)
      if touch !== notSent { sendActions(for: .touchCancel) }
    }
    let others = others(of: touches, areOver: true)
    if !others.isEmpty { super.touchesCancelled(others) }
  }

  /// Whether the control refused the finger: then it is `next`'s.
  final func hasRefused(_ touch: Touch) -> Bool { passedOn.contains { $0 === touch } }

  /// The touches that this control refused and `next` got instead. Touches that it dropped otherwise have no owner any more.
  private func others(of touches: [Touch], areOver: Bool = false) -> [Touch] {
    guard !passedOn.isEmpty else { return [] }
    let others = touches.filter { touch in passedOn.contains { $0 === touch } }
    if areOver { passedOn.removeAll { touch in others.contains { $0 === touch } } }
    return others
  }

  private func forget(_ touch: Touch) {
    tracked.removeAll { $0 === touch }
    insideIDs.remove(touch.id)
    updateHighlight()
  }

  private func updateHighlight() {
    isHighlighted = pressedKey != nil || (staysHighlightedOutside ? isTracking : isTouchInside)
  }

  // MARK: Keys

  /// True for a key press that is meant for the control; Control, Alt and the logo key make it a command of the window.
  public final func takesKey(_ event: KeyEvent) -> Bool {
    isEnabled && event.modifiers.isDisjoint(with: [.control, .alt, .logo])
  }

  open override func handleKey(_ event: KeyEvent) -> Bool {
    // A control that was disabled with a key held gets the key's cancellation when it is disabled already.
    guard isPressedByKeys, isEnabled || event.phase == .cancelled, event.key == .space || event.key == .enter
    else { return false }
    let isPress = event.phase == .down
    guard isPress ? pressedKey == nil && takesKey(event) : pressedKey == event.key else { return false }
    if event.phase == .repeated { return true }
    pressedKey = isPress ? event.key : nil
    updateHighlight()
    if event.phase == .up {
      keyWentUp()
    } else if event.phase == .cancelled {
      cancelTracking(nil)
      noteEditing(isCancelled: true)
      sendActions(for: .touchCancel)
    }
    return true
  }

  /// The smallest side of an area that a finger hits without looking, in points.
  nonisolated public static let minimumTouchSide = 44.0

  /// The bounds, grown evenly to at least 44 points each way, in which a small control is touched.
  public var touchArea: Rect {
    bounds.insetBy(
      dx: min(0, (bounds.width - Self.minimumTouchSide) / 2), dy: min(0, (bounds.height - Self.minimumTouchSide) / 2))
  }

  /// True if `point`, in the control's coordinates, is in the bounds or belongs to the rest of `touchArea`. Outside of its
  /// bounds a control gets no point that lies in another control, wherever in the window that is, or nearer to another, or
  /// under a view in front of it that takes touches.
  public func isInTouchArea(_ point: Point) -> Bool {
    if bounds.contains(point) { return true }
    guard touchArea.contains(point), superview != nil else { return false }
    switch HitSearch.step {
    case .bounds: return false
    case .areas, .way: return true
    case nil:
      guard let outermost = chain.first(where: { $0.superview == nil }) else { return false }
      return outermost.hitTest(convert(point, to: outermost))?.isDescendant(of: self) ?? false
    }
  }

  /// True in the bounds and, for a small control, around them: see `isInTouchArea(_:)`.
  open override func point(inside point: Point) -> Bool { isInTouchArea(point) }
}

extension Rect {
  /// The distance between the rectangle and `point` in points; 0 inside. The right and bottom edges are outside, at the
  /// smallest distance.
  nonisolated func distance(to point: Point) -> Double {
    if contains(point) { return 0 }
    let dx = max(minX - point.x, 0, point.x - maxX)
    let dy = max(minY - point.y, 0, point.y - maxY)
    return max((dx * dx + dy * dy).squareRoot(), .leastNonzeroMagnitude)
  }
}
