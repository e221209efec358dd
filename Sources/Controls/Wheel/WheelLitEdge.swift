// Owns the light along a held wheel's rim.
// Must not know when it is lit.

/// The lit edge of a held wheel as a view of its own, in front of the wheel: so a turn draws nothing of it again.
final class WheelLitEdge: View {
  /// True while the light is on.
  private(set) var isLit = false

  /// Turns the light on or off; `rects` are what it covers, in the view's coordinates.
  func set(isLit: Bool, covering rects: [Rect]) {
    guard isLit != self.isLit else { return }
    self.isLit = isLit
    setNeedsDisplay(rects)
  }

  /// False: the light takes no touches, whatever it covers.
  override func point(inside point: Point) -> Bool { false }

  /// Draws the light for a wheel that fills the view.
  override func draw(_ canvas: Canvas, _ dirty: Rect) {
    guard isLit else { return }
    WheelPainter(geometry: WheelGeometry(size: bounds.size), state: .normal).drawLitEdge(on: canvas)
  }
}
