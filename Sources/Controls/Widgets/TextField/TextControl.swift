/// The base of line fields and text views: a text that a user edits with keys, fingers, a pointer, an input method and the clipboard.
///
/// While it has the focus, a draft is edited; the last committed text is the value. Leaving it commits; a commit of a changed value sends
/// `valueChanged`, between `editingDidBegin` and `editingDidEnd`. A tap puts the caret at its position; further taps select the word and
/// then all. A pointer's drag selects, after a further tap by whole words. A finger that rests for half a second selects the word under it,
/// and more words if it is dragged then. When it is lifted, and after a finger's tap on the selection, a menu offers to cut, to copy, to
/// paste and to select all, as far as each is possible.
///
/// Texts in any script work, including mixed directions. An input method composes at the caret. An on-screen keyboard opens for
/// the text, and again at a tap on it. Ctrl+Z and Ctrl+Shift+Z undo and redo up to 100 changes; Ctrl+X, Ctrl+C and Ctrl+V cut,
/// copy and paste.
@ListsProperties
public class TextControl: Control {
  /// The text shown while there is none.
  @Inspectable(.display) public var placeholder = ""
  /// The alignment of lines that are narrower than the view.
  @Inspectable(.display) public var textAlignment = HorizontalAlignment.leading
  /// The colour of the text; nil for the theme's.
  @Inspectable(.display) public var textColor: Color?
  /// The background; nil for the theme's.
  @Inspectable(.display) public var fillColor: Color?

  public override var cursor: CursorShape { isEnabled ? .text : .arrow }

  /// True while the keys go to the text and change a draft.
  public private(set) var isEditing = false

  /// The kind of text, by which on-screen keyboards choose their keys.
  public var purpose = TextInputState.Purpose.normal

  private(set) lazy var model = makeModel("")
  /// The model as it is laid out and drawn: its places are those of `model`, its characters may be others.
  var shownModel: TextEditModel { model }
  /// The session number last reported to input methods; see `TextInputState.session`.
  private var session = 0
  private static var lastSession = 0
  private var isByInputMethod = false
  private var isByFinger = false
  /// True to revert the draft in place of committing it when the focus goes.
  var isReverting = false
  /// The draft's initial text. An unedited draft is never committed, even if the value has changed since.
  private var untouched = ""
  private var lastTap: (time: MonotonicTime, place: Point, count: Int)?
  var editMenu: Presentation?

  struct Hold {
    /// The word or line that a further tap selected: a drag selects more words.
    var word: Range<Int>?
    /// True when lifting the finger opens the menu.
    var wantsMenu = false
    /// True while a finger that came down on the selection leaves it unchanged: until it has moved by 10 points.
    var keepsSelection = false
    /// True for a finger that does nothing before it is lifted or has rested: it may still scroll.
    var waits = false
  }
  private(set) var hold = Hold()
  /// The distance in points from which a finger drags and no longer taps.
  private static let slop = 10.0

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

  /// A model of `text`, whose caret is at its end.
  func makeModel(_ text: String) -> TextEditModel { TextEditModel(text, hasWords: !keepsTextSecret) }

  /// Sets the most characters that typing can produce; a longer draft stays.
  final func limit(to count: Int) { model.maximumLength = count }

  /// Which pieces have changed since a view that shows them asked last; see `TextEditModel.takeChange`.
  final func takeChange(since count: Int) -> (old: Range<Int>, new: Range<Int>) { model.takeChange(since: count) }

  /// True if all is selected when editing begins and when a draft is committed: the next character replaces the text.
  var selectsAllByItself: Bool { true }

  /// True if a finger's drag is not for the text, which waits for a tap then.
  var leavesDragsToOthers: Bool { false }

  /// The character before which a caret at `point` is.
  func place(at point: Point) -> Int { 0 }

  /// The character at `point` of a text without composition; nil beside the text.
  func character(at point: Point) -> Int? { nil }

  /// Whether a finger at `point` touches something selected.
  func isOnSelection(_ point: Point) -> Bool { false }

  /// The caret, or where it would be if the input method did not hide it.
  var caretArea: Rect { .zero }

  /// The area beside which the menu opens.
  var menuArea: Rect { bounds }

  /// The layout with the byte `utf8` of the shown text, and the byte at which its own text begins.
  func layout(atUTF8 utf8: Int) -> (layout: TextLayout, start: Int) { (FontLibrary.shared.layout("", font: font), 0) }

  /// Whether the caret at `a` is more to the left than the one at `b`, behind it in the text; nil if they are in different lines.
  func isLeft(_ a: Int, of b: Int) -> Bool? { nil }

  /// The text, the caret or the selection has changed; `showsCaret` to scroll to the caret.
  func modelDidChange(showsCaret: Bool) { setNeedsDisplay() }

  /// Home and End: moves to the end of the caret's line; with Control to that of the text.
  func goToEnd(_ end: TextEditModel.End, ofText isText: Bool, extends: Bool) {
    edit { $0.move(towards: end, by: isText ? .text : .line, extends: extends) }
  }

  /// Page Up and Page Down; false if the keys mean nothing here.
  func turnPage(towards end: TextEditModel.End, extends: Bool) -> Bool { false }

  /// Enter. Returns false if the key means nothing here.
  func enter(_ event: KeyEvent) -> Bool { false }

  /// Escape, when no menu is open.
  func escape() -> Bool { false }

  /// The value has changed. It is shown at once, unless the user has changed the draft.
  func valueTextDidChange() {
    if !isEditing || model.text == untouched { showText() }
  }

  // MARK: Editing

  /// The text that is shown: the draft, or the value's text while it is not edited.
  public var draft: String { model.text }

  /// Commits the draft if it is valid. A line is selected then.
  public func commit() {
    guard isEditing else { return }
    let changed = model.text != untouched && accept(model.text)
    showValue()
    if changed { sendActions(for: .valueChanged) }
  }

  /// Reverts the draft. A line is selected then.
  public func revert() {
    if isEditing { showValue() }
  }

  /// Shows the value, as an undoable change of the draft.
  private func showValue() {
    let (value, caret) = (valueText, model.caret)
    untouched = value
    guard selectsAllByItself || model.text != value else { return }
    edit {
      $0.replaceAll(with: value)
      if !selectsAllByItself { $0.move(to: caret) }
    }
  }

  private func showText() {
    let (value, caret) = (valueText, model.caret)
    // The same text is edited anew, which costs nothing for a long one.
    if model.text == value { model.beginAnew() } else { model = makeModel(value) }
    untouched = value
    if !selectsAllByItself { model.move(to: caret) } else if isEditing { model.selectAll() }
    modelDidChange(showsCaret: isEditing && !selectsAllByItself)
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

  func edit(isByInputMethod: Bool = false, _ change: (inout TextEditModel) -> Void) {
    editMenu?.close()
    if !isByInputMethod { endComposing() }
    change(&model)
    self.isByInputMethod = isByInputMethod
    modelDidChange(showsCaret: true)
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
  func offerSelection() {
    if isEditing, !keepsTextSecret, !model.selection.isEmpty { _ = root?.host?.setPrimarySelection(model.selectedText) }
  }

  public override var textInputState: TextInputState? {
    guard isEditing else { return nil }
    let told = keepsTextSecret ? TextEditModel().surroundings : model.surroundings
    return TextInputState(
      session: session, text: told.text, caret: told.caret, anchor: told.anchor,
      caretArea: convert(caretArea, to: nil), purpose: purpose, isByInputMethod: isByInputMethod,
      isByFinger: isByFinger, hasLines: model.hasLines)
  }

  private func beginSession() {
    Self.lastSession += 1
    session = Self.lastSession
  }

  /// Drops the composition, and has the input method drop it.
  func endComposing() {
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
    case .home: goToEnd(.start, ofText: isControl, extends: extends)
    case .end: goToEnd(.end, ofText: isControl, extends: extends)
    case .up: return step(1, extends: extends)
    case .down: return step(-1, extends: extends)
    case .backspace: edit { $0.delete(towards: .start, by: isControl ? .word : .character) }
    case .delete: edit { $0.delete(towards: .end, by: isControl ? .word : .character) }
    case .pageUp: return turnPage(towards: .start, extends: extends)
    case .pageDown: return turnPage(towards: .end, extends: extends)
    case .enter: return enter(event)
    case .escape:
      guard let editMenu else { return escape() }
      editMenu.close()
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
    let shown = shownModel
    var offset = shown.utf8(shown.caret)
    let (layout, start) = layout(atUTF8: offset)
    let isForward = layout.readsRightToLeft != (way == .right)
    guard unit == .character else {
      return edit { $0.move(towards: isForward ? .end : .start, by: unit, extends: extends) }
    }
    if !extends, !model.selection.isEmpty {
      let (a, b) = (model.selection.lowerBound, model.selection.upperBound)
      return edit { $0.move(to: isLeft(a, of: b) ?? !layout.readsRightToLeft == (way == .left) ? a : b) }
    }
    // One user-perceived character may be several positions in the layout.
    for _ in 0..<32 {
      guard let next = layout.utf8Offset(from: offset - start, going: way) else { break }
      let place = shown.place(utf8: start + next)
      if place != shown.caret, shown.utf8(place) == start + next {
        return edit { $0.move(to: place, extends: extends) }
      }
      offset = start + next
    }
    guard model.hasLines else { return }
    // To the next line, or the one before.
    let places = model.pieces.places(of: model.pieces.piece(at: model.caret))
    edit { $0.move(to: isForward ? places.upperBound + 1 : places.lowerBound - 1, extends: extends) }
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { model.hasLines ? .textView : .textField }
  public override var accessibilityTitle: String { name.isEmpty ? placeholder : name }
  public override var accessibilityText: AccessibilityText? {
    func scalars(_ place: Int) -> Int { model.pieces.scalars(before: place) }
    let selection = model.selection
    return AccessibilityText(
      model.text, caret: isEditing ? scalars(model.caret) : nil,
      selection: isEditing ? scalars(selection.lowerBound)..<scalars(selection.upperBound) : 0..<0,
      isEditable: isEnabled)
  }

  /// Sets the text as if it had been typed and committed; a text that is not accepted is refused.
  public override func setAccessibilityText(_ text: String) throws(AccessibilityRefusal) {
    let text = makeModel(text).text
    guard text != valueText else { return }
    var isTaken = false
    changeByAssistance {
      isTaken = accept(text)
      return isTaken
    }
    showText()
    if !isTaken { throw AccessibilityRefusal(AccessibilityWords.current.isImpossible) }
  }

  // MARK: Touches

  /// Puts the caret where an edited field is touched, except for a finger on the selection; a field that is not edited waits
  /// for a tap.
  public override func beginTracking(_ touch: Touch) -> Bool {
    beginHold(touch)
    return true
  }

  func beginHold(_ touch: Touch) {
    let wasOpen = editMenu != nil
    editMenu?.close()
    hold = Hold()
    let isPointer = touch.id.contact == .pointer
    let point = touch.location(in: self)
    if isEditing, !isPointer, model.preedit.isEmpty, !isRepeated(touch), isOnSelection(point) {
      hold = Hold(wantsMenu: !wasOpen, keepsSelection: true)
      lastTap = (touch.startTime, point, 1)
      beginSession()
    } else if !isPointer, !isEditing || leavesDragsToOthers {
      hold.waits = true
    } else {
      takeTap(touch)
    }
  }

  public override func continueTracking(_ touch: Touch) -> Bool {
    continueHold(touch)
    return true
  }

  func continueHold(_ touch: Touch) {
    guard isEditing, !hold.waits else { return }
    let way = touch.windowLocation.distance(to: touch.startWindowLocation)
    if hold.keepsSelection {
      guard way > Self.slop, !leavesDragsToOthers else { return }
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
  }

  public override func endTracking(_ touch: Touch) { endHold(touch) }

  func endHold(_ touch: Touch) {
    let isTap =
      !leavesDragsToOthers || touch.windowLocation.distance(to: touch.startWindowLocation) <= Self.slop
    if hold.waits || !isEditing, isTap, point(inside: touch.location(in: self)) { takeTap(touch) }
    if hold.wantsMenu, isTap || !hold.keepsSelection { openMenu(for: touch.id.seat) }
    hold = Hold()
    offerSelection()
  }

  public override func cancelTracking(_ touch: Touch?) { hold = Hold() }

  /// Whether a finger that came down on the text is still here.
  func isHeld(by touch: Touch) -> Bool { isTracking(touch) }

  /// A finger rested for half a second: selects the word under it, or puts the caret there.
  func fingerRested(_ touch: Touch) {
    guard isHeld(by: touch) else { return }
    (hold.wantsMenu, hold.waits) = (true, false)
    guard !hold.keepsSelection else { return }
    becomeFirstResponder()
    // An observer may have disabled the field.
    guard isEditing, isHeld(by: touch) else { return }
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
      default: $0.selectLine(at: place)
      }
    }
    hold.word = count > 1 ? model.selection : nil
  }

  // MARK: Look

  var font: Font { theme.font(.body) }

  /// The background, under the text.
  func drawBackground(_ canvas: Canvas) {
    let shape = Path(roundedRect: bounds, cornerRadius: 7)
    canvas.fill(shape, fillColor ?? theme.fill)
    if isHighlighted, !isEditing { canvas.fill(shape, theme.pressed) }
  }

  /// The edge that says that keys go to the text.
  func drawFocus(_ canvas: Canvas) {
    guard isFocused else { return }
    canvas.stroke(Path(roundedRect: bounds.insetBy(dx: 1, dy: 1), cornerRadius: 6), theme.accent, width: 2)
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
