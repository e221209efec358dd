/// A knob that is at one of two ends: off or on.
///
/// A tap, or Space or Enter, changes it; a drag takes the knob along, and where that is let go decides; arrow keys choose.
/// A person's change sends `valueChanged`, and only a change does. Setting `isOn` in code sends nothing. In a window the
/// knob goes to its end on a spring.
public final class Switch: TrackControl {
  private static let knobKey = "knob"
  /// The spring that brings the knob to an end.
  private static let spring = Spring(response: 0.17, dampingRatio: 1)

  /// The finger on the knob.
  private var model = SliderModel()
  /// How far the knob is on its way from off to on, 0...1.
  private(set) var knobFraction = 0.0
  /// What the last frame shows of that.
  private var shownFraction = 0.0
  let knob = SliderThumb()

  /// Makes a switch that is off at `frame`, in points of the future superview.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    knob.name = "knob"
    addSubview(knob)
  }

  // MARK: Properties

  /// True when it is on: the same as `isSelected`.
  public var isOn: Bool {
    get { isSelected }
    set { isSelected = newValue }
  }

  /// The colour of the track when it is on; nil for the theme's accent.
  @Inspectable public var onTintColor: Color?
  /// The colour of the track when it is off; nil for the theme's.
  @Inspectable public var offTintColor: Color?
  /// The colour of the knob; nil for the theme's.
  @Inspectable public var knobTintColor: Color?

  /// `isOn` takes the place of `isSelected`, which is the same.
  public override class var inspectables: [AnyProperty] {
    super.inspectables.filter { $0.name != "isSelected" } + [
      Property("isOn", \Switch.isOn, .none, group: "Switch", isTold: true),
      Property("onTintColor", \Switch.onTintColor, .display),
      Property("offTintColor", \Switch.offTintColor, .display),
      Property("knobTintColor", \Switch.knobTintColor, .none, then: { $0.showKnob() }),
    ]
  }

  /// A state shows in the knob and its place; being disabled dims everything.
  public override func stateDidChange(from old: State) {
    let changed = state.symmetricDifference(old)
    if changed.contains(.disabled) { setNeedsDisplay() }
    showKnob()
    guard changed.contains(.selected) else { return }
    didChange(\Switch.isOn)
    // A finger on the knob keeps it; once it is lifted the knob goes where it belongs.
    if !isTracking { settle() }
  }

  // MARK: Touches

  /// A drag along the switch is its own.
  public override var dragAxes: Axes { isEnabled ? .horizontal : [] }

  /// Takes the knob where it is, without moving it.
  public override func beginTracking(_ touch: Touch) -> Bool {
    model.axis = geometry.axis
    endFlight()
    model.value = knobFraction
    return model.grab(touch.id, at: touch.location(in: self).x)
  }

  /// Takes the knob along; between its ends it stays under the finger.
  public override func continueTracking(_ touch: Touch) -> Bool {
    let x = touch.location(in: self).x
    model.axis = geometry.axis
    model.beginDrag(touch.id, at: x)
    if model.isDragging, model.drag(touch.id, to: x) { moveKnob(to: model.value) }
    return true
  }

  /// After a drag the nearer end is chosen, after a tap the other one.
  public override func endTracking(_ touch: Touch) {
    let wasDragging = model.isDragging
    let isInside = point(inside: touch.location(in: self))
    model.release(touch.id)
    if wasDragging {
      choose(model.value >= 0.5)
    } else if isInside {
      choose(!isOn)
    }
    settle()
  }

  /// The finger is lost: the knob goes back.
  public override func cancelTracking(_ touch: Touch?) {
    if let touch { model.release(touch.id) }
    settle()
  }

  /// A person chooses.
  private func choose(_ on: Bool) {
    guard on != isOn else { return }
    isOn = on
    sendActions(for: .valueChanged)
  }

  // MARK: Keys

  /// With the focus: Space and Enter change it when they go up; right is on and left is off, or the other way round where
  /// people read from right to left.
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

  /// Something that is on or off.
  public override var accessibilityRole: AccessibilityRole { .toggle }
  /// Whether it is on.
  public override var accessibilityIsOn: Bool? { isOn }
  /// Changes it, unless a finger holds the knob.
  public override var accessibilityActions: [AccessibilityAction] {
    let words = AccessibilityWords.current
    return [
      AccessibilityAction("toggle", title: words.toggle) { [unowned self] () throws(AccessibilityRefusal) in
        guard !isTracking else { throw AccessibilityRefusal(words.isHeld) }
        choose(!isOn)
      }
    ]
  }

  /// The ring around the switch is as round as it is.
  public override var focusRingCornerRadius: Double? { geometry.track.height / 2 }

  // MARK: The knob

  /// Brings the knob to the end that it belongs to: on a spring where that is seen, else at once.
  private func settle() {
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

  /// Where the parts lie in the current bounds.
  public var geometry: SwitchGeometry { SwitchGeometry(size: bounds.size, direction: effectiveLayoutDirection) }

  /// 51 x 31 points, whatever room there is (K8).
  public override func sizeThatFits(_ size: Size) -> Size { SwitchGeometry.preferredSize }

  override func placeParts() {
    knob.place(geometry.knob(at: knobFraction))
    guard knobFraction != shownFraction else { return }
    shownFraction = knobFraction
    setNeedsDisplay()
  }

  /// Draws the track, its colour as far between off and on as the knob is; the knob is a view of its own, in front of it.
  public override func draw(_ canvas: Canvas) {
    let (off, on) = (offTintColor ?? theme.track, onTintColor ?? theme.accent)
    let painter = SliderPainter(theme: theme, isEnabled: isEnabled)
    painter.drawTrack(geometry.track, off.mixed(with: on, shownFraction), on: canvas)
    // Off is as faint as any track; a line says where the switch is.
    painter.drawEdge(of: geometry.track, opacity: 1 - shownFraction, on: canvas)
  }
}

/// The track of a switch, and its knob at either end.
nonisolated public struct SwitchGeometry: Hashable, Sendable {
  /// The size that suits a switch, in points; others are drawn in its proportions.
  public static let preferredSize = Size(width: 51, height: 31)

  /// The track, in the middle of the bounds and as large as its proportions allow.
  public let track: Rect
  /// Which way "on" is.
  public let direction: LayoutDirection

  /// The parts of a switch of `size`.
  public init(size: Size, direction: LayoutDirection = .leftToRight) {
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

  /// Where the knob's middle goes, from off to on.
  public var axis: SliderAxis {
    let (low, high) = (track.minX + track.height / 2, track.maxX - track.height / 2)
    return direction == .leftToRight
      ? SliderAxis(start: low, extent: high - low) : SliderAxis(start: high, extent: low - high)
  }

  /// The square of a knob that is `fraction` of the way from off to on.
  public func knob(at fraction: Double) -> Rect {
    let middle = axis.start + axis.extent * fraction
    return Rect(x: middle - track.height / 2, y: track.minY, width: track.height, height: track.height)
  }
}
