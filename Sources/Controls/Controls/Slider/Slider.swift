/// A track with one thumb that chooses a value.
///
/// A finger anywhere on the slider takes the thumb, which then follows the finger's travel; taking hold moves nothing. A tap
/// beside the thumb brings it there. Setting a property in code updates the display and sends nothing; invalid values are
/// clamped to the limits, in whatever order properties are set. Only a change by the user sends `valueChanged`. A drag, a tap
/// or a held key is enclosed by `editingDidBegin` and `editingDidEnd`, or `editingDidCancel` if the system cancelled the finger
/// or key. `SliderModel` contains the rules.
@ListsProperties
public final class Slider: SliderControl {
  private static let glideKey = "glide"
  /// The duration of the thumb's glide to a tapped position.
  static let glideDuration = Duration.milliseconds(160)

  private(set) var model = SliderModel() {
    didSet { modelDidChange(from: oldValue, to: model, Self.modelProperties) }
  }
  /// The thumb's present fraction while it glides to a tapped position, 0...1; nil if it is at its value.
  private(set) var glide: Double?
  private var isTapped = false
  var thumb: SliderThumb { thumbs[0] }

  /// Creates a slider at 0 within 0 and 1 at `frame`, in points of the future superview.
  public init(frame: Rect = .zero) { super.init(frame: frame, thumbs: ["thumb"]) }

  // MARK: Values

  /// The least value that can be chosen; 0 by default. Setting it above the maximum raises the maximum too.
  @Inspectable(\Slider.model.minimum, .none, group: "Value", isReported: true, before: \SliderControl.orientation)
  public var minimumValue: Double
  /// The greatest value that can be chosen; 1 by default. Setting it below the minimum lowers the minimum too.
  @Inspectable(\Slider.model.maximum, .none, group: "Value", isReported: true, before: \SliderControl.orientation)
  public var maximumValue: Double
  /// The distance between the values that a user can choose, counted from the minimum; 0, the default, for any value.
  @Inspectable(\Slider.model.step, .none, group: "Value", before: \SliderControl.orientation)
  public var step: Double
  /// The value; 0 by default.
  @Inspectable(\Slider.model.value, .none, group: "Value", isReported: true, before: \SliderControl.orientation)
  public var value: Double

  private static let modelProperties: [(path: PartialKeyPath<Slider>, value: (SliderModel) -> Double?)] = [
    (\.minimumValue, { $0.minimum }), (\.maximumValue, { $0.maximum }), (\.step, { $0.step }),
    (\.value, { $0.value }),
  ]

  /// A changed value is shown at its position at once, unless the thumb then glides there.
  override func showModel() {
    super.showModel()
    endGlide()
    thumb.value = model.value
  }

  // MARK: Touches

  /// True while the thumb is dragged, glides to a tapped position, or follows a key.
  public override var isBeingEdited: Bool { isTapped || model.isDragging || !heldKeys.isEmpty }

  /// Takes the thumb, wherever the finger is, without moving it.
  public override func beginTracking(_ touch: Touch) -> Bool {
    model.axis = geometry.axis
    endGlide()
    return model.grab(touch.id, at: position(of: touch))
  }

  /// Moves the thumb by the finger's travel.
  public override func continueTracking(_ touch: Touch) -> Bool {
    model.axis = geometry.axis
    let position = position(of: touch)
    if model.beginDrag(touch.id, at: position) { noteEditing() }
    // An observer may have cancelled the finger.
    if model.isDragging, model.drag(touch.id, to: position) { sendActions(for: .valueChanged) }
    return true
  }

  /// Releases the thumb; after a tap beside it, brings it there.
  public override func endTracking(_ touch: Touch) {
    let wasTap = !model.isDragging && point(inside: touch.location(in: self))
    model.release(touch.id)
    model.axis = geometry.axis
    let position = position(of: touch)
    if wasTap, abs(position - model.position) > geometry.thumbLength / 2 { tap(position) }
  }

  /// The finger is lost: the value stays as it is.
  public override func cancelTracking(_ touch: Touch?) {
    if let touch { model.release(touch.id) }
  }

  private func tap(_ position: Double) {
    let old = model.fraction
    isTapped = true
    noteEditing()
    isTapped = false
    // An observer may have removed the slider.
    guard isEnabled, root != nil, isShown, model.point(at: position) else { return }
    startGlide(from: old)
    sendActions(for: .valueChanged)
  }

  // MARK: Keys

  /// With the focus: arrows move by a step or a hundredth, Page Up and Page Down by ten, Home and End to the ends.
  public override func handleKey(_ event: KeyEvent) -> Bool {
    handleKey(event) { key in
      endGlide()
      return switch key {
      case .step(let steps): model.step(by: steps)
      case .end(let upwards): model.stepToEnd(upwards: upwards)
      }
    }
  }

  public override var accessibilityRole: AccessibilityRole { .slider }
  /// The value with its limits.
  public override var accessibilityValue: AccessibilityValue? {
    AccessibilityValue(value, in: minimumValue...maximumValue, step: step)
  }

  /// Sets the nearest value that a user can choose, unless a finger holds the thumb.
  public override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    guard !isTracking, heldKeys.isEmpty else { throw AccessibilityRefusal(AccessibilityWords.current.isHeld) }
    changeByAssistance { model.choose(number) }
  }

  public override var focusRingCornerRadius: Double? { geometry.thumbLength * curvaceousness / 2 }

  // MARK: Gliding

  /// Has the thumb glide from `start`, 0...1, to its value.
  private func startGlide(from start: Double) {
    guard let root, !root.prefersReducedMotion else { return }
    let animation = Animation(from: start, to: model.fraction, duration: Self.glideDuration, curve: .easeOut)
    addAnimation(animation, forKey: Self.glideKey) { [weak self] fraction in
      self?.glide = fraction
      self?.setNeedsUpdate()
    } completion: { [weak self] _ in
      self?.glide = nil
      self?.setNeedsUpdate()
    }
  }

  private func endGlide() { removeAnimation(forKey: Self.glideKey) }

  // MARK: Layout

  override func placeParts() {
    let geometry = geometry
    let axis = geometry.axis
    model.axis = axis
    let place = axis.start + axis.extent * (glide ?? model.fraction)
    thumb.place(geometry.thumb(at: place))
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
