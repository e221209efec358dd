// What a window's content may ask of it.

import Interface
import Wayland

extension Window: WindowHost {
  /// The current time on the loop's clock.
  public var now: MonotonicTime { time.now }

  /// True while the compositor shows the window fullscreen.
  public var isFullscreen: Bool { configure.states.contains(.fullscreen) }

  /// How the first of the window's outputs turns what it shows; upright without any.
  public var outputTransform: OutputTransform { outputs.first?.transform ?? .normal }

  /// Wakes the content at `time`; nil for no longer.
  public func setWake(at time: MonotonicTime?) {
    guard isOpen else { return }
    application.loop.cancel(wakeTimer)
    wakeTimer = nil
    guard let time else { return }
    wakeTimer = application.loop.schedule(at: time) { [weak self] in
      guard let self else { return }
      wakeTimer = nil
      application.outbox.post(.wake, to: self)
      application.outbox.deliver()
    }
  }

  /// Offers `text` for pasting (wl_data_device.set_selection), with the serial of the last press or touch.
  public func setClipboard(_ text: String) -> Bool { isOpen && application.copy(text) }

  /// What the compositor can do with the window.
  public var capabilities: WindowCapabilities { configure.capabilities }

  /// Asks for fullscreen, or to leave it.
  public func setFullscreen(_ fullscreen: Bool) {
    guard isOpen else { return }
    if fullscreen { parts.toplevel.setFullscreen(output: nil) } else { parts.toplevel.unsetFullscreen() }
  }

  /// Asks to maximise the window, or to restore it.
  public func setMaximized(_ maximized: Bool) {
    guard isOpen else { return }
    if maximized { parts.toplevel.setMaximized() } else { parts.toplevel.unsetMaximized() }
  }

  /// Closes the window as its frame's button does: `onCloseRequest` may keep it open.
  public func requestClose() {
    guard isOpen else { return }
    if let onCloseRequest { onCloseRequest() } else { close() }
  }

  /// Asks to minimise the window.
  public func minimize() {
    if isOpen { parts.toplevel.setMinimized() }
  }

  /// Lets the compositor move the window with the contact `touch`.
  public func beginMove(by touch: TouchID) {
    guard isOpen, let grab = application.surrender(touch, on: self) else { return }
    parts.toplevel.move(seat: grab.seat, serial: grab.serial)
  }

  /// Lets the compositor resize the window with the contact `touch`.
  public func beginResize(from edge: WindowEdge, by touch: TouchID) {
    guard isOpen, let grab = application.surrender(touch, on: self) else { return }
    parts.toplevel.resize(seat: grab.seat, serial: grab.serial, edges: edge.wireEdge)
  }

  /// Shows the compositor's menu for the window.
  public func showMenu(at point: Point, by touch: TouchID) {
    guard isOpen, point.isFinite, let grab = application.surrender(touch, on: self) else { return }
    parts.toplevel.showWindowMenu(
      seat: grab.seat, serial: grab.serial, x: Int32(min(max(point.x.rounded(), -32_768), 32_767)),
      y: Int32(min(max(point.y.rounded(), -32_768), 32_767)))
  }

  /// Shows `shape` on the seat's pointer while it is over the window.
  public func setCursor(_ shape: CursorShape, for seat: SeatID) {
    if isOpen { application.setCursor(shape, for: seat, over: self) }
  }
}

extension WindowEdge {
  fileprivate var wireEdge: XdgToplevel.ResizeEdge {
    switch self {
    case .top: .top
    case .bottom: .bottom
    case .left: .left
    case .right: .right
    case .topLeft: .topLeft
    case .topRight: .topRight
    case .bottomLeft: .bottomLeft
    case .bottomRight: .bottomRight
    }
  }
}
