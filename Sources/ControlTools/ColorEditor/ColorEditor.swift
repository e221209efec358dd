/// An editor for a colour: saturation and brightness in a plane, hue and opacity on bars, or its hex text by keyboard.
///
/// Every change by the user sends `valueChanged` at once; `editingDidBegin` and `editingDidEnd` (or `editingDidCancel`) enclose
/// a finger's changes.
@ListsProperties
public final class ColorEditor: Control {
  /// The colour. Setting it sends no event.
  @Inspectable(.display, then: ColorEditor.showColor) public var color = Color.white
  /// Whether the user can also choose the opacity.
  @Inspectable(.layout, then: ColorEditor.showAlphaBar) public var showsAlpha = true

  private var value = HSBColor(.white)
  private let plane = ColorField(.plane)
  private let hueBar = ColorField(.hue)
  private let alphaBar = ColorField(.alpha)
  private var parts: [ColorField] { [plane, hueBar, alphaBar] }
  private let well = ColorWell()
  private let field = TextField()

  private static let barHeight = 44.0
  private static let fieldHeight = 36.0
  private static let gap = 8.0

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    field.name = "hex"
    well.isUserInteractionEnabled = false
    for view in parts + [well, field] { addSubview(view) }
    for part in parts {
      part.addAction(for: .valueChanged) { [unowned self] in choose($0.value) }
      part.addAction(for: [.editingDidBegin, .editingDidEnd]) { [unowned self] _ in noteEditing() }
      part.addAction(for: .editingDidCancel) { [unowned self] _ in noteEditing(isCancelled: true) }
    }
    field.validate = { text in ColorEditor.color(typed: text)?.hexString }
    field.addAction(for: .valueChanged) { [unowned self] field in
      guard var typed = ColorEditor.color(typed: field.text) else { return }
      if !showsAlpha { typed.alpha = color.alpha }
      choose(HSBColor(typed, known: value))
    }
    showColor()
  }

  /// The colour that a user typed, with or without `#`, or by name; nil if the text is no colour.
  static func color(typed text: String) -> Color? {
    let plain = text.filter { !$0.isWhitespace }
    return Color(text: plain) ?? Color(text: "#" + plain)
  }

  private func choose(_ new: HSBColor) {
    value = new
    let old = color
    color = new.color
    showColor()
    if color != old { sendActions(for: .valueChanged) }
  }

  private func showAlphaBar() { alphaBar.isHidden = !showsAlpha }

  private func showColor() {
    if value.color != color { value = HSBColor(color, known: value) }
    for part in parts { part.value = value }
    well.color = color
    field.text = color.hexString
  }

  // MARK: Control

  public override var ownEvents: Event { .edits }

  public override var isBeingEdited: Bool { parts.contains(where: \.isBeingEdited) }

  /// False: its parts take the focus.
  public override var canBecomeFirstResponder: Bool { false }

  public override func beginTracking(_ touch: Touch) -> Bool { false }

  /// Its parts declare their own drag axes.
  public override var dragAxes: Axes { [] }

  public override func stateDidChange(from old: State) {
    for part in parts + [well, field] { part.isEnabled = isEnabled }
  }

  // MARK: Layout

  private var bars: [ColorField] { showsAlpha ? [hueBar, alphaBar] : [hueBar] }

  private var heightBelowPlane: Double { Double(bars.count) * Self.barHeight + Self.fieldHeight + Self.gap }

  /// As wide as requested, with a plane half as high as wide.
  public override func sizeThatFits(_ size: Size) -> Size {
    let width = size.width.isFinite && size.width > 0 ? size.width : 280
    return Size(width: width, height: (width / 2).rounded() + heightBelowPlane)
  }

  public override func layoutSubviews() {
    let width = bounds.width
    var y = max(bounds.height - heightBelowPlane, 0)
    plane.frame = Rect(x: 0, y: 0, width: width, height: y)
    for bar in bars {
      bar.frame = Rect(x: 0, y: y, width: width, height: Self.barHeight)
      y += Self.barHeight
    }
    if !showsAlpha { alphaBar.frame = .zero }
    y += Self.gap
    let side = Self.fieldHeight
    well.frame = mirrored(Rect(x: 0, y: y, width: 2 * side, height: side))
    field.frame = mirrored(
      Rect(x: 2 * side + Self.gap, y: y, width: max(width - 2 * side - Self.gap, 0), height: side))
  }

  public override var inspection: Inspection {
    super.inspection.adding(["color": .string(color.hexString)])
  }
}
