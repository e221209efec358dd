/// A track with two thumbs that choose a range (R1, O1).
///
/// Each thumb is dragged by a finger of its own; the bar between them moves both (O4). Where `minimumSpan` or
/// `maximumSpan` ends, the other thumb is pushed or pulled (O3); without a minimum span the thumbs stop at each other
/// (R15). The thumb stays under the finger, even after the finger went past an end and came back.
///
/// Setting a property in code updates the picture and sends nothing (O5); what cannot be is brought within the limits, in
/// whatever order properties are set (R-D5). A person's change sends `valueChanged`, and only a change does (R-D3). A drag
/// sends `editingDidBegin` when the finger has moved three points, and at last `editingDidEnd`, or `editingDidCancel` when
/// the system took the finger away; so does a key while it is held. `RangeModel` has the rules.
public final class RangeSlider: SliderControl {
  private(set) var model = RangeModel()
  var lowerThumb: SliderThumb { thumbs[0] }
  var upperThumb: SliderThumb { thumbs[1] }

  /// Hears about drags, as long as it lives (O7, O-D5).
  public weak var delegate: (any RangeSliderDelegate)?

  /// Makes a slider from 0.2 to 0.8 within 0 and 1 (R2) at `frame`, in points of the future superview.
  public init(frame: Rect = .zero) {
    super.init(frame: frame, thumbs: RangeModel.Thumb.allCases.map(\.rawValue))
    isMultipleTouchEnabled = true
    for thumb in RangeModel.Thumb.allCases {
      view(of: thumb).keyHandler = { [weak self] in self?.handleKey($0, on: thumb) ?? false }
      view(of: thumb).assistance = assistance(of: thumb)
    }
    showModel()
  }

  /// Makes a slider whose scale begins and ends so many points from its edges (O9), from 0 to 0.7 within 0
  /// and 1, the range no shorter than 0.1 and no longer than 0.7 (O11).
  public convenience init(frame: Rect, insetLeft: Double, insetRight: Double) {
    self.init(frame: frame)
    insets = EdgeInsets(left: insetLeft, right: insetRight)
    change { $0 = RangeModel(minimum: 0, maximum: 1, axis: $0.axis) }
  }

  // MARK: Values

  /// The least value that can be chosen; 0 by default. Above the maximum it takes the maximum along.
  @Modelled(\RangeSlider.rules.minimum) public var minimumValue: Double
  /// The greatest value that can be chosen; 1 by default. Below the minimum it takes the minimum along.
  @Modelled(\RangeSlider.rules.maximum) public var maximumValue: Double
  /// The least length of the range, in units of the value; 0 by default, negative counts as 0. More than the limits have room
  /// for counts as their length (O-D3).
  @Modelled(\RangeSlider.rules.minimumSpan) public var minimumSpan: Double
  /// The greatest length of the range, in units of the value; nil, the default, for no other than the limits (O-D1). Less
  /// than `minimumSpan` counts as that (O-D3).
  @Modelled(\RangeSlider.rules.maximumSpan) public var maximumSpan: Double?
  /// The range's beginning; 0.2 by default. Setting it takes `upperValue` along where the spans ask for it (O15); without a
  /// minimum span, where it would pass it.
  @Modelled(\RangeSlider.rules.lower) public var lowerValue: Double
  /// The range's end; 0.8 by default. Setting it takes `lowerValue` along where the spans ask for it (O16); without a minimum
  /// span, where it would pass it.
  @Modelled(\RangeSlider.rules.upper) public var upperValue: Double

  // MARK: Layout

  /// From the edges of the bounds to the ends of the scale in points, left and right or top and bottom (O9); nil, the default,
  /// for half a thumb, so that a thumb at an end touches the edge (R7).
  @Inspectable public var insets: EdgeInsets?

  /// Besides those of its superclass.
  public override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("minimumValue", \RangeSlider.minimumValue, .none, group: "Range", isTold: true),
      Property("maximumValue", \RangeSlider.maximumValue, .none, group: "Range", isTold: true),
      Property("minimumSpan", \RangeSlider.minimumSpan, .none, group: "Range"),
      Property("maximumSpan", \RangeSlider.maximumSpan, .none, group: "Range"),
      Property("lowerValue", \RangeSlider.lowerValue, .none, group: "Range", isTold: true),
      Property("upperValue", \RangeSlider.upperValue, .none, group: "Range", isTold: true),
    ] + lookProperties(layout: [Property("insets", \RangeSlider.insets, .layout, group: "Layout")])
      + SliderImagePart.allCases.map { Property($0.rawValue + "Image", \SliderControl.images[$0].file, .none) }
  }

  private static let modelProperties: [(path: PartialKeyPath<RangeSlider>, value: (RangeModel) -> Double?)] = [
    (\.minimumValue, { $0.minimum }), (\.maximumValue, { $0.maximum }), (\.minimumSpan, { $0.minimumSpan }),
    (\.maximumSpan, { $0.maximumSpan }), (\.lowerValue, { $0.lower }), (\.upperValue, { $0.upper }),
  ]

  /// Changes the model, has the picture show it with the next frame, and tells who observes what is another. Whoever observes a
  /// property sees neither limits nor ends that cross.
  @discardableResult func change<Result>(_ body: (inout RangeModel) -> Result) -> Result {
    var old = model
    // What is held is no property, and a list that two models share would be copied by the next change.
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

  // MARK: What a person does

  /// True while a finger that has moved holds a thumb or the bar (O7).
  public var isDragging: Bool { model.isDragging }

  /// How far past an end the finger is that holds something, in units of the value: negative below the minimum, positive above
  /// the maximum, 0 inside and when nothing is held. For showing that there is no more, such as a band that stretches.
  public var overshoot: Double { model.overshoot }

  /// By how much the last move of a finger changed its distance past an end, in units of the value: 0 for a move inside (O6).
  /// For scrolling what the slider chooses from: the trends of a drag add up to its `overshoot`. Code never sets it (O-D2).
  public var offsetTrend: Double { model.offsetTrend }

  /// The trend, which is 0 from then on, until a finger moves again (O6): each move counts once, however often it is asked for.
  public func getAndResetOffsetTrend() -> Double { model.getAndResetOffsetTrend() }

  /// What a finger holds is highlighted; the bar and each thumb by itself (R11).
  public func isHighlighted(_ thumb: RangeModel.Thumb) -> Bool { view(of: thumb).look.isHighlighted }

  /// Has keys go to one thumb, as Tab does (R-D11). False when the slider takes no keys or is not shown.
  @discardableResult public func focus(_ thumb: RangeModel.Thumb) -> Bool { view(of: thumb).becomeFirstResponder() }

  func view(of thumb: RangeModel.Thumb) -> SliderThumb { thumb == .lower ? lowerThumb : upperThumb }

  /// True while something is dragged, or follows a key.
  public override var isBeingEdited: Bool { isDragging || !heldKeys.isEmpty }

  /// False: the thumbs are what Tab stops at.
  public override var canBecomeFirstResponder: Bool { false }

  /// Limits, range and whether somebody drags, for people and tools (R-D11).
  public override var inspection: Inspection {
    var inspection = super.inspection.adding([
      "isDragging": .bool(isDragging), "overshoot": overshoot == 0 ? nil : .number(overshoot),
    ])
    for part in SliderImagePart.allCases {
      inspection.values[part.rawValue + "ImageError"] = images[part].error.map { .text($0.description) }
    }
    return inspection
  }

  /// A finger takes the thumb or the bar under it, without moving it; elsewhere the touch is not the slider's (O12, R13).
  public override func beginTracking(_ touch: Touch) -> Bool {
    model.axis = geometry.axis
    let position = position(of: touch)
    let part = model.part(
      at: position, thumbLength: geometry.thumbLength, touchLength: Self.minimumTouchSide)
    guard let part, model.grab(part, by: touch.id, at: position) else { return false }
    showHolds()
    return true
  }

  /// A finger moves what it holds. The first time it has come far enough, that is told before anything changes (O13).
  public override func continueTracking(_ touch: Touch) -> Bool {
    model.axis = geometry.axis
    let position = position(of: touch)
    let wasDragging = isDragging
    if model.beginDrag(touch.id, at: position), !wasDragging {
      delegate?.rangeSliderWillBeginDragging(self)
      noteEditing()
    }
    // Who heard of it may have taken the finger away.
    guard model.isDragging(touch.id) else { return true }
    let changed = change { $0.drag(touch.id, to: position) }
    showHolds()
    if changed { sendActions(for: .valueChanged) }
    if offsetTrend != 0 { delegate?.rangeSliderDidChangeOffsetTrend(self) }
    return true
  }

  /// A finger left: first nothing is held or highlighted any more, then the end is told (O14).
  public override func endTracking(_ touch: Touch) {
    let wasDragging = isDragging
    model.release(touch.id)
    showHolds()
    if wasDragging, !isDragging { delegate?.rangeSliderDidEndDragging(self) }
  }

  /// The finger is lost: the range stays as it is (R-D4, O-D7).
  public override func cancelTracking(_ touch: Touch?) {
    if let touch { endTracking(touch) }
  }

  /// A key changed while a thumb has the focus (R-D11).
  func handleKey(_ event: KeyEvent, on thumb: RangeModel.Thumb) -> Bool {
    handleKey(event) { key in
      switch key {
      case .step(let steps): change { $0.step(thumb, by: steps) }
      case .end(let upwards): change { $0.stepToEnd(thumb, upwards: upwards) }
      }
    }
  }

  // MARK: Accessibility

  /// Its two thumbs belong together.
  public override var accessibilityRole: AccessibilityRole { .group }

  private func assistance(of thumb: RangeModel.Thumb) -> SliderThumb.Assistance {
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

  // MARK: Layout and looks

  override var scaleInsets: EdgeInsets? { insets }

  /// Brings thumbs and bar to where the model has them.
  override func placeParts() {
    let geometry = geometry
    model.axis = geometry.axis
    shown.from = model.position(of: .lower)
    shown.to = model.position(of: .upper)
    lowerThumb.place(geometry.thumb(at: shown.from))
    upperThumb.place(geometry.thumb(at: shown.to))
  }

  private var isBarHeld: Bool { model.holds.contains { $0.part == .bar } }

  /// Lights what fingers hold: each thumb, or the bar (R11, O12).
  private func showHolds() {
    showThumbs()
    shown.isPressed = isBarHeld
  }

  /// While no finger holds anything, both thumbs where code says that the control is held.
  override func isHeld(_ thumb: SliderThumb) -> Bool {
    model.isHeld(thumb === lowerThumb ? .lower : .upper) && !isBarHeld || isHighlighted && !isTracking
  }
}

/// The one receiver of what a range slider says about drags (O7, R18). Every function may be left out.
///
/// For changes of the value there are events, for any number of receivers: `valueChanged`, `editingDidBegin` and
/// `editingDidEnd` or `editingDidCancel`.
public protocol RangeSliderDelegate: AnyObject {
  /// A person begins to drag: the finger has moved, and nothing has changed yet. Once, however many fingers drag.
  func rangeSliderWillBeginDragging(_ slider: RangeSlider)

  /// Nobody drags any more, and nothing is highlighted (O14); also when the last finger was taken away (O-D7).
  func rangeSliderDidEndDragging(_ slider: RangeSlider)

  /// A finger moved past an end, further out or back, with or without changing the range: `RangeSlider.offsetTrend` says by how
  /// much, and `RangeSlider.overshoot` how far it is past the end now (O6).
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
