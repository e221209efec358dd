import Controls

/// Sets a temperature, in degrees Celsius. A person's change sends `valueChanged`.
@ListsProperties
final class Thermostat: Control {
  /// The temperature, 5...30; 20 by default.
  @Inspectable(.display, limits: 5...30) var temperature = 20.0

  override func beginTracking(_ touch: Touch) -> Bool {
    set(degrees(at: touch))
    return true
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    set(degrees(at: touch))
    return true
  }

  override func handleKey(_ event: KeyEvent) -> Bool {
    guard event.key == .up || event.key == .down else { return super.handleKey(event) }
    if event.phase == .down || event.phase == .repeated { set(temperature + (event.key == .up ? 0.5 : -0.5)) }
    return true
  }

  override var staysHighlightedOutside: Bool { true }

  override func draw(_ canvas: Canvas) {
    let share = (temperature - 5) / 25
    var mercury = bounds
    mercury.origin.y += bounds.height * (1 - share)
    mercury.size.height *= share
    canvas.clip(to: Path(roundedRect: bounds, cornerRadius: bounds.width / 2))
    canvas.fill(theme.track)
    canvas.fill(mercury, isHighlighted ? theme.attention : theme.accent)
    canvas.draw(
      "\(Int(temperature.rounded()))°", at: bounds.center, font: theme.font(.title), theme.label, anchor: .center)
  }

  private func degrees(at touch: Touch) -> Double {
    30 - 25 * touch.location(in: self).y / bounds.height
  }

  private func set(_ new: Double) {
    let old = temperature
    temperature = new
    if temperature != old { sendActions(for: .valueChanged) }
  }
}
