/// A knob at one of two ends, off or on.
///
/// A tap, or Space or Enter, changes it; a drag moves the knob, and its position on release decides; arrow keys choose an end.
/// Only a change by the user sends `valueChanged`; setting `isOn` in code sends nothing. In a window the knob moves to its end
/// on a spring.
@ListsProperties(without: \Control.isSelected)
public final class Switch: TrackControl {
  private static let knobKey = "knob"
  private static let spring = Spring(response: 0.17, dampingRatio: 1)

  /// The preferred size, in points; other sizes keep its proportions.
  nonisolated package static let preferredSize = Size(width: 51, height: 31)

  private var shownFraction = 0.0

  /// Creates a switch that is off at `frame`, in points of the future superview.
  public init(frame: Rect = .zero) { super.init(frame: frame, .single, thumbs: [.upper: "knob"]) }

  // MARK: Properties

  /// True when it is on: the same as `isSelected`, which it replaces in the list of properties.
  @Inspectable(\Switch.isSelected, .none, group: "Switch", isReported: true) public var isOn: Bool

  /// The colour of the track while on; nil for the theme's accent.
  @Inspectable(.display) public var onTintColor: Color?
  /// The colour of the track while off; nil for the theme's.
  @Inspectable(.display) public var offTintColor: Color?
  /// The colour of the knob; nil for the theme's.
  @Inspectable(.none, then: Switch.showThumbs) public var knobTintColor: Color?

  public override func stateDidChange(from old: State) {
    super.stateDidChange(from: old)
    guard state.contains(.selected) != old.contains(.selected) else { return }
    didChange(\Switch.isOn)
    // A finger on the knob keeps it; once it is lifted the knob moves to its end.
    if !isTracking { moveKnobToEnd() }
  }

  // MARK: Touches

  public override func endTracking(_ touch: Touch) {
    let wasDragging = model.isDragging
    let isInside = point(inside: touch.location(in: self))
    super.endTracking(touch)
    if wasDragging {
      choose(knobFraction >= 0.5)
    } else if isInside {
      choose(!isOn)
    }
    moveKnobToEnd()
  }

  public override func cancelTracking(_ touch: Touch?) {
    super.cancelTracking(touch)
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

  /// The knob's present fraction from off to on, 0...1.
  var knobFraction: Double { values.upper }
  var knob: SliderThumb { thumbs[0] }

  /// Moves the knob to its end, on a spring if that is visible, otherwise at once.
  private func moveKnobToEnd() {
    let goal = isOn ? 1.0 : 0
    let velocity = animationMotion(forKey: Self.knobKey)?.velocity ?? 0
    stopMotion()
    guard knobFraction != goal else { return }
    guard let root, !root.prefersReducedMotion else { return values.upper = goal }
    let animation = Animation(
      from: knobFraction, to: goal, spring: Self.spring, velocity: velocity, tolerance: 0.01)
    addAnimation(animation, forKey: Self.knobKey) { [weak self] fraction in
      self?.values.upper = fraction
    }
  }

  override func stopMotion() { stopAnimation(forKey: Self.knobKey) }

  override var thumbLook: SliderThumb.Look { SliderThumb.Look(color: knobTintColor) }

  // MARK: Layout and drawing

  package override var geometry: TrackGeometry {
    TrackGeometry(switchOf: bounds.size, direction: effectiveLayoutDirection)
  }

  public override func sizeThatFits(_ size: Size) -> Size { Self.preferredSize }

  override func placeParts() {
    super.placeParts()
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
