/// An on-screen keyboard, which types into the text that has the focus and leaves the focus there.
///
/// It shows letters, numbers or what passwords need, by what the text says that it is for. Two thumbs may overlap, each on its own key;
/// a finger that slides types the key on which it is lifted. A long press offers other letters, such as umlauts; not for a password.
/// The key that removes characters repeats. Shift is for one letter, and locked by two quick taps.
///
/// `KeyboardPresenter` shows one while it is needed. A view placed in a scene is always there.
@ListsProperties
public final class Keyboard: Control {
  /// The language of the letters, if `layout` is not set.
  @Inspectable(.layout, then: Keyboard.layoutChanged) public var language = KeyboardLanguage.english
  /// The keys of a program's own file; nil for those of `language`.
  public var layout: KeyboardLayout? { didSet { if layout != oldValue { layoutChanged() } } }

  /// The time that a finger rests on a key before it offers others, or repeats.
  static let restDuration = Duration.milliseconds(400)
  /// The time between two characters that a held key removes.
  static let repeatInterval = Duration.milliseconds(60)

  /// The points above the keyboard over which a long press may show letters.
  var headroom = KeyboardGeometry.rowHeight

  private(set) var model = KeyboardModel(.of(.english))
  private var caps: [KeyCap] = []
  private let alternatives = KeyAlternatives()
  private var session: Int?
  private var following: ObservationToken?
  private var waits: [TouchID: WakeUp] = [:]

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isMultipleTouchEnabled = true
    alternatives.isUserInteractionEnabled = false
    alternatives.isHidden = true
    makeCaps()
  }

  private func layoutChanged() {
    model = KeyboardModel(layout ?? .of(language))
    show(target?.state.purpose ?? shownPurpose ?? .normal)
  }

  public override func didMoveToRoot() {
    following = root?.observeLayout { [unowned self] in follow() }
    if root == nil { endWaits() }
  }

  /// Shows the keys for the text that has the focus now.
  private func follow() {
    let state = target?.state
    guard state?.session != session else { return }
    let isOther = session == nil || state?.purpose != shownPurpose
    session = state?.session
    if let state, isOther { show(state.purpose) }
  }
  private var shownPurpose: TextInputState.Purpose?

  /// Shows the keys for a kind of text.
  func show(_ purpose: TextInputState.Purpose) {
    shownPurpose = purpose
    model.begin(purpose)
    makeCaps()
  }

  private var target: (view: View, state: TextInputState)? {
    guard let view = root?.firstResponder, let state = view.textInputState else { return nil }
    return (view, state)
  }

  // MARK: Keys

  private func makeCaps() {
    for cap in caps { cap.removeFromSuperview() }
    caps = model.rows.enumerated().flatMap { row, keys in
      keys.indices.map { KeyCap(KeyboardModel.Place(row: row, key: $0)) }
    }
    for cap in caps {
      cap.onPress = { [unowned self] in
        act(model.perform(at: cap.place, at: root?.now ?? .zero), by: SeatID(0))
        show()
      }
      addSubview(cap)
    }
    addSubview(alternatives)
    shownRows = model.rows
    setNeedsLayout()
    show()
  }
  private var shownRows: [[KeyboardLayout.Key]] = []

  /// Shows the model: another page has other keys.
  private func show() {
    guard model.rows == shownRows else { return makeCaps() }
    let (words, pressed) = (AccessibilityWords.current, model.pressed)
    for cap in caps {
      cap.isPressed = pressed.contains(cap.place)
      guard let action = model.action(at: cap.place) else { continue }
      switch action {
      case .type(" "): (cap.sign, cap.title, cap.isCommand) = (.space, words.spaceKey, false)
      case .type:
        let text = model.character(at: cap.place).map { String($0) } ?? ""
        (cap.sign, cap.title, cap.isCommand) = (.text(text), text, false)
      case .backspace: (cap.sign, cap.title, cap.isCommand) = (.backspace, words.backspaceKey, true)
      case .enter: (cap.sign, cap.title, cap.isCommand) = (.enter, words.returnKey, true)
      case .hide: (cap.sign, cap.title, cap.isCommand) = (.hide, words.hideKeyboard, true)
      case .shift: (cap.sign, cap.title, cap.isCommand) = (.shift(model.shift), words.shiftKey, true)
      case .page(let page):
        let (sign, title) =
          switch page {
          case .symbols: ("?123", words.symbolKeys)
          case .more: ("=<", words.moreKeys)
          default: ("ABC", words.letterKeys)
          }
        (cap.sign, cap.title, cap.isCommand) = (.text(sign), title, true)
      }
    }
    showAlternatives()
  }

  private func showAlternatives() {
    guard let offered = model.offered else {
      alternatives.isHidden = true
      return
    }
    let cells = cells(of: offered)
    guard let first = cells.first else { return }
    alternatives.frame = cells.dropFirst().reduce(first) { $0.union($1) }
    alternatives.cells = cells.map { $0.offsetBy(dx: -first.minX, dy: -first.minY) }
    (alternatives.characters, alternatives.chosen) = (offered.characters, offered.chosen)
    alternatives.isHidden = false
  }

  private func cells(of offered: (place: KeyboardModel.Place, characters: [Character], chosen: Int?)) -> [Rect] {
    KeyboardGeometry.alternatives(
      offered.characters.count, above: geometry.cells[offered.place.row][offered.place.key], width: bounds.width,
      top: -headroom)
  }

  var geometry: KeyboardGeometry { KeyboardGeometry(model.rows, in: bounds.size) }

  /// The number of rows that are shown.
  var rowCount: Int { model.rows.count }

  // MARK: Typing

  private func act(_ output: [KeyboardModel.Output], by seat: SeatID) {
    for output in output {
      guard let (view, state) = target else { continue }
      switch output {
      case .text(let text): view.handleText(TextEdit(seat: seat, inserted: text))
      case .backspace: press(.backspace, in: view, by: seat)
      case .enter:
        press(.enter, "\r", in: view, by: seat)
        // A field of one line is done: the focus leaves it, unless the program has moved it on.
        if !state.hasLines { view.resignFirstResponder() }
      case .hide: view.resignFirstResponder()
      }
    }
  }

  /// Gives a key to the text alone: no command of the window hears of it.
  private func press(_ key: Key, _ text: String = "", in view: View, by seat: SeatID) {
    let time = root?.now ?? .zero
    for phase in [KeyEvent.Phase.down, .up] {
      _ = view.handleKey(KeyEvent(seat: seat, phase: phase, key: key, text: text, time: time))
    }
  }

  // MARK: Fingers

  /// The focus stays in the text.
  public override var canBecomeFirstResponder: Bool { false }
  package override var keepsFocusElsewhere: Bool { true }
  public override var cursor: CursorShape { .arrow }
  override var clipsSubviews: Bool { false }

  /// Every finger on it is the keyboard's own, whichever key is beneath.
  public override func hitTest(_ point: Point) -> View? { super.hitTest(point) == nil ? nil : self }

  public override func beginTracking(_ touch: Touch) -> Bool {
    guard let place = geometry.key(at: touch.location(in: self)) else { return true }
    let output = model.press(touch.id, on: place, at: touch.time)
    act(output, by: touch.id.seat)
    show()
    wait(for: touch)
    return true
  }

  public override func continueTracking(_ touch: Touch) -> Bool {
    let (before, point) = (model.pressed, touch.location(in: self))
    let isNear = bounds.insetBy(dx: -20, dy: -20).contains(point)
    model.slide(
      touch.id, to: isNear ? geometry.key(at: point) : nil,
      alternative: model.offered.flatMap { alternative(at: point, $0) })
    if model.pressed != before { wait(for: touch) }
    show()
    return true
  }

  /// The offered character nearest to a finger; nil if it left them and their key.
  private func alternative(
    at point: Point, _ offered: (place: KeyboardModel.Place, characters: [Character], chosen: Int?)
  ) -> Int? {
    let (cells, key) = (cells(of: offered), geometry.cells[offered.place.row][offered.place.key])
    guard let top = cells.first?.minY, top - 20 <= point.y, point.y <= key.maxY + 20 else { return nil }
    return cells.indices.min { abs(cells[$0].midX - point.x) < abs(cells[$1].midX - point.x) }
  }

  public override func endTracking(_ touch: Touch) {
    waits.removeValue(forKey: touch.id)?.cancel()
    act(model.lift(touch.id), by: touch.id.seat)
    show()
  }

  public override func cancelTracking(_ touch: Touch?) {
    guard let touch else { return }
    waits.removeValue(forKey: touch.id)?.cancel()
    model.cancel(touch.id)
    show()
  }

  private func wait(for touch: Touch, _ time: Duration = restDuration) {
    waits.removeValue(forKey: touch.id)?.cancel()
    guard let root, isTracking(touch) else { return }
    waits[touch.id] = root.wake(at: root.now + time) { [weak self, weak touch] in
      guard let self, let touch, isTracking(touch) else { return }
      rested(touch)
    }
  }

  private func rested(_ touch: Touch) {
    waits[touch.id] = nil
    guard model.isErasing(touch.id) else {
      if model.rest(touch.id) { show() }
      return
    }
    act([.backspace], by: touch.id.seat)
    wait(for: touch, Self.repeatInterval)
  }

  private func endWaits() {
    for wait in waits.values { wait.cancel() }
    waits = [:]
  }

  // MARK: Secrets

  /// The point that a record has in place of `point` of the window while a password is typed: keys that type are all the first one.
  package func veiled(_ point: Point) -> Point {
    let geometry = geometry
    guard let place = geometry.key(at: convert(point, from: nil)), case .type = model.action(at: place),
      let first = model.firstTypingPlace
    else { return point }
    return convert(geometry.cells[first.row][first.key].center, to: nil)
  }

  /// The key that a record has in place of `view`, if that types.
  func veiled(_ view: KeyCap) -> View {
    guard case .type = model.action(at: view.place), let first = model.firstTypingPlace else { return view }
    return caps.first { $0.place == first } ?? view
  }

  // MARK: Layout and drawing

  public override func sizeThatFits(_ size: Size) -> Size {
    Size(
      width: size.width.isFinite && size.width > 0 ? size.width : 480, height: KeyboardGeometry.height(rows: rowCount))
  }

  public override func layoutSubviews() {
    let cells = geometry.cells
    for cap in caps { cap.frame = cells[cap.place.row][cap.place.key] }
    showAlternatives()
  }

  public override func draw(_ canvas: Canvas) {
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) }
    canvas.fill(bounds, theme.fill)
    canvas.fill(Rect(x: 0, y: 0, width: bounds.width, height: 1), theme.hairline)
  }

  // MARK: Accessibility

  public override var accessibilityRole: AccessibilityRole { .group }
  public override var accessibilityTitle: String { name.isEmpty ? AccessibilityWords.current.keyboard : name }
}

/// The languages whose letters a `Keyboard` has by itself.
nonisolated public enum KeyboardLanguage: String, CaseIterable, Hashable, Sendable, InspectableValue {
  /// A keyboard as in the United States.
  case english
  /// A keyboard as in Germany, with umlauts.
  case german
}

extension KeyboardLayout {
  /// The keys of `language`, from the file that the build embeds.
  @MainActor public static func of(_ language: KeyboardLanguage) -> KeyboardLayout {
    if let known = read[language] { return known }
    let (text, name) =
      switch language {
      case .english: (PackageResources.english_json, "english.json")
      case .german: (PackageResources.german_json, "german.json")
      }
    do throws(KeyboardLayoutError) {
      let layout = try KeyboardLayout(text, name: name)
      read[language] = layout
      return layout
    } catch { preconditionFailure("\(error)") }
  }

  /// The layouts that were asked for.
  @MainActor private static var read: [KeyboardLanguage: KeyboardLayout] = [:]
}
