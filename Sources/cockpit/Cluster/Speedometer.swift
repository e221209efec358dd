import CockpitControls
import Controls
import UICore

/// The dial: the gear as its largest letter, the speed by digits and a needle, and the wheel's angle at its foot, all on one
/// axis.
@ListsProperties(
  without: \Gauge.value, \Gauge.minimumValue, \Gauge.maximumValue, \Gauge.divisions, \Gauge.fractionDigits, \Gauge.unit,
  \Gauge.text, \Gauge.textColor, \Gauge.bands, \Gauge.isKnown, \Gauge.fontSize, \Gauge.tintColor)
final class Speedometer: Gauge {
  /// The speed in km/h, 0 or more; `speedUnit` says what is shown of it.
  var speed = 0.0 {
    didSet {
      if !speed.isFinite || speed < 0 { speed = 0 }
      value = speedUnit.number(speed)
    }
  }
  /// The unit of digits and scale.
  var speedUnit = SpeedUnit.kilometresPerHour {
    didSet {
      guard speedUnit != oldValue else { return }
      showUnit()
    }
  }
  var gear: String {
    get { text }
    set { text = newValue }
  }
  /// The gear's colour, which repeats the meaning of the letter.
  var gearColor: Color {
    get { textColor ?? .white }
    set { textColor = newValue }
  }
  let steering = SteeringIndicator()
  var sizes = TextSizes() {
    didSet {
      guard sizes != oldValue else { return }
      steering.fontSize = sizes.value
      fontSize = sizes.label
    }
  }

  init() {
    super.init(frame: .zero)
    name = "speedometer"
    addSubview(steering)
    (gear, gearColor) = ("N", .white)
    showUnit()
  }

  private func showUnit() {
    (maximumValue, unit) = (speedUnit.scaleEnd, speedUnit.sign)
    show(speedUnit.number(speed))
  }

  /// The scene's colours.
  override var colors: GaugeColors {
    let palette = palette
    return GaugeColors(
      face: palette.dial, middle: palette.dialMiddle, edge: palette.hairline, track: palette.track, text: palette.text,
      quietText: palette.quietText, stroke: palette.outline, lit: palette.teal)
  }

  override var inspection: Inspection {
    Inspection(values: ["speed": .number((speed * 10).rounded() / 10), "gear": .string(gear)])
  }

  override var accessibilityTitle: String { Language.current.speed }
  /// The speed in whole numbers of the unit, and in words.
  override var accessibilityValue: AccessibilityValue? {
    let scale = 0...speedUnit.scaleEnd
    guard isKnown else { return AccessibilityValue(0, in: scale, text: Language.current.noData) }
    let whole = speed.isFinite ? speedUnit.number(speed).rounded().clamped(to: scale) : 0
    return AccessibilityValue(whole, in: scale, text: "\(Int(whole)) \(speedUnit.rawValue)")
  }

  // MARK: Geometry

  /// The area of the gear's letter; nothing else is drawn there.
  var gearBox: Rect { textBox }
  /// The middle of the gear's letter.
  var gearPlace: Point { textPlace }
  var gearFont: Font { textFont }
  /// The area of the speed's digits; nothing else is drawn there.
  var speedBox: Rect { numberBox }
  /// The middle of the speed's digits.
  var speedPlace: Point { numberPlace }
  var speedFont: Font { numberFont }
  /// The speed's digits, or dashes while it is unknown.
  var speedText: String { numberText }

  /// `box` in the window's coordinates.
  func inWindow(_ box: Rect) -> Rect { box.offsetBy(dx: windowFrame.minX, dy: windowFrame.minY) }

  /// Lays out the needle over the whole dial, and the steering at its foot, between the ends of the scale.
  override func layoutSubviews() {
    super.layoutSubviews()
    let (center, radius) = (bounds.center, radius)
    let half = radius * 0.56
    let top = center.y + radius * 0.64
    steering.frame = Rect(x: center.x - half, y: top, width: 2 * half, height: center.y + radius - top)
    steering.fontSize = sizes.value
    steering.dialRadius = radius
  }

  // MARK: Drawing

  /// Draws the face, and the track of the steering.
  override func drawStatic(_ canvas: Canvas) {
    super.drawStatic(canvas)
    let steered = steering.track(in: bounds.center)
    canvas.fill(steered.path(), palette.track)
    // The mark of the straight wheel.
    canvas.fill(steered.notch, palette.outline)
  }
}
