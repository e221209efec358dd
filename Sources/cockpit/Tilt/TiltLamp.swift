import Controls
import UICore

/// A tell-tale to tap: teal while tilting steers, amber and saying so while the sensor is lost.
final class TiltLamp: Control {
  /// True while the sensor is lost.
  @Redraws var isLost = false

  override init(frame: Rect = .zero) {
    super.init(frame: frame)
    name = "tilt"
  }

  override var hasPrimaryAction: Bool { true }
  override var focusRingCornerRadius: Double? { bounds.height / 2 }

  override var accessibilityTitle: String { isLost ? Language.current.tiltLost : Language.current.tilt }

  override var inspection: Inspection { super.inspection.adding(["isLost": .bool(isLost)]) }

  override func draw(_ canvas: Canvas) {
    let color = isLost ? palette.amber : palette.teal
    let area = bounds.insetBy(dx: 0.5, dy: 0.5)
    let shape = Path(roundedRect: area, cornerRadius: area.height / 2)
    canvas.fill(shape, color.withAlpha(isHighlighted ? 0.4 : 0.12))
    canvas.stroke(shape, color, width: 1)
    let font = Font(size: max(min(bounds.height * 0.46, bounds.width * 0.17), 12), weight: .bold)
    canvas.draw(
      isLost ? Language.current.tiltLost : Language.current.tilt, at: bounds.center, font: font, color, anchor: .center)
  }
}
