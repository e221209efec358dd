/// A number that a user types, changes with the up and down arrows, or drags sideways with a finger, four points per step.
///
/// Dragging and arrows send `valueChanged` at once, typing when it is committed. A text that is not a number is not accepted.
@ListsProperties
public final class NumberField: LineField {
  /// The finger's travel per step, in points.
  static let pointsPerStep = 4.0
  /// The finger's travel before a drag begins, in points.
  static let dragThreshold = 8.0

  /// The number, within `minimumValue...maximumValue`; NaN and infinity are ignored. Setting it sends no event.
  @Inspectable(
    .display, limitedBy: [\NumberField.minimumValue, \NumberField.maximumValue], isReported: true,
    then: NumberField.valueChanged)
  public var value = 0.0
  /// The least number; nil for none. Setting it above the greatest raises that too.
  @Inspectable(.none, then: NumberField.minimumChanged) public var minimumValue: Double?
  /// The greatest number; nil for none. Setting it below the least lowers that too.
  @Inspectable(.none, then: NumberField.maximumChanged) public var maximumValue: Double?
  /// The amount that an arrow key, or four points of a drag, add or subtract; with Shift a key adds ten times as much.
  /// Positive.
  @Inspectable(.display, normalise: { $0 > 0 ? $0 : 1.0 }, then: NumberField.valueTextDidChange)
  public var stepValue = 1.0
  /// The most digits after the point, 0...9. If `stepValue` has more, as many as that, so that each step is seen.
  @Inspectable(.display, limits: 0...9, then: NumberField.valueTextDidChange) public var fractionDigits = 3

  private var drag: (startX: Double, startValue: Double, isDragging: Bool)?

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    textAlignment = .right
    purpose = .number
    valueTextDidChange()
  }

  private var format: NumberFormat {
    NumberFormat(fractionDigits: max(fractionDigits, NumberFormat.digits(of: stepValue, atLeast: fractionDigits)))
  }

  /// `number` as it is shown; if that is no different from `start`, because the steps are finer than any digit, `number` itself.
  private func settled(_ number: Double, from start: Double) -> Double {
    let rounded = format.rounded(number)
    return rounded == start ? number : rounded
  }

  private func limited(_ number: Double) -> Double {
    min(max(number, minimumValue ?? number), maximumValue ?? .greatestFiniteMagnitude)
  }

  private func minimumChanged() {
    if let minimumValue, let maximumValue, maximumValue < minimumValue { self.maximumValue = minimumValue }
    value = limited(value)
  }

  private func maximumChanged() {
    if let minimumValue, let maximumValue, maximumValue < minimumValue { self.minimumValue = maximumValue }
    value = limited(value)
  }

  private func valueChanged() {
    value = limited(value)
    valueTextDidChange()
  }

  override var valueText: String { format.text(value) }

  override func accept(_ draft: String) -> Bool {
    guard let typed = format.value(draft) else { return false }
    // Digits that are not shown are kept until the user types others.
    guard draft != format.text(value) else { return false }
    return change(to: typed)
  }

  private func change(to new: Double) -> Bool {
    let old = value
    value = limited(new)
    return value != old
  }

  override func step(_ direction: Int, extends: Bool) -> Bool {
    let start = format.value(draft) ?? value
    let new = start + Double(direction) * stepValue * (extends ? 10 : 1)
    let changed = change(to: settled(new, from: start))
    revert()
    if changed { sendActions(for: .valueChanged) }
    return true
  }

  public override var accessibilityRole: AccessibilityRole { .number }
  public override var accessibilityValue: AccessibilityValue? {
    let (least, greatest) = (minimumValue ?? -1e15, maximumValue ?? 1e15)
    return AccessibilityValue(value, in: least...max(least, greatest), step: stepValue, text: format.text(value))
  }

  public override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    guard drag == nil else { throw AccessibilityRefusal(AccessibilityWords.current.isHeld) }
    changeByAssistance { change(to: settled(number, from: value)) }
  }

  // MARK: Touches

  public override var isBeingEdited: Bool { super.isBeingEdited || drag?.isDragging ?? false }

  public override var dragAxes: Axes { isEnabled ? .horizontal : [] }

  public override func beginTracking(_ touch: Touch) -> Bool {
    drag = isEditing ? nil : (touch.location(in: self).x, value, false)
    return isEditing || touch.id.contact != .pointer ? super.beginTracking(touch) : true
  }

  public override func continueTracking(_ touch: Touch) -> Bool {
    guard drag != nil else { return super.continueTracking(touch) }
    let way = touch.location(in: self).x - (drag?.startX ?? 0)
    if abs(way) >= Self.dragThreshold { drag?.isDragging = true }
    noteEditing()
    // An observer may have cancelled the finger.
    guard let drag, drag.isDragging else { return true }
    let direction = effectiveLayoutDirection == .leftToRight ? 1.0 : -1
    let steps = (way * direction / Self.pointsPerStep).rounded()
    if change(to: settled(drag.startValue + steps * stepValue, from: value)) { sendActions(for: .valueChanged) }
    return true
  }

  public override func endTracking(_ touch: Touch) {
    let wasDragging = drag?.isDragging ?? false
    drag = nil
    if !wasDragging { super.endTracking(touch) }
  }

  /// A finger that rests selects digits, unless it already drags the number.
  override func fingerRested(_ touch: Touch) {
    guard drag?.isDragging != true else { return }
    drag = nil
    super.fingerRested(touch)
  }

  public override func cancelTracking(_ touch: Touch?) {
    super.cancelTracking(touch)
    guard let drag else { return }
    self.drag = nil
    if drag.isDragging, change(to: drag.startValue) { sendActions(for: .valueChanged) }
  }
}
