import Glibc

/// A round dial: a number by a needle on a scale and by digits, with coloured bands, a unit, and a text such as a gear.
///
/// It only shows, and takes neither touches nor keys. Its face is drawn once per size; a change of the value repaints only the parts of
/// needle, band and digits that differ. The needle follows small changes at once and larger ones on a spring, if the window is active.
/// The scale runs clockwise in every language.
@ListsProperties
open class Gauge: View {
  /// The number that is shown, in the unit of the scale. The needle stays at the nearest end of the scale, the digits say what it is,
  /// from -9999 to 9999.
  @Inspectable(.none, isReported: true, then: Gauge.valueChanged) public var value = 0.0
  /// The number at the start of the scale.
  @Inspectable(.staticDisplay, then: Gauge.scaleChanged) public var minimumValue = 0.0
  /// The number at the end of the scale. Unless it is greater than `minimumValue` there is no scale.
  @Inspectable(.staticDisplay, then: Gauge.scaleChanged) public var maximumValue = 100.0
  /// The number of parts of the scale that are numbered where there is room.
  @Inspectable(.staticDisplay, limits: 1...20) public var divisions = 10
  /// The digits after the point, in the scale's numbers and in the digits.
  @Inspectable(.staticDisplay, limits: 0...3, then: Gauge.formatChanged) public var fractionDigits = 0
  /// The unit, below the digits.
  @Inspectable(.staticDisplay) public var unit = ""
  /// A short text in the middle, such as a gear; if it is empty, the digits are there.
  @Inspectable(.display, isReported: true, then: Gauge.textChanged) public var text = ""
  /// The colour of `text`; nil for that of the digits.
  @Inspectable(.display) public var textColor: Color?
  /// The coloured parts of the scale: `60..80 #ffb020|80..100 #ff5147`.
  @Inspectable(.staticDisplay, then: Gauge.bandsChanged) public var bands: GaugeBands = []
  /// False while nobody knows the value: no needle, and dashes for digits.
  @Inspectable(.display, isReported: true, then: Gauge.isKnownChanged) public var isKnown = true
  /// The size of the scale's numbers and of the unit, in points.
  @Inspectable(.staticDisplay, limits: 12...400) public var fontSize = 12.0
  /// The colour of the needle and of the band up to it, outside of coloured parts; nil for the theme's accent.
  @Inspectable(.display, then: Gauge.colorsChanged) public var tintColor: Color?

  private let needle = Needle("needle")
  /// What the digits say, rounded.
  @Redraws private var shownNumber = 0.0

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
    addSubview(needle)
    colorsChanged()
  }

  /// The colours of the parts; by default the theme's. An override calls `colorsChanged` when they change for another reason than the theme.
  open var colors: GaugeColors { GaugeColors(theme) }

  open override func themeDidChange() { colorsChanged() }

  /// Gives the needle its colour anew.
  public func colorsChanged() {
    let colors = colors
    (needle.color, needle.ground) = (bands.color(at: needleValue.value) ?? tintColor ?? colors.lit, colors.face)
  }

  // MARK: Accessibility

  open override var accessibilityRole: AccessibilityRole { .indicator }
  /// The value, in words with its unit.
  open override var accessibilityValue: AccessibilityValue? {
    let limits = scale.minimum...max(scale.minimum, scale.maximum)
    guard isKnown else { return AccessibilityValue(scale.minimum, in: limits, text: VehicleWords.current.unknown) }
    let number = format.rounded(value)
    let words = [text, format.text(number), unit].filter { !$0.isEmpty }.joined(separator: " ")
    return AccessibilityValue(number.clamped(to: limits), in: limits, text: words)
  }

  // MARK: Geometry

  /// As large a square as there is room for.
  open override func sizeThatFits(_ size: Size) -> Size? { size.largestSquare ?? ownSize }

  /// The scale, by the limits.
  public var scale: GaugeScale { GaugeScale(from: minimumValue, to: maximumValue, divisions: divisions) }

  /// The radius of the disc, in points.
  public var radius: Double { max(min(bounds.width, bounds.height) / 2 - 1, 1) }

  /// The angle of the scale at `number`, in radians clockwise from east.
  package func angle(of number: Double) -> Double { scale.angle(of: number) }

  /// The point at `angle` and `distance` times the radius from the centre.
  package func point(at angle: Double, distance: Double) -> Point {
    let (center, radius) = (bounds.center, radius)
    return Point(x: center.x + cos(angle) * radius * distance, y: center.y + sin(angle) * radius * distance)
  }

  /// The band that is lit up to the value.
  private var band: Arc {
    Arc(
      center: bounds.center, radius: radius * 0.962, width: max(radius * 0.028, 2.5), start: GaugeScale.start,
      sweep: GaugeScale.sweep)
  }

  private var hasText: Bool { !text.isEmpty }
  /// The distance of the digits below the middle.
  private var numberOffset: Double { hasText ? radius * 0.29 : 0 }

  package var textFont: Font { Font(builtIn: max((radius * 0.58).rounded(), 14), weight: .bold) }
  package var numberFont: Font {
    // Without a text the digits are the largest, as long as four of them have room in the middle.
    let size = hasText ? min(radius * 0.3, radius * 0.36 - 8) : radius * 0.42
    return Font(builtIn: max(size.rounded(), 13), weight: .semibold)
  }
  /// The font of the scale's numbers and of the unit.
  package var labelFont: Font { Font(builtIn: fontSize, weight: .medium) }

  /// The middle of the text.
  package var textPlace: Point {
    // A baseline lies on a whole point, where the letter has its intended distance from the dial's middle.
    let half = FontLibrary.shared.layout("H", font: textFont).inkBounds.height / 2
    return Point(x: bounds.midX, y: (bounds.midY - radius * 0.143 + half).rounded() - half)
  }
  /// The area of the text; nothing else is drawn there.
  package var textBox: Rect {
    Rect(x: textPlace.x - radius * 0.4, y: textPlace.y - radius * 0.26, width: radius * 0.8, height: radius * 0.52)
  }
  /// The area of the digits; nothing else is drawn there.
  package var numberBox: Rect { numberBox(digits: numberText.count) }
  private func numberBox(digits: Int) -> Rect {
    let size = numberFont.size
    // A digit is 0.59 of its size wide at most. Who reads the picture takes the ground from both ends of a row, so three points of it stay
    // free there.
    let half = max(size * (digits > 3 ? 1.3 : 1), 0.295 * size * Double(max(digits, 3)) + 3)
    return Rect(x: numberPlace.x - half, y: numberPlace.y - size * 0.38, width: 2 * half, height: size * 0.76)
  }
  /// The middle of the digits.
  package var numberPlace: Point { Point(x: bounds.midX, y: bounds.midY + numberOffset) }
  /// The digits, or dashes while the value is unknown.
  package var numberText: String {
    guard isKnown else { return "--" }
    return fractionDigits == 0 ? String(Int(shownNumber)) : format.text(shownNumber)
  }
  /// The middle of the unit, below the digits.
  private var unitPlace: Point {
    let below = numberOffset + numberFont.size * 0.37 + fontSize * 0.6
    return Point(x: bounds.midX, y: bounds.midY + max(hasText ? radius * 0.5 : 0, below))
  }

  /// A text of the face, and the middle of its box.
  package struct FaceText {
    package let text: String
    package let place: Point

    /// The distance of its box from `center`, in points.
    @MainActor func reach(from center: Point, font: Font) -> Double {
      let size = FontLibrary.shared.layout(text, font: font).inkBounds.size
      let (x, y) = (abs(place.x - center.x) - size.width / 2, abs(place.y - center.y) - size.height / 2)
      return (max(x, 0) * max(x, 0) + max(y, 0) * max(y, 0)).squareRoot()
    }
  }

  private var format: NumberFormat { NumberFormat(fractionDigits: fractionDigits) }

  private func inkSize(_ text: String) -> Size { FontLibrary.shared.layout(text, font: labelFont).inkBounds.size }

  /// The scale's numbers and the unit. Glyphs do not shrink with the dial, so small dials have fewer numbers; the unit is
  /// omitted first.
  package var labels: [FaceText] {
    let (radius, size, scale, format) = (radius, fontSize, scale, format)
    let density = radius >= size * 8 ? GaugeScale.Density.all : radius >= size * 5.5 ? .half : .few
    var labels: [FaceText] = []
    for value in scale.numbers(density) where radius >= size * 3.5 {
      let text = format.text(value)
      let letters = inkSize(text)
      // Two numbers that mirror each other stand level, and end equally far from the dial's axis: the broader one of them decides, whose
      // box is as far from the strokes as all others.
      let broad = max(letters.width, inkSize(format.text(scale.maximum - (value - scale.minimum))).width)
      let angle = angle(of: value)
      let reach = (abs(cos(angle)) * broad + abs(sin(angle)) * letters.height) / 2
      let outwards = abs(cos(angle)) < 1e-6 ? 0 : (broad - letters.width) / 2 * (cos(angle) < 0 ? -1 : 1)
      let place = point(at: angle, distance: 0.82 - max(0.02, 2 / radius) - reach / radius).offsetBy(
        dx: outwards, dy: 0)
      // Small dials have no room for the last number beside the digits.
      let box = Rect(
        x: place.x - letters.width / 2, y: place.y - letters.height / 2, width: letters.width, height: letters.height)
      if !box.intersects(numberBox(digits: 3)) { labels.append(FaceText(text: text, place: place)) }
    }
    if radius >= size * 5, !unit.isEmpty { labels.append(FaceText(text: unit, place: unitPlace)) }
    return labels
  }

  open override func layoutSubviews() {
    needle.frame = bounds
    showNeedle()
  }

  // MARK: Changes

  private static let sweepKey = "sweep"
  /// As quick as the eye can follow, without overshoot.
  private static let spring = Spring(response: 0.35, dampingRatio: 1)
  private lazy var needleValue = AnimatedValue(0, of: self, forKey: "needle") { [unowned self] _ in showNeedle() }
  /// The least jump for which the needle uses its spring; it follows smaller ones at once.
  private var jump: Double { scale.span * 3 / 200 }

  private func showNumber() { shownNumber = format.rounded(value.clamped(to: -9999...9999)) }

  private func valueChanged() {
    showNumber()
    endSweep()
    guard let root, root.isActive, abs(value - needleValue.value) >= jump || needleValue.isMoving else {
      return needleValue.jump(to: value)
    }
    needleValue.move(to: value, spring: Self.spring, tolerance: max(scale.span / 10_000, 1e-9))
  }

  /// The face has its unit elsewhere without a text.
  private func textChanged() {
    guard hasText != hadText else { return }
    hadText = hasText
    setNeedsStaticDisplay()
  }
  private var hadText = false

  private func formatChanged() { showNumber() }

  private func scaleChanged() { showNeedle() }

  private func bandsChanged() { colorsChanged() }

  private func isKnownChanged() { needle.isHidden = !isKnown }

  /// Shows `value` without a movement of the needle.
  package func show(_ value: Double) {
    self.value = value
    needleValue.jump(to: self.value)
  }

  /// Sweeps the needle over its scale once and back, as a greeting, if it is at the start of the scale; any change of the value ends that,
  /// and so does `endSweep`. With reduced motion nothing moves.
  public func sweep() {
    guard value == minimumValue, isKnown, root?.prefersReducedMotion == false else { return }
    addAnimation(
      Animation(from: 0, to: 1, duration: .milliseconds(1300)), forKey: Self.sweepKey,
      // There and back, slow at both ends.
      apply: { [weak self] way in
        self.map { $0.needleValue.jump(to: $0.minimumValue + $0.scale.span * (1 - cos(way * 2 * .pi)) / 2) }
      },
      completion: { [weak self] _ in self.map { $0.needleValue.jump(to: $0.value) } })
  }

  /// Ends a sweep: the needle then points to the value.
  public func endSweep() { removeAnimation(forKey: Self.sweepKey) }

  private func showNeedle() {
    needle.show(scale.fraction(needleValue.value), of: band, scale: root?.scale.factor ?? 1)
    if !bands.bands.isEmpty { colorsChanged() }
  }

  // MARK: Drawing

  open override var hasStaticDrawing: Bool { true }

  /// Draws the face: the disc, the band with its coloured parts, strokes, numbers and the unit.
  open override func drawStatic(_ canvas: Canvas) {
    let (colors, radius) = (colors, radius)
    // Plain discs: a gradient through a round mask would cost as much as all the rest of the dial.
    canvas.fill(Path(circleAt: bounds.center, radius: radius), colors.face)
    // No edge may cross a text: if numbers extend far inwards, the middle gets no disc of its own colour.
    let (labels, disc) = (labels, radius * 0.6)
    if labels.allSatisfy({ $0.reach(from: bounds.center, font: labelFont) > disc || $0.place.y == unitPlace.y }) {
      canvas.fill(Path(circleAt: bounds.center, radius: disc), colors.middle)
    }
    canvas.stroke(circleAt: bounds.center, radius: radius - 0.5, colors.edge, width: 1)
    canvas.fill(band.path(), colors.track)
    for part in bands.bands where scale.span > 0 {
      canvas.fill(
        band.path(from: scale.fraction(part.range.lowerBound), to: scale.fraction(part.range.upperBound)), part.color)
    }
    drawScale(canvas, colors)
    for label in labels {
      let layout = FontLibrary.shared.layout(label.text, font: labelFont)
      canvas.draw(layout, at: label.place - layout.inkBounds.center, colors.quietText)
    }
  }

  private func drawScale(_ canvas: Canvas, _ colors: GaugeColors) {
    for stroke in scale.strokes {
      let angle = angle(of: stroke.number)
      // Small dials keep only the strokes that can be distinguished.
      if stroke.rank == .minor, radius < 100 { continue }
      if stroke.rank != .major, radius < 60 { continue }
      let isMajor = stroke.rank == .major
      let inner = isMajor ? 0.855 : stroke.rank == .middle ? 0.885 : 0.9
      let (color, width) = (isMajor ? colors.text : colors.stroke, max(radius * (isMajor ? 0.014 : 0.008), 1))
      let (start, end) = (point(at: angle, distance: inner), point(at: angle, distance: 0.93))
      if abs(cos(angle)) < 1e-6 {
        // The upright stroke would lie on two half pixels, duller than its neighbours.
        let stroke = Rect(x: start.x - width / 2, y: end.y, width: width, height: start.y - end.y)
        canvas.fill(canvas.onWholePixels(stroke), color)
      } else {
        canvas.stroke(Path(from: start, to: end), color, width: width)
      }
    }
  }

  /// True: the digits change with nearly every frame of a drive.
  open override var drawsPlainFills: Bool { true }

  open override func draw(_ canvas: Canvas) {
    let colors = colors
    if hasText { canvas.draw(text, at: textPlace, font: textFont, textColor ?? colors.text, anchor: .center) }
    canvas.draw(
      numberText, at: numberPlace, font: numberFont, isKnown ? colors.text : colors.quietText, anchor: .center)
  }
}
