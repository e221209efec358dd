/// The base of text fields and number fields: a line of text that a user edits with a keyboard.
///
/// While the field has the focus, a draft is edited; the last committed text is the value. Enter commits, and so does leaving
/// the field; Escape reverts the draft and leaves. A commit of a changed value sends `valueChanged`, between `editingDidBegin`
/// and `editingDidEnd` (`editingDidCancel` after Escape). A tap puts the caret at its position; further taps select the word
/// and then all. While the field is edited a drag selects, after a second tap by whole words. A finger that rests for half a
/// second selects the word under it. When it is lifted, and after a finger's tap on the selection, a menu offers to cut, to
/// copy, to paste and to select all, as far as each is possible.
///
/// Texts in any script work, including mixed directions. An input method composes at the caret. An on-screen keyboard opens for
/// the field, and again at a tap on it. Ctrl+Z and Ctrl+Shift+Z undo and redo up to 100 changes; Ctrl+X, Ctrl+C and Ctrl+V cut,
/// copy and paste.
@ListsProperties
public class LineField: Control {
  /// The text shown in an empty field.
  @Inspectable(.display) public var placeholder = ""
  /// The alignment of a text that is narrower than the field.
  @Inspectable(.display) public var textAlignment = HorizontalAlignment.leading
  /// The colour of the text; nil for the theme's.
  @Inspectable(.display) public var textColor: Color?
  /// The background of the field; nil for the theme's.
  @Inspectable(.display) public var fillColor: Color?

  public override var cursor: CursorShape { isEnabled ? .text : .arrow }

  /// True while the keys go to the field and change a draft.
  public private(set) var isEditing = false

  /// The kind of text, by which on-screen keyboards choose their keys.
  public var purpose = TextInputState.Purpose.normal

  private(set) var model = TextEditModel()
  /// The model as it is laid out and drawn: its places are those of `model`, its characters may be others.
  var shownModel: TextEditModel { model }
  /// The session number last reported to input methods; see `TextInputState.session`.
  private var session = 0
  private static var lastSession = 0
  private var isByInputMethod = false
  private var isByFinger = false
  /// The scroll offset of a text that is wider than the field.
  var scroll = 0.0
  private var isReverting = false
  /// The draft's initial text. An unedited draft is never committed, even if the value has changed since.
  private var untouched = ""
  private var lastTap: (time: MonotonicTime, place: Point, count: Int)?
  var editMenu: Presentation?

  private struct Hold {
    /// The word that a second tap selected: a drag selects more words.
    var word: Range<Int>?
    /// True when lifting the finger opens the menu.
    var wantsMenu = false
    /// True while a finger that came down on the selection leaves it unchanged: until it has moved by 10 points.
    var keepsSelection = false
  }
  private var hold = Hold()

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    let press = LongPressGestureRecognizer { [unowned self] press in
      if press.state == .began, let touch = press.touches.first { fingerRested(touch) }
    }
    // The finger continues as a drag, which selects more words.
    press.cancelsTouchesInView = false
    press.shouldReceive = { $0.id.contact != .pointer }
    addGestureRecognizer(press)
  }

  // MARK: For subclasses

  /// The value as a text, with which the draft begins.
  var valueText: String { "" }

  /// Takes a committed draft. True when that changed the value.
  func accept(_ draft: String) -> Bool { false }

  /// The room in points at the trailing side that the text leaves to other things.
  var trailingWidth: Double { 0 }

  /// The value has changed. It is shown at once, unless the user has changed the draft.
  func valueTextDidChange() {
    if !isEditing || model.text == untouched { showText() }
  }

  // MARK: Editing

  /// The text that the field shows: the draft, or the value's text while it is not edited.
  public var draft: String { model.text }

  /// Commits the draft if it is valid, and selects all of it.
  public func commit() {
    guard isEditing else { return }
    let changed = model.text != untouched && accept(model.text)
    showValue()
    if changed { sendActions(for: .valueChanged) }
  }

  /// Reverts the draft and selects all of the text.
  public func revert() {
    if isEditing { showValue() }
  }

  /// Shows the value, as an undoable change of the draft.
  private func showValue() {
    edit { $0.replaceAll(with: valueText) }
    untouched = model.text
  }

  private func showText() {
    model = TextEditModel(valueText, hasWords: !keepsTextSecret)
    untouched = model.text
    if isEditing { model.selectAll() } else { scroll = 0 }
    setNeedsDisplay()
  }

  /// The arrows up and down: to the beginning and to the end. True when there is nothing more to do about the key.
  func step(_ direction: Int, extends: Bool) -> Bool {
    edit { $0.move(towards: direction > 0 ? .start : .end, by: .line, extends: extends) }
    return true
  }

  /// On gaining focus, the draft begins as the text, all selected. On losing it, the draft is committed unless Escape ended the
  /// editing.
  public override func firstResponderDidChange() {
    super.firstResponderDidChange()
    guard isFirstResponder != isEditing else { return }
    if isFirstResponder {
      isEditing = true
      isByFinger = false
      beginSession()
      showText()
      noteEditing()
    } else {
      editMenu?.close()
      let (draft, isCancelled) = (model.text, isReverting)
      let isWish = !isCancelled && draft != untouched
      // Before `accept`: its handler may focus this field again, which starts a new draft.
      isEditing = false
      let changed = isWish && accept(draft)
      if !isEditing { showText() }
      if changed { sendActions(for: .valueChanged) }
      noteEditing(isCancelled: isCancelled)
    }
  }

  public override var isBeingEdited: Bool { isEditing }

  public override var ownEvents: Event { .edits.union(.primaryActionTriggered) }

  /// True: its caret and edge say that keys go to it.
  public override var showsFocusItself: Bool { true }

  /// True: a finger elsewhere ends editing.
  public override var losesFocusToTouchesOutside: Bool { true }

  private func edit(isByInputMethod: Bool = false, _ change: (inout TextEditModel) -> Void) {
    editMenu?.close()
    if !isByInputMethod { endComposing() }
    change(&model)
    self.isByInputMethod = isByInputMethod
    showCaret()
    setNeedsDisplay()
  }

  // MARK: Input methods and the clipboard

  public override func handleText(_ text: TextEdit) {
    if isEditing { edit(isByInputMethod: text.source == .inputMethod) { $0.apply(text) } }
  }

  override func pasteSelection(_ text: TextEdit, at point: Point) -> Bool {
    guard isEnabled else { return false }
    becomeFirstResponder()
    // An observer may have disabled the field.
    guard isEditing else { return true }
    let place = place(at: point)
    edit { $0.move(to: place) }
    handleText(text)
    return true
  }

  /// Offers what the user has selected for the middle button.
  private func offerSelection() {
    if isEditing, !keepsTextSecret, !model.selection.isEmpty { _ = root?.host?.setPrimarySelection(model.selectedText) }
  }

  public override var textInputState: TextInputState? {
    guard isEditing else { return nil }
    let told = keepsTextSecret ? TextEditModel() : model
    return TextInputState(
      session: session, text: told.text, caret: told.utf8(told.caret), anchor: told.utf8(told.anchor),
      caretArea: convert(caretArea, to: nil), purpose: purpose, isByInputMethod: isByInputMethod,
      isByFinger: isByFinger)
  }

  private func beginSession() {
    LineField.lastSession += 1
    session = LineField.lastSession
  }

  /// Drops the composition, and has the input method drop it.
  private func endComposing() {
    guard !model.preedit.isEmpty else { return }
    model.endComposing()
    beginSession()
  }

  /// Puts the selection on the clipboard. Returns false if there is no selection or the clipboard is not available.
  private func copy() -> Bool {
    model.selection.isEmpty || keepsTextSecret ? false : root?.host?.setClipboard(model.selectedText) ?? false
  }

  func perform(_ command: EditCommand, for seat: SeatID) {
    switch command {
    case .cut: if copy() { edit { $0.delete(towards: .end) } }
    case .copy: _ = copy()
    case .paste:
      root?.pasteTarget = self
      root?.host?.requestPaste(for: seat)
    case .selectAll:
      edit { $0.selectAll() }
      offerSelection()
    }
  }

  /// Handles a key for the clipboard, undo, or select all; false for any other key.
  private func handleCommand(_ event: KeyEvent) -> Bool {
    let (hasControl, hasShift) = (event.modifiers.contains(.control), event.modifiers.contains(.shift))
    switch event.key {
    case .character("x") where hasControl, .delete where hasShift && !hasControl: perform(.cut, for: event.seat)
    case .character("c") where hasControl, .insert where hasControl: perform(.copy, for: event.seat)
    case .character("v") where hasControl, .insert where hasShift: perform(.paste, for: event.seat)
    case .character("a") where hasControl: perform(.selectAll, for: event.seat)
    case .character("z") where hasControl && !hasShift: edit { $0.undo() }
    case .character("z") where hasControl, .character("Z") where hasControl, .character("y") where hasControl:
      edit { $0.redo() }
    default: return false
    }
    return true
  }

  // MARK: Keys

  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard isEditing else { return false }
    let isPress = event.phase == .down || event.phase == .repeated
    guard isPress else { return true }
    guard event.modifiers.isDisjoint(with: [.alt, .logo]) else { return false }
    if handleCommand(event) { return true }
    let extends = event.modifiers.contains(.shift)
    defer { if extends { offerSelection() } }
    let isControl = event.modifiers.contains(.control)
    switch event.key {
    case .left: go(.left, by: isControl ? .word : .character, extends)
    case .right: go(.right, by: isControl ? .word : .character, extends)
    case .home: edit { $0.move(towards: .start, by: .line, extends: extends) }
    case .end: edit { $0.move(towards: .end, by: .line, extends: extends) }
    case .up: return step(1, extends: extends)
    case .down: return step(-1, extends: extends)
    case .backspace: edit { $0.delete(towards: .start, by: isControl ? .word : .character) }
    case .delete: edit { $0.delete(towards: .end, by: isControl ? .word : .character) }
    case .enter:
      commit()
      sendActions(for: .primaryActionTriggered)
    case .escape:
      if let editMenu {
        editMenu.close()
        return true
      }
      isReverting = true
      resignFirstResponder()
      isReverting = false
    case .tab, .backTab: return false
    default:
      guard !isControl, !event.text.isEmpty,
        event.text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
      else { return false }
      edit { $0.insert(event.text) }
    }
    return true
  }

  /// Moves the caret in the direction of the arrow, whatever the text's direction.
  private func go(_ way: TextLayout.VisualStep, by unit: TextEditModel.Unit, _ extends: Bool) {
    endComposing()
    let (layout, shown) = (textLayout, shownModel)
    guard unit == .character else {
      let isForward = (layout.caretX(atUTF8: 0) <= layout.caretX(atUTF8: shown.text.utf8.count)) == (way == .right)
      return edit { $0.move(towards: isForward ? .end : .start, by: unit, extends: extends) }
    }
    if !extends, !model.selection.isEmpty {
      let (a, b) = (model.selection.lowerBound, model.selection.upperBound)
      let (ax, bx) = (layout.caretX(atUTF8: shown.utf8(a)), layout.caretX(atUTF8: shown.utf8(b)))
      return edit { $0.move(to: (ax <= bx) == (way == .left) ? a : b) }
    }
    var offset = shown.utf8(shown.caret)
    // One user-perceived character may be several positions in the layout.
    for _ in 0..<32 {
      guard let next = layout.utf8Offset(from: offset, going: way) else { return }
      let place = shown.place(utf8: next)
      if place != shown.caret, shown.utf8(place) == next { return edit { $0.move(to: place, extends: extends) } }
      offset = next
    }
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .textField }
  public override var accessibilityTitle: String { name.isEmpty ? placeholder : name }
  public override var accessibilityText: AccessibilityText? {
    func scalars(_ place: Int) -> Int { model.text.prefix(place).unicodeScalars.count }
    let selection = model.selection
    return AccessibilityText(
      model.text, caret: isEditing ? scalars(model.caret) : nil,
      selection: isEditing ? scalars(selection.lowerBound)..<scalars(selection.upperBound) : 0..<0,
      isEditable: isEnabled)
  }

  public override var accessibilityTextLayout: AccessibilityTextLayout? {
    let layout = textLayout
    return AccessibilityTextLayout(
      layout, at: Point(x: geometry.textX(scroll: scroll), y: textTop(of: layout)), composition: shownModel.preeditUTF8)
  }

  /// Sets the text as if it had been typed and committed; a text that the field does not accept is refused.
  public override func setAccessibilityText(_ text: String) throws(AccessibilityRefusal) {
    let line = TextEditModel(text).text
    guard line != valueText else { return }
    var isTaken = false
    changeByAssistance {
      isTaken = accept(line)
      return isTaken
    }
    showText()
    if !isTaken { throw AccessibilityRefusal(AccessibilityWords.current.isImpossible) }
  }

  // MARK: Touches

  public override var dragAxes: Axes { isEditing ? .horizontal : [] }

  /// Puts the caret where an edited field is touched, except for a finger on the selection; a field that is not edited waits
  /// for a tap.
  public override func beginTracking(_ touch: Touch) -> Bool {
    let wasOpen = editMenu != nil
    editMenu?.close()
    hold = Hold()
    let isPointer = touch.id.contact == .pointer
    let x = touch.location(in: self).x
    if isEditing, !isPointer, model.preedit.isEmpty, !isRepeated(touch), selectedXs.contains(where: { $0.contains(x) })
    {
      hold = Hold(wantsMenu: !wasOpen, keepsSelection: true)
      lastTap = (touch.startTime, touch.location(in: self), 1)
      beginSession()
    } else if isEditing || isPointer {
      takeTap(touch)
    }
    return true
  }

  public override func continueTracking(_ touch: Touch) -> Bool {
    guard isEditing else { return true }
    let way = touch.windowLocation.distance(to: touch.startWindowLocation)
    if hold.keepsSelection {
      guard way > 10 else { return true }
      hold = Hold()
      let start = place(at: convert(touch.startWindowLocation, from: nil))
      edit { $0.move(to: start) }
    }
    let place = place(at: touch.location(in: self))
    if let word = hold.word {
      let character = character(at: touch.location(in: self))
      if way > 4 { edit { $0.selectWords(from: word, to: character ?? place) } }
    } else if place != model.caret {
      edit { $0.move(to: place, extends: true) }
    }
    return true
  }

  public override func endTracking(_ touch: Touch) {
    if !isEditing, point(inside: touch.location(in: self)) { takeTap(touch) }
    if hold.wantsMenu { openMenu(for: touch.id.seat) }
    hold = Hold()
    offerSelection()
  }

  public override func cancelTracking(_ touch: Touch?) { hold = Hold() }

  /// A finger rested for half a second: selects the word under it, or puts the caret there.
  func fingerRested(_ touch: Touch) {
    guard isTracking(touch) else { return }
    hold.wantsMenu = true
    guard !hold.keepsSelection else { return }
    becomeFirstResponder()
    // An observer may have disabled the field.
    guard isEditing, isTracking(touch) else { return }
    endComposing()
    let place = place(at: touch.location(in: self))
    let character = character(at: touch.location(in: self))
    if let character {
      edit { $0.selectWord(at: character) }
    }
    if character == nil || model.selectedText.allSatisfy(\.isWhitespace) {
      edit { $0.move(to: place) }
    } else {
      hold.word = model.selection
    }
  }

  /// True for a tap that follows an earlier tap at the same position, within 350 ms.
  private func isRepeated(_ touch: Touch) -> Bool {
    guard let lastTap else { return false }
    return touch.startTime - lastTap.time <= .milliseconds(350)
      && lastTap.place.distance(to: touch.location(in: self)) <= 22
  }

  private func takeTap(_ touch: Touch) {
    becomeFirstResponder()
    // An observer may have disabled the field.
    guard isEditing else { return }
    endComposing()
    // Reopens an on-screen keyboard that was closed.
    isByFinger = touch.id.contact != .pointer
    beginSession()
    let point = touch.location(in: self)
    let count = isRepeated(touch) ? (lastTap?.count ?? 0) % 3 + 1 : 1
    lastTap = (touch.startTime, point, count)
    let (place, character) = (place(at: point), character(at: point))
    edit {
      switch count {
      case 1: $0.move(to: place)
      case 2: $0.selectWord(at: character ?? place)
      default: $0.selectAll()
      }
    }
    hold.word = count == 2 ? model.selection : nil
  }

  // MARK: Geometry

  public override func sizeThatFits(_ size: Size) -> Size {
    let height = max((theme.fontSizes[.body] * 2.25).rounded(), 36)
    return Size(width: size.width.isFinite && size.width > 0 ? size.width : 160, height: height)
  }

  public override func layoutSubviews() {
    if isEditing { showCaret() }
  }

  // MARK: Drawing

  public override func draw(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    let shape = Path(roundedRect: bounds, cornerRadius: 7)
    canvas.fill(shape, fillColor ?? theme.fill)
    if isHighlighted, !isEditing { canvas.fill(shape, theme.pressed) }
    let geometry = geometry
    let layout = textLayout
    let x = geometry.textX(scroll: scroll)
    let top = textTop(of: layout)
    canvas.saved {
      canvas.clip(to: geometry.area.insetBy(dx: -TextFieldGeometry.caretWidth, dy: 0))
      if isEditing { drawSelection(canvas) }
      if shownModel.shownText.isEmpty, !placeholder.isEmpty {
        let hint = FontLibrary.shared.layout(placeholder, font: font)
        let place = fieldGeometry(ofWidth: hint.size.width)
        canvas.draw(hint, at: Point(x: place.textX(scroll: 0), y: textTop(of: hint)), theme.secondaryLabel)
      }
      canvas.draw(layout, at: Point(x: x, y: top), textColor ?? theme.label)
      if !model.preedit.isEmpty { drawPreeditLine(canvas, layout, x: x, baseline: top + layout.baseline) }
      if isEditing { drawCaret(canvas) }
    }
    if isFocused {
      canvas.stroke(
        Path(roundedRect: bounds.insetBy(dx: 1, dy: 1), cornerRadius: 6), theme.accent, width: 2)
    }
  }

  public override var inspection: Inspection {
    guard isEditing else { return super.inspection }
    guard !keepsTextSecret else { return super.inspection.adding(["isEmpty": .bool(model.text.isEmpty)]) }
    let inspection = super.inspection.adding([
      "draft": .string(model.text), "caret": .number(Double(model.caret)), "selected": .string(model.selectedText),
    ])
    return model.preedit.isEmpty ? inspection : inspection.adding(["preedit": .string(model.preedit)])
  }
}
