// Owns how a steering wheel looks: the ring that stays, spokes and mark that turn.
// Must not know fingers, swings or what is damaged.

import Interface

/// Draws a wheel. The ring and the hub's place look the same at every angle, so they are drawn once and kept; what turns
/// stays inside `WheelGeometry`'s spokes and mark, so that little has to be repainted.
struct WheelPainter {
  let geometry: WheelGeometry
  let state: Control.State

  private var center: Point { geometry.center }
  private var radius: Double { geometry.outerRadius }
  private var inner: Double { geometry.rimInnerRadius }
  private var fade: Double { state.contains(.disabled) ? 0.4 : 1 }

  // MARK: What stays

  /// The rim, lit from above, with its fine lighter inner edge, and the hub's ground.
  func drawRing(on canvas: Canvas) {
    guard radius > 0 else { return }
    canvas.multiplyAlpha(fade)
    let width = radius - inner
    var ring = Path(circleAt: center, radius: radius)
    ring.addCircle(center: center, radius: inner)
    // One gradient for the light from above. The tube's roundness is drawn by plain circles: a second gradient through
    // the ring's mask would cost more than all of them, since cairo then mixes the whole square.
    canvas.fill(
      ring,
      .linear(
        from: Point(x: 0, y: center.y - radius), to: Point(x: 0, y: center.y + radius),
        stops: [.init(0, Color(hex: 0x414b57)), .init(0.5, Color(hex: 0x27303a)), .init(1, Color(hex: 0x171d24))]),
      rule: .evenOdd)
    for (place, share, alpha) in [(0.06, 0.12, 0.5), (0.17, 0.12, 0.22), (0.84, 0.14, 0.2), (0.955, 0.09, 0.5)] {
      strokeCircle(inner + width * place, Color(white: 0, alpha: alpha), width: width * share, on: canvas)
    }
    strokeCircle(inner + width * 0.5, Color(white: 1, alpha: 0.05), width: width * 0.22, on: canvas)
    strokeCircle(radius - 0.75, Color(white: 1, alpha: 0.16), width: 1.5, on: canvas)
    strokeCircle(inner + 0.75, Color(white: 1, alpha: 0.34), width: 1.5, on: canvas)
    drawHub(on: canvas)
  }

  private func drawHub(on canvas: Canvas) {
    let hub = geometry.hubRadius
    canvas.fill(Path(circleAt: center, radius: hub), Color(hex: 0x1f262f))
    strokeCircle(hub - 0.75, Color(white: 1, alpha: 0.2), width: 1.5, on: canvas)
  }

  private func strokeCircle(_ radius: Double, _ color: Color, width: Double, on canvas: Canvas) {
    canvas.stroke(Path(circleAt: center, radius: radius), color, width: width)
  }

  // MARK: What turns

  /// Spokes and mark at `angle` in degrees, of a `shape` with this geometry.
  ///
  /// Two fills, whatever the number of spokes: what a turn costs is their number, since each goes through all the wheel's
  /// rows. What lies behind the wheel shows through the spokes' slots.
  func drawTurning(on canvas: Canvas, angle: Double, shape: WheelShape) {
    guard radius > 0 else { return }
    canvas.multiplyAlpha(fade)
    canvas.fill(shape.spokes(at: angle), Color(hex: 0x35404c), rule: .evenOdd)
    canvas.fill(shape.mark(at: angle), Color(hex: 0xffb020))
  }

  /// The rim's lit edge while a finger holds the wheel.
  func drawLitEdge(on canvas: Canvas) {
    guard radius > 0 else { return }
    let edge = geometry.litEdge
    strokeCircle((edge.inner + edge.outer) / 2, Color(hex: 0xe8f1fb), width: edge.outer - edge.inner, on: canvas)
  }
}
