internal import WaylandServer

/// A zwp_input_method_v2: a client that is an input method. The text input that has the focus is passed on to it.
final class StageInputMethod {
  private var isActive = false
  private weak var input: StageTextInput?
  private var preedit: (text: String, caret: Range<Int>?)?
  private var text: String?
  private var deletion: (before: UInt32, after: UInt32)?
  private let resource: ZwpInputMethodV2Resource

  init(resource: ZwpInputMethodV2Resource) {
    self.resource = resource
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// Passes on the state that a client committed; nil if text input is off.
  func update(_ state: StageTextInput.State?, of input: StageTextInput) {
    guard let state else {
      guard isActive, self.input === input else { return }
      isActive = false
      resource.sendDeactivate()
      return resource.sendDone()
    }
    self.input = input
    if !isActive { resource.sendActivate() }
    isActive = true
    if let text = state.text {
      resource.sendSurroundingText(text: text, cursor: UInt32(state.caret), anchor: UInt32(state.anchor))
    }
    resource.sendTextChangeCause(cause: state.isByOther ? .other : .inputMethod)
    resource.sendContentType(hint: state.hint, purpose: state.purpose)
    resource.sendDone()
  }

  private func handle(_ request: ZwpInputMethodV2Resource.Request) {
    switch request {
    case .commitString(let text): self.text = text
    case .setPreeditString(let text, let begin, let end):
      preedit = (text, begin < 0 || end < begin ? nil : Int(begin)..<Int(end))
    case .deleteSurroundingText(let before, let after): deletion = (before, after)
    case .commit:
      defer { (preedit, text, deletion) = (nil, nil, nil) }
      guard isActive, let input else { return }
      if let preedit { input.preedit(preedit.text, caret: preedit.caret) }
      if let deletion { input.delete(before: Int(deletion.before), after: Int(deletion.after)) }
      if let text { input.commit(text) }
      input.done()
    case .getInputPopupSurface, .grabKeyboard, .destroy: break
    }
  }
}

extension Stage {
  func handle(_ request: ZwpInputMethodManagerV2Resource.Request) {
    guard case .getInputMethod(let target, let made) = request, let seat: StageSeat = model(target) else { return }
    guard seat.inputMethods.isEmpty else { return made.sendUnavailable() }
    let method = StageInputMethod(resource: made)
    own(method, for: made)
    seat.inputMethods.append(method)
    made.whenDestroyed { [weak seat, weak method] in seat?.inputMethods.removeAll { $0 === method } }
    for input in seat.textInputs where input.state != nil { method.update(input.state, of: input) }
  }

  func handle(_ request: ZwlrVirtualPointerManagerV1Resource.Request) {
    guard case .createVirtualPointer(_, let made) = request else { return }
    // Everything happens with the frame that ends it.
    var acts: [(StageDesktop) -> Void] = []
    var source: WlPointerResource.AxisSource?
    made.onRequest = { [unowned self] in
      switch $0 {
      case .motion(_, let dx, let dy): acts.append { $0.movePointer(by: Point(x: dx, y: dy)) }
      case .motionAbsolute(_, let x, let y, let width, let height):
        let part = Point(x: Double(x) / Double(max(1, width)), y: Double(y) / Double(max(1, height)))
        acts.append { $0.movePointer(to: Point(x: part.x * $0.screen.width, y: part.y * $0.screen.height)) }
      case .button(_, let button, let state): acts.append { $0.pressButton(state == .pressed, button: button) }
      case .axis(_, let axis, let value): acts.append { $0.seat?.scroll(axis, by: value, clicks: nil) }
      case .axisDiscrete(_, let axis, let value, let clicks):
        acts.append { $0.seat?.scroll(axis, by: value, clicks: Double(clicks)) }
      case .axisStop(_, let axis): acts.append { $0.seat?.stopScroll(axis) }
      case .axisSource(let new): source = new
      case .frame:
        guard let desktop else { return }
        if let source { desktop.seat?.sendSource(source) }
        for act in acts { act(desktop) }
        desktop.seat?.pointerFrame()
        (acts, source) = ([], nil)
      case .destroy: break
      }
    }
  }

  /// Handles a request for the details of an output.
  func handle(_ request: ZxdgOutputManagerV1Resource.Request) {
    guard case .getXdgOutput(let made, let target) = request,
      let output = outputs.first(where: { $0.resources.contains { $0 === target } })
    else { return }
    made.sendLogicalPosition(x: 0, y: 0)
    made.sendLogicalSize(width: Int32(output.size.width), height: Int32(output.size.height))
    if made.version >= 2 { made.sendName(name: output.name) }
    if made.version < 3 { made.sendDone() } else { target?.sendDone() }
  }
}
