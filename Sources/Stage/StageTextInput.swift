import WaylandServer

/// A zwp_text_input_v3: the text state that a client reports, and an input method's changes, which the script sends.
package final class StageTextInput {
  /// The text state that a client has reported. Positions are UTF-8 bytes of `text`.
  package struct State: Hashable {
    /// The text around the caret; nil if the client does not report it.
    package var text: String?
    /// The caret's position.
    package var caret = 0
    /// The other end of the selection; equal to `caret` if nothing is selected.
    package var anchor = 0
    /// The kind of text, such as digits or a password.
    package var purpose = ZwpTextInputV3Resource.ContentPurpose.normal
    /// The caret's frame in the surface's logical points; nil if the client does not report it.
    package var caretArea: PixelRect?
    /// True if the commit reported a change that the input method did not make.
    package var isByOther = false
  }

  /// The committed state; nil while the client has text input off.
  package private(set) var state: State?
  /// The number of commit requests, which is the serial of `done`.
  package private(set) var commits: UInt32 = 0
  /// The number of enable requests.
  package private(set) var enables = 0
  /// The surface that the object last entered; nil after `leave()`.
  package private(set) var focus: StageSurface?

  /// The state that the next commit applies. The outer nil means no change, the inner nil that text input is off.
  private var pending: State??
  private unowned let stage: Stage
  private let resource: ZwpTextInputV3Resource

  init(resource: ZwpTextInputV3Resource, stage: Stage) {
    self.resource = resource
    self.stage = stage
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// True until the client destroys the object.
  package var isAlive: Bool { resource.isAlive }

  // MARK: The script

  /// Gives `surface` (by default the first window's) the text focus. Call `leave()` before entering a different surface.
  package func enter(_ surface: StageSurface? = nil) {
    guard let surface = surface ?? stage.frontSurface else { return }
    focus = surface
    resource.sendEnter(surface: surface.resource)
  }

  /// Removes the text focus, and with it the state.
  package func leave() {
    if let focus, focus.resource.isAlive { resource.sendLeave(surface: focus.resource) }
    (focus, state, pending) = (nil, nil, .none)
  }

  /// Sends text that an input method composes, with the caret or highlighted range in UTF-8 bytes of it; nil to hide the caret.
  /// Takes effect with `done()`.
  package func preedit(_ text: String, caret: Range<Int>? = nil) {
    resource.sendPreeditString(
      text: text, cursorBegin: caret.map { Int32($0.lowerBound) } ?? -1,
      cursorEnd: caret.map { Int32($0.upperBound) } ?? -1)
  }

  /// Sends text that an input method enters. Takes effect with `done()`.
  package func commit(_ text: String) { resource.sendCommitString(text: text) }

  /// Sends an input method's request to delete UTF-8 bytes on both sides of the caret. Takes effect with `done()`.
  package func delete(before: Int, after: Int = 0) {
    resource.sendDeleteSurroundingText(beforeLength: UInt32(before), afterLength: UInt32(after))
  }

  /// Makes the client apply the changes. `lag` is the number of latest commits that the input method had not seen.
  package func done(lag: UInt32 = 0) { resource.sendDone(serial: commits &- lag) }

  // MARK: Requests

  private func handle(_ request: ZwpTextInputV3Resource.Request) {
    switch request {
    case .destroy: break
    case .enable:
      enables += 1
      pending = .some(State())
    case .disable: pending = .some(nil)
    case .setSurroundingText(let text, let caret, let anchor):
      let length = text.utf8.count
      if length > 4000 || ![caret, anchor].allSatisfy({ (0...length).contains(Int($0)) }) {
        stage.report(.protocolError, "a surrounding text of \(length) bytes with \(caret) and \(anchor)")
      }
      change { ($0.text, $0.caret, $0.anchor) = (text, Int(caret), Int(anchor)) }
    case .setTextChangeCause(let cause): change { $0.isByOther = cause == .other }
    case .setContentType(_, let purpose): change { $0.purpose = purpose }
    case .setCursorRectangle(let x, let y, let width, let height):
      change { $0.caretArea = PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)) }
    case .commit:
      commits &+= 1
      // As the protocol says, requests without the text focus are ignored.
      if focus != nil, let pending { state = pending }
      pending = .none
    }
  }

  private func change(_ body: (inout State) -> Void) {
    // A cause is valid for one commit only.
    var old = state
    old?.isByOther = false
    guard var new = pending ?? old else {
      if focus != nil { stage.report(.protocolError, "a state of a text input that is not enabled") }
      return
    }
    body(&new)
    pending = .some(new)
  }
}

extension Stage {
  /// Handles a request to a text input manager.
  func handle(_ request: ZwpTextInputManagerV3Resource.Request) {
    guard case .getTextInput(let made, let seat) = request, let seat: StageSeat = model(seat) else { return }
    let input = StageTextInput(resource: made, stage: self)
    own(input, for: made)
    seat.textInputs.append(input)
    made.whenDestroyed { [weak seat, weak input] in seat?.textInputs.removeAll { $0 === input } }
  }
}
