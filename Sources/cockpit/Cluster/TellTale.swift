import Controls
import UICore

/// A tell-tale lamp. Lit or dark it keeps its place, and its word repeats the meaning of its colour.
final class TellTale: PassiveView {
  /// The lamp's word, in the user's language.
  let word: KeyPath<Language, String>
  /// The lamp's colour when it is lit.
  let color: KeyPath<CockpitTheme, Color>
  /// True while it is lit.
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

  override func draw(_ canvas: Canvas) {
    let palette = palette
    let color = palette[keyPath: color]
    let area = bounds.insetBy(dx: 0.5, dy: 0.5)
    let radius = area.height / 2
    canvas.fill(roundedRect: area, cornerRadius: radius, isLit ? color : palette.ink.withAlpha(0.04))
    canvas.stroke(roundedRect: area, cornerRadius: radius, isLit ? color : palette.hairline, width: 1)
    // Dark text on the lit lamp, quiet text on the dark one: both readable.
    let font = Font(size: max(min(bounds.height * 0.46, bounds.width * 0.17), 12), weight: .bold)
    canvas.draw(
      Language.current[keyPath: word], at: bounds.center, font: font,
      isLit ? palette.onLamp : palette.quietText.withAlpha(0.75), anchor: .center)
  }
}
