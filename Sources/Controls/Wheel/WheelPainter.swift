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
    canvas.fill(
      ring,
      .radial(
        center: center, innerRadius: inner, outerRadius: radius,
        stops: [
          .init(0, Color(hex: 0x0c1015)), .init(0.12, Color(hex: 0x1c232c)), .init(0.45, Color(hex: 0x2c3540)),
          .init(0.75, Color(hex: 0x1d242d)), .init(1, Color(hex: 0x0a0d12)),
        ]), rule: .evenOdd)
    // The light above: stronger at the top of the ring, a trace of it at the bottom.
    canvas.fill(
      ring,
      .linear(
        from: Point(x: 0, y: center.y - radius), to: Point(x: 0, y: center.y + radius),
        stops: [
          .init(0, Color(white: 1, alpha: 0.13)), .init(0.5, Color(white: 1, alpha: 0)),
          .init(1, Color(white: 0, alpha: 0.28)),
        ]), rule: .evenOdd)
    strokeCircle(radius - 0.75, Color(white: 1, alpha: 0.16), width: 1.5, on: canvas)
    strokeCircle(inner + width * 0.5, Color(white: 0, alpha: 0.22), width: max(1, width * 0.035), on: canvas)
    strokeCircle(inner + 0.75, Color(white: 1, alpha: 0.34), width: 1.5, on: canvas)
    drawHub(on: canvas)
  }

  private func drawHub(on canvas: Canvas) {
    let hub = geometry.hubRadius
    canvas.fill(
      Path(circleAt: center, radius: hub),
      .linear(
        from: Point(x: 0, y: center.y - hub), to: Point(x: 0, y: center.y + hub), Color(hex: 0x2a333e),
        Color(hex: 0x141a21)))
    strokeCircle(hub - 0.75, Color(white: 1, alpha: 0.2), width: 1.5, on: canvas)
  }

  private func strokeCircle(_ radius: Double, _ color: Color, width: Double, on canvas: Canvas) {
    canvas.stroke(Path(circleAt: center, radius: radius), color, width: width)
  }

  // MARK: What turns

  /// Spokes and mark at `angle` in degrees.
  ///
  /// Three fills, whatever the number of spokes: what a turn costs is their number, since each goes through all the
  /// wheel's rows.
  func drawTurning(on canvas: Canvas, angle: Double) {
    guard radius > 0 else { return }
    canvas.multiplyAlpha(fade)
    let toCenter = Transform.translation(x: center.x, y: center.y)
    let turns = WheelGeometry.spokeDirections.map { Transform.rotation(($0 + angle) * .pi / 180).then(toCenter) }
    // The recess along a spoke is a slot: what lies behind the wheel shows through it.
    var body = spoke()
    body.append(spokeSlot())
    canvas.fill(all(body, turns), Color(hex: 0x28313c), rule: .evenOdd)
    canvas.fill(all(spokeEdges(), turns), Color(white: 1, alpha: 0.22))
    canvas.fill(markPath().applying(Transform.rotation((angle - 90) * .pi / 180).then(toCenter)), Color(hex: 0xffb020))
  }

  /// The rim's lit edge while a finger holds the wheel.
  func drawLitEdge(on canvas: Canvas) {
    guard radius > 0 else { return }
    let edge = geometry.litEdge
    strokeCircle((edge.inner + edge.outer) / 2, Color(hex: 0xe8f1fb), width: edge.outer - edge.inner, on: canvas)
  }

  private func all(_ path: Path, _ turns: [Transform]) -> Path {
    var result = Path()
    for turn in turns { result.append(path.applying(turn)) }
    return result
  }

  /// A spoke to the right: both ends follow the circles that they meet, both sides are parabolas.
  private func spoke() -> Path {
    let (root, end) = (geometry.spokeRoot, geometry.spokeEnd)
    let (rootHalf, endHalf) = (geometry.spokeHalfWidth(atRadius: root), geometry.spokeHalfWidth(atRadius: end))
    let (rootAngle, endAngle) = (Controls.angle(x: root, y: rootHalf), Controls.angle(x: end, y: endHalf))
    let control = geometry.spokeEdgeControl(from: root, to: end)
    var path = Path()
    path.addArc(center: .zero, radius: geometry.hubRadius, from: rootAngle, to: -rootAngle)
    path.quad(to: Point(x: end, y: -endHalf), control: Point(x: control.x, y: -control.y))
    path.addArc(center: .zero, radius: inner, from: -endAngle, to: endAngle)
    path.quad(to: Point(x: root, y: rootHalf), control: control)
    path.close()
    return path
  }

  /// The thin light edges on both sides of a spoke.
  private func spokeEdges() -> Path {
    let (root, end) = (geometry.spokeRoot, geometry.spokeEnd)
    let control = geometry.spokeEdgeControl(from: root, to: end)
    let (rootHalf, endHalf) = (geometry.spokeHalfWidth(atRadius: root), geometry.spokeHalfWidth(atRadius: end))
    let width = 1.2
    var path = Path()
    for side in [-1.0, 1] {
      path.move(to: Point(x: root, y: side * rootHalf))
      path.quad(to: Point(x: end, y: side * endHalf), control: Point(x: control.x, y: side * control.y))
      path.line(to: Point(x: end, y: side * (endHalf - width)))
      path.quad(
        to: Point(x: root, y: side * (rootHalf - width)), control: Point(x: control.x, y: side * (control.y - width)))
      path.close()
    }
    return path
  }

  /// The slot along a spoke's middle: from where to where, and half its width.
  private var slot: (from: Double, to: Double, half: Double) {
    let way = inner - geometry.hubRadius
    return (geometry.hubRadius + way * 0.24, geometry.hubRadius + way * 0.86, radius * 0.024)
  }

  private func spokeSlot() -> Path {
    Path(
      roundedRect: Rect(x: slot.from, y: -slot.half, width: slot.to - slot.from, height: 2 * slot.half),
      cornerRadius: slot.half)
  }

  /// The mark to the right, with round corners.
  private func markPath() -> Path {
    let mark = geometry.mark
    return Path(
      roundedRect: Rect(
        x: mark.inner, y: -mark.halfWidth, width: mark.outer - mark.inner, height: 2 * mark.halfWidth),
      cornerRadius: mark.halfWidth * 0.5)
  }
}
