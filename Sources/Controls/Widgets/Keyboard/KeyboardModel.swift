/// What fingers on the keys of an on-screen keyboard type.
///
/// A character is typed when its finger is lifted, or when another finger comes down: two thumbs that overlap type in the order in which
/// they pressed. A finger that slides types the key on which it is lifted.
nonisolated struct KeyboardModel: Hashable, Sendable {
  /// A key by its row and its number in it, both from 0.
  struct Place: Hashable, Sendable {
    let row: Int
    let key: Int
  }

  enum Shift: Hashable, Sendable {
    case off
    /// For the next letter.
    case once
    /// Till the key is tapped again.
    case locked
  }

  /// What a keyboard does for a finger.
  enum Output: Hashable, Sendable {
    case text(String)
    case backspace, enter, hide
  }

  private struct Press: Hashable {
    let finger: TouchID
    var place: Place?
    /// True once it has done what it does: a lift adds nothing.
    var isSpent = false
    /// The characters that a long press offers, and the chosen one.
    var alternatives: [Character] = []
    var chosen: Int?
  }

  /// Two taps on Shift within this time lock it.
  static let doubleTap = Duration.milliseconds(300)

  let layout: KeyboardLayout
  private(set) var page = KeyboardLayout.Page.letters
  private(set) var shift = Shift.off
  /// The page for the kind of text; keys for other pages lead back to it.
  private(set) var basePage = KeyboardLayout.Page.letters
  private var presses: [Press] = []
  private var lastShift: MonotonicTime?
  /// The finger that holds Shift, and whether a letter was typed meanwhile.
  private var shiftHold: (finger: TouchID, wasUsed: Bool)? {
    get { holder.map { ($0, holderWasUsed) } }
    set { (holder, holderWasUsed) = (newValue?.finger, newValue?.wasUsed ?? false) }
  }
  private var holder: TouchID?
  private var holderWasUsed = false

  init(_ layout: KeyboardLayout) { self.layout = layout }

  var rows: [[KeyboardLayout.Key]] { layout.rows(page) }

  var isUpper: Bool { shift != .off }

  /// The keys that fingers press.
  var pressed: [Place] { presses.compactMap(\.place) }

  /// The alternatives that are offered, the chosen one of them, and their key.
  var offered: (place: Place, characters: [Character], chosen: Int?)? {
    presses.lazy.compactMap { press in
      press.alternatives.isEmpty ? nil : press.place.map { ($0, press.alternatives, press.chosen) }
    }.first
  }

  func action(at place: Place) -> KeyboardLayout.Action? {
    let rows = rows
    guard rows.indices.contains(place.row), rows[place.row].indices.contains(place.key) else { return nil }
    return rows[place.row][place.key].action
  }

  /// The character that a key types now.
  func character(at place: Place) -> Character? {
    guard case .type(let character) = action(at: place) else { return nil }
    return isUpper ? KeyboardLayout.upper(character) : character
  }

  // MARK: Pages

  /// Another text is edited: the page for `purpose` is shown, and Shift is off.
  mutating func begin(_ purpose: TextInputState.Purpose) {
    basePage = layout.page(for: purpose)
    (page, shift, lastShift, shiftHold) = (basePage, .off, nil, nil)
    presses = []
  }

  private mutating func show(_ next: KeyboardLayout.Page) {
    page = next == .letters ? basePage : next
    // What others press is elsewhere now.
    for index in presses.indices { (presses[index].isSpent, presses[index].place) = (true, nil) }
  }

  // MARK: Fingers

  /// A finger came down on a key.
  mutating func press(_ finger: TouchID, on place: Place, at time: MonotonicTime) -> [Output] {
    var output = typeAll()
    guard let action = action(at: place) else { return output }
    var press = Press(finger: finger, place: place)
    switch action {
    case .type, .enter, .hide: break
    case .backspace:
      press.isSpent = true
      output.append(.backspace)
    case .shift:
      press.isSpent = true
      tapShift(by: finger, at: time)
    case .page(let next):
      show(next)
      press = Press(finger: finger, place: nil, isSpent: true)
    }
    presses.append(press)
    return output
  }

  private mutating func tapShift(by finger: TouchID, at time: MonotonicTime) {
    let isDouble = lastShift.map { time - $0 <= Self.doubleTap } ?? false
    lastShift = isDouble ? nil : time
    switch shift {
    case .off: shift = isDouble ? .locked : .once
    case .once: shift = isDouble ? .locked : .off
    case .locked: shift = .off
    }
    shiftHold = (finger, false)
  }

  /// Types what other fingers press, in the order of their presses.
  private mutating func typeAll() -> [Output] {
    var output: [Output] = []
    for index in presses.indices where !presses[index].isSpent {
      guard let place = presses[index].place, case .type = action(at: place) else { continue }
      output += finish(index)
    }
    return output
  }

  /// Does what a press does, once.
  private mutating func finish(_ index: Int) -> [Output] {
    let press = presses[index]
    presses[index].isSpent = true
    (presses[index].alternatives, presses[index].chosen) = ([], nil)
    guard !press.isSpent, let place = press.place, let action = action(at: place) else { return [] }
    switch action {
    case .type:
      var character = character(at: place)
      if !press.alternatives.isEmpty { character = press.chosen.map { press.alternatives[$0] } }
      guard let character else { return [] }
      if character != " " { typedLetter() }
      return [.text(String(character))]
    case .enter: return [.enter]
    case .hide: return [.hide]
    case .backspace, .shift, .page: return []
    }
  }

  private mutating func typedLetter() {
    lastShift = nil
    if shiftHold != nil { shiftHold?.wasUsed = true } else if shift == .once { shift = .off }
  }

  /// A finger slid over a key, or off all keys (nil). Only keys that type are slid to; `alternative` is the offered character at it.
  mutating func slide(_ finger: TouchID, to place: Place?, alternative: Int?) {
    guard let index = presses.firstIndex(where: { $0.finger == finger }), !presses[index].isSpent else { return }
    if !presses[index].alternatives.isEmpty {
      presses[index].chosen = alternative
      return
    }
    let isTyping = place.flatMap { action(at: $0) }.map { if case .type = $0 { true } else { false } } ?? false
    let isSame = place == presses[index].place
    if !isSame { presses[index].place = isTyping ? place : nil }
  }

  /// A finger has rested on its key: offers what else the key types. True if it does.
  mutating func rest(_ finger: TouchID) -> Bool {
    guard basePage != .password, let index = presses.firstIndex(where: { $0.finger == finger }),
      !presses[index].isSpent, let place = presses[index].place, case .type(let character) = action(at: place)
    else { return false }
    let others = layout.alternatives(of: character, isUpper: isUpper)
    guard !others.isEmpty, offered == nil else { return false }
    (presses[index].alternatives, presses[index].chosen) = (others, 0)
    return true
  }

  /// A finger was lifted.
  mutating func lift(_ finger: TouchID) -> [Output] {
    guard let index = presses.firstIndex(where: { $0.finger == finger }) else { return [] }
    let output = finish(index)
    forget(finger)
    return output
  }

  /// A finger was lost: it types nothing.
  mutating func cancel(_ finger: TouchID) { forget(finger) }

  private mutating func forget(_ finger: TouchID) {
    presses.removeAll { $0.finger == finger }
    guard shiftHold?.finger == finger else { return }
    // Held while letters were typed, it was for those alone.
    if shiftHold?.wasUsed == true, shift == .once { shift = .off }
    shiftHold = nil
  }

  /// The key's action at once, as assistive technology asks for it.
  mutating func perform(at place: Place, at time: MonotonicTime) -> [Output] {
    let finger = TouchID(seat: SeatID(0), contact: .finger(-1))
    return press(finger, on: place, at: time) + lift(finger)
  }

  /// True while the finger holds the key that removes characters.
  func isErasing(_ finger: TouchID) -> Bool {
    guard let place = presses.first(where: { $0.finger == finger })?.place else { return false }
    return action(at: place) == .backspace
  }

  /// The page's first key that types: records have it in place of those that type a password.
  var firstTypingPlace: Place? {
    for (row, keys) in rows.enumerated() {
      for (key, found) in keys.enumerated() {
        if case .type = found.action { return Place(row: row, key: key) }
      }
    }
    return nil
  }
}
