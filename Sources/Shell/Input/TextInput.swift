import Wayland

/// The rules of zwp_text_input_v3 for reporting a text to an input method.
nonisolated struct TextInputModel {
  enum Request: Hashable {
    case enable
    case disable
    case surrounding(SurroundingText)
    case cause(isInputMethod: Bool)
    case purpose(TextInputState.Purpose, hasLines: Bool = false)
    case caretArea(Rect)
    case commit
  }

  /// True while the seat's keys and input methods go to the window.
  private(set) var isEntered = false
  /// The state last sent to the compositor; nil while text input is off.
  private var sent: TextInputState?
  /// The state that it should have.
  private var wanted: TextInputState?
  /// The number of commits, by which the compositor says which state it knew.
  private var commits: UInt32 = 0
  /// True if the latest change came from an input method that did not know the latest state. The protocol forbids an answer
  /// until a change comes from one that did. The user's own changes are reported all the same.
  private var awaitsDone = false

  /// The window has the seat's input methods, with the text that it shows.
  mutating func enter(_ state: TextInputState?) -> [Request] {
    (isEntered, sent, awaitsDone) = (true, nil, false)
    return want(state)
  }

  /// The seat's input methods left; requests would be ignored.
  mutating func leave() { (isEntered, sent, wanted, awaitsDone) = (false, nil, nil, false) }

  /// Sets the text to edit; nil if no view is edited. Returns the requests to send now.
  mutating func want(_ state: TextInputState?) -> [Request] {
    wanted = state
    return awaitsDone && state?.isByInputMethod == true && state?.session == sent?.session ? [] : makeRequests()
  }

  /// The compositor has sent a change and knew the state of so many commits.
  mutating func done(serial: UInt32) -> [Request] {
    awaitsDone = serial != commits
    return awaitsDone ? [] : makeRequests()
  }

  private mutating func makeRequests() -> [Request] {
    guard isEntered else { return [] }
    var old = sent
    var requests: [Request] = []
    if let wanted {
      if old?.session != wanted.session {
        requests.append(.enable)
        old = nil
      }
      let text = SurroundingText(wanted)
      // An input method must neither learn a password nor take the field for an empty one.
      if wanted.purpose != .password, old.map(SurroundingText.init) != text {
        requests.append(.surrounding(text))
        if old != nil { requests.append(.cause(isInputMethod: wanted.isByInputMethod)) }
      }
      if old?.purpose != wanted.purpose || old?.hasLines != wanted.hasLines {
        requests.append(.purpose(wanted.purpose, hasLines: wanted.hasLines))
      }
      if old?.caretArea != wanted.caretArea { requests.append(.caretArea(wanted.caretArea)) }
    } else if old != nil {
      requests.append(.disable)
    }
    sent = wanted
    awaitsDone = false
    guard !requests.isEmpty else { return [] }
    commits &+= 1
    return requests + [.commit]
  }
}

/// The part of a text around its caret that fits into a message.
nonisolated struct SurroundingText: Hashable {
  /// The greatest length in bytes of UTF-8, by the protocol.
  static let greatestLength = 4000

  let text: String
  let caret: Int
  let anchor: Int

  /// The part of a state's text with the caret, and the entire selection if that fits.
  init(_ state: TextInputState) {
    let utf8 = state.text.utf8
    let caret = min(max(state.caret, 0), utf8.count)
    let anchor = min(max(state.anchor, 0), utf8.count)
    guard utf8.count > Self.greatestLength else {
      (text, self.caret, self.anchor) = (state.text, caret, anchor)
      return
    }
    // Half of the space on each side of the selection; at an end of the text all of it on the other side.
    let (low, high) = (min(caret, anchor), max(caret, anchor))
    let middle = high - low > Self.greatestLength ? caret : (low + high) / 2
    var start = min(max(middle - Self.greatestLength / 2, 0), utf8.count - Self.greatestLength)
    var end = start + Self.greatestLength
    func isBoundary(_ offset: Int) -> Bool {
      offset == utf8.count || utf8[utf8.index(utf8.startIndex, offsetBy: offset)] & 0xc0 != 0x80
    }
    while !isBoundary(start) { start += 1 }
    while !isBoundary(end) { end -= 1 }
    let from = utf8.index(utf8.startIndex, offsetBy: start)
    let to = utf8.index(utf8.startIndex, offsetBy: end)
    text = String(state.text.unicodeScalars[from..<to])
    self.caret = min(max(caret - start, 0), end - start)
    self.anchor = min(max(anchor - start, 0), end - start)
  }
}

/// The input methods of one seat, and its on-screen keyboards.
final class TextInput: InputDevice {
  private let proxy: ZwpTextInputV3
  private let seat: SeatContext
  private var model = TextInputModel()
  private weak var focus: Window?
  /// The parts received so far of an incomplete change.
  private var pending: TextEdit
  /// True while the content shows a composition.
  private var isComposing = false
  /// What the window was told of whoever types.
  private var service = TextService.none

  init(proxy: ZwpTextInputV3, seat: SeatContext) {
    self.proxy = proxy
    self.seat = seat
    pending = TextEdit(seat: seat.id)
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  /// Another text has the keys that go to `window`, or none has.
  func changed(on window: Window) {
    if focus === window { send(model.want(window.textInput)) }
  }

  func cancel(on window: Window, onlyPlaces: Bool) {
    if focus === window, !onlyPlaces { endComposing() }
  }

  func end() {
    leave()
    proxy.end()
  }

  private func handle(_ event: ZwpTextInputV3.Event) {
    switch event {
    case .enter(let surface):
      leave()
      guard let window = seat.window(of: surface) else { return }
      focus = window
      tell(.silent)
      send(model.enter(window.textInput))
    case .leave: leave()
    case .preeditString(let text, let begin, let end):
      pending.preedit = text ?? ""
      pending.preeditSelection = begin >= 0 && end >= 0 ? Int(min(begin, end))..<Int(max(begin, end)) : nil
    case .commitString(let text): pending.inserted = text ?? ""
    case .deleteSurroundingText(let before, let after):
      (pending.deletedBefore, pending.deletedAfter) = (Int(before), Int(after))
    case .done(let serial):
      let edit = pending
      pending = TextEdit(seat: seat.id)
      send(model.done(serial: serial))
      guard let window = focus else { return }
      if edit != TextEdit(seat: seat.id) { tell(.answering) }
      isComposing = !edit.preedit.isEmpty
      if !edit.inserted.isEmpty {
        Log.write(.input, .info, "an input method entered \(edit.inserted.utf8.count) bytes")
      }
      window.receive(.text(edit))
    }
  }

  /// The protocol: a client drops its composition.
  private func leave() {
    endComposing()
    tell(.none)
    pending = TextEdit(seat: seat.id)
    focus = nil
    model.leave()
  }

  /// Tells the window who types. One that has answered goes on to until the focus leaves.
  private func tell(_ new: TextService) {
    guard new != service, new != .silent || service == .none else { return }
    service = new
    focus?.receive(.textService(seat.id, new))
  }

  private func endComposing() {
    guard isComposing else { return }
    isComposing = false
    focus?.receive(.text(TextEdit(seat: seat.id)))
  }

  private func send(_ requests: [TextInputModel.Request]) {
    for request in requests {
      switch request {
      case .enable: proxy.enable()
      case .disable: proxy.disable()
      case .surrounding(let text):
        proxy.setSurroundingText(text: text.text, cursor: Int32(text.caret), anchor: Int32(text.anchor))
      case .cause(let isInputMethod): proxy.setTextChangeCause(cause: isInputMethod ? .inputMethod : .other)
      case .purpose(let purpose, let hasLines):
        let hint: ZwpTextInputV3.ContentHint =
          purpose == .password ? [.hiddenText, .sensitiveData] : hasLines ? .multiline : []
        proxy.setContentType(hint: hint, purpose: purpose.onTheWire)
      case .caretArea(let area):
        func whole(_ value: Double) -> Int32 { Int32(onTheWire: value.rounded()) }
        proxy.setCursorRectangle(
          x: whole(area.minX), y: whole(area.minY), width: whole(area.width), height: whole(area.height))
      case .commit: proxy.commit()
      }
    }
    if !requests.isEmpty { Log.write(.input, .debug, "text input: \(requests.count - 1) changes of its state") }
  }
}

extension TextInputState.Purpose {
  fileprivate var onTheWire: ZwpTextInputV3.ContentPurpose {
    switch self {
    case .normal: .normal
    case .number: .number
    case .url: .url
    case .email: .email
    case .name: .name
    case .password: .password
    }
  }
}
