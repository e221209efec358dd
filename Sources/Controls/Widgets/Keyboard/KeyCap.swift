/// A key of an on-screen keyboard: what is on it, and how it looks. Fingers are the keyboard's.
final class KeyCap: View {
  /// The sign on a key.
  enum Sign: Equatable {
    case text(String)
    case backspace, enter, hide, space
    case shift(KeyboardModel.Shift)
  }

  let place: KeyboardModel.Place
  @Redraws var sign = Sign.text("")
  @Redraws var isPressed = false
  /// True for a key that types no character: it is darker, to be told apart.
  @Redraws var isCommand = false
  var title = ""
  var onPress: (() -> Void)?

  init(_ place: KeyboardModel.Place) {
    self.place = place
    super.init(frame: .zero)
  }

  override var accessibilityRole: AccessibilityRole { .button }
  override var accessibilityTitle: String { title }
  override var accessibilityActions: [AccessibilityAction] {
    [
      AccessibilityAction("press", title: AccessibilityWords.current.press) { [unowned self] in onPress?() }
    ]
  }

  override func draw(_ canvas: Canvas) {
    let key = KeyboardGeometry.key(in: bounds)
    guard !key.isEmpty else { return }
    let isLocked = sign == .shift(.locked)
    canvas.fill(roundedRect: key, cornerRadius: 6, isCommand ? theme.track : theme.panel)
    if theme.isHighContrast {
      canvas.stroke(roundedRect: key.insetBy(dx: 0.5, dy: 0.5), cornerRadius: 5.5, theme.hairline)
    }
    if isPressed { canvas.fill(roundedRect: key, cornerRadius: 6, theme.accent) }
    let color = isPressed ? theme.onAccent : sign == .shift(.once) || isLocked ? theme.accent : theme.label
    guard case .text(let text) = sign else { return drawSign(in: key, isLocked, color, canvas) }
    let size = min(max(theme.fontSizes[.body] * (text.count > 1 ? 1 : 1.25), 12), key.height * 0.7)
    let layout = FontLibrary.shared.layout(text, font: Font(size: max(size, 12)))
    let center = key.center
    canvas.draw(
      layout, at: Point(x: center.x - layout.size.width / 2, y: center.y - layout.size.height / 2), color)
  }

  /// Draws a sign in outlines: not every font has these.
  private func drawSign(in key: Rect, _ isLocked: Bool, _ color: Color, _ canvas: Canvas) {
    let (middle, unit) = (key.center, min(key.width / 3, key.height / 4, 9))
    func point(_ x: Double, _ y: Double) -> Point { Point(x: middle.x + x * unit, y: middle.y + y * unit) }
    let width = max(unit / 5, 1)
    switch sign {
    case .text: break
    case .space:
      canvas.stroke(
        Path(line: [point(-1.4, 0.2), point(-1.4, 0.8), point(1.4, 0.8), point(1.4, 0.2)]), color, width: width)
    case .backspace:
      let outline = Path(polygon: [point(-1.6, 0), point(-0.6, -1), point(1.6, -1), point(1.6, 1), point(-0.6, 1)])
      canvas.stroke(outline, color, width: width)
      canvas.stroke(Path(from: point(0.1, -0.4), to: point(0.9, 0.4)), color, width: width)
      canvas.stroke(Path(from: point(0.1, 0.4), to: point(0.9, -0.4)), color, width: width)
    case .enter:
      canvas.stroke(Path(line: [point(1.3, -0.9), point(1.3, 0.3), point(-1.2, 0.3)]), color, width: width)
      canvas.stroke(Path(line: [point(-0.5, -0.4), point(-1.2, 0.3), point(-0.5, 1)]), color, width: width)
    case .hide:
      canvas.stroke(Path(line: [point(-1, -0.4), point(0, 0.6), point(1, -0.4)]), color, width: width)
    case .shift(let shift):
      let arrow = Path(polygon: [
        point(0, -1.2), point(1.3, 0.2), point(0.6, 0.2), point(0.6, 1), point(-0.6, 1), point(-0.6, 0.2),
        point(-1.3, 0.2),
      ])
      if shift == .off { canvas.stroke(arrow, color, width: width) } else { canvas.fill(arrow, color) }
      if isLocked { canvas.stroke(Path(from: point(-0.7, 1.4), to: point(0.7, 1.4)), color, width: width) }
    }
  }
}

/// The characters that a long press on a key offers.
final class KeyAlternatives: View {
  @Redraws var characters: [Character] = []
  @Redraws var chosen: Int?
  /// The cells of the characters, in this view's points.
  @Redraws var cells: [Rect] = []

  override func draw(_ canvas: Canvas) {
    canvas.fill(roundedRect: bounds, cornerRadius: 8, theme.panel)
    canvas.stroke(roundedRect: bounds.insetBy(dx: 0.5, dy: 0.5), cornerRadius: 7.5, theme.thumbOutline)
    for (index, (character, cell)) in zip(characters, cells).enumerated() {
      let isChosen = index == chosen
      if isChosen { canvas.fill(roundedRect: cell.insetBy(dx: 3, dy: 3), cornerRadius: 6, theme.accent) }
      let layout = FontLibrary.shared.layout(String(character), font: Font(size: theme.fontSizes[.body] * 1.25))
      canvas.draw(
        layout, at: Point(x: cell.midX - layout.size.width / 2, y: cell.midY - layout.size.height / 2),
        isChosen ? theme.onAccent : theme.label)
    }
  }
}
