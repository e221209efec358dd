/// One of a few names, all of them seen: segments in a row, or in several rows where the names need it.
///
/// A tap on a segment chooses it when the finger goes up; arrows, Home and End choose at once. Only another choice sends
/// `valueChanged`, and only a person's.
public final class ChoiceControl: Control {
  /// The names, with a vertical bar between them: `Low|Medium|High`. In a name a bar is written `\|`, and a backslash `\\`.
  @Inspectable public var choices = ""
  /// Which name is chosen, the first being 0; a number without a name chooses none. Setting it sends no event.
  @Inspectable public var selectedIndex = 0

  /// Besides those of its superclass.
  public override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("choices", \ChoiceControl.choices, .layout),
      Property("selectedIndex", \ChoiceControl.selectedIndex, .display, isTold: true),
    ]
  }

  /// The room at both sides of a name.
  private static let padding = 12.0
  private static let pillKey = "pill"

  private var pressedIndex: Int?
  /// Where what marks the choice comes from, and how far it came.
  private var pillStart: Rect?
  private var pillFraction = 1.0

  /// The names, one by one.
  public var titles: [String] {
    get { ChoiceTitles.titles(choices) }
    set { choices = ChoiceTitles.text(newValue) }
  }

  /// The name chosen; nil for none.
  public var selectedTitle: String? {
    let titles = titles
    return titles.indices.contains(selectedIndex) ? titles[selectedIndex] : nil
  }

  /// A person chooses.
  private func choose(_ index: Int) {
    guard index != selectedIndex, isEnabled else { return }
    slidePill()
    selectedIndex = index
    sendActions(for: .valueChanged)
  }

  /// The mark goes from where it is to the next choice.
  private func slidePill() {
    guard selectedTitle != nil, let root, !root.prefersReducedMotion else { return }
    pillStart = pill
    addAnimation(Animation(duration: .milliseconds(180), curve: .easeInOut), forKey: Self.pillKey) { [weak self] in
      self?.pillFraction = $0
      self?.setNeedsDisplay()
    } completion: { [weak self] _ in
      if self?.hasAnimation(forKey: Self.pillKey) == false { self?.pillStart = nil }
    }
  }

  // MARK: Geometry

  private var font: Font { theme.font(.caption, weight: .medium) }

  private func layout(_ title: String) -> TextLayout { FontLibrary.shared.layout(title, font: font) }

  private var widths: [Double] { titles.map { layout($0).size.width.rounded(.up) + 2 * Self.padding } }

  private var geometry: ChoiceGeometry {
    ChoiceGeometry(widths: widths, size: bounds.size, direction: effectiveLayoutDirection)
  }

  /// As wide as the names need, but no wider than asked for, with as many rows as that takes.
  public override func sizeThatFits(_ size: Size) -> Size {
    let widths = widths
    let wanted = max(widths.reduce(0, +), 44)
    let width = size.width.isFinite && size.width > 0 ? min(size.width, wanted) : wanted
    let rows = ChoiceGeometry.rows(widths, in: width).rows
    return Size(width: width, height: rows <= 1 ? 36 : Double(rows) * ChoiceGeometry.rowHeight)
  }

  /// A place large enough for a finger.
  public override func point(inside point: Point) -> Bool { isInTouchArea(point) }

  // MARK: Fingers and keys

  /// A choice is tapped, not dragged.
  public override var dragAxes: Axes { [] }

  /// Presses the segment under the finger.
  public override func beginTracking(_ touch: Touch) -> Bool {
    press(touch)
    return true
  }

  /// Presses the segment that the finger came to.
  public override func continueTracking(_ touch: Touch) -> Bool {
    press(touch)
    return true
  }

  /// Chooses what was pressed.
  public override func endTracking(_ touch: Touch) {
    press(touch)
    let index = pressedIndex
    pressedIndex = nil
    setNeedsDisplay()
    if let index { choose(index) }
  }

  /// Chooses nothing.
  public override func cancelTracking(_ touch: Touch?) {
    pressedIndex = nil
    setNeedsDisplay()
  }

  private func press(_ touch: Touch) {
    let point = touch.location(in: self)
    let index = self.point(inside: point) ? geometry.index(at: point) : nil
    if index != pressedIndex { setNeedsDisplay() }
    pressedIndex = index
  }

  /// Arrows, Home and End choose.
  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard takesKey(event) else { return false }
    switch event.key {
    case .left, .right, .home, .end: break
    case .up, .down: if geometry.rowCount < 2 { return false }
    default: return false
    }
    if event.phase == .down || event.phase == .repeated {
      let current = selectedTitle == nil ? nil : selectedIndex
      if let index = geometry.index(after: current, key: event.key, direction: effectiveLayoutDirection) {
        choose(index)
      }
    }
    return true
  }

  /// One of a few names.
  public override var accessibilityRole: AccessibilityRole { .choice }
  /// The number of the chosen name, from 0, and the name; nil without names.
  public override var accessibilityValue: AccessibilityValue? {
    let last = titles.count - 1
    guard last >= 0 else { return nil }
    return AccessibilityValue(Double(selectedIndex), in: 0...Double(last), step: 1, text: selectedTitle ?? "")
  }
  /// Each name chooses itself.
  public override var accessibilityActions: [AccessibilityAction] {
    titles.enumerated().map { index, title in
      AccessibilityAction("choose \(index)", title: title) { [unowned self] in choose(index) }
    }
  }

  /// Chooses the name of that number.
  public override func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    guard let index = Int(exactly: number.rounded()), titles.indices.contains(index) else {
      throw AccessibilityRefusal(AccessibilityWords.current.isImpossible)
    }
    choose(index)
  }

  // MARK: Drawing

  /// Where the mark of the choice is.
  private var pill: Rect? {
    let frames = geometry.frames
    guard frames.indices.contains(selectedIndex) else { return nil }
    let goal = frames[selectedIndex].insetBy(dx: 3, dy: 3)
    return pillStart.map { $0.mixed(with: goal, pillFraction) } ?? goal
  }

  /// Draws the segments, the mark, and the names.
  public override func draw(_ canvas: Canvas) {
    let titles = titles
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    canvas.fill(Path(roundedRect: bounds, cornerRadius: 9), theme.fill)
    let frames = geometry.frames
    if let pill { canvas.fill(Path(roundedRect: pill, cornerRadius: 6), theme.accent) }
    if let pressedIndex, frames.indices.contains(pressedIndex) {
      let place = frames[pressedIndex].insetBy(dx: 3, dy: 3)
      canvas.fill(Path(roundedRect: place, cornerRadius: 6), theme.pressed)
      canvas.stroke(Path(roundedRect: place.insetBy(dx: 0.5, dy: 0.5), cornerRadius: 5.5), theme.accent, width: 1)
    }
    for (title, frame) in zip(titles, frames) {
      let isChosen = titles.indices.contains(selectedIndex) && frames[selectedIndex] == frame
      let text = layout(title)
      canvas.saved {
        if text.size.width > frame.width { canvas.clip(to: frame) }
        canvas.draw(text, at: frame.center, isChosen ? theme.onAccent : theme.label, anchor: .center)
      }
    }
  }

  /// The choice, for people and tools.
  public override var inspection: Inspection {
    super.inspection.adding(["selected": selectedTitle.map { .text($0) }])
  }
}

/// Names with a vertical bar between them. In a name, a bar and a backslash stand behind a backslash.
nonisolated enum ChoiceTitles {
  /// The names in `text`: none in an empty one. A backslash before anything else is itself.
  static func titles(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var titles = [""]
    var rest = text[...]
    while let character = rest.popFirst() {
      let isEscape = character == "\\" && (rest.first == "|" || rest.first == "\\")
      if character == "|" {
        titles.append("")
      } else {
        titles[titles.count - 1].append(isEscape ? rest.removeFirst() : character)
      }
    }
    return titles
  }

  /// The text from which `titles` gives `names` again.
  static func text(_ names: [String]) -> String {
    names.map { name in
      name.reduce(into: "") { $0 += $1 == "|" || $1 == "\\" ? "\\\($1)" : String($1) }
    }.joined(separator: "|")
  }
}
