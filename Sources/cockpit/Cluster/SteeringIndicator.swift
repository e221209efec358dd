import Controls
import UICore

/// Shows how far the wheel is turned: a bar that grows from the middle to the turned side, and the angle in degrees.
///
/// It changes with nearly every frame of a turn, so that the changing parts are small views of their own.
final class SteeringIndicator: PassiveView {
  private let bar = View()
  private let middle = View()
  private let text = SteeringAngle()

  /// The angle in degrees, right positive.
  var degrees = 0.0 {
    didSet { if degrees != oldValue { setNeedsUpdate() } }
  }
  /// The angle at which the bar is full, in degrees.
  var lock = 450.0 {
    didSet { if lock != oldValue { setNeedsUpdate() } }
  }

  init() {
    super.init("steering")
    for view in [bar, middle, text] { addSubview(view) }
    themeDidChange()
  }

  override func themeDidChange() {
    bar.backgroundColor = palette.amber
    middle.backgroundColor = palette.text.withAlpha(0.8)
  }

  override var inspection: Inspection { Inspection(values: ["degrees": .number(degrees)]) }

  /// The angle as people read it: an arrow to its side and whole degrees. No letters: R is a gear.
  static func text(_ degrees: Double) -> String {
    let whole = Int(abs(degrees).rounded())
    if whole == 0 { return "0°" }
    return degrees < 0 ? "← \(whole)°" : "\(whole)° →"
  }

  private var track: Rect {
    let height = max((bounds.height * 0.12).rounded(), 4)
    return Rect(x: 1, y: (bounds.height * 0.16).rounded(), width: max(bounds.width - 2, 0), height: height)
  }

  /// Places the bar and sets the text, once per frame, however fast the wheel turns.
  override func update() {
    text.text = SteeringIndicator.text(degrees)
    placeBar()
  }

  /// Shows the changes since the last window.
  override func didMoveToRoot() { update() }

  private func placeBar() {
    let track = track
    let share = lock > 0 && degrees.isFinite ? (degrees / lock).clamped(to: -1...1) : 0
    // Whole points: the bar's end then lies on the pixel grid.
    let end = (track.midX + share * track.width / 2).rounded()
    bar.frame = Rect(x: min(end, track.midX), y: track.minY, width: abs(end - track.midX), height: track.height)
  }

  override func layoutSubviews() {
    let track = track
    middle.frame = Rect(x: track.midX - 1, y: track.minY - 2, width: 2, height: track.height + 4)
    let size = max(min(bounds.height * 0.42, bounds.width * 0.16), 12)
    // As wide as the longest angle needs: an arrow, three digits and the degree sign.
    let width = min((size * 4.5).rounded(.up), bounds.width)
    let top = (bounds.height * 0.42).rounded()
    text.fontSize = size
    text.frame = Rect(
      x: ((bounds.width - width) / 2).rounded(), y: top, width: width, height: max(bounds.height - top, 0))
    placeBar()
  }

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    let track = track
    canvas.fill(Path(roundedRect: track, cornerRadius: track.height / 2), palette.ink.withAlpha(0.1))
    for share in [0.25, 0.5, 0.75] {
      let x = (track.minX + track.width * share).rounded()
      canvas.fill(Rect(x: x - 0.5, y: track.minY - 3, width: 1, height: track.height + 6), palette.hairline)
    }
  }
}

/// The angle's text in the middle of its view.
private final class SteeringAngle: View {
  @Redraws var text = "0°"
  /// The size of the digits in points.
  @Redraws var fontSize = 12.0

  override func draw(_ canvas: Canvas) {
    canvas.draw(
      text, at: Point(x: bounds.midX, y: bounds.midY), font: Font(size: fontSize, weight: .semibold),
      palette.text,
      anchor: .center)
  }
}
