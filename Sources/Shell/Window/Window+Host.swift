// What a window's content may ask of it.

import Interface

extension Window: WindowHost {
  /// The current time on the loop's clock.
  public var now: MonotonicTime { application.now }

  /// True while the compositor shows the window fullscreen.
  public var isFullscreen: Bool { configure.states.contains(.fullscreen) }

  /// Wakes the content at `time`; nil for no longer.
  public func setWake(at time: MonotonicTime?) {
    application.loop.cancel(wakeTimer)
    wakeTimer = nil
    guard isOpen, let time else { return }
    wakeTimer = application.loop.schedule(at: time) { [weak self] in
      guard let self else { return }
      wakeTimer = nil
      content.handleWake(at: now)
    }
  }

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

  /// Shows `shape` on the seat's pointer while it is over the window.
  public func setCursor(_ shape: CursorShape, for seat: SeatID) {
    application.setCursor(shape, for: seat, over: self)
  }
}
