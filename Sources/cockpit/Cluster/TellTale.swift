// A small lamp with a word: lit or dark.

import Controls
import Interface

/// A tell-tale lamp. Lit or dark it keeps its place, and the word says what the colour says.
final class TellTale: View {
  private let palette: CockpitTheme
  /// What the lamp says.
  let word: String
  /// The lamp's colour when it is lit.
  let color: Color
  /// True while it is lit.
  var isLit = false {
    didSet { if isLit != oldValue { setNeedsDisplay() } }
  }

  init(word: String, color: Color, theme: CockpitTheme) {
    self.word = word
    self.color = color
    palette = theme
    super.init(frame: .zero)
    name = word.lowercased()
    isUserInteractionEnabled = false
  }

  override var inspection: Inspection { Inspection(values: ["isLit": .bool(isLit)]) }

  override func draw(_ canvas: Canvas, _ dirty: Rect) {
    let area = bounds.insetBy(dx: 0.5, dy: 0.5)
    let shape = Path(roundedRect: area, cornerRadius: area.height / 2)
    canvas.fill(shape, isLit ? color : Color.white.withAlpha(0.04))
    canvas.stroke(shape, isLit ? color : palette.hairline, width: 1)
    // Dark text on the lit lamp, quiet text on the dark one: both readable.
    let font = Font(size: max(min(bounds.height * 0.46, bounds.width * 0.17), 12), weight: .bold)
    canvas.draw(
      word, at: bounds.center, font: font, isLit ? palette.night : palette.quietText.withAlpha(0.75), anchor: .center)
  }
}
