/// A lever that is throttle and gearbox at once: up is faster, N brakes, R reverses.
///
/// In code or from a file, every new gearbox is in neutral. Only a change of gear by the user sends `valueChanged`; setting
/// `gear` in code sends nothing. A touch sends `editingDidBegin` first and `editingDidEnd` last, or `editingDidCancel` if the
/// system cancelled it. `GearboxModel` contains the rules, above all how R opens.
///
/// At 200 x 580 points it matches the source article's gate exactly; other sizes scale it.
@ListsProperties
public final class ThrottleGearbox: Control {
  private var model = GearboxModel() {
    didSet {
      if model.releasePolicy != oldValue.releasePolicy { didChange(\ThrottleGearbox.releasePolicy) }
      if model.cancelPolicy != oldValue.cancelPolicy { didChange(\ThrottleGearbox.cancelPolicy) }
    }
  }
  /// The row that the knob is drawn in.
  private(set) var shownRow = 10
  /// A knob position that was set without a size; it determines the gear as soon as the gearbox has one.
  private var pendingKnobPosition: Point?
  private var knobSource = ImageSource() {
    didSet { if knobSource != oldValue { didChange(\ThrottleGearbox.knobImage) } }
  }
  /// The error in reading the file of `knobImage`; nil if there was no error.
  public var knobImageError: PictureError? { knobSource.error }

  // MARK: Value

  /// The gear. Setting it sends no event. A gear that does not exist is replaced by one that does (`Gear.clamped`), and a
  /// finger on the lever loses its grip if the gear changes.
  @Inspectable(
    \ThrottleGearbox.engagedGear, .none, group: "Gear", limitedBy: [\ThrottleGearbox.gearCount], isReported: true)
  public var gear: Gear

  private var engagedGear: Gear {
    get {
      takeAwaitedPosition()
      return model.gear
    }
    set {
      pendingKnobPosition = nil
      syncGeometry()
      model.set(newValue)
      showGear()
    }
  }

  /// The top left corner of the knob, in points of the gearbox; (73, 224) in neutral at 200 x 580.
  ///
  /// Setting it puts the lever in the gear of the nearest row (`GearboxGeometry.gear(knobAt:)`) like setting `gear`, without an
  /// event; the knob then snaps to that row. A gearbox without a size chooses the gear when it gets one. A position that is not
  /// finite is ignored.
  @Inspectable(
    \ThrottleGearbox.knobOrigin, .none, group: "Knob", derivedFrom: \ThrottleGearbox.gear,
    limitedBy: [\ThrottleGearbox.fit, \ThrottleGearbox.bands])
  public var knobPosition: Point

  private var knobOrigin: Point {
    get {
      takeAwaitedPosition()
      if let pendingKnobPosition { return pendingKnobPosition }
      let geometry = hasArea ? geometry : GearboxGeometry(size: GearboxGeometry.articleSize, gearCount: gearCount)
      return geometry.knob(inRow: model.row).origin
    }
    set {
      pendingKnobPosition = newValue
      takeAwaitedPosition()
      didChange(\ThrottleGearbox.knobPosition)
    }
  }

  private var hasArea: Bool { geometry.unit.height > 0 }

  private func takeAwaitedPosition() {
    guard let position = pendingKnobPosition, hasArea else { return }
    pendingKnobPosition = nil
    gear = geometry.gear(knobAt: position)
  }

  /// The throttle that the lever commands: -1 (reverse) through 0 (neutral) to 1 (the highest gear).
  public var throttle: Double {
    takeAwaitedPosition()
    return model.throttle
  }

  /// Who put the lever where it is.
  public var origin: ValueOrigin {
    takeAwaitedPosition()
    return model.origin
  }

  /// Whether `throttle` follows the position between the forward gears that a finger moved the lever to. The gears stay
  /// discrete, and `valueChanged` reports only them. Steps and code put the lever in the middle of a gear. False by default.
  public var followsFinger: Bool {
    get { model.followsFinger }
    set { model.followsFinger = newValue }
  }

  // MARK: Policies

  /// The effect of lifting the finger; latch by default.
  @Inspectable(\ThrottleGearbox.model.releasePolicy, .none, group: "Policy") public var releasePolicy: ReleasePolicy

  /// The effect of losing the finger; neutral by default.
  @Inspectable(\ThrottleGearbox.model.cancelPolicy, .none, group: "Policy") public var cancelPolicy: ReleasePolicy

  /// The number of forward gears, within `GearboxGeometry.gearCounts`; 10 by default. If the present gear no longer exists, it
  /// becomes the highest.
  @Inspectable(.display, limits: ThrottleGearbox.gearCounts, isReported: true, then: ThrottleGearbox.gateChanged) public
    var gearCount = 10

  private static let gearCounts =
    Double(GearboxGeometry.gearCounts.lowerBound)...Double(GearboxGeometry.gearCounts.upperBound)

  /// The time that the lever must have been in N before R opens; 0.12 s by default.
  public var reverseDwell: Duration {
    get { model.reverseDwell }
    set { model.reverseDwell = newValue }
  }

  /// The points by which the touch area extends beyond the drawn gate, inside the control's bounds; negative values make it
  /// smaller. 0 by default, so that only the drawn gate commands. NaN changes nothing.
  @Inspectable(.none) public var touchOutset = 0.0

  /// How touches are assigned to rows: to the nearest row by default, or by the article's thresholds.
  @Inspectable(.none, group: "Gear", then: ThrottleGearbox.gateChanged) public var bands = GearboxGeometry.Bands.even

  // MARK: Appearance

  /// How the gate uses the bounds; the article's proportions by default.
  @Inspectable(.display, then: ThrottleGearbox.gateChanged) public var fit = GearboxGeometry.Fit.proportional

  /// The colours of the rows; the article's by default.
  @Redraws public var palette = GearboxPalette()

  /// Where the colours of the rows come from.
  nonisolated public enum Colors: String, CaseIterable, Hashable, Sendable, InspectableValue {
    /// From `palette`, which a program may set by its theme.
    case palette
    /// From the source article, whatever `palette` is.
    case article
  }

  /// Where the colours of the rows come from; from `palette` by default.
  @Inspectable(.display) public var colors = Colors.palette

  private var shownPalette: GearboxPalette { colors == .article ? GearboxPalette() : palette }

  /// Whether each forward row shows its number outside of its lines, so that the gear is readable without colour. Off by
  /// default: the article's gate has no numbers.
  @Inspectable(.display) public var showsGearNumbers = false

  /// Whether a dark slot shows where the lever runs. Off by default: the article's gate consists of lines only.
  @Inspectable(.display) public var showsSlot = false

  /// The file of an image of the knob; setting it reads the file at once. Nil, or a file that cannot be read (see
  /// `knobImageError`), draws the built-in knob. The image is fitted into the knob's rectangle.
  @Inspectable(\ThrottleGearbox.knobSource.file, .display, isReported: true) public var knobImage: ImageReference?

  /// The image of the knob; nil if the knob is drawn. Setting it replaces `knobImage`, which becomes nil.
  public var knobPicture: Picture? {
    get { knobSource.picture }
    set { knobSource.picture = newValue }
  }

  /// Draws the knob instead of an image or the built-in one: called with the canvas, the knob's rectangle and the gearbox.
  /// Drawing outside the rectangle is lost when the knob moves.
  public var knobDrawing: ((_ canvas: Canvas, _ knob: Rect, _ gearbox: ThrottleGearbox) -> Void)? {
    didSet { setNeedsDisplay() }
  }

  // MARK: Steps

  /// Shifts one step towards the highest gear, as a user does by a key or a paddle: R, N, 1, 2 and so on. Does nothing while the
  /// control is disabled. `origin` is who makes the step.
  public func shiftUp(by origin: ValueOrigin = .code) { step { $0.shiftUp(at: now, by: origin) } }

  /// Shifts one step towards R, as a user does by a key or a paddle. R opens only to a lever that rested in N, and never to a
  /// key's automatic repeat (`isRepeat`). Does nothing while the control is disabled. `origin` is who makes the step.
  public func shiftDown(isRepeat: Bool = false, by origin: ValueOrigin = .code) {
    step { $0.shiftDown(at: now, isRepeat: isRepeat, by: origin) }
  }

  /// Engages neutral at once, even if the control is disabled, hidden or in no window.
  public func brake() { change { $0.brake(at: now) } }

  private func step(_ step: (inout GearboxModel) -> Bool) {
    if isEnabled { change(step) }
  }

  private func change(_ change: (inout GearboxModel) -> Bool) {
    syncGeometry()
    if change(&model) { gearChanged() }
  }

  /// Lets a gamepad hold the lever, whose throttle is then that of the gear times `pedal`, 0 to 1; nil lets it go, as a finger does. Fingers and
  /// keys cannot take the lever meanwhile. Returns false if a finger has it. `origin` is who presses.
  @discardableResult
  public func press(_ pedal: Double?, by origin: ValueOrigin) -> Bool {
    syncGeometry()
    guard let pedal else {
      if model.letGo(at: now) { gearChanged() }
      return true
    }
    guard isEnabled, !model.isHeld else { return false }
    if model.press(pedal, by: origin) { sendActions(for: .valueChanged) }
    return true
  }

  /// Ends the hold of a gamepad that is gone or counts no longer, as the loss of a finger does.
  public func cancelPress() {
    if model.loseGrip(at: now) { gearChanged() }
  }

  /// True while a gamepad holds the lever.
  public var isPressed: Bool { model.isPressed }

  /// True while the lever follows a finger that holds it, until a step, the brake or code takes it from the finger.
  public var obeysTouch: Bool { model.obeysTouch }

  /// The window's clock. Without a window it stands still, and R stays closed until code opens it.
  private var now: MonotonicTime { root?.now ?? .zero }

  /// The offset from the touch's own clock to the window's. The events' times may start from a different zero, but the intervals
  /// between those of one touch are more accurate than the intervals between arrivals, which a stall distorts.
  private var toWindowClock = Duration.zero

  private func time(of touch: Touch) -> MonotonicTime {
    touch.time == .zero ? now : touch.time + toWindowClock
  }

  // MARK: Geometry

  /// The gate's geometry in the current bounds.
  public var geometry: GearboxGeometry {
    GearboxGeometry(size: bounds.size, gearCount: gearCount, fit: fit, bands: bands)
  }

  /// The largest size of the article's proportions inside `size`, or all of `size` for a gate that fills its bounds.
  public override func sizeThatFits(_ size: Size) -> Size {
    let whole = Size(width: 200, height: 580 + Double(gearCount - 10) * 20)
    guard size.width.isFinite, size.height.isFinite, !size.isEmpty else { return whole }
    if fit == .filling { return size }
    let factor = min(size.width / whole.width, size.height / whole.height)
    return Size(width: whole.width * factor, height: whole.height * factor)
  }

  public override func point(inside point: Point) -> Bool {
    let gate = geometry.gate
    guard super.point(inside: point), !gate.isEmpty else { return false }
    return gate.insetBy(dx: -touchOutset, dy: -touchOutset).contains(point)
  }

  private func syncGeometry() {
    takeAwaitedPosition()
    model.geometry = geometry
    if model.row != shownRow { showGear() }
  }

  private func gateChanged() {
    syncGeometry()
    didChange(\ThrottleGearbox.knobPosition)
  }

  /// A changed size moves the knob, and resolves a knob position that was set without a size.
  public override func layoutSubviews() { gateChanged() }

  // MARK: Touches

  public override var staysHighlightedOutside: Bool { true }

  public override var cursor: CursorShape { isEnabled ? (isTracking ? .closedHand : .openHand) : .arrow }

  public override var isBeingEdited: Bool { isTracking }

  public override var ownEvents: Event { .edits }

  public override func beginTracking(_ touch: Touch) -> Bool {
    syncGeometry()
    // The first hand keeps the lever.
    guard !model.isPressed else { return false }
    toWindowClock = now - touch.time
    if model.grab(y: touch.location(in: self).y, at: time(of: touch), by: .input(touch.hand)) { gearChanged() }
    return true
  }

  public override func continueTracking(_ touch: Touch) -> Bool {
    syncGeometry()
    if model.drag(y: touch.location(in: self).y, at: time(of: touch)) { gearChanged() }
    return true
  }

  public override func endTracking(_ touch: Touch) {
    if model.release(at: time(of: touch)) { gearChanged() }
  }

  public override func cancelTracking(_ touch: Touch?) {
    if model.cancel(at: touch.map { time(of: $0) } ?? now) { gearChanged() }
  }

  // MARK: Keys

  /// With the focus: up and down shift, space and Home brake.
  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard takesKey(event) else { return false }
    let isPress = event.phase == .down || event.phase == .repeated
    switch event.key {
    case .up: if isPress { shiftUp(by: .input(event.hand)) }
    case .down: if isPress { shiftDown(isRepeat: event.phase == .repeated, by: .input(event.hand)) }
    case .space, .home: if event.phase == .down { brake() }
    default: return false
    }
    return true
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .slider }

  /// The gear as a number, R as -1 and N as 0, and in words.
  public override var accessibilityValue: AccessibilityValue? {
    let words = VehicleWords.current
    let (number, text) =
      switch gear {
      case .reverse: (-1, words.reverse)
      case .neutral: (0, words.neutral)
      case .forward(let number): (number, words.text(\.gear, number))
      }
    return AccessibilityValue(Double(number), in: -1...Double(gearCount), step: 1, text: text)
  }

  public override var accessibilityActions: [AccessibilityAction] {
    let words = VehicleWords.current
    func shift(_ step: Double) -> () throws(AccessibilityRefusal) -> Void {
      { [unowned self] () throws(AccessibilityRefusal) in
        guard let value = accessibilityValue, value.limits.contains(value.number + step) else { return }
        try setAccessibilityValue(value.number + step)
      }
    }
    return [
      AccessibilityAction("shift up", title: words.shiftUp, shift(1)),
      AccessibilityAction("shift down", title: words.shiftDown, shift(-1)),
      AccessibilityAction("brake", title: words.brake, isAlwaysAvailable: true) { [unowned self] in brake() },
    ]
  }

  /// Engages the gear with this number by the lever's rules: N at once, any other gear only if no finger holds the lever, and R
  /// only if the lever rested in N.
  public override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    let words = AccessibilityWords.current
    guard let whole = Int(exactly: number.rounded()), (-1...gearCount).contains(whole) else {
      throw AccessibilityRefusal(words.isImpossible)
    }
    syncGeometry()
    switch model.ask(for: whole < 0 ? .reverse : whole == 0 ? .neutral : .forward(whole), at: now) {
    case .changed: gearChanged()
    case .same: break
    case .held: throw AccessibilityRefusal(words.isHeld)
    case .reverseShut: throw AccessibilityRefusal(VehicleWords.current.reverseNeedsNeutral)
    }
  }

  // MARK: Display

  private func gearChanged() {
    showGear()
    sendActions(for: .valueChanged)
  }

  /// Shows the gear in the next frame. Of several changes before that frame only the last is visible.
  private func showGear() {
    if model.row != shownRow {
      shownRow = model.row
      setNeedsDisplay()
    }
    didChange(\ThrottleGearbox.gear)
    didChange(\ThrottleGearbox.knobPosition)
  }

  /// True for the built-in knob, because only a little of the gate changes from gear to gear.
  public override var drawsPlainFills: Bool { knobDrawing == nil && knobPicture == nil }

  public override func draw(_ canvas: Canvas) {
    let geometry = geometry
    guard geometry.shapeUnit > 0 else { return }
    if !isEnabled { canvas.multiplyAlpha(0.4) }
    if showsSlot { drawSlot(geometry, on: canvas) }
    let palette = shownPalette
    for row in 0..<geometry.rowCount {
      let color = palette.color(ofRow: row, knobRow: shownRow, gearCount: gearCount)
      drawLines(row, geometry, color, on: canvas)
      drawLetters(row, geometry, color, on: canvas)
      if showsGearNumbers { drawNumber(row, geometry, color, on: canvas) }
    }
    let knob = geometry.knob(inRow: shownRow)
    guard !canvas.isHidden(knob) else { return }
    if let knobDrawing {
      canvas.saved { knobDrawing(canvas, knob, self) }
    } else if let knobPicture {
      // Whole pixels keep its edges sharp; rounded, they stay within the pixels that the knob's rectangle touches.
      let place = canvas.onWholePixels(ContentMode.aspectFit.rect(for: knobPicture.size, in: knob))
      canvas.draw(knobPicture, in: place)
      if isHighlighted { canvas.draw(knobPicture, in: place, tint: theme.pressed) }
    } else {
      GearKnob.draw(on: canvas, in: knob, gear: geometry.gear(atRow: shownRow), isHighlighted: isHighlighted)
    }
  }

  /// Draws the two lines of a row. They are moved to whole pixels, at most half a pixel from the article's position, so that they are
  /// sharp at every scale.
  private func drawLines(_ row: Int, _ geometry: GearboxGeometry, _ color: Color, on canvas: Canvas) {
    let (lines, factor) = (geometry.lines(inRow: row), canvas.scale.factor)
    let width = max(1, (geometry.lineWidth * factor).rounded()) / factor
    let offset = canvas.toPixels.apply(.zero).y / factor
    let top = ((lines.left.minY - width / 2 + offset) * factor).rounded() / factor - offset
    func draw(from start: Double, to end: Double) {
      let rect = Rect(x: start, y: top, width: end - start, height: width)
      if end > start, !canvas.isHidden(rect) { canvas.fill(rect, color) }
    }
    guard showsGearNumbers else {
      for line in [lines.left, lines.right] { draw(from: line.minX, to: line.maxX) }
      return
    }
    // The lines leave the texts' columns free. What the long line of the slowest gear has beyond its number is left out: two stubs at
    // the gate's edges would not read as a line.
    let columns = geometry.textColumns
    draw(from: max(lines.left.minX, columns.left + columns.reach), to: lines.left.maxX)
    draw(from: lines.right.minX, to: min(lines.right.maxX, columns.right - columns.reach))
  }

  /// Draws the letter of N or R on both sides, symmetrically by its measured width. In a gate with numbers it is in their
  /// columns.
  private func drawLetters(_ row: Int, _ geometry: GearboxGeometry, _ color: Color, on canvas: Canvas) {
    guard let corners = geometry.letterCorners(inRow: row) else { return }
    // Beside numbers, which a low gate draws as large as its letters, N and R are heavier.
    let weight = showsGearNumbers ? Font.Weight.semibold : .regular
    let layout = FontLibrary.shared.layout(
      geometry.gear(atRow: row).description, font: Font(size: geometry.letterSize, weight: weight))
    if showsGearNumbers { return draw(layout, inColumnsOf: row, geometry, color, on: canvas) }
    canvas.draw(layout, at: corners.left, color)
    canvas.draw(layout, at: corners.right.offsetBy(dx: -layout.size.width, dy: 0), color)
  }

  private func drawNumber(_ row: Int, _ geometry: GearboxGeometry, _ color: Color, on canvas: Canvas) {
    guard row < gearCount else { return }
    let font = Font(size: geometry.numberSize, weight: shownRow == row ? .bold : .regular)
    let layout = FontLibrary.shared.layout(geometry.gear(atRow: row).description, font: font)
    draw(layout, inColumnsOf: row, geometry, color, on: canvas)
  }

  private func draw(
    _ text: TextLayout, inColumnsOf row: Int, _ geometry: GearboxGeometry, _ color: Color, on canvas: Canvas
  ) {
    let columns = geometry.textColumns
    for x in [columns.left, columns.right] {
      let place = Rect(
        x: x - columns.reach, y: geometry.y(ofRow: row) - text.size.height / 2, width: 2 * columns.reach,
        height: text.size.height)
      guard !canvas.isHidden(place) else { continue }
      // On whole pixels, so that a character looks the same in both columns.
      let (factor, offset) = (canvas.scale.factor, canvas.toPixels.apply(.zero).x)
      let start = (x - text.opticalMiddle.x) * factor + offset
      let middle = place.center.offsetBy(dx: (start.rounded() - start) / factor, dy: 0)
      canvas.draw(text, at: middle, color, anchor: .center)
    }
  }

  /// Draws the slot in which the lever runs, between the inner ends of the lines.
  private func drawSlot(_ geometry: GearboxGeometry, on canvas: Canvas) {
    let unit = geometry.shapeUnit
    let middle = geometry.left + 100 * geometry.unit.width
    let top = geometry.y(ofRow: 0) - 10 * unit
    let slot = Rect(
      x: middle - 5 * unit, y: top, width: 10 * unit, height: geometry.y(ofRow: gearCount + 1) + 10 * unit - top)
    canvas.fill(roundedRect: slot, cornerRadius: slot.width / 2, theme.isDark ? Color(hex: 0x05080c) : theme.fill)
    canvas.stroke(roundedRect: slot, cornerRadius: slot.width / 2, theme.hairline, width: 1)
  }
  public override var inspection: Inspection {
    let position = knobPosition
    return super.inspection.adding([
      "throttle": .number(throttle),
      "knobPosition": .string("\(position.x) \(position.y)"),
      "knobImageError": knobImageError.map { .string($0.description) },
    ])
  }
}
