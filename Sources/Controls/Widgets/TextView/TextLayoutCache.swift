/// The layouts of the paragraphs that were in sight lately, by their text: what is drawn again is not set again.
struct TextLayoutCache {
  /// The most that are kept, beside those of the last so many.
  private static let limit = 64

  private var layouts: [String: TextLayout] = [:]
  private var older: [String: TextLayout] = [:]
  /// How many were made, each of which takes as long as its text.
  private(set) var madeCount = 0

  /// The layout of `text`, which `make` makes if it is not known.
  mutating func layout(_ text: String, make: () -> TextLayout) -> TextLayout {
    if let known = layouts[text] { return known }
    let layout: TextLayout
    if let known = older[text] {
      layout = known
    } else {
      layout = make()
      madeCount += 1
    }
    if layouts.count >= Self.limit {
      swap(&layouts, &older)
      layouts.removeAll(keepingCapacity: true)
    }
    layouts[text] = layout
    return layout
  }

  /// Forgets all: they were made for another width or font.
  mutating func removeAll() { (layouts, older) = ([:], [:]) }
}
