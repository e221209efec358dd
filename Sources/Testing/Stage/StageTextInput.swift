public import WaylandServer

/// A zwp_text_input_v3: the text state that a client reports, and an input method's changes, which the script sends.
public final class StageTextInput {
  /// How an input method should treat a text (zwp_text_input_v3.content_hint).
  public typealias Hints = ZwpTextInputV3Resource.ContentHint
  /// The kind of a text, from which on-screen keyboards choose their keys (zwp_text_input_v3.content_purpose).
  public typealias Purpose = ZwpTextInputV3Resource.ContentPurpose

  /// The text state that a client has reported. Positions are UTF-8 bytes of `text`.
  public struct State: Hashable {
    /// The text around the caret; nil if the client does not report it.
    public var text: String?
    /// The caret's position.
    public var caret = 0
    /// The other end of the selection; equal to `caret` if nothing is selected.
    public var anchor = 0
    /// How to treat the text, such as to complete or to hide it.
    public var hint: Hints = []
    /// The kind of text, such as digits or a password.
    public var purpose = Purpose.normal
    /// The caret's frame in the surface's logical points; nil if the client does not report it.
    public var caretArea: PixelRect?
    /// True if the commit reported a change that the input method did not make.
    public var isByOther = false
  }

  /// The committed state; nil while the client has text input off.
  public private(set) var state: State?
  /// The number of commit requests, which is the serial of `done`.
  public private(set) var commits: UInt32 = 0
  /// The number of enable requests.
  public private(set) var enables = 0
  /// The surface that the object last entered; nil after `leave()`.
  public private(set) var focus: StageSurface?

  /// The state that the next commit applies. The outer nil means no change, the inner nil that text input is off.
  private var pending: State??
  private weak var stage: Stage?
  private let resource: ZwpTextInputV3Resource

  private weak var seat: StageSeat?

  init(resource: ZwpTextInputV3Resource, seat: StageSeat, stage: Stage) {
    self.resource = resource
    self.seat = seat
    self.stage = stage
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// Whether the object belongs to the client of `surface`.
  func hasClient(of surface: StageSurface) -> Bool { resource.hasClient(of: surface.resource) }

  /// True until the client destroys the object.
  public var isAlive: Bool { resource.isAlive }

  // MARK: The script

  /// Gives `surface` (by default the first window's) the text focus. Call `leave()` before entering a different surface.
  public func enter(_ surface: StageSurface? = nil) {
    guard let surface = surface ?? stage?.frontSurface else { return }
    focus = surface
    resource.sendEnter(surface: surface.resource)
  }

  /// Removes the text focus, and with it the state.
  public func leave() {
    if let focus, focus.resource.isAlive { resource.sendLeave(surface: focus.resource) }
    if state != nil { seat?.inputMethods.forEach { $0.update(nil, of: self) } }
    (focus, state, pending) = (nil, nil, .none)
  }

  /// Sends text that an input method composes, with the caret or highlighted range in UTF-8 bytes of it; nil to hide the caret.
  /// Takes effect with `done()`.
  public func preedit(_ text: String, caret: Range<Int>? = nil) {
    resource.sendPreeditString(
      text: text, cursorBegin: caret.map { Int32($0.lowerBound) } ?? -1,
      cursorEnd: caret.map { Int32($0.upperBound) } ?? -1)
  }

  /// Sends text that an input method enters. Takes effect with `done()`.
  public func commit(_ text: String) { resource.sendCommitString(text: text) }

  /// Sends an input method's request to delete UTF-8 bytes on both sides of the caret. Takes effect with `done()`.
  public func delete(before: Int, after: Int = 0) {
    resource.sendDeleteSurroundingText(beforeLength: UInt32(before), afterLength: UInt32(after))
  }

  /// Makes the client apply the changes. `lag` is the number of latest commits that the input method had not seen.
  public func done(lag: UInt32 = 0) { resource.sendDone(serial: commits &- lag) }

  // MARK: Requests

  private func handle(_ request: ZwpTextInputV3Resource.Request) {
    switch request {
    case .destroy: seat?.inputMethods.forEach { $0.update(nil, of: self) }
    case .enable:
      enables += 1
      pending = .some(State())
    case .disable: pending = .some(nil)
    case .setSurroundingText(let text, let caret, let anchor):
      let bytes = Array(text.utf8)
      if bytes.count > 4000 { stage?.report(.textTooLong, "\(bytes.count) bytes") }
      for position in [Int(caret), Int(anchor)]
      where !(0...bytes.count).contains(position) || position < bytes.count && bytes[position] & 0xc0 == 0x80 {
        stage?.report(.textPositionOutside, "\(position) in \(bytes.count) bytes")
      }
      change { ($0.text, $0.caret, $0.anchor) = (text, Int(caret), Int(anchor)) }
    case .setTextChangeCause(let cause): change { $0.isByOther = cause == .other }
    case .setContentType(let hint, let purpose): change { ($0.hint, $0.purpose) = (hint, purpose) }
    case .setCursorRectangle(let x, let y, let width, let height):
      change { $0.caretArea = PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)) }
    case .commit:
      commits &+= 1
      // As the protocol says, requests without the text focus are ignored.
      if focus != nil, let pending {
        state = pending
        seat?.inputMethods.forEach { $0.update(state, of: self) }
      }
      pending = .none
    }
  }

  private func change(_ body: (inout State) -> Void) {
    // A cause is valid for one commit only.
    var old = state
    old?.isByOther = false
    guard var new = pending ?? old else {
      if focus != nil { stage?.report(.textInputDisabled, "zwp_text_input_v3@\(resource.id)") }
      return
    }
    body(&new)
    pending = .some(new)
  }
}

extension Stage {
  func handle(_ request: ZwpTextInputManagerV3Resource.Request) {
    guard case .getTextInput(let made, let seat) = request, let seat: StageSeat = model(seat) else { return }
    let input = StageTextInput(resource: made, seat: seat, stage: self)
    own(input, for: made)
    seat.textInputs.append(input)
    made.whenDestroyed { [weak seat, weak input] in seat?.textInputs.removeAll { $0 === input } }
    if let focus = desktop == nil ? nil : seat.keyboardFocus, focus.resource.hasClient(of: made) {
      input.enter(focus)
    }
  }
}
