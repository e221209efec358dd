/// A piece of a text that is in sight.
final class TextBlock: View {
  /// The number of the piece, and the byte of the text's UTF-8 at which it begins.
  var place = TextPieces.Found(index: -1, place: 0, utf8: 0) {
    didSet { if place.index != oldValue.index { setNeedsDisplay() } }
  }
  private unowned let text: TextView

  init(of text: TextView) {
    self.text = text
    super.init(frame: .zero)
    isUserInteractionEnabled = false
  }

  override func draw(_ canvas: Canvas) { text.draw(place, on: canvas) }
}

/// What fingers and pointers touch of a text: it is scrolled with the text, and gives everything to it.
final class TextPage: Control {
  private unowned let text: TextView

  init(of text: TextView) {
    self.text = text
    super.init(frame: .zero)
  }

  override var canBecomeFirstResponder: Bool { false }
  override var cursor: CursorShape { text.cursor }

  /// A finger scrolls the text, unless it has rested and selects.
  override var dragAxes: Axes { text.hold.word == nil ? [] : .both }

  override func beginTracking(_ touch: Touch) -> Bool {
    text.beginHold(touch)
    return true
  }

  override func continueTracking(_ touch: Touch) -> Bool {
    text.continueHold(touch)
    return true
  }

  override func endTracking(_ touch: Touch) { text.endHold(touch) }

  override func cancelTracking(_ touch: Touch?) { text.cancelTracking(touch) }
}

/// Scrolls a text, whose keys go to the text.
final class TextScrollView: ScrollView {
  override var canBecomeFirstResponder: Bool { false }

  /// A pointer's drag selects; it scrolls by wheel.
  func leavesPointersToContent() {
    for recognizer in [panGestureRecognizer, holdRecognizer] {
      let receives = recognizer.shouldReceive
      recognizer.shouldReceive = { $0.id.contact != .pointer && receives?($0) ?? true }
    }
  }
}
