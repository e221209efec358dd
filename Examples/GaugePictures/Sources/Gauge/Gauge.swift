import Controls

/// Shows how full a tank is.
@ListsProperties
public final class Gauge: View {
  /// How full, 0...1; 0 by default.
  @Inspectable(.display, limits: 0...1) public var level = 0.0

  public override func draw(_ canvas: Canvas) {
    canvas.fill(roundedRect: bounds, cornerRadius: 8, theme.track)
    let full = Rect(x: 0, y: bounds.height * (1 - level), width: bounds.width, height: bounds.height * level)
    canvas.fill(roundedRect: full, cornerRadius: 8, level < 0.2 ? theme.attention : theme.accent)
    canvas.draw(
      "\(Int((level * 100).rounded()))%", at: bounds.center, font: theme.font(.body), theme.label, anchor: .center)
  }
}
