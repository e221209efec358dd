/// An indicator lamp: a word on a light that is on or off.
///
/// Lit it is bright, unlit an outline on the colour of panels. A lamp keeps its position, and its word repeats the meaning of its colour, so
/// that it can be read without seeing colours. It changes within one frame, and takes neither touches nor keys.
@ListsProperties
open class Lamp: View {
  /// The word on the lamp.
  @Inspectable(.layout, isReported: true) public var text = ""
  /// Whether the lamp is on.
  @Inspectable(.display, isReported: true) public var isLit = false
  /// The colour of its light; nil for the theme's accent.
  @Inspectable(.display) public var tintColor: Color?

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
  }

  /// A lamp with a word, in a colour.
  public convenience init(_ text: String, tintColor: Color? = nil) {
    self.init(frame: .zero)
    (self.text, self.tintColor) = (text, tintColor)
  }

  /// The word that is shown; `text` unless a subclass knows better, such as one that follows the language.
  open var word: String { text }

  /// The colour of the light.
  open var light: Color { tintColor ?? theme.accent }

  /// The colours besides that of the light.
  open var colors: LampColors { LampColors(theme, light: light) }

  // MARK: Layout

  /// As wide as the word needs, and as high as its letters of the theme's caption size.
  open override func sizeThatFits(_ size: Size) -> Size? {
    let letters = theme.fontSizes[.caption]
    let width = FontLibrary.shared.layout(word, font: Self.font(size: letters)).size.width
    let height = Self.height(fontSize: letters)
    return Size(width: (width + height * 1.2).rounded(.up), height: height)
  }

  // MARK: Drawing

  /// The height of a lamp with words of this size, in points.
  nonisolated package static func height(fontSize: Double) -> Double { (fontSize * 2.1).rounded() }

  /// The size of the words in a lamp of this height.
  nonisolated package static func fontSize(height: Double) -> Double { max((height / 2.1).rounded(), 12) }

  nonisolated private static func font(size: Double) -> Font { Font(builtIn: size, weight: .semibold) }

  /// Draws a lamp that fills `bounds`, its word around `middle`, unlit at a `glow` of 0 and lit at 1.
  package static func draw(
    _ word: String, _ color: Color, glow: Double, in bounds: Rect, middle: Point, colors: LampColors, on canvas: Canvas
  ) {
    let area = bounds.insetBy(dx: 0.75, dy: 0.75)
    // Unlit too: a line of the background, or a photograph, behind the word would make it unreadable.
    canvas.fill(roundedRect: area, cornerRadius: area.height / 2, colors.panel.mixed(with: color, glow))
    canvas.stroke(
      roundedRect: area, cornerRadius: area.height / 2, colors.outline.mixed(with: color, glow), width: 1.5)
    canvas.draw(
      word, at: middle, font: font(size: fontSize(height: bounds.height)),
      colors.quietText.mixed(with: colors.onLamp, glow), anchor: .center)
  }

  /// True: a lamp beside a lever changes with it.
  open override var drawsPlainFills: Bool { true }

  open override func draw(_ canvas: Canvas) {
    guard !bounds.isEmpty else { return }
    Self.draw(
      word, light, glow: isLit ? 1 : 0, in: bounds, middle: bounds.center, colors: colors, on: canvas)
  }

  // MARK: Accessibility

  open override var accessibilityRole: AccessibilityRole { .label }
  /// The lamp's word, and whether it is lit.
  open override var accessibilityTitle: String {
    let words = AccessibilityWords.current
    return "\(word): \(isLit ? words.on : words.off)"
  }
}
