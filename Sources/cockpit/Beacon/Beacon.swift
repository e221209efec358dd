import Controls
import UICore

/// A lamp that pulses once every two seconds while the cockpit is ready and seen.
///
/// Endless animations are removed in the background (K13); a `Pulse` comes back by itself, once (K-D4).
final class Beacon: PassiveView {
  /// The duration of one pulse.
  static let period: Duration = .seconds(2)

  /// True while a person wants it to pulse; off, it stays dark and costs nothing.
  var isEnabled = true {
    didSet {
      guard isEnabled != oldValue else { return }
      pulse.isWanted = isEnabled
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

  private var lampBox: Rect {
    let side = bounds.height * 0.7
    let place = Rect(x: bounds.height * 0.22, y: (bounds.height - side) / 2, width: side, height: side)
    return mirrored(place)
  }

  override var hasStaticDrawing: Bool { true }

  override func drawStatic(_ canvas: Canvas) {
    let area = bounds.insetBy(dx: 0.5, dy: 0.5)
    let shape = Path(roundedRect: area, cornerRadius: area.height / 2)
    canvas.fill(shape, palette.ink.withAlpha(0.04))
    canvas.stroke(shape, palette.hairline, width: 1)
    let font = Font(size: max(min(bounds.height * 0.46, bounds.width * 0.17), 12), weight: .bold)
    // The text stands in the middle of the room beside the lamp.
    let lampEnd = bounds.height * 0.92
    let middle = effectiveLayoutDirection.x((lampEnd + bounds.maxX - bounds.height * 0.2) / 2, in: bounds.width)
    canvas.draw(
      Language.current.ready, at: Point(x: middle, y: bounds.midY), font: font, palette.text, anchor: .center)
  }

  override func draw(_ canvas: Canvas) {
    let strength = isEnabled ? Double(level) / 64 : 0.12
    let center = lampBox.center
    let radius = lampBox.width / 2
    canvas.fill(
      Path(circleAt: center, radius: radius - 0.5),
      .radial(
        center: center, outerRadius: radius,
        stops: [
          .init(0, palette.teal.withAlpha(0.55 * strength)), .init(1, palette.teal.withAlpha(0)),
        ]))
    canvas.fill(Path(circleAt: center, radius: radius * 0.42), palette.teal.withAlpha(0.15 + 0.85 * strength))
  }
}
