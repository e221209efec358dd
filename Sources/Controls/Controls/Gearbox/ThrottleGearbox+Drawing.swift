import UICore

extension ThrottleGearbox {
  /// The opacity of a gate that takes no input.
  private static let disabledAlpha = 0.4

  /// Rows from the top, then the knob over everything (G18).
  func drawGate(on canvas: Canvas) {
    let geometry = geometry
    guard geometry.shapeUnit > 0 else { return }
    if !isEnabled { canvas.multiplyAlpha(Self.disabledAlpha) }
    if showsSlot { drawSlot(geometry, on: canvas) }
    for row in 0..<geometry.rowCount {
      let color = palette.color(ofRow: row, knobRow: shownRow, gearCount: gearCount)
      drawLines(row, geometry, color, on: canvas)
      drawLetters(row, geometry, color, on: canvas)
      if showsGearNumbers { drawNumber(row, geometry, color, on: canvas) }
    }
    let knob = geometry.knob(inRow: shownRow)
    guard !canvas.isHidden(knob) else { return }
    let look = GearKnob.Look(gear: geometry.gear(atRow: shownRow), isHighlighted: isHighlighted, isEnabled: isEnabled)
    if let knobDrawing {
      canvas.saved { knobDrawing(canvas, knob, look) }
    } else if let knobPicture {
      // Whole pixels keep its edges sharp; rounded, they stay within the pixels that the knob's rectangle touches.
      let place = canvas.onWholePixels(ContentMode.aspectFit.rect(for: knobPicture.size, in: knob))
      canvas.drawSharp(knobPicture, in: place, tint: nil)
      if isHighlighted { canvas.drawSharp(knobPicture, in: place, tint: theme.pressed) }
    } else {
      GearKnob.draw(on: canvas, in: knob, look: look)
    }
  }

  /// The width of the gate's lines in points: 1 in the article's size (G14).
  private func lineWidth(_ geometry: GearboxGeometry) -> Double { geometry.shapeUnit }

  /// The two lines of a row (G14-G17), moved to whole pixels so that they are sharp at every scale: within half a pixel of
  /// the article's place.
  private func drawLines(_ row: Int, _ geometry: GearboxGeometry, _ color: Color, on canvas: Canvas) {
    let lines = geometry.lines(inRow: row)
    let width = max(1, (lineWidth(geometry) * canvas.scale.factor).rounded()) / canvas.scale.factor
    let offset = canvas.toPixels.apply(.zero).y / canvas.scale.factor
    let top = ((lines.left.minY - width / 2 + offset) * canvas.scale.factor).rounded() / canvas.scale.factor - offset
    func draw(_ line: Rect) {
      let rect = Rect(x: line.minX, y: top, width: line.width, height: width)
      if !canvas.isHidden(rect) { canvas.fill(rect, color) }
    }
    draw(lines.left)
    draw(lines.right)
  }

  /// The letter of N or R on both sides, the right one mirrored by measuring it (G16, G17, G-D11).
  private func drawLetters(_ row: Int, _ geometry: GearboxGeometry, _ color: Color, on canvas: Canvas) {
    guard let corners = geometry.letterCorners(inRow: row) else { return }
    let layout = letter(row, geometry)
    canvas.draw(layout, at: corners.left, color)
    canvas.draw(layout, at: corners.right.offsetBy(dx: -layout.size.width, dy: 0), color)
  }

  private func letter(_ row: Int, _ geometry: GearboxGeometry) -> TextLayout {
    FontLibrary.shared.layout(geometry.gear(atRow: row).description, font: Font(size: geometry.letterSize))
  }

  /// The number of a forward row outside of both lines; the slowest gear's, whose lines are long, below them (G-D12).
  private func drawNumber(_ row: Int, _ geometry: GearboxGeometry, _ color: Color, on canvas: Canvas) {
    guard let places = numberPlaces(row, geometry) else { return }
    let text = geometry.gear(atRow: row).description
    let font = Font(size: 12 * max(geometry.shapeUnit, 1), weight: shownRow == row ? .bold : .regular)
    func draw(_ place: Rect) {
      if !canvas.isHidden(place) { canvas.draw(text, at: place.center, font: font, color, anchor: .center) }
    }
    draw(places.left)
    draw(places.right)
  }

  /// The boxes around a row's numbers.
  private func numberPlaces(_ row: Int, _ geometry: GearboxGeometry) -> (left: Rect, right: Rect)? {
    guard row < gearCount else { return nil }
    // Never smaller than 12 points, however small the gate.
    let unit = max(geometry.shapeUnit, 1)
    let isLong = row == gearCount - 1
    let y = geometry.y(ofRow: row) + (isLong ? 10 * unit : 0)
    func box(_ x: Double) -> Rect {
      Rect(
        x: geometry.left + x * geometry.unit.width - 13 * unit, y: y - 9 * unit, width: 26 * unit, height: 18 * unit)
    }
    return (box(27), box(173))
  }

  /// The slot that the lever runs in, between the inner ends of the lines.
  private func drawSlot(_ geometry: GearboxGeometry, on canvas: Canvas) {
    let unit = geometry.shapeUnit
    let middle = geometry.left + 100 * geometry.unit.width
    let top = geometry.y(ofRow: 0) - 10 * unit
    let slot = Rect(
      x: middle - 5 * unit, y: top, width: 10 * unit, height: geometry.y(ofRow: gearCount + 1) + 10 * unit - top)
    canvas.fill(roundedRect: slot, cornerRadius: slot.width / 2, Color(hex: 0x05080c))
    canvas.stroke(roundedRect: slot, cornerRadius: slot.width / 2, Color(white: 1, alpha: 0.16), width: 1)
  }
}
