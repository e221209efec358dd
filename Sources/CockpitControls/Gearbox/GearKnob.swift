/// The built-in knob: dark metal lit from above, three grips on either side, and the gear's name in the middle, so that the
/// gear is readable without colour.
public enum GearKnob {
  /// Draws the knob into `rect`, designed for 54 x 32 points and scaled with the height; nothing is drawn outside. The edge is
  /// lit while a finger holds the knob (`isHighlighted`).
  public static func draw(on canvas: Canvas, in rect: Rect, gear: Gear, isHighlighted: Bool = false) {
    let unit = rect.height / 32
    guard unit > 0, rect.isFinite else { return }
    let metal = metal(Place(top: rect.minY, bottom: rect.maxY, isLit: isHighlighted))
    let inset = isHighlighted ? 1.5 : 1
    canvas.fill(roundedRect: rect, cornerRadius: 9 * unit, metal.rim)
    canvas.fill(
      roundedRect: rect.insetBy(dx: inset * unit, dy: inset * unit), cornerRadius: (9 - inset) * unit, metal.face)
    for number in 0..<6 {
      let x = rect.midX + (number < 3 ? -1 : 1) * (15.5 + Double(number % 3) * 3.5) * unit
      let groove = Rect(x: x - 0.75 * unit, y: rect.midY - 7 * unit, width: 1.5 * unit, height: 14 * unit)
      canvas.fill(roundedRect: groove, cornerRadius: 0.75 * unit, Color(hex: 0x0b0f14))
      canvas.fill(
        groove.offsetBy(dx: 1.5 * unit, dy: 0).insetBy(dx: 0.4 * unit, dy: 0.8 * unit), Color(white: 1, alpha: 0.13))
    }
    canvas.draw(
      gear.description, at: rect.center, font: Font(size: max((18 * unit).rounded(), 12), weight: .semibold), .white,
      anchor: .center)
  }

  /// The properties that determine a knob's colours: its position, and whether its edge is lit.
  private struct Place: Hashable {
    let top: Double
    let bottom: Double
    let isLit: Bool
  }

  /// The gradients made so far, kept because a knob returns to the same rows again and again.
  private static var made: [Place: (rim: Gradient, face: Gradient)] = [:]

  private static func metal(_ place: Place) -> (rim: Gradient, face: Gradient) {
    if let known = made[place] { return known }
    let (start, end) = (Point(x: 0, y: place.top), Point(x: 0, y: place.bottom))
    // The rim is bright above, where the light falls on it, and dark below.
    let rim = Gradient.linear(
      from: start, to: end, Color(hex: place.isLit ? 0xffffff : 0x8b98a8), Color(hex: place.isLit ? 0xb9c6d6 : 0x10151b)
    )
    let face = Gradient.linear(
      from: start, to: end,
      stops: [.init(0, Color(hex: 0x465261)), .init(0.45, Color(hex: 0x2a333e)), .init(1, Color(hex: 0x171d25))])
    // More gradients than one gate has rows, lit and unlit, are left from other sizes.
    if made.count >= 2 * (GearboxGeometry.gearCounts.upperBound + 2) { made.removeAll(keepingCapacity: true) }
    made[place] = (rim, face)
    return (rim, face)
  }
}
