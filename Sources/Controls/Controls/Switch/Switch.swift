/// A knob at one of two ends, off or on.
///
/// A tap, or Space or Enter, changes it; a drag moves the knob, and its position on release decides; arrow keys choose an end.
/// Only a change by the user sends `valueChanged`; setting `isOn` in code sends nothing. In a window the knob moves to its end
/// on a spring.
@ListsProperties(without: \Control.isSelected)
public final class Switch: TrackControl {
  private static let knobKey = "knob"
  /// The spring that brings the knob to an end.
  private static let spring = Spring(response: 0.17, dampingRatio: 1)

  /// The finger on the knob.
  private var model = SliderModel()
  /// The knob's present fraction from off to on, 0...1.
  private(set) var knobFraction = 0.0
  /// The fraction that the last frame shows.
  private var shownFraction = 0.0
  let knob = SliderThumb()

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    knob.name = "knob"
    addSubview(knob)
  }

  // MARK: Properties

  /// True when it is on: the same as `isSelected`, which it replaces in the list of properties.
  @Inspectable(\Switch.isSelected, .none, group: "Switch", isReported: true) public var isOn: Bool

  /// The colour of the track while on; nil for the theme's accent.
  @Inspectable(.display) public var onTintColor: Color?
  /// The colour of the track while off; nil for the theme's.
  @Inspectable(.display) public var offTintColor: Color?
  /// The colour of the knob; nil for the theme's.
  @Inspectable(.none, then: Switch.showKnob) public var knobTintColor: Color?

  /// The state shows in the knob and its position; disabling dims everything.
  public override func stateDidChange(from old: State) {
    let changed = state.symmetricDifference(old)
    if changed.contains(.disabled) { setNeedsDisplay() }
    showKnob()
    guard changed.contains(.selected) else { return }
    didChange(\Switch.isOn)
    // A finger on the knob keeps it; once it is lifted the knob moves to its end.
    if !isTracking { moveKnobToEnd() }
  }

  // MARK: Touches

  /// The switch keeps a drag along its axis.
  public override var dragAxes: Axes { isEnabled ? .horizontal : [] }

  /// Takes the knob where it is, without moving it.
  public override func beginTracking(_ touch: Touch) -> Bool {
    model.axis = geometry.axis
    endFlight()
    model.value = knobFraction
    return model.grab(touch.id, at: touch.location(in: self).x)
  }

  /// Moves the knob; between its ends it stays under the finger.
  public override func continueTracking(_ touch: Touch) -> Bool {
    let x = touch.location(in: self).x
    model.axis = geometry.axis
    model.beginDrag(touch.id, at: x)
    if model.isDragging, model.drag(touch.id, to: x) { moveKnob(to: model.value) }
    return true
  }

  /// After a drag the nearer end is chosen, after a tap the opposite end.
  public override func endTracking(_ touch: Touch) {
    let wasDragging = model.isDragging
    let isInside = point(inside: touch.location(in: self))
    model.release(touch.id)
    if wasDragging {
      choose(model.value >= 0.5)
    } else if isInside {
      choose(!isOn)
    }
    moveKnobToEnd()
  }

  /// The finger is lost: the knob returns.
  public override func cancelTracking(_ touch: Touch?) {
    if let touch { model.release(touch.id) }
    moveKnobToEnd()
  }

  /// Chooses on behalf of the user.
  private func choose(_ on: Bool) {
    guard on != isOn else { return }
    isOn = on
    sendActions(for: .valueChanged)
  }

  // MARK: Keys

  /// With the focus: Space and Enter change it on release; right is on and left is off, reversed in right-to-left layout.
  public override func handleKey(_ event: KeyEvent) -> Bool {
    let isPress = event.phase == .down
    let key = effectiveLayoutDirection.key(event.key)
    switch key {
    case .right, .up, .left, .down:
      guard !isPress || takesKey(event) else { return false }
      if isPress { choose(key == .right || key == .up) }
      return true
    default: return super.handleKey(event)
    }
  }

  override var isPressedByKeys: Bool { true }

  override func keyWentUp() { choose(!isOn) }

  public override var accessibilityRole: AccessibilityRole { .toggle }
  public override var accessibilityIsOn: Bool? { isOn }
  /// The action that changes it, unless a finger holds the knob.
  public override var accessibilityActions: [AccessibilityAction] {
    let words = AccessibilityWords.current
    return [
      AccessibilityAction("toggle", title: words.toggle) { [unowned self] () throws(AccessibilityRefusal) in
        guard !isTracking else { throw AccessibilityRefusal(words.isHeld) }
        choose(!isOn)
      }
    ]
  }

  public override var focusRingCornerRadius: Double? { geometry.track.height / 2 }

  // MARK: The knob

  /// Moves the knob to its end, on a spring if that is visible, otherwise at once.
  private func moveKnobToEnd() {
    let goal = isOn ? 1.0 : 0
    let velocity = animationMotion(forKey: Self.knobKey)?.velocity ?? 0
    endFlight()
    guard knobFraction != goal else { return }
    guard let root, !root.prefersReducedMotion else { return moveKnob(to: goal) }
    let animation = Animation(
      from: knobFraction, to: goal, spring: Self.spring, velocity: velocity, tolerance: 0.01)
    addAnimation(animation, forKey: Self.knobKey) { [weak self] fraction in
      self?.moveKnob(to: fraction)
    }
  }

  /// Stops the knob where it is.
  private func endFlight() { stopAnimation(forKey: Self.knobKey) }

  private func moveKnob(to fraction: Double) {
    let fraction = min(max(fraction, 0), 1)
    guard fraction != knobFraction else { return }
    knobFraction = fraction
    setNeedsUpdate()
  }

  private func showKnob() {
    knob.look = SliderThumb.Look(color: knobTintColor, isHighlighted: isHighlighted, isEnabled: isEnabled)
  }

  // MARK: Layout and drawing

  /// The geometry of the parts in the current bounds.
  package var geometry: SwitchGeometry { SwitchGeometry(size: bounds.size, direction: effectiveLayoutDirection) }

  /// 51 x 31 points, whatever space there is.
  public override func sizeThatFits(_ size: Size) -> Size { SwitchGeometry.preferredSize }

  override func placeParts() {
    knob.place(geometry.knob(at: knobFraction))
    guard knobFraction != shownFraction else { return }
    shownFraction = knobFraction
    setNeedsDisplay()
  }

  /// Draws the track, its colour as far between off and on as the knob is; the knob is a separate view in front of it.
  public override func draw(_ canvas: Canvas) {
    let (off, on) = (offTintColor ?? theme.track, onTintColor ?? theme.accent)
    let painter = SliderPainter(theme: theme, isEnabled: isEnabled)
    painter.drawTrack(geometry.track, off.mixed(with: on, shownFraction), on: canvas)
    // The off track is as faint as any; an outline shows where the switch is.
    painter.drawEdge(of: geometry.track, opacity: 1 - shownFraction, on: canvas)
  }
}

/// The track of a switch, and its knob at either end.
nonisolated package struct SwitchGeometry: Hashable, Sendable {
  /// The preferred size of a switch, in points; other sizes keep its proportions.
  package static let preferredSize = Size(width: 51, height: 31)

  /// The track, in the middle of the bounds and as large as its proportions allow.
  package let track: Rect
  /// The direction of layout, which decides the side of "on".
  package let direction: LayoutDirection

  /// The parts of a switch of `size`.
  package init(size: Size, direction: LayoutDirection = .leftToRight) {
    let whole = Self.preferredSize
    self.direction = direction
    guard size.width.isFinite, size.height.isFinite, !size.isEmpty else {
      track = .zero
      return
    }
    let factor = min(size.width / whole.width, size.height / whole.height)
    let (width, height) = (whole.width * factor, whole.height * factor)
    track = Rect(x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
  }

  /// The axis of the knob's middle, from off to on.
  package var axis: SliderAxis {
    let (low, high) = (track.minX + track.height / 2, track.maxX - track.height / 2)
    return direction == .leftToRight
      ? SliderAxis(start: low, extent: high - low) : SliderAxis(start: high, extent: low - high)
  }

  /// The square of a knob at `fraction` from off to on.
  package func knob(at fraction: Double) -> Rect {
    let middle = axis.start + axis.extent * fraction
    return Rect(x: middle - track.height / 2, y: track.minY, width: track.height, height: track.height)
  }
}
