import Glibc

/// The lit band of a dial and the needle at its end, which turn with every frame of a drive.
final class Needle: LitArc {
  /// The colour around the needle. A stroke of the scale that it half covers would look like a second needle beside it.
  @Redraws var ground = Color.black
  private var halo = Path()

  /// Lights `fraction` of `band`, and puts the needle at its end. A needle that would move less than a twentieth of a pixel is
  /// not redrawn.
  func show(_ fraction: Double, of band: Arc, scale: Double) {
    let isNear = abs(fraction - end) * abs(band.sweep) * band.radius * scale < 0.05
    let isEnd = fraction == 0 && end != 0
    guard band != arc || !isNear || isEnd else { return }
    show(band, from: 0, to: fraction)
    addNeedle(at: band.start + band.sweep * fraction, of: band)
  }

  override func draw(_ canvas: Canvas) {
    canvas.fill(halo, ground)
    super.draw(canvas)
  }

  /// A pointer from the numbers to the band's outer edge, broader outside, and its surroundings as far out as the strokes.
  private func addNeedle(at angle: Double, of band: Arc) {
    func corner(_ distance: Double, _ side: Double) -> Point {
      Point(
        x: band.center.x + cos(angle) * distance - sin(angle) * side,
        y: band.center.y + sin(angle) * distance + cos(angle) * side)
    }
    let (inner, outer) = (band.radius * 0.868, band.radius + band.width / 2)
    let (thin, broad) = (max(band.radius * 0.009, 0.8), max(band.radius * 0.019, 1.6))
    let (free, strokes) = (broad + max(band.radius * 0.012, 1.5), band.radius * 0.972)
    halo.removeAll()
    halo.move(to: corner(inner, -free))
    halo.line(to: corner(strokes, -free))
    halo.line(to: corner(strokes, free))
    halo.line(to: corner(inner, free))
    halo.close()
    shape.move(to: corner(inner, -thin))
    shape.line(to: corner(outer, -broad))
    shape.line(to: corner(outer, broad))
    shape.line(to: corner(inner, thin))
    shape.close()
  }
}
