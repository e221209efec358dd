/// A track with two thumbs that choose a range.
///
/// Each thumb is dragged by its own finger; the bar between them moves both. At the limit of `minimumSpan` or `maximumSpan` the
/// other thumb is pushed or pulled; without a minimum span the thumbs stop at each other. The thumb stays under the finger,
/// even after the finger went past an end and came back.
///
/// Setting a property in code updates the display and sends nothing; invalid values are clamped to the limits, in whatever
/// order properties are set. Only a change by the user sends `valueChanged`. A drag sends `editingDidBegin` once the finger has
/// moved three points, and finally `editingDidEnd`, or `editingDidCancel` if the system cancelled the finger; so does a held
/// key.
@ListsProperties
public final class RangeSlider: SliderControl {
  /// One end of the range.
  nonisolated public enum Thumb: String, CaseIterable, Hashable, Sendable {
    /// The end with the smaller value.
    case lower
    /// The end with the greater value.
    case upper

    /// The other end.
    public var other: Thumb { self == .lower ? .upper : .lower }
  }

  private(set) var model = RangeModel()
  var lowerThumb: SliderThumb { thumbs[0] }
  var upperThumb: SliderThumb { thumbs[1] }

  /// Receives drag events, as long as it lives.
  public weak var delegate: (any RangeSliderDelegate)?

  /// Creates a slider from 0.2 to 0.8 within 0 and 1 at `frame`, in points of the future superview.
  public init(frame: Rect = .zero) {
    super.init(frame: frame, thumbs: Thumb.allCases.map(\.rawValue))
    isMultipleTouchEnabled = true
    for thumb in Thumb.allCases {
      view(of: thumb).keyHandler = { [weak self] in self?.handleKey($0, on: thumb) ?? false }
      view(of: thumb).assistance = assistance(of: thumb)
    }
    showModel()
  }

  /// Creates a slider whose scale begins and ends this many points from its edges, from 0 to 0.7 within 0 and 1, the range no
  /// shorter than 0.1 and no longer than 0.7.
  public convenience init(frame: Rect, insetLeft: Double, insetRight: Double) {
    self.init(frame: frame)
    insets = EdgeInsets(left: insetLeft, right: insetRight)
    change { $0 = RangeModel(minimum: 0, maximum: 1, axis: $0.axis) }
  }

  // MARK: Values

  /// The least value that can be chosen; 0 by default. Setting it above the maximum raises the maximum too.
  @Inspectable(\RangeSlider.rules.minimum, .none, group: "Range", isReported: true, before: \SliderControl.orientation)
  public var minimumValue: Double
  /// The greatest value that can be chosen; 1 by default. Setting it below the minimum lowers the minimum too.
  @Inspectable(\RangeSlider.rules.maximum, .none, group: "Range", isReported: true, before: \SliderControl.orientation)
  public var maximumValue: Double
  /// The least length of the range, in units of the value; 0 by default, negative counts as 0. It is limited to the length of
  /// the limits.
  @Inspectable(\RangeSlider.rules.minimumSpan, .none, group: "Range", before: \SliderControl.orientation)
  public var minimumSpan: Double
  /// The greatest length of the range, in units of the value; nil, the default, for the length of the limits. Less than
  /// `minimumSpan` counts as `minimumSpan`.
  @Inspectable(\RangeSlider.rules.maximumSpan, .none, group: "Range", before: \SliderControl.orientation)
  public var maximumSpan: Double?
  /// The range's beginning; 0.2 by default. Setting it moves `upperValue` too if the spans require it; without a minimum span,
  /// if it would pass it.
  @Inspectable(\RangeSlider.rules.lower, .none, group: "Range", isReported: true, before: \SliderControl.orientation)
  public var lowerValue: Double
  /// The range's end; 0.8 by default. Setting it moves `lowerValue` too if the spans require it; without a minimum span, if it
  /// would pass it.
  @Inspectable(\RangeSlider.rules.upper, .none, group: "Range", isReported: true, before: \SliderControl.orientation)
  public var upperValue: Double

  // MARK: Layout

  /// The distances from the edges of the bounds to the ends of the scale in points, left and right or top and bottom; nil, the
  /// default, for half a thumb, so that a thumb at an end touches the edge.
  @Inspectable(.layout, group: "Layout", before: \SliderControl.trackTintColor) public var insets: EdgeInsets?

  @Inspectable(\SliderControl.images[.track].file, .none) private var trackImage: ImageReference?
  @Inspectable(\SliderControl.images[.trackHighlight].file, .none) private var trackHighlightImage: ImageReference?
  @Inspectable(\SliderControl.images[.trackHighlightPressed].file, .none)
  private var trackHighlightPressedImage: ImageReference?
  @Inspectable(\SliderControl.images[.thumb].file, .none) private var thumbImage: ImageReference?
  @Inspectable(\SliderControl.images[.thumbPressed].file, .none) private var thumbPressedImage: ImageReference?

  private static let modelProperties: [(path: PartialKeyPath<RangeSlider>, value: (RangeModel) -> Double?)] = [
    (\.minimumValue, { $0.minimum }), (\.maximumValue, { $0.maximum }), (\.minimumSpan, { $0.minimumSpan }),
    (\.maximumSpan, { $0.maximumSpan }), (\.lowerValue, { $0.lower }), (\.upperValue, { $0.upper }),
  ]

  /// Changes the model, shows it with the next frame, and notifies observers of the properties that changed. Observers never
  /// see crossed limits or ends.
  @discardableResult func change<Result>(_ body: (inout RangeModel) -> Result) -> Result {
    var old = model
    // Holds are not a property, and a list that two models share would be copied by the next change.
    old.holds = []
    let result = body(&model)
    modelDidChange(from: old, to: model, Self.modelProperties)
    return result
  }

  /// The model as code sets it.
  private var rules: RangeModel {
    get { model }
    set { change { $0 = newValue } }
  }

  override func showModel() {
    super.showModel()
    lowerThumb.value = model.lower
    upperThumb.value = model.upper
  }

  // MARK: User actions

  /// True while a finger that has moved holds a thumb or the bar.
  public var isDragging: Bool { model.isDragging }

  /// How far past an end the finger is that holds a part, in units of the value: negative below the minimum, positive above the
  /// maximum, 0 inside and if nothing is held. Use it to show that there is no more, for example by a stretching band.
  public var overshoot: Double { model.overshoot }

  /// The change of a finger's distance past an end by its last move, in units of the value; 0 for a move inside. Use it to
  /// scroll the content that the slider chooses from: the trends of a drag add up to its `overshoot`. Code never sets it.
  public var offsetTrend: Double { model.offsetTrend }

  /// Returns the trend and resets it to 0 until a finger moves again, so that each move counts once.
  public func getAndResetOffsetTrend() -> Double { model.getAndResetOffsetTrend() }

  /// Whether a thumb is highlighted, because a finger holds it or the bar.
  public func isHighlighted(_ thumb: Thumb) -> Bool { view(of: thumb).look.isHighlighted }

  /// Gives one thumb the focus, as Tab does. Returns false if the slider takes no keys or is not shown.
  @discardableResult public func focus(_ thumb: Thumb) -> Bool { view(of: thumb).becomeFirstResponder() }

  func view(of thumb: Thumb) -> SliderThumb { thumb == .lower ? lowerThumb : upperThumb }

  /// True while something is dragged, or follows a key.
  public override var isBeingEdited: Bool { isDragging || !heldKeys.isEmpty }

  /// False: Tab stops at the thumbs instead.
  public override var canBecomeFirstResponder: Bool { false }

  public override var inspection: Inspection {
    var inspection = super.inspection.adding([
      "isDragging": .bool(isDragging), "overshoot": overshoot == 0 ? nil : .number(overshoot),
    ])
    for part in SliderImagePart.allCases {
      inspection.values[part.rawValue + "ImageError"] = images[part].error.map { .text($0.description) }
    }
    return inspection
  }

  /// A finger takes the thumb or the bar under it, without moving it; elsewhere the slider ignores the touch.
  public override func beginTracking(_ touch: Touch) -> Bool {
    model.axis = geometry.axis
    let position = position(of: touch)
    let part = model.part(
      at: position, thumbLength: geometry.thumbLength, touchLength: Self.minimumTouchSide)
    guard let part, model.grab(part, by: touch.id, at: position) else { return false }
    showHolds()
    return true
  }

  /// A finger moves the part that it holds. Once it has moved far enough, observers are notified before anything changes.
  public override func continueTracking(_ touch: Touch) -> Bool {
    model.axis = geometry.axis
    let position = position(of: touch)
    let wasDragging = isDragging
    if model.beginDrag(touch.id, at: position), !wasDragging {
      delegate?.rangeSliderWillBeginDragging(self)
      noteEditing()
    }
    // An observer may have cancelled the finger.
    guard model.isDragging(touch.id) else { return true }
    let changed = change { $0.drag(touch.id, to: position) }
    showHolds()
    if changed { sendActions(for: .valueChanged) }
    if offsetTrend != 0 { delegate?.rangeSliderDidChangeOffsetTrend(self) }
    return true
  }

  /// A finger was lifted: first nothing is held or highlighted any more, then the end is reported.
  public override func endTracking(_ touch: Touch) {
    let wasDragging = isDragging
    model.release(touch.id)
    showHolds()
    if wasDragging, !isDragging { delegate?.rangeSliderDidEndDragging(self) }
  }

  /// The finger is lost: the range stays as it is.
  public override func cancelTracking(_ touch: Touch?) {
    if let touch { endTracking(touch) }
  }

  /// A key changed while a thumb has the focus.
  func handleKey(_ event: KeyEvent, on thumb: Thumb) -> Bool {
    handleKey(event) { key in
      switch key {
      case .step(let steps): change { $0.step(thumb, by: steps) }
      case .end(let upwards): change { $0.stepToEnd(thumb, upwards: upwards) }
      }
    }
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .group }

  private func assistance(of thumb: Thumb) -> SliderThumb.Assistance {
    SliderThumb.Assistance(
      // Weak: assistive technology may hold a thumb for longer than its slider lives.
      title: { [weak self] in
        let words = AccessibilityWords.current
        let own = self?.accessibilityLabel ?? ""
        return (own.isEmpty ? "" : own + " ") + (thumb == .lower ? words.lower : words.upper)
      },
      value: { [weak self] in
        self.map { AccessibilityValue($0.model.value(of: thumb), in: $0.minimumValue...$0.maximumValue) }
      },
      set: { [weak self] number throws(AccessibilityRefusal) in
        guard let self else { throw AccessibilityRefusal(AccessibilityWords.current.isImpossible) }
        guard isEnabled else { throw AccessibilityRefusal(AccessibilityWords.current.isDisabled) }
        guard !isTracking, heldKeys.isEmpty else { throw AccessibilityRefusal(AccessibilityWords.current.isHeld) }
        changeByAssistance { change { $0.choose(thumb, number) } }
      })
  }

  // MARK: Layout and appearance

  override var scaleInsets: EdgeInsets? { insets }

  override func placeParts() {
    let geometry = geometry
    model.axis = geometry.axis
    shown.from = model.position(of: .lower)
    shown.to = model.position(of: .upper)
    lowerThumb.place(geometry.thumb(at: shown.from))
    upperThumb.place(geometry.thumb(at: shown.to))
  }

  private var isBarHeld: Bool { model.holds.contains { $0.part == .bar } }

  /// Highlights the parts that fingers hold: each thumb, or the bar.
  private func showHolds() {
    showThumbs()
    shown.isPressed = isBarHeld
  }

  /// While no finger holds anything, both thumbs count as held if code says that the control is held.
  override func isHeld(_ thumb: SliderThumb) -> Bool {
    model.isHeld(thumb === lowerThumb ? .lower : .upper) && !isBarHeld || isHighlighted && !isTracking
  }
}

/// The single receiver of a range slider's drag events. Every function is optional.
///
/// Value changes are sent as control events to any number of receivers: `valueChanged`, `editingDidBegin` and `editingDidEnd`
/// or `editingDidCancel`.
public protocol RangeSliderDelegate: AnyObject {
  /// The user begins to drag: the finger has moved, and nothing has changed yet. Called once, however many fingers drag.
  func rangeSliderWillBeginDragging(_ slider: RangeSlider)

  /// The drag ended and nothing is highlighted; also called if the last finger was cancelled.
  func rangeSliderDidEndDragging(_ slider: RangeSlider)

  /// A finger moved past an end, further out or back, with or without changing the range. `RangeSlider.offsetTrend` is the
  /// distance moved, and `RangeSlider.overshoot` the present distance past the end.
  func rangeSliderDidChangeOffsetTrend(_ slider: RangeSlider)
}

extension RangeSliderDelegate {
  /// Does nothing.
  public func rangeSliderWillBeginDragging(_ slider: RangeSlider) {}
  /// Does nothing.
  public func rangeSliderDidEndDragging(_ slider: RangeSlider) {}
  /// Does nothing.
  public func rangeSliderDidChangeOffsetTrend(_ slider: RangeSlider) {}
}
