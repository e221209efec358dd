import Wayland

extension Window: WindowHost {
  /// The current time on the loop's clock.
  public var now: MonotonicTime { loop.clock.now }

  /// True while the compositor shows the window fullscreen.
  public var isFullscreen: Bool { model.configure.state.isFullscreen }

  /// True while the compositor says that the window is in use. Without a keyboard it is the only sign of that.
  public var isActivated: Bool { model.configure.state.isActivated }

  /// The transform of the window's first output, or the last known one while it has none; normal before the first.
  public var outputTransform: OutputTransform { model.transform ?? .normal }

  /// The requests that the compositor supports for the window.
  public var capabilities: Set<WindowCapability> { model.configure.state.capabilities }

  /// Wakes the content at `time`; nil cancels it.
  public func setWake(at time: MonotonicTime?) {
    if isOpen { handle(.wakeWanted(time)) }
  }

  /// Offers `text` for pasting (wl_data_device.set_selection), with the serial of the last press or touch.
  public func setClipboard(_ text: String) -> Bool { isOpen && application?.server?.copy(text) ?? false }

  /// Makes `text` what the middle button pastes (zwp_primary_selection_device_v1.set_selection).
  public func setPrimarySelection(_ text: String) -> Bool { isOpen && application?.server?.select(text) ?? false }

  /// True while there is a text on the seat's clipboard.
  public func canPaste(for seat: SeatID) -> Bool { isOpen && application?.seat(seat)?.canPaste ?? false }

  /// Asks for the text on the seat's clipboard.
  public func requestPaste(for seat: SeatID) {
    if isOpen { application?.seat(seat)?.paste(into: self) }
  }

  /// Reports the text to the input methods of every seat whose keyboard focus is the window (text-input-v3).
  public func setTextInput(_ state: TextInputState?) {
    guard isOpen, state != textInput else { return }
    textInput = state
    for seat in seats { seat.textInputChanged(on: self) }
  }

  /// Asks for fullscreen, or to leave it.
  public func setFullscreen(_ fullscreen: Bool) {
    guard isOpen else { return }
    if fullscreen { objects.toplevel?.setFullscreen(output: nil) } else { objects.toplevel?.unsetFullscreen() }
  }

  /// Asks to maximise the window, or to restore it.
  public func setMaximized(_ maximized: Bool) {
    guard isOpen else { return }
    if maximized { objects.toplevel?.setMaximized() } else { objects.toplevel?.unsetMaximized() }
  }

  /// Closes the window as its decoration's button does: `onCloseRequest` may keep it open.
  public func requestClose() {
    guard isOpen else { return }
    if let onCloseRequest { onCloseRequest() } else { close() }
  }

  /// Asks to minimise the window.
  public func minimize() {
    if isOpen { objects.toplevel?.setMinimized() }
  }

  /// Lets the compositor move the window with the contact `touch`.
  public func beginMove(by touch: TouchID) {
    guard let grab = handOver(touch) else { return }
    objects.toplevel?.move(seat: grab.seat, serial: grab.serial)
  }

  /// Lets the compositor resize the window with the contact `touch`.
  public func beginResize(from edge: WindowEdge, by touch: TouchID) {
    guard let grab = handOver(touch) else { return }
    objects.toplevel?.resize(seat: grab.seat, serial: grab.serial, edges: .init(rawValue: edge.rawValue))
  }

  /// Shows the compositor's menu for the window.
  public func showMenu(at point: Point, by touch: TouchID) {
    guard point.isFinite, let grab = handOver(touch) else { return }
    objects.toplevel?.showWindowMenu(
      seat: grab.seat, serial: grab.serial, x: Int32(onTheWire: point.x.rounded()),
      y: Int32(onTheWire: point.y.rounded()))
  }

  /// Shows `shape` on the seat's pointer while it is over the window.
  public func setCursor(_ shape: CursorShape, for seat: SeatID) {
    if isOpen { application?.seat(seat)?.setCursor(shape, over: self) }
  }

  /// Passes the contact to the compositor; nil if it is not down on the window.
  private func handOver(_ touch: TouchID) -> (seat: WlSeat, serial: UInt32)? {
    isOpen ? application?.seat(touch.seat)?.press(of: touch.contact, on: self, handsOver: true) : nil
  }
}
