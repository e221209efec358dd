import Controls
import Glibc
import UICore

/// Shows the speed by a needle and digits, and the gear as the largest letter.
///
/// The dial is drawn once per size; a change repaints what comes out otherwise of needle, band and texts.
final class Speedometer: PassiveView {
  /// The speed in km/h, 0 or more; the scale ends at 200.
  var speed = 0.0 {
    didSet { speedChanged(from: oldValue) }
  }
  /// The gear's letter or number.
  @Redraws var gear = "N"
  /// The gear's colour, which repeats the meaning of the letter.
  @Redraws var gearColor = Color.white
  /// False while the speed is unknown: no needle, and dashes for digits.
  @Redraws var isKnown = true
  private static let maximum = 200.0
  /// The outline that is drawn at the moment; kept for its storage.
  private var line = Path()

  init() { super.init("speedometer") }

  override var inspection: Inspection {
    Inspection(values: ["speed": .number((speed * 10).rounded() / 10), "gear": .text(gear)])
  }

  override var accessibilityRole: AccessibilityRole { .indicator }
  override var accessibilityTitle: String { Language.current.speed }
  /// The speed in whole km/h, and in words.
  override var accessibilityValue: AccessibilityValue? {
    guard isKnown else { return AccessibilityValue(0, in: 0...Self.maximum, text: Language.current.noData) }
    let whole = speed.isFinite ? min(max(speed.rounded(), 0), Self.maximum) : 0
    return AccessibilityValue(whole, in: 0...Self.maximum, text: "\(Int(whole)) km/h")
  }

  // MARK: Geometry

  /// The angle of the scale's start, clockwise from east in radians (135 degrees: lower left).
  private static let start = Double.pi * 0.75
  /// The scale's length in radians: three quarters of a circle, open at the bottom.
  private static let sweep = Double.pi * 1.5

  /// The dial's radius.
  var radius: Double { max(min(bounds.width, bounds.height) / 2 - 1, 1) }

  /// The angle of `speed`, which is kept on the scale.
  func angle(of speed: Double) -> Double {
    let fraction = speed.isFinite ? (speed / Self.maximum).clamped(to: 0...1) : 0
    return Self.start + Self.sweep * fraction
  }

  /// The point at `angle` and `distance` times the radius from the centre.
  func point(at angle: Double, distance: Double) -> Point {
    let (center, radius) = (bounds.center, radius)
    return Point(x: center.x + cos(angle) * radius * distance, y: center.y + sin(angle) * radius * distance)
  }

  /// The gear's letter.
  var gearFont: Font { Font(size: max(radius * 0.5, 14), weight: .bold) }
  /// The speed's digits.
  var speedFont: Font { Font(size: max(radius * 0.26, 13), weight: .semibold) }
  /// The parts that never change.
  var labelFont: Font { Font(size: max(radius * 0.095, 12)) }

  /// The area of the gear's letter; nothing else is drawn there.
  var gearBox: Rect {
    let side = radius * 0.72
    return Rect(x: bounds.midX - side / 2, y: bounds.midY - side / 2, width: side, height: side)
  }

  /// The area of the speed's digits.
  var digitsBox: Rect {
    let radius = radius
    return Rect(
      x: bounds.center.x - radius * 0.42, y: bounds.center.y + radius * 0.42, width: radius * 0.84,
      height: radius * 0.34)
  }

  /// The needle: a pointer on the scale, outside the numbers, so that it covers none.
  private func needle(_ value: Double) -> (tail: Point, tip: Point) {
    let angle = angle(of: value)
    return (point(at: angle, distance: 0.81), point(at: angle, distance: 0.955))
  }

  private var needleWidth: Double { max(radius * 0.03, 2.5) }

  /// The lit band from the scale's start to the needle.
  private var bandRadius: Double { radius * 0.972 }
  private var bandWidth: Double { max(radius * 0.02, 2) }

  /// A text of the dial that never changes.
  struct Label {
    /// The text's content.
    let text: String
    /// The anchor's place.
    let place: Point
    /// The point of the text that lies at the anchor.
    let anchor: TextAnchor
  }

  /// The scale's numbers and the unit. Letters don't shrink with the dial, so small dials leave out what would touch
  /// something else.
  var labels: [Label] {
    var labels: [Label] = []
    if let step = radius >= 110 ? 20.0 : radius >= 76 ? 40 : nil {
      for value in stride(from: 0.0, through: Speedometer.maximum, by: step) {
        let place = point(at: angle(of: value), distance: 0.71)
        labels.append(Label(text: String(Int(value)), place: place, anchor: .center))
      }
    }
    if radius >= 54 {
      let place = Point(x: bounds.center.x, y: digitsBox.maxY + radius * 0.1)
      labels.append(Label(text: "km/h", place: place, anchor: .baselineCenter))
    }
    return labels
  }

  // MARK: Changes

  private func speedChanged(from old: Double) {
    if !speed.isFinite || speed < 0 { speed = 0 }
    guard speed != old else { return }
    // A needle that moves less than a twentieth of a pixel shows nothing new.
    let way = abs(angle(of: speed) - angle(of: shownSpeed)) * radius * (root?.scale.factor ?? 1)
    guard way >= 0.05 || speed == 0 || speed.rounded() != shownSpeed.rounded() else { return }
    shownSpeed = speed
    setNeedsDisplay()
  }

  /// The speed that the needle points to.
  private var shownSpeed = 0.0

  // MARK: Drawing

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    let palette = palette
    let radius = radius
    // Plain discs: a gradient through a round mask would cost as much as all the rest of the dial.
    canvas.fill(Path(circleAt: bounds.center, radius: radius), palette.dial)
    canvas.fill(Path(circleAt: bounds.center, radius: radius * 0.6), palette.dialMiddle)
    canvas.stroke(Path(circleAt: bounds.center, radius: radius - 0.5), palette.hairline, width: 1)
    var track = Path()
    track.addArc(
      center: bounds.center, radius: bandRadius, from: Self.start,
      to: Self.start + Self.sweep)
    canvas.stroke(track, palette.ink.withAlpha(0.08), StrokeStyle(width: bandWidth))
    drawScale(canvas)
    for label in labels {
      canvas.draw(label.text, at: label.place, font: labelFont, palette.quietText, anchor: label.anchor)
    }
  }

  private func drawScale(_ canvas: Canvas) {
    let palette = palette
    let major = radius * 0.012
    for value in stride(from: 0.0, through: Speedometer.maximum, by: 5) {
      let angle = angle(of: value)
      let isMajor = value.truncatingRemainder(dividingBy: 20) == 0
      let isMiddle = value.truncatingRemainder(dividingBy: 10) == 0
      // Small dials keep only the strokes that can be told apart.
      if !isMiddle, radius < 90 { continue }
      if !isMajor, radius < 50 { continue }
      let inner = isMajor ? 0.855 : isMiddle ? 0.89 : 0.91
      canvas.stroke(
        Path(from: point(at: angle, distance: inner), to: point(at: angle, distance: 0.94)),
        isMajor ? palette.text : palette.quietText.withAlpha(0.7),
        width: max(isMajor ? major * 1.4 : major * 0.8, 1))
    }
  }

  override func draw(_ canvas: Canvas) {
    let palette = palette
    if isKnown {
      if shownSpeed > 0 { drawBand(canvas) }
      let (tail, tip) = needle(shownSpeed)
      line.removeAll()
      line.move(to: tail)
      line.line(to: tip)
      canvas.stroke(line, palette.amber, StrokeStyle(width: needleWidth, cap: .round))
    }
    canvas.draw(gear, at: bounds.center, font: gearFont, gearColor, anchor: .center)
    canvas.draw(
      isKnown ? String(Int(shownSpeed.rounded())) : "--", at: digitsBox.center, font: speedFont,
      isKnown ? palette.text : palette.quietText,
      anchor: .center)
  }
}

extension Speedometer {
  /// The lit band. The whole ring is stroked inside a wedge, so that only the wedge's end differs from speed to speed: an
  /// arc of another length would be another curve, and change every pixel's edge a little.
  private func drawBand(_ canvas: Canvas) {
    let (start, end) = (Self.start, angle(of: shownSpeed))
    canvas.saved {
      line.removeAll()
      line.move(to: bounds.center)
      // Corners an eighth of a turn apart, far enough out that the straight sides between them miss the ring.
      var angle = start
      while angle < end {
        line.line(to: point(at: angle, distance: 1.5))
        angle += .pi / 4
      }
      line.line(to: point(at: end, distance: 1.5))
      line.close()
      canvas.clip(to: line)
      line.removeAll()
      line.addCircle(center: bounds.center, radius: bandRadius)
      canvas.stroke(line, palette.text.withAlpha(0.85), StrokeStyle(width: bandWidth))
    }
  }
}
