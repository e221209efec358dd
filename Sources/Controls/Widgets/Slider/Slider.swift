/// A track with one thumb that chooses a value.
///
/// A finger anywhere on the slider takes the thumb, which then follows the finger's travel; taking hold moves nothing. A tap
/// beside the thumb brings it there. Setting a property in code updates the display and sends nothing; invalid values are
/// clamped to the limits, in whatever order properties are set. Only a change by the user sends `valueChanged`. A drag, a tap
/// or a held key is enclosed by `editingDidBegin` and `editingDidEnd`, or `editingDidCancel` if the system cancelled the finger
/// or key. `TrackModel` contains the rules.
@ListsProperties
public final class Slider: SliderControl {
  private static let glideKey = "glide"
  static let glideDuration = Duration.milliseconds(160)

  /// The thumb's present fraction while it glides to a tapped position, 0...1; nil if it is at its value.
  private(set) var glide: Double?
  private var isTapped = false
  var thumb: SliderThumb { thumbs[0] }

  /// Creates a slider at 0 within 0 and 1 at `frame`, in points of the future superview.
  public init(frame: Rect = .zero) { super.init(frame: frame, .single, thumbs: [.upper: "thumb"]) }

  // MARK: Values

  /// The least value that can be chosen; 0 by default. Setting it above the maximum raises the maximum too.
  @Inspectable(
    \TrackControl.values.minimum, .none, group: "Value", isReported: true, before: \SliderControl.orientation)
  public var minimumValue: Double
  /// The greatest value that can be chosen; 1 by default. Setting it below the minimum lowers the minimum too.
  @Inspectable(
    \TrackControl.values.maximum, .none, group: "Value", isReported: true, before: \SliderControl.orientation)
  public var maximumValue: Double
  /// The distance between the values that a user can choose, counted from the minimum; 0, the default, for any value.
  @Inspectable(\TrackControl.values.step, .none, group: "Value", before: \SliderControl.orientation)
  public var step: Double
  /// The value; 0 by default.
  @Inspectable(
    \TrackControl.values.upper, .none, group: "Value", limitedBy: [\Slider.minimumValue, \Slider.maximumValue],
    isReported: true, before: \SliderControl.orientation)
  public var value: Double

  /// A changed value is shown at its position at once, unless the thumb then glides there.
  override func valuesDidChange() {
    super.valuesDidChange()
    stopMotion()
  }

  // MARK: Touches

  public override var isBeingEdited: Bool { isTapped || super.isBeingEdited }

  public override func endTracking(_ touch: Touch) {
    let wasTap = !model.isDragging && point(inside: touch.location(in: self))
    super.endTracking(touch)
    let position = position(of: touch)
    if wasTap, abs(position - model.position(of: .upper)) > geometry.thumbLength / 2 { tap(position) }
  }

  private func tap(_ position: Double) {
    let old = values.fraction(of: .upper)
    isTapped = true
    noteEditing()
    isTapped = false
    // An observer may have removed the slider.
    guard isEnabled, root != nil, isShown, change({ $0.choose(.upper, at: position) }) else { return }
    startGlide(from: old)
    sendActions(for: .valueChanged)
  }

  // MARK: Keys

  /// With the focus: arrows move by a step or a hundredth, Page Up and Page Down by ten, Home and End to the ends.
  public override func handleKey(_ event: KeyEvent) -> Bool { handleKey(event, on: .upper) }

  public override var accessibilityRole: AccessibilityRole { .slider }
  public override var accessibilityValue: AccessibilityValue? {
    AccessibilityValue(value, in: minimumValue...maximumValue, step: step)
  }

  public override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    try setByAssistance(.upper, number)
  }

  public override var focusRingCornerRadius: Double? { geometry.thumbLength * curvaceousness / 2 }

  // MARK: Gliding

  private func startGlide(from start: Double) {
    guard let root, !root.prefersReducedMotion else { return }
    let animation = Animation(
      from: start, to: values.fraction(of: .upper), duration: Self.glideDuration, curve: .easeOut)
    addAnimation(animation, forKey: Self.glideKey) { [weak self] fraction in
      self?.glide = fraction
      self?.setNeedsUpdate()
    } completion: { [weak self] _ in
      self?.glide = nil
      self?.setNeedsUpdate()
    }
  }

  override func stopMotion() { removeAnimation(forKey: Self.glideKey) }

  // MARK: Layout

  override func position(of thumb: RangeSlider.Thumb) -> Double {
    model.axis.start + model.axis.extent * (glide ?? values.fraction(of: thumb))
  }

  override func placeParts() {
    super.placeParts()
    let (axis, place) = (model.axis, position(of: .upper))
    if minimumValue < 0, maximumValue > 0 {
      // A value to either side of 0 is lit from there.
      let zero = axis.start + axis.extent * (-minimumValue / (maximumValue - minimumValue))
      shown = SliderStretch(from: zero, to: place)
      return
    }
    // From the edge of the track, but nothing at the minimum.
    let edge = axis.extent < 0 ? bounds.size[orientation] : 0
    shown = SliderStretch(from: place == axis.start ? place : edge, to: place)
  }
}
