// The steering angle as a bar from the middle and in degrees.

import Controls
import Interface

/// Shows how far the wheel is turned: a bar that grows from the middle to the turned side, and the angle in degrees.
final class SteeringIndicator: View {
  private let palette: CockpitTheme
  /// The angle in degrees, right positive.
  var degrees = 0.0 {
    didSet {
      guard degrees != oldValue else { return }
      invalidateBar(from: oldValue)
      let text = SteeringIndicator.text(degrees)
      if text != shownText {
        shownText = text
        setNeedsDisplay(textBox)
      }
    }
  }
  /// The angle at which the bar is full, in degrees.
  var lock = 450.0 {
    didSet { if lock != oldValue { setNeedsDisplay() } }
  }
  private var shownText = "0°"

  init(theme: CockpitTheme) {
    palette = theme
    super.init(frame: .zero)
    name = "steering"
    isUserInteractionEnabled = false
  }

  override var inspection: Inspection { Inspection(values: ["degrees": .number(degrees)]) }

  /// The angle as people read it: an arrow to its side and whole degrees. No letters: R is a gear.
  static func text(_ degrees: Double) -> String {
    let whole = Int(abs(degrees).rounded())
    if whole == 0 { return "0°" }
    return degrees < 0 ? "← \(whole)°" : "\(whole)° →"
  }

  private var font: Font { Font(size: max(min(bounds.height * 0.42, bounds.width * 0.16), 12), weight: .semibold) }

  private var textBox: Rect {
    Rect(x: 0, y: bounds.height * 0.42, width: bounds.width, height: bounds.height * 0.58)
  }

  private var track: Rect {
    let height = max((bounds.height * 0.12).rounded(), 4)
    return Rect(x: 1, y: (bounds.height * 0.16).rounded(), width: max(bounds.width - 2, 0), height: height)
  }

  private func end(_ degrees: Double) -> Double {
    let share = lock > 0 && degrees.isFinite ? (degrees / lock).clamped(to: -1...1) : 0
    // Whole points: the bar's end then lies on the pixel grid, and is filled without smoothing.
    return (track.midX + share * track.width / 2).rounded()
  }

  /// Only what lies between the old and the new end changes.
  private func invalidateBar(from old: Double) {
    let (a, b) = (end(old), end(degrees))
    guard a != b else { return }
    setNeedsDisplay(
      Rect(x: min(a, b) - 2, y: track.minY - 2, width: abs(a - b) + 4, height: track.height + 4))
  }

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    let track = track
    canvas.fill(Path(roundedRect: track, cornerRadius: track.height / 2), .white.withAlpha(0.1))
    for share in [0.25, 0.5, 0.75] {
      let x = (track.minX + track.width * share).rounded()
      canvas.fill(Rect(x: x - 0.5, y: track.minY - 3, width: 1, height: track.height + 6), palette.hairline)
    }
  }

  override func draw(_ canvas: Canvas, _ dirty: Rect) {
    let track = track
    let x = end(degrees)
    if x != track.midX {
      let bar = Rect(x: min(x, track.midX), y: track.minY, width: abs(x - track.midX), height: track.height)
      canvas.fill(bar, palette.amber)
    }
    canvas.fill(
      Rect(x: track.midX - 1, y: track.minY - 2, width: 2, height: track.height + 4), palette.text.withAlpha(0.8))
    if dirty.intersects(textBox) {
      canvas.draw(
        shownText, at: Point(x: bounds.midX, y: textBox.midY), font: font, palette.text, anchor: .center)
    }
  }
}
