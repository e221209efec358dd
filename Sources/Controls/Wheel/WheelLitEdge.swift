// Owns the light along a held wheel's rim.
// Must not know when it is lit.

/// The lit edge of a held wheel as a view of its own, in front of the wheel: so a turn draws nothing of it again.
final class WheelLitEdge: View {
  /// True while the light is on.
  var isLit = false {
    didSet { if isLit != oldValue { setNeedsDisplay() } }
  }

  /// False: the light takes no touches, whatever it covers.
  override func point(inside point: Point) -> Bool { false }

  /// Draws the light for a wheel that fills the view.
  override func draw(_ canvas: Canvas, _ dirty: Rect) {
    guard isLit else { return }
    WheelPainter(geometry: WheelGeometry(size: bounds.size), state: .normal).drawLitEdge(on: canvas)
  }
}
