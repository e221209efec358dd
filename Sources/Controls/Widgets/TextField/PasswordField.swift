/// A password that a user types: a bullet stands for each character. `LineField` has the rules.
///
/// A button at the end of the field shows the text, and so does Alt+F8, until the field loses the focus. The text leaves the field by
/// `text` alone: it is neither copied nor cut, and is not in a scene file, an inspector, a dump of the tree, a record, what an input
/// method is told, or what assistive technology reads. It counts as one word, so that no key shows where words begin.
@ListsProperties
public final class PasswordField: LineField {
  /// The password committed last; line ends become blanks, and what follows the first 16,000 Unicode scalars is cut off. Setting it
  /// sends no event and does not change a draft that is being edited. It is no property: files and inspectors would tell it.
  public var text: String {
    get { storedText }
    set {
      let line = TextEditModel.line(newValue)
      guard line != storedText else { return }
      storedText = line
      valueTextDidChange()
    }
  }
  private var storedText = ""

  /// True to show each character for a second once it is typed on an on-screen keyboard, whose keys a finger hides.
  @Inspectable(.none, group: "Password", then: PasswordField.hideTyped) public var showsTypedCharacter = true
  /// False for a field without the button that shows the text; Alt+F8 does nothing then either.
  @Inspectable(.layout, group: "Password", then: PasswordField.revealButtonChanged) public var hasRevealButton = true

  /// Maps a committed text to one that the field accepts; nil refuses it, and the old text returns.
  public var validate: ((String) -> String?)?

  /// How long a typed character is shown.
  static let typedDuration = Duration.seconds(1)

  private let button = RevealButton()
  /// The place of the character that is shown, and the number of characters with it.
  private var typed: (place: Int, count: Int)? { didSet { setNeedsDisplay() } }
  private var typedEnd: WakeUp?
  /// True if the field was touched by a finger last, and no key was pressed since.
  private var isTouched = false

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    purpose = .password
    button.addAction(for: .primaryActionTriggered) { [unowned self] _ in isRevealed.toggle() }
    addSubview(button)
  }

  /// True while the characters are shown in place of bullets. It ends when the field loses the focus.
  public var isRevealed = false {
    didSet {
      guard isRevealed != oldValue else { return }
      button.isOn = isRevealed
      scroll = 0
      setNeedsLayout()
      setNeedsDisplay()
    }
  }

  private func revealButtonChanged() {
    button.isHidden = !hasRevealButton
    if !hasRevealButton { isRevealed = false }
  }

  // MARK: The line

  package override var keepsTextSecret: Bool { true }

  override var valueText: String { storedText }

  override func accept(_ draft: String) -> Bool {
    guard let accepted = validate.map({ $0(draft) }) ?? draft else { return false }
    let old = text
    text = accepted
    return text != old
  }

  override var shownModel: TextEditModel {
    if isRevealed { return model }
    let isCurrent = typed.map { isEditing && $0.count == model.count && $0.place + 1 == model.caret } ?? false
    return model.hidden(except: isCurrent ? typed?.place : nil)
  }

  public override func firstResponderDidChange() {
    hideTyped()
    super.firstResponderDidChange()
    if !isFirstResponder {
      isRevealed = false
      isTouched = false
    }
  }

  public override func handleText(_ text: TextEdit) {
    let before = model.count
    super.handleText(text)
    hideTyped()
    guard showsTypedCharacter, isTouched, text.source == .inputMethod, text.inserted.count == 1, isEditing,
      model.count == before + 1, let root
    else { return }
    typed = (model.caret - 1, model.count)
    typedEnd = root.wake(at: root.now + Self.typedDuration) { [weak self] in self?.typed = nil }
  }

  private func hideTyped() {
    typedEnd?.cancel()
    typedEnd = nil
    if typed != nil { typed = nil }
  }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    isTouched = false
    guard event.key == .f8, event.modifiers == .alt else { return super.handleKey(event) }
    if event.phase == .down, isEditing, hasRevealButton { isRevealed.toggle() }
    return true
  }

  public override func beginTracking(_ touch: Touch) -> Bool {
    isTouched = touch.id.contact != .pointer
    return super.beginTracking(touch)
  }

  // MARK: Layout

  override var trailingWidth: Double { hasRevealButton ? RevealButton.width : 0 }

  public override func layoutSubviews() {
    let width = min(RevealButton.width, bounds.width)
    let place = Rect(x: bounds.width - width, y: 0, width: width, height: bounds.height)
    button.frame = effectiveLayoutDirection.rect(place, in: bounds.width)
    super.layoutSubviews()
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .passwordField }

  /// As many bullets as there are characters.
  public override var accessibilityText: AccessibilityText? {
    let hidden = model.hidden()
    return AccessibilityText(
      hidden.text, caret: isEditing ? hidden.caret : nil, selection: isEditing ? hidden.selection : 0..<0,
      isEditable: isEnabled)
  }

  /// None while the characters are shown: their places would tell which ones they are.
  public override var accessibilityTextLayout: AccessibilityTextLayout? {
    isRevealed || typed != nil ? nil : super.accessibilityTextLayout
  }

  /// Takes a whole new text. A text with bullets is one that was read and changed in part; it is refused.
  public override func setAccessibilityText(_ text: String) throws(AccessibilityRefusal) {
    guard !text.contains(TextEditModel.bullet) else {
      throw AccessibilityRefusal(AccessibilityWords.current.isImpossible)
    }
    try super.setAccessibilityText(text)
  }
}

/// The button with an eye: crossed out while the password is shown.
final class RevealButton: Control {
  /// As wide as a finger.
  static let width = minimumTouchSide

  /// True while the password is shown.
  @Redraws var isOn = false

  override var hasPrimaryAction: Bool { true }
  /// Keys stay in the field; there Alt+F8 does the same.
  override var canBecomeFirstResponder: Bool { false }

  override var accessibilityRole: AccessibilityRole { .toggle }
  override var accessibilityTitle: String { AccessibilityWords.current.showPassword }
  override var accessibilityIsOn: Bool? { isOn }

  override func draw(_ canvas: Canvas) {
    let middle = bounds.center
    let (half, height) = (10.0, 6.5)
    func point(_ x: Double, _ y: Double) -> Point { Point(x: middle.x + x * half, y: middle.y + y * height) }
    var eye = Path()
    eye.move(to: point(-1, 0))
    eye.curve(to: point(1, 0), control1: point(-0.5, -1.35), control2: point(0.5, -1.35))
    eye.curve(to: point(-1, 0), control1: point(0.5, 1.35), control2: point(-0.5, 1.35))
    eye.close()
    let color = isHighlighted || isOn ? theme.accent : theme.secondaryLabel
    canvas.stroke(eye, color, width: 1.5)
    canvas.fill(Path(circleAt: middle, radius: 3), color)
    if isOn { canvas.stroke(Path(from: point(-0.8, 1.1), to: point(0.8, -1.1)), color, width: 1.5) }
  }
}
