/// The lit part of an arc, which changes with nearly every frame of a drive.
package class LitArc: View {
  @Redraws package var color = Color.white
  package private(set) var arc: Arc?
  /// The fraction of the arc at which its lit part ends.
  package private(set) var end = 0.0
  final var shape = Path()

  package init(_ name: String) {
    super.init(frame: .zero)
    self.name = name
    isUserInteractionEnabled = false
  }

  package override var drawsPlainFills: Bool { true }

  /// Lights `arc` between two fractions.
  package func show(_ arc: Arc, from start: Double, to end: Double) {
    guard arc != self.arc || end != self.end else { return }
    (self.arc, self.end) = (arc, end)
    shape.removeAll()
    arc.add(from: start, to: end, to: &shape)
    setNeedsDisplay()
  }

  package override func draw(_ canvas: Canvas) { canvas.fill(shape, color) }
}
