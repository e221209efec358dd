import Controls
import Glibc
import UICore

/// The dial: the gear as its largest letter, the speed by digits and a needle, and the wheel's angle at its foot, all on one
/// axis.
///
/// Its face is drawn once per size; a change repaints only the parts of needle, arcs and texts that differ.
final class Speedometer: PassiveView {
  /// The speed in km/h, 0 or more; `unit` says what is shown of it.
  var speed = 0.0 {
    didSet { speedChanged(from: oldValue) }
  }
  /// The unit of digits and scale.
  var unit = SpeedUnit.kilometresPerHour {
    didSet {
      guard unit != oldValue else { return }
      shownSpeed = wholeSpeed
      setNeedsStaticDisplay()
      showNeedle()
    }
  }
  @Redraws var gear = "N"
  /// The gear's colour, which repeats the meaning of the letter.
  @Redraws var gearColor = Color.white
  /// False while the speed is unknown: no needle, and dashes for digits.
  @Redraws var isKnown = true {
    didSet { needle.isHidden = !isKnown }
  }
  let steering = SteeringIndicator()
  var sizes = TextSizes() {
    didSet {
      guard sizes != oldValue else { return }
      steering.fontSize = sizes.value
      setNeedsStaticDisplay()
    }
  }

  private let needle = Needle("needle")
  @Redraws private var shownSpeed = 0

  init() {
    super.init("speedometer")
    for view in [needle, steering] { addSubview(view) }
    themeDidChange()
  }

  override var inspection: Inspection {
    Inspection(values: ["speed": .number((speed * 10).rounded() / 10), "gear": .string(gear)])
  }

  override var accessibilityRole: AccessibilityRole { .indicator }
  override var accessibilityTitle: String { Language.current.speed }
  /// The speed in whole numbers of the unit, and in words.
  override var accessibilityValue: AccessibilityValue? {
    let scale = 0...unit.scaleEnd
    guard isKnown else { return AccessibilityValue(0, in: scale, text: Language.current.noData) }
    let whole = speed.isFinite ? unit.number(speed).rounded().clamped(to: scale) : 0
    return AccessibilityValue(whole, in: scale, text: "\(Int(whole)) \(unit.rawValue)")
  }

  override func themeDidChange() { (needle.color, needle.ground) = (palette.teal, palette.dial) }

  // MARK: Geometry

  /// The angle of the scale's start, clockwise from east in radians (135 degrees: lower left).
  private static let start = Double.pi * 0.75
  /// The scale's length in radians: three quarters of a circle, open at the bottom.
  private static let sweep = Double.pi * 1.5

  var radius: Double { max(min(bounds.width, bounds.height) / 2 - 1, 1) }

  /// The fraction of the scale at `number` of the unit, clamped to the scale.
  private func fraction(_ number: Double) -> Double {
    number.isFinite ? (number / unit.scaleEnd).clamped(to: 0...1) : 0
  }

  /// The angle of the scale at `number` of the unit.
  func angle(of number: Double) -> Double { Self.start + Self.sweep * fraction(number) }

  /// The point at `angle` and `distance` times the radius from the centre.
  func point(at angle: Double, distance: Double) -> Point {
    let (center, radius) = (bounds.center, radius)
    return Point(x: center.x + cos(angle) * radius * distance, y: center.y + sin(angle) * radius * distance)
  }

  /// The band that is lit up to the speed.
  private var band: Arc {
    Arc(
      center: bounds.center, radius: radius * 0.962, width: max(radius * 0.028, 2.5), start: Self.start,
      sweep: Self.sweep)
  }

  var gearFont: Font { Font(builtIn: max((radius * 0.58).rounded(), 14), weight: .bold) }
  var speedFont: Font {
    Font(builtIn: max(min(radius * 0.3, radius * 0.36 - 8).rounded(), 13), weight: .semibold)
  }
  /// The scale's numbers and the unit.
  var labelFont: Font { Font(builtIn: sizes.label, weight: .medium) }

  /// The middle of the gear's letter.
  var gearPlace: Point {
    // A baseline lies on a whole point, where the letter has its intended distance from the dial's middle.
    let half = FontLibrary.shared.layout("H", font: gearFont).inkBounds.height / 2
    return Point(x: bounds.midX, y: (bounds.midY - radius * 0.143 + half).rounded() - half)
  }
  /// The area of the gear's letter; nothing else is drawn there.
  var gearBox: Rect {
    Rect(x: gearPlace.x - radius * 0.4, y: gearPlace.y - radius * 0.26, width: radius * 0.8, height: radius * 0.52)
  }
  /// `box` in the window's coordinates.
  func inWindow(_ box: Rect) -> Rect { box.offsetBy(dx: windowFrame.minX, dy: windowFrame.minY) }
  /// The area of the speed's digits; nothing else is drawn there.
  var speedBox: Rect { speedBox(digits: speedText.count) }
  private func speedBox(digits: Int) -> Rect {
    let size = speedFont.size
    // A digit is 0.59 of its size wide at most. The witness takes the ground from both ends of a row, so three points of it stay free
    // there.
    let half = max(size * (digits > 3 ? 1.3 : 1), 0.295 * size * Double(max(digits, 3)) + 3)
    return Rect(x: speedPlace.x - half, y: speedPlace.y - size * 0.38, width: 2 * half, height: size * 0.76)
  }
  /// The middle of the speed's digits.
  var speedPlace: Point { Point(x: bounds.midX, y: bounds.midY + radius * 0.29) }
  /// The speed's digits, or dashes while it is unknown.
  var speedText: String { isKnown ? String(shownSpeed) : "--" }
  /// The middle of the unit, below the digits.
  private var unitPlace: Point {
    Point(x: bounds.midX, y: bounds.midY + max(radius * 0.5, radius * 0.29 + speedFont.size * 0.37 + sizes.label * 0.6))
  }

  /// A text of the face, and the middle of its box.
  struct Label {
    let text: String
    let place: Point

    /// The distance of its box from `center`, in points.
    @MainActor func reach(from center: Point, font: Font) -> Double {
      let size = FontLibrary.shared.layout(text, font: font).inkBounds.size
      let (x, y) = (abs(place.x - center.x) - size.width / 2, abs(place.y - center.y) - size.height / 2)
      return (max(x, 0) * max(x, 0) + max(y, 0) * max(y, 0)).squareRoot()
    }
  }

  private func inkSize(_ text: String) -> Size { FontLibrary.shared.layout(text, font: labelFont).inkBounds.size }

  /// The scale's numbers and the unit. Glyphs do not shrink with the dial, so small dials have fewer numbers; the unit is
  /// omitted first.
  var labels: [Label] {
    let (radius, size) = (radius, sizes.label)
    let step = unit.scaleEnd / (radius >= size * 8 ? 10 : radius >= size * 5.5 ? 5 : 2)
    var labels: [Label] = []
    for value in stride(from: 0.0, through: unit.scaleEnd, by: step) where radius >= size * 3.5 {
      let text = String(Int(value))
      let letters = inkSize(text)
      // Two numbers that mirror each other stand level, and end equally far from the dial's axis: the broader one of them decides, whose
      // box is as far from the strokes as all others.
      let broad = max(letters.width, inkSize(String(Int(unit.scaleEnd - value))).width)
      let angle = angle(of: value)
      let reach = (abs(cos(angle)) * broad + abs(sin(angle)) * letters.height) / 2
      let outwards = abs(cos(angle)) < 1e-6 ? 0 : (broad - letters.width) / 2 * (cos(angle) < 0 ? -1 : 1)
      let place = point(at: angle, distance: 0.82 - max(0.02, 2 / radius) - reach / radius).offsetBy(
        dx: outwards, dy: 0)
      // Small dials have no room for the last number beside the digits.
      let box = Rect(
        x: place.x - letters.width / 2, y: place.y - letters.height / 2, width: letters.width, height: letters.height)
      if !box.intersects(speedBox(digits: 3)) { labels.append(Label(text: text, place: place)) }
    }
    if radius >= size * 5 { labels.append(Label(text: unit.sign, place: unitPlace)) }
    return labels
  }

  /// Lays out the needle over the whole dial, and the steering at its foot, between the ends of the scale.
  override func layoutSubviews() {
    let (center, radius) = (bounds.center, radius)
    needle.frame = bounds
    let half = radius * 0.56
    let top = center.y + radius * 0.64
    steering.frame = Rect(x: center.x - half, y: top, width: 2 * half, height: center.y + radius - top)
    steering.fontSize = sizes.value
    steering.dialRadius = radius
    showNeedle()
  }

  // MARK: Changes

  private static let sweepKey = "sweep"
  /// The least jump, in km/h, for which the needle uses its spring; it follows smaller ones at once.
  private static let jump = 3.0
  /// As quick as the eye can follow, without overshoot.
  private static let spring = Spring(response: 0.35, dampingRatio: 1)
  private lazy var needleSpeed = AnimatedValue(0, of: self, forKey: "needle") { [unowned self] _ in showNeedle() }

  private var wholeSpeed: Int { Int(min(unit.number(speed), 9999).rounded()) }

  private func speedChanged(from old: Double) {
    if !speed.isFinite || speed < 0 { speed = 0 }
    guard speed != old else { return }
    shownSpeed = wholeSpeed
    endSweep()
    guard let root, root.isActive, abs(speed - needleSpeed.value) >= Self.jump || needleSpeed.isMoving else {
      return needleSpeed.jump(to: speed)
    }
    needleSpeed.move(to: speed, spring: Self.spring, tolerance: 0.02)
  }

  /// Sweeps the needle over its scale once and back, as a greeting; any change of speed ends that, and so does `endSweep`.
  func sweep() {
    guard speed == 0, isKnown, root?.prefersReducedMotion == false else { return }
    addAnimation(
      Animation(from: 0, to: 1, duration: .milliseconds(1300)), forKey: Self.sweepKey,
      // There and back, slow at both ends.
      apply: { [weak self] way in
        self.map { $0.needleSpeed.jump(to: $0.unit.fastest * (1 - cos(way * 2 * .pi)) / 2) }
      },
      completion: { [weak self] _ in self.map { $0.needleSpeed.jump(to: $0.speed) } })
  }

  /// Ends a sweep: the needle then points to the speed.
  func endSweep() { removeAnimation(forKey: Self.sweepKey) }

  private func showNeedle() {
    needle.show(fraction(unit.number(needleSpeed.value)), of: band, scale: root?.scale.factor ?? 1)
  }

  // MARK: Drawing

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    let (palette, radius) = (palette, radius)
    // Plain discs: a gradient through a round mask would cost as much as all the rest of the dial.
    canvas.fill(Path(circleAt: bounds.center, radius: radius), palette.dial)
    // No edge may cross a text: if numbers extend far inwards, the middle gets no disc of its own colour.
    let (labels, disc) = (labels, radius * 0.6)
    if labels.allSatisfy({ $0.reach(from: bounds.center, font: labelFont) > disc || $0.place.y == unitPlace.y }) {
      canvas.fill(Path(circleAt: bounds.center, radius: disc), palette.dialMiddle)
    }
    canvas.stroke(circleAt: bounds.center, radius: radius - 0.5, palette.hairline, width: 1)
    canvas.fill(band.path(), palette.track)
    let steered = steering.track(in: bounds.center)
    canvas.fill(steered.path(), palette.track)
    // The mark of the straight wheel.
    canvas.fill(steered.notch, palette.outline)
    drawScale(canvas)
    for label in labels {
      let layout = FontLibrary.shared.layout(label.text, font: labelFont)
      canvas.draw(layout, at: label.place - layout.inkBounds.center, palette.quietText)
    }
  }

  private func drawScale(_ canvas: Canvas) {
    let palette = palette
    // Forty parts: each fourth stroke has a number on a large dial.
    for part in 0...40 {
      let angle = angle(of: unit.scaleEnd * Double(part) / 40)
      let (isMajor, isMiddle) = (part % 4 == 0, part % 2 == 0)
      // Small dials keep only the strokes that can be distinguished.
      if !isMiddle, radius < 100 { continue }
      if !isMajor, radius < 60 { continue }
      let inner = isMajor ? 0.855 : isMiddle ? 0.885 : 0.9
      let (color, width) = (isMajor ? palette.text : palette.outline, max(radius * (isMajor ? 0.014 : 0.008), 1))
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
  override var drawsPlainFills: Bool { true }

  override func draw(_ canvas: Canvas) {
    canvas.draw(gear, at: gearPlace, font: gearFont, gearColor, anchor: .center)
    canvas.draw(
      speedText, at: speedPlace, font: speedFont, isKnown ? palette.text : palette.quietText,
      anchor: .center)
  }
}

/// The lit band of a dial and the needle at its end, which turn with every frame of a drive.
private final class Needle: LitArc {
  /// The colour around the needle. A stroke of the scale that it half covers would look like a second needle beside it.
  @Redraws var ground = Color.black
  private var halo = Path()

  /// Lights `fraction` of `band`, and puts the needle at its end. A needle that would move less than a twentieth of a pixel is
  /// not redrawn.
  func show(_ fraction: Double, of band: Arc, scale: Double) {
    let isNear = abs(fraction - end) * abs(band.sweep) * band.radius * scale < 0.05
    let isEnd = fraction == 0 && end != 0
    guard band != arc || !isNear || isEnd else { return }
    show(band, from: 0, to: fraction)
    addNeedle(at: band.start + band.sweep * fraction, of: band)
  }

  override func draw(_ canvas: Canvas) {
    canvas.fill(halo, ground)
    super.draw(canvas)
  }

  /// A pointer from the numbers to the band's outer edge, broader outside, and its surroundings as far out as the strokes.
  private func addNeedle(at angle: Double, of band: Arc) {
    func corner(_ distance: Double, _ side: Double) -> Point {
      Point(
        x: band.center.x + cos(angle) * distance - sin(angle) * side,
        y: band.center.y + sin(angle) * distance + cos(angle) * side)
    }
    let (inner, outer) = (band.radius * 0.868, band.radius + band.width / 2)
    let (thin, broad) = (max(band.radius * 0.009, 0.8), max(band.radius * 0.019, 1.6))
    let (free, strokes) = (broad + max(band.radius * 0.012, 1.5), band.radius * 0.972)
    halo.removeAll()
    halo.move(to: corner(inner, -free))
    halo.line(to: corner(strokes, -free))
    halo.line(to: corner(strokes, free))
    halo.line(to: corner(inner, free))
    halo.close()
    shape.move(to: corner(inner, -thin))
    shape.line(to: corner(outer, -broad))
    shape.line(to: corner(outer, broad))
    shape.line(to: corner(inner, thin))
    shape.close()
  }
}
