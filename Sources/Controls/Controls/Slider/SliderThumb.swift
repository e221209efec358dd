import UICore

/// A thumb in front of its slider's track: where it moves, its old and its new place are painted, and it is not even drawn
/// anew (R11).
///
/// It takes no touches: the slider knows which thumb a finger means. It may take the keyboard's focus (R-D11).
final class SliderThumb: View {
  /// What a thumb looks like.
  struct Look: Hashable {
    /// Its colour; nil for the theme's.
    var color: Color?
    /// How round it is, 0...1.
    var curvaceousness = 1.0
    /// True while a finger holds it.
    var isHighlighted = false
    /// False when it is dimmed.
    var isEnabled = true
  }

  /// What it looks like.
  var look = Look() {
    didSet { if look != oldValue { setNeedsDisplay() } }
  }

  /// What is shown in place of a drawn thumb.
  var image: Picture? {
    didSet { if image !== oldValue { setNeedsDisplay() } }
  }

  /// What is shown in place of that while a finger holds the thumb.
  var pressedImage: Picture? {
    didSet { if pressedImage !== oldValue { setNeedsDisplay() } }
  }

  /// Takes the keys that come to the thumb; nil for one that Tab passes over.
  var keyHandler: ((KeyEvent) -> Bool)?
  /// What is said about the thumb's value.
  var value = 0.0

  /// Moves the thumb to `square`, in its slider's coordinates, or the nearest place where it begins on a whole pixel.
  func place(_ square: Rect) {
    let factor = root?.scale.factor ?? 1
    let origin = superview?.windowOrigin ?? .zero
    func snapped(_ value: Double, _ origin: Double) -> Double {
      ((value + origin) * factor).rounded() / factor - origin
    }
    frame = Rect(
      x: snapped(square.minX, origin.x), y: snapped(square.minY, origin.y), width: square.width, height: square.height)
  }

  override func point(inside point: Point) -> Bool { false }

  override var canBecomeFirstResponder: Bool { keyHandler != nil && look.isEnabled }

  override var focusRingCornerRadius: Double? { bounds.height * look.curvaceousness / 2 }

  override func handleKey(_ event: KeyEvent) -> Bool { keyHandler?(event) ?? false }

  override func draw(_ canvas: Canvas) {
    let painter = SliderPainter(theme: theme, isEnabled: look.isEnabled, curvaceousness: look.curvaceousness)
    let pressed = look.isHighlighted ? pressedImage : nil
    if let image = pressed ?? image {
      painter.drawThumb(image, in: bounds, isPressed: look.isHighlighted && pressed == nil, on: canvas)
    } else {
      painter.drawThumb(in: bounds, look.color ?? theme.thumb, isPressed: look.isHighlighted, on: canvas)
    }
  }

  override var inspection: Inspection {
    var states = [String]()
    if look.isHighlighted { states.append("highlighted") }
    if !look.isEnabled { states.append("disabled") }
    if isFirstResponder { states.append("focused") }
    return Inspection(state: states.isEmpty ? ["normal"] : states, values: ["value": .number(value)])
  }
}
