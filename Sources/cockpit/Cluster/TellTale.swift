import Controls
import UICore

/// The shared appearance of all lamps: lit is bright, unlit is an outline on the colour of
/// panels. A lamp keeps its position, and its word repeats the meaning of its colour.
nonisolated enum Lamp {
  /// The height of a lamp with words of this size, in points.
  static func height(fontSize: Double) -> Double { (fontSize * 2.1).rounded() }

  /// The size of the words in a lamp of this height.
  static func fontSize(height: Double) -> Double { max((height / 2.1).rounded(), 12) }

  /// Draws a lamp that fills `bounds`, its word around `middle`, unlit at a `glow` of 0 and lit at 1.
  @MainActor static func draw(
    _ word: String, _ color: Color, glow: Double, in bounds: Rect, middle: Point, palette: CockpitTheme,
    on canvas: Canvas
  ) {
    let area = bounds.insetBy(dx: 0.75, dy: 0.75)
    // Unlit too: a line of the background, or a photograph, behind the word would make it unreadable.
    canvas.fill(roundedRect: area, cornerRadius: area.height / 2, palette.panel.mixed(with: color, glow))
    canvas.stroke(
      roundedRect: area, cornerRadius: area.height / 2, palette.outline.mixed(with: color, glow), width: 1.5)
    canvas.draw(
      word, at: middle, font: Font(builtIn: fontSize(height: bounds.height), weight: .semibold),
      palette.quietText.mixed(with: palette.onLamp, glow), anchor: .center)
  }
}

/// A tell-tale lamp. It says what the vehicle does, so it changes within one frame.
final class TellTale: PassiveView {
  let word: KeyPath<Language, String>
  let color: KeyPath<CockpitTheme, Color>
  @Redraws var isLit = false

  init(name: String, word: KeyPath<Language, String>, color: KeyPath<CockpitTheme, Color>) {
    self.word = word
    self.color = color
    super.init(name)
  }

  override var accessibilityRole: AccessibilityRole { .label }
  /// The lamp's word, and whether it is lit.
  override var accessibilityTitle: String {
    let words = AccessibilityWords.current
    return "\(Language.current[keyPath: word]): \(isLit ? words.on : words.off)"
  }

  override var inspection: Inspection { Inspection(values: ["isLit": .bool(isLit)]) }

  /// True: a lamp beside a lever changes with it.
  override var drawsPlainFills: Bool { true }

  override func draw(_ canvas: Canvas) {
    Lamp.draw(
      Language.current[keyPath: word], palette[keyPath: color], glow: isLit ? 1 : 0, in: bounds, middle: bounds.center,
      palette: palette, on: canvas)
  }
}
