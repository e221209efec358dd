import CockpitControls
import Controls
import UICore

/// Shows the wheel angle at the foot of a dial: an arc that grows from the middle to the turned side, and the angle in degrees.
///
/// It changes with nearly every frame of a turn, so arc and text are separate views.
final class SteeringIndicator: PassiveView {
  private let lit = LitArc("arc")
  private let text = SteeringAngle()

  /// The angle in degrees, right positive.
  var degrees = 0.0 {
    didSet { if degrees != oldValue { setNeedsUpdate() } }
  }
  /// The angle at which the arc is full, in degrees.
  var lock = 450.0 {
    didSet { if lock != oldValue { setNeedsUpdate() } }
  }
  /// The radius of the dial, whose lowest point is the middle of the view's lower edge, in points.
  var dialRadius = 0.0 {
    didSet { if dialRadius != oldValue { setNeedsLayout() } }
  }
  /// The size of the angle's digits, in points.
  var fontSize: Double {
    get { text.fontSize }
    set { text.fontSize = newValue }
  }

  init() {
    super.init("steering")
    for view in [lit, text] { addSubview(view) }
    themeDidChange()
  }

  override func themeDidChange() { lit.color = palette.teal }

  override var inspection: Inspection { Inspection(values: ["degrees": .number(degrees)]) }

  /// The displayed angle: an arrow to its side and whole degrees. It contains no letters, because R is a gear.
  static func text(_ degrees: Double) -> String {
    let whole = Int(abs(degrees).rounded())
    if whole == 0 { return "0°" }
    return degrees < 0 ? "← \(whole)°" : "\(whole)° →"
  }

  /// The whole arc around a dial's `center`, from full left to full right, clear of the ends of the speed scale.
  func track(in center: Point) -> Arc {
    Arc(
      center: center, radius: dialRadius * 0.962, width: max(dialRadius * 0.028, 2.5), start: .pi * (0.5 + 0.21),
      sweep: -.pi * 0.42)
  }

  /// The fraction of the arc at which its lit part ends: 0.5 with the wheel straight, 1 full right.
  var end: Double {
    lock > 0 && degrees.isFinite ? 0.5 + (degrees / lock).clamped(to: -1...1) / 2 : 0.5
  }

  /// Lights the arc and sets the text, once per frame, however fast the wheel turns.
  override func update() {
    text.text = SteeringIndicator.text(degrees)
    lit.show(track(in: Point(x: bounds.midX, y: bounds.maxY - dialRadius)), from: 0.5, to: end)
  }

  /// Shows the changes that were made while the view had no root.
  override func didMoveToRoot() { update() }

  override func layoutSubviews() {
    lit.frame = bounds
    // As wide as the longest angle needs: an arrow, three digits and the degree sign.
    let width = min((fontSize * 4.5).rounded(.up), bounds.width)
    let room = bounds.height - dialRadius * 0.06
    text.frame = Rect(x: (bounds.width - width) / 2, y: 0, width: width, height: max(room, 0))
    update()
  }
}

private final class SteeringAngle: View {
  @Redraws var text = "0°"
  /// The size of the digits in points.
  @Redraws var fontSize = 12.0

  override var drawsPlainFills: Bool { true }

  override func draw(_ canvas: Canvas) {
    canvas.draw(
      text, at: bounds.center, font: Font(builtIn: fontSize, weight: .semibold), palette.text, anchor: .center)
  }
}
