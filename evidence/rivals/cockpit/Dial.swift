import Controls
import Glibc

/// A dial whose mark follows the finger. A user's change sends `valueChanged`.
@ListsProperties
final class Dial: Control {
  /// Degrees from the lowest value, clockwise, to the highest.
  private static let sweep = 280.0

  /// The value, 0...100; 50 by default.
  @Inspectable(.display, limits: 0...100) var value = 50.0

  override func beginTracking(_ touch: Touch) -> Bool {
    follow(touch)
    return true
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    follow(touch)
    return true
  }

  override var staysHighlightedOutside: Bool { true }

  override var accessibilityRole: AccessibilityRole { .dial }

  override var accessibilityValue: AccessibilityValue? { AccessibilityValue(value, in: 0...100) }

  override func setAccessibilityValue(_ number: Double) { choose(number) }

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    canvas.fill(Path(circleAt: bounds.center, radius: 260), theme.track)
    canvas.fill(Path(circleAt: bounds.center, radius: 248), Color(hex: 0x20262d))
  }

  override func draw(_ canvas: Canvas) {
    let turned = (value / 100 - 0.5) * Self.sweep * .pi / 180
    let mark = Point(x: bounds.midX + 200 * sin(turned), y: bounds.midY - 200 * cos(turned))
    canvas.fill(Path(circleAt: mark, radius: 28), theme.trackHighlight)
  }

  private func follow(_ touch: Touch) {
    let point = touch.location(in: self)
    let degrees = atan2(point.x - bounds.midX, bounds.midY - point.y) * 180 / .pi
    choose((degrees / Self.sweep + 0.5) * 100)
  }

  private func choose(_ number: Double) {
    let old = value
    value = number
    if value != old { sendActions(for: .valueChanged) }
  }
}
