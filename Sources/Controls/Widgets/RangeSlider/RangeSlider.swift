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

  var lowerThumb: SliderThumb { thumbs[0] }
  var upperThumb: SliderThumb { thumbs[1] }

  /// Receives drag events, as long as it lives.
  public weak var delegate: (any RangeSliderDelegate)?

  /// Creates a slider from 0.2 to 0.8 within 0 and 1 at `frame`, in points of the future superview.
  public init(frame: Rect = .zero) {
    super.init(frame: frame, .pair, thumbs: [.lower: "lower", .upper: "upper"])
    isMultipleTouchEnabled = true
    for thumb in thumbs { thumb.value = values[thumb.end] }
  }

  /// Creates a slider whose scale begins and ends this many points from its edges, from 0 to 0.7 within 0 and 1, the range no
  /// shorter than 0.1 and no longer than 0.7.
  public convenience init(frame: Rect, insetLeft: Double, insetRight: Double) {
    self.init(frame: frame)
    insets = EdgeInsets(left: insetLeft, right: insetRight)
    values = TrackValues(minimum: 0, maximum: 1)
  }

  // MARK: Values

  /// The least value that can be chosen; 0 by default. Setting it above the maximum raises the maximum too.
  @Inspectable(
    \TrackControl.values.minimum, .none, group: "Range", isReported: true, before: \SliderControl.orientation)
  public var minimumValue: Double
  /// The greatest value that can be chosen; 1 by default. Setting it below the minimum lowers the minimum too.
  @Inspectable(
    \TrackControl.values.maximum, .none, group: "Range", isReported: true, before: \SliderControl.orientation)
  public var maximumValue: Double
  /// The least length of the range, in units of the value; 0 by default, negative counts as 0. It is limited to the length of
  /// the limits.
  @Inspectable(\TrackControl.values.minimumSpan, .none, group: "Range", before: \SliderControl.orientation)
  public var minimumSpan: Double
  /// The greatest length of the range, in units of the value; nil, the default, for the length of the limits. Less than
  /// `minimumSpan` counts as `minimumSpan`.
  @Inspectable(\TrackControl.values.maximumSpan, .none, group: "Range", before: \SliderControl.orientation)
  public var maximumSpan: Double?
  /// The properties that decide where the range may begin and end.
  private static let rangeLimits: [AnyKeyPath] = [
    \RangeSlider.minimumValue, \RangeSlider.maximumValue, \RangeSlider.minimumSpan, \RangeSlider.maximumSpan,
  ]
  /// The range's beginning; 0.2 by default. Setting it moves `upperValue` too if the spans require it; without a minimum span,
  /// if it would pass it.
  @Inspectable(
    \TrackControl.values.lower, .none, group: "Range", limitedBy: RangeSlider.rangeLimits, isReported: true,
    before: \SliderControl.orientation)
  public var lowerValue: Double
  /// The range's end; 0.8 by default. Setting it moves `lowerValue` too if the spans require it; without a minimum span, if it
  /// would pass it.
  @Inspectable(
    \TrackControl.values.upper, .none, group: "Range", limitedBy: RangeSlider.rangeLimits, isReported: true,
    before: \SliderControl.orientation)
  public var upperValue: Double

  // MARK: Layout

  /// The distances from the edges of the bounds to the ends of the scale in points, left and right or top and bottom; nil, the
  /// default, for half a thumb, so that a thumb at an end touches the edge.
  @Inspectable(.layout, group: "Layout", before: \SliderControl.trackTintColor) public var insets: EdgeInsets?

  /// The file of an image in place of the track; nil for the drawn track.
  @Inspectable(\SliderControl.images[.track].file, .none) private var trackImage: ImageReference?
  /// The file of an image in place of the bar between the thumbs; nil for the drawn bar.
  @Inspectable(\SliderControl.images[.trackHighlight].file, .none) private var trackHighlightImage: ImageReference?
  /// The file of an image of the bar while it is held; nil for `trackHighlightImage`.
  @Inspectable(\SliderControl.images[.trackHighlightPressed].file, .none)
  private var trackHighlightPressedImage: ImageReference?
  /// The file of an image in place of each thumb; nil for drawn thumbs.
  @Inspectable(\SliderControl.images[.thumb].file, .none) private var thumbImage: ImageReference?
  /// The file of an image of a thumb that is held; nil for `thumbImage`.
  @Inspectable(\SliderControl.images[.thumbPressed].file, .none) private var thumbPressedImage: ImageReference?

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
  public func getAndResetOffsetTrend() -> Double { change { $0.getAndResetOffsetTrend() } }

  /// Whether a thumb is highlighted, because a finger holds it or the bar.
  public func isHighlighted(_ thumb: Thumb) -> Bool { view(of: thumb).look.isHighlighted }

  /// Gives one thumb the focus, as Tab does. Returns false if the slider takes no keys or is not shown.
  @discardableResult public func focus(_ thumb: Thumb) -> Bool { view(of: thumb).becomeFirstResponder() }

  func view(of thumb: Thumb) -> SliderThumb { thumb == .lower ? lowerThumb : upperThumb }

  public override var canBecomeFirstResponder: Bool { false }

  public override var inspection: Inspection {
    var inspection = super.inspection.adding([
      "isDragging": .bool(isDragging), "overshoot": overshoot == 0 ? nil : .number(overshoot),
    ])
    for part in SliderImagePart.allCases {
      inspection.values[part.rawValue + "ImageError"] = images[part].error.map { .string($0.description) }
    }
    return inspection
  }

  override func willDrag() {
    delegate?.rangeSliderWillBeginDragging(self)
    super.willDrag()
  }

  override func didDrag(isChanged: Bool) {
    super.didDrag(isChanged: isChanged)
    if offsetTrend != 0 { delegate?.rangeSliderDidChangeOffsetTrend(self) }
  }

  /// Reports the end when nothing is held or highlighted any more.
  override func release(_ touch: Touch) {
    let wasDragging = isDragging
    super.release(touch)
    if wasDragging, !isDragging { delegate?.rangeSliderDidEndDragging(self) }
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .group }

  /// The accessibility title of a thumb.
  func title(of thumb: Thumb) -> String {
    let (own, words) = (accessibilityLabel ?? "", AccessibilityWords.current)
    return (own.isEmpty ? "" : own + " ") + (thumb == .lower ? words.lower : words.upper)
  }

  // MARK: Layout and appearance

  override var scaleInsets: EdgeInsets? { insets }

  override func placeParts() {
    super.placeParts()
    (shown.from, shown.to) = (position(of: .lower), position(of: .upper))
  }

  override func showThumbs() {
    super.showThumbs()
    shown.isPressed = model.isBarHeld
  }

  /// While no finger holds anything, both thumbs count as held if code says that the control is held.
  override func isHeld(_ thumb: SliderThumb) -> Bool {
    model.isHeld(thumb.end) && !model.isBarHeld || isHighlighted && !isTracking
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
