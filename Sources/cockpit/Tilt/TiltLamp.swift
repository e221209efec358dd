import CockpitControls
import Controls
import UICore

/// A tell-tale that can be tapped: teal while tilting steers, amber with a message while the sensor is lost.
final class TiltLamp: Control {
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
    Lamp.draw(
      isLost ? Language.current.tiltLost : Language.current.tilt, isLost ? palette.amber : palette.teal, glow: 1,
      in: bounds, middle: bounds.center, colors: LampColors(palette), on: canvas)
    guard isHighlighted else { return }
    canvas.stroke(
      roundedRect: bounds.insetBy(dx: 1, dy: 1), cornerRadius: bounds.height / 2, palette.text, width: 2)
  }
}
