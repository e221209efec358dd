// Owns what all controls share: states, tracking fingers, keys that press.
// Must not know what a control looks like or what its value is.

/// A view that a person acts on and that tells others about it (K15).
///
/// Each finger that the control tracks goes through `beginTracking`, any number of `continueTracking`, and then exactly
/// one of `endTracking` or `cancelTracking`, which is the single way out for everything that breaks a touch off: the
/// system, the control removed, hidden or disabled, the window gone.
open class Control: View {
  var actions: [ActionToken] = []
  private var tracked: [Touch] = []
  private var insideIDs: Set<TouchID> = []
  private var pressedKey: Key?

  // MARK: State

  /// The states held; a change calls `stateDidChange`.
  public private(set) var state: State = .normal

  /// False when the control takes no input; what holds it is cancelled.
  public var isEnabled: Bool {
    get { !state.contains(.disabled) }
    set {
      guard newValue != isEnabled else { return }
      if !newValue { root?.inputLost(by: self) }
      setState(.disabled, !newValue)
    }
  }

  /// True for the chosen one, or a switch that is on.
  public var isSelected: Bool {
    get { state.contains(.selected) }
    set { setState(.selected, newValue) }
  }

  /// True while a finger or key presses the control; tracking sets it.
  public var isHighlighted: Bool {
    get { state.contains(.highlighted) }
    set { setState(.highlighted, newValue) }
  }

  /// True while keys go to the control.
  public var isFocused: Bool { state.contains(.focused) }

  /// True while at least one finger is tracked.
  public var isTracking: Bool { !tracked.isEmpty }

  /// The fingers tracked, in the order in which they came.
  public var trackedTouches: [Touch] { tracked }

  /// True while a tracked finger is inside the control.
  public var isTouchInside: Bool { !insideIDs.isEmpty }

  private func setState(_ part: State, _ held: Bool) {
    let old = state
    if held { state.insert(part) } else { state.remove(part) }
    guard state != old else { return }
    stateDidChange(from: old)
    if part == .disabled { plainPropertyDidChange("isEnabled") }
    if part == .selected { plainPropertyDidChange("isSelected") }
  }

  /// Shows the control in `state`, whatever fingers and keys do: for pictures of controls that nobody can touch.
  package func pose(_ state: State) {
    for part in [State.highlighted, .selected, .focused, .disabled] { setState(part, state.contains(part)) }
  }

  // MARK: For subclasses

  /// The state changed from `old`; draws the control again unless overridden.
  open func stateDidChange(from old: State) { setNeedsDisplay() }

  /// A finger came down. True to track it; false passes it to `next` as if the control were not there.
  open func beginTracking(_ touch: Touch) -> Bool { true }

  /// A tracked finger moved, inside or outside. False to end tracking, as if it had been cancelled without an event.
  open func continueTracking(_ touch: Touch) -> Bool { true }

  /// A tracked finger went up.
  open func endTracking(_ touch: Touch) {}

  /// A tracked finger was taken away, or a pressed key (nil): trigger nothing; the value goes where safety wants it.
  open func cancelTracking(_ touch: Touch?) {}

  /// True for controls like buttons: a tap and Space or Enter send `primaryActionTriggered`.
  open var hasPrimaryAction: Bool { false }

  /// True for controls that a finger keeps holding outside, like levers and wheels: they stay highlighted there.
  open var staysHighlightedOutside: Bool { false }

  /// A control that is pressed needs no drags; any other is taken for one that is dragged either way.
  open override var dragAxes: Axes { hasPrimaryAction || !isEnabled ? [] : .both }

  open override var canBecomeFirstResponder: Bool { isEnabled && isUserInteractionEnabled }

  open override var cursor: CursorShape { isEnabled ? .pointingHand : .arrow }

  open override func firstResponderDidChange() { setState(.focused, isFirstResponder) }

  /// A disabled control takes what hits it or a view inside and does nothing with it: nothing behind it is pressed.
  open override func hitTest(_ point: Point) -> View? {
    guard let hit = super.hitTest(point) else { return nil }
    return isEnabled ? hit : self
  }

  open override var inspection: Inspection {
    var inspection = super.inspection
    inspection.state = state.names
    return inspection
  }

  open override class var builtInInspectables: [PlainProperty] { super.builtInInspectables + controlProperties }

  // MARK: Touches

  open override func touchesBegan(_ touches: [Touch]) {
    guard isEnabled else { return }
    var refused: [Touch] = []
    for touch in touches {
      // An action of the touch before may have disabled or removed the control.
      guard isEnabled, touch.view != nil else { continue }
      guard beginTracking(touch) else {
        refused.append(touch)
        continue
      }
      tracked.append(touch)
      insideIDs.insert(touch.id)
      isHighlighted = true
      sendActions(for: .touchDown)
    }
    if !refused.isEmpty { super.touchesBegan(refused) }
  }

  open override func touchesMoved(_ touches: [Touch]) {
    let others = touches.filter { !isTracked($0) }
    for touch in touches where isTracked(touch) {
      guard continueTracking(touch) else {
        forget(touch)
        continue
      }
      // The subclass may have cancelled the touch meanwhile, by removing or disabling the control.
      guard isTracked(touch) else { continue }
      let isInside = point(inside: touch.location(in: self))
      let wasInside = insideIDs.contains(touch.id)
      if isInside { insideIDs.insert(touch.id) } else { insideIDs.remove(touch.id) }
      updateHighlight()
      if isInside != wasInside { sendActions(for: isInside ? .touchDragEnter : .touchDragExit) }
      if isTracked(touch) { sendActions(for: isInside ? .touchDragInside : .touchDragOutside) }
    }
    if !others.isEmpty { super.touchesMoved(others) }
  }

  open override func touchesEnded(_ touches: [Touch]) {
    let others = touches.filter { !isTracked($0) }
    for touch in touches where isTracked(touch) {
      let isInside = point(inside: touch.location(in: self))
      forget(touch)
      endTracking(touch)
      sendActions(for: isInside ? .touchUpInside : .touchUpOutside)
      if isInside && hasPrimaryAction { sendActions(for: .primaryActionTriggered) }
    }
    if !others.isEmpty { super.touchesEnded(others) }
  }

  open override func touchesCancelled(_ touches: [Touch]) {
    let others = touches.filter { !isTracked($0) }
    for touch in touches where isTracked(touch) {
      forget(touch)
      cancelTracking(touch)
      sendActions(for: .touchCancel)
    }
    if !others.isEmpty { super.touchesCancelled(others) }
  }

  private func isTracked(_ touch: Touch) -> Bool { tracked.contains { $0 === touch } }

  private func forget(_ touch: Touch) {
    tracked.removeAll { $0 === touch }
    insideIDs.remove(touch.id)
    updateHighlight()
  }

  private func updateHighlight() {
    isHighlighted = pressedKey != nil || (staysHighlightedOutside ? isTracking : isTouchInside)
  }

  // MARK: Keys

  open override func handleKey(_ event: KeyEvent) -> Bool {
    guard hasPrimaryAction, isEnabled, event.key == .space || event.key == .enter else { return false }
    switch event.phase {
    case .down:
      guard pressedKey == nil, event.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return false }
      pressedKey = event.key
      updateHighlight()
    case .repeated: return pressedKey == event.key
    case .up:
      guard pressedKey == event.key else { return false }
      pressedKey = nil
      updateHighlight()
      sendActions(for: .primaryActionTriggered)
    case .cancelled:
      guard pressedKey == event.key else { return false }
      pressedKey = nil
      updateHighlight()
      cancelTracking(nil)
      sendActions(for: .touchCancel)
    }
    return true
  }
}
