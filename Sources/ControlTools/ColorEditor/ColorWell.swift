import Controls
import UICore

/// A colour as a button: it shows a colour, or that there is none, and tells when it is pressed (`primaryActionTriggered`).
public final class ColorWell: Control {
  /// The colour shown; nil for none.
  @Inspectable public var color: Color?

  /// Besides those of its superclass.
  public override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("color", \ColorWell.color, .display)
    ]
  }

  /// Makes a well without colour at `frame`, in points of the future superview.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
  }

  /// True: a tap, Space or Enter press it.
  public override var hasPrimaryAction: Bool { true }

  /// Large enough to be seen and hit.
  public override func sizeThatFits(_ size: Size) -> Size { Size(width: 64, height: 32) }

  /// A place large enough for a finger.
  public override func point(inside point: Point) -> Bool { isInTouchArea(point) }

  /// Draws the colour; none is an empty well with a line across.
  public override func draw(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let edge = bounds.insetBy(dx: 1, dy: 1)
    // Selected, a ring lies around it, apart from it: it is seen around every colour.
    let shape = isSelected ? edge.insetBy(dx: 3, dy: 3) : edge
    let radius = isSelected ? 4.0 : 6
    if let color {
      Checkerboard.draw(
        canvas, shape, color, cornerRadius: radius, edge: theme.isDark ? theme.hairline : theme.thumbOutline)
    } else {
      canvas.fill(Path(roundedRect: shape, cornerRadius: radius), theme.fill)
      let line = shape.insetBy(dx: 7, dy: 7)
      canvas.stroke(
        Path(from: Point(x: line.minX, y: line.maxY), to: Point(x: line.maxX, y: line.minY)), theme.secondaryLabel,
        StrokeStyle(width: 1.5, cap: .round))
    }
    if isHighlighted { canvas.fill(Path(roundedRect: shape, cornerRadius: radius), theme.pressed) }
    if isSelected || isHighlighted {
      canvas.stroke(Path(roundedRect: edge, cornerRadius: 7), theme.accent, width: isSelected ? 2 : 1)
    }
  }

  /// The colour, for people and tools.
  public override var inspection: Inspection {
    var inspection = super.inspection
    inspection.values["color"] = .text(color?.hexString ?? "none")
    return inspection
  }
}
