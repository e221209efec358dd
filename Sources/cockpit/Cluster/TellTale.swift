import CockpitControls
import Controls
import UICore

/// A tell-tale lamp of the cluster, in the scene's colours and the user's language. It says what the vehicle does.
@ListsProperties(without: \Lamp.text, \Lamp.isLit, \Lamp.tintColor)
final class TellTale: Lamp {
  private let words: KeyPath<Language, String>
  private let color: KeyPath<CockpitTheme, Color>

  init(name: String, word: KeyPath<Language, String>, color: KeyPath<CockpitTheme, Color>) {
    words = word
    self.color = color
    super.init(frame: .zero)
    self.name = name
  }

  override var word: String { Language.current[keyPath: words] }
  override var light: Color { palette[keyPath: color] }
  override var colors: LampColors { LampColors(palette) }

  override var inspection: Inspection { Inspection(values: ["isLit": .bool(isLit)]) }
}

nonisolated extension LampColors {
  /// The scene's colours.
  init(_ palette: CockpitTheme) {
    self.init(
      panel: palette.panel, outline: palette.outline, quietText: palette.quietText, onLamp: palette.onLamp)
  }
}
