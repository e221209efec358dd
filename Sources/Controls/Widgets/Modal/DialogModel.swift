/// The answers of a dialog: their names, and which of them the keys give.
nonisolated struct DialogModel: Hashable, Sendable {
  /// The names of the answers.
  var titles: [String] = []
  /// The number of the answer that Enter gives; one that no answer has, such as -1, is none.
  var defaultIndex = 0
  /// The number of the answer that Escape gives.
  var cancelIndex = 0

  /// The answer that `key` gives; nil for none. A key that gives no answer does not close the dialog.
  func answer(to key: Key) -> Int? {
    let index = key == .enter ? defaultIndex : key == .escape ? cancelIndex : -1
    return titles.indices.contains(index) ? index : nil
  }
}

/// The frames of a dialog's card and of the parts in it.
nonisolated struct DialogGeometry: Hashable, Sendable {
  /// The room around the card and inside of its edge: usually, and where the broadest button needs more.
  private static let roomy = (margin: 16.0, padding: 20.0)
  private static let tight = (margin: 8.0, padding: 12.0)
  static let spacing = 12.0
  static let widest = 420.0

  /// The card, in the dialog.
  let card: Rect
  /// The parts, in the card.
  let title: Rect
  let message: Rect
  let content: Rect
  /// The buttons: at the trailing side of one row, or below each other if they need more room.
  let buttons: [Rect]

  /// The room around the card and inside of its edge, in a dialog of `width`, for a button that is `button` wide.
  private static func edges(in width: Double, button: Double) -> (margin: Double, padding: Double) {
    width - 2 * roomy.margin - 2 * roomy.padding < button ? tight : roomy
  }

  /// The width that title, message and content have in a dialog of `size`, whose broadest button is `button` wide.
  static func innerWidth(in size: Size, button: Double) -> Double {
    let (margin, padding) = edges(in: size.width, button: button)
    return max(min(size.width - 2 * margin, widest) - 2 * padding, 0)
  }

  /// The parts of a dialog of `size`. Heights are those that the parts want at `innerWidth(in:button:)`, 0 for those that are missing; if
  /// there is not enough room, first the content and then the message get less.
  init(
    size: Size, title: Double, message: Double, content: Double, buttons: [Size], direction: LayoutDirection
  ) {
    let broadest = buttons.map(\.width).max() ?? 0
    let (margin, padding) = Self.edges(in: size.width, button: broadest)
    let inner = Self.innerWidth(in: size, button: broadest)
    let gap = Self.spacing
    let heights = buttons.map { max($0.height, Control.minimumTouchSide) }
    let row = buttons.reduce(0) { $0 + $1.width } + gap * Double(max(buttons.count - 1, 0))
    let isRow = row <= inner
    let below =
      isRow
      ? heights.max() ?? 0 : heights.reduce(0, +) + gap * Double(max(buttons.count - 1, 0))
    let room = max(size.height - 2 * margin, 0)
    func total(_ parts: [Double]) -> Double {
      let parts = parts.filter { $0 > 0 }
      return parts.reduce(0, +) + gap * Double(max(parts.count - 1, 0)) + 2 * padding
    }
    var (message, content) = (message, content)
    content -= min(max(total([title, message, content, below]) - room, 0), content)
    message -= min(max(total([title, message, content, below]) - room, 0), message)
    let height = min(total([title, message, content, below]), room)
    let width = inner + 2 * padding
    card = Rect(
      x: ((size.width - width) / 2).rounded(), y: ((size.height - height) / 2).rounded(), width: width, height: height)
    var y = padding
    func place(_ height: Double) -> Rect {
      defer { if height > 0 { y += height + gap } }
      return Rect(x: padding, y: y, width: inner, height: height)
    }
    self.title = place(title)
    self.message = place(message)
    self.content = place(content)
    var x = isRow ? width - padding - row : padding
    self.buttons = zip(buttons, heights).map { size, height in
      defer { if isRow { x += size.width + gap } else { y += height + gap } }
      return direction.rect(
        Rect(x: x, y: y, width: isRow ? size.width : inner, height: height), in: width)
    }
  }
}
