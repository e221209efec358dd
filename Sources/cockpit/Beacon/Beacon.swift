import Controls
import UICore

/// A lamp that pulses once every two seconds while the cockpit is ready and seen.
///
/// Endless animations are removed in the background (K13); a `Pulse` comes back by itself, once (K-D4).
final class Beacon: PassiveView {
  /// The duration of one pulse.
  static let period: Duration = .seconds(2)

  /// True while a person wants it to pulse; off, it is an unlit lamp and costs nothing.
  var isEnabled = true {
    didSet {
      guard isEnabled != oldValue else { return }
      pulse.isWanted = isEnabled
      setNeedsStaticDisplay()
      setNeedsDisplay()
    }
  }
  /// The light's strength in 64ths, so that invisible steps are not painted.
  @Redraws private var level = 16

  init() {
    super.init("beacon")
    pulse.isWanted = true
  }

  /// True while the pulse runs.
  var isPulsing: Bool { pulse.isRunning }

  override var inspection: Inspection {
    Inspection(values: ["isEnabled": .bool(isEnabled), "isPulsing": .bool(isPulsing)])
  }

  /// The pulse, brighter and darker: a fade, which people who want less motion get too.
  private lazy var pulse = Pulse(
    of: self, Animation(from: 0.25, to: 1, duration: Beacon.period / 2, autoreverses: true), isMotion: false
  ) { [unowned self] in level = Int(($0 * 64).rounded()) }

  override func didMoveToRoot() { pulse.update() }

  /// The dot, on the side where reading begins.
  private var dot: (center: Point, radius: Double) {
    let x = effectiveLayoutDirection.x(bounds.height * 0.56, in: bounds.width)
    return (Point(x: x, y: bounds.midY), (bounds.height * 0.15).rounded())
  }

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    // The word stands in the middle of the room beside the dot.
    let middle = effectiveLayoutDirection.x(bounds.midX + bounds.height * 0.22, in: bounds.width)
    Lamp.draw(
      Language.current.ready, palette.teal, glow: isEnabled ? 1 : 0, in: bounds,
      middle: Point(x: middle, y: bounds.midY),
      palette: palette, on: canvas)
    if !isEnabled {
      canvas.stroke(circleAt: dot.center, radius: dot.radius - 0.75, palette.outline, width: 1.5)
    }
  }

  /// True: a dot, a few thousand times an hour.
  override var drawsPlainFills: Bool { true }

  override func draw(_ canvas: Canvas) {
    guard isEnabled else { return }
    canvas.fill(Path(circleAt: dot.center, radius: dot.radius), palette.onLamp.withAlpha(Double(level) / 64))
  }
}
